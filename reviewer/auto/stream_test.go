package auto

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docket-engine/docket/reviewer"
)

// scriptedModel is a double: it stands for a model, and plays what a test wrote. It
// says nothing of how a real one judges or behaves.
type scriptedModel struct {
	steps []any // a Chunk, an error, a time.Duration to wait, or a func() to call
	asked int
	slips bool // ends in silence when its context does, instead of with an error
}

func (m *scriptedModel) Stream(ctx context.Context, _ reviewer.Prompt) iter.Seq2[reviewer.Chunk, error] {
	m.asked++
	return func(yield func(reviewer.Chunk, error) bool) {
		for _, step := range m.steps {
			switch s := step.(type) {
			case time.Duration:
				select {
				case <-time.After(s):
				case <-ctx.Done():
					if !m.slips {
						yield(nil, context.Cause(ctx))
					}
					return
				}
			case func():
				s()
			case error:
				yield(nil, s)
				return
			case nil:
				if !yield(nil, nil) {
					return
				}
			case reviewer.Chunk:
				if !yield(s, nil) {
					return
				}
			}
		}
	}
}

func reasoning(index int, text string) reviewer.Delta {
	return reviewer.Delta{Index: index, Kind: reviewer.BlockReasoning, Text: text}
}

func said(index int, text string) reviewer.Delta {
	return reviewer.Delta{Index: index, Kind: reviewer.BlockText, Text: text}
}

func blockEnd(index int, kind reviewer.BlockKind, text ...string) reviewer.BlockEnd {
	if len(text) == 0 {
		return reviewer.BlockEnd{Index: index, Kind: kind}
	}
	return reviewer.BlockEnd{Index: index, Kind: kind, Text: &text[0]}
}

var stopped = reviewer.Finish{Kind: reviewer.FinishStop}

func collected(t *testing.T, limits reviewer.Limits, steps ...any) (string, error) {
	t.Helper()
	m := &scriptedModel{steps: steps}
	text, err := collect(t.Context(), m, reviewer.Prompt{Route: reviewer.Route{Limits: limits}})
	if m.asked != 1 {
		t.Errorf("the model was asked %d times, want once", m.asked)
	}
	return text, err
}

func TestAnAnswerIsReasoningAndThenOneText(t *testing.T) {
	text, thought := reviewer.BlockText, reviewer.BlockReasoning
	cases := map[string]struct {
		steps []any
		want  string
	}{
		"one text":                          {[]any{said(0, "a"), stopped}, "a"},
		"deltas are joined":                 {[]any{said(0, "a"), said(0, ""), said(0, "b"), stopped}, "ab"},
		"an empty text":                     {[]any{said(0, ""), stopped}, ""},
		"reasoning before":                  {[]any{reasoning(0, "x"), said(1, "a"), stopped}, "a"},
		"many blocks of reasoning before":   {[]any{reasoning(0, "x"), reasoning(7, "y"), said(1, "a"), stopped}, "a"},
		"the order is that of first sight":  {[]any{reasoning(9, "x"), said(3, "a"), reasoning(9, "y"), said(3, "b"), stopped}, "ab"},
		"an end's text wins":                {[]any{said(0, "a"), blockEnd(0, text, "b"), stopped}, "b"},
		"an end's empty text wins":          {[]any{said(0, "a"), blockEnd(0, text, ""), stopped}, ""},
		"an end without text":               {[]any{said(0, "a"), blockEnd(0, text), stopped}, "a"},
		"deltas behind an end are ignored":  {[]any{said(0, "a"), blockEnd(0, text, "b"), said(0, "c"), stopped}, "b"},
		"the same without text":             {[]any{said(0, "a"), blockEnd(0, text), said(0, "c"), stopped}, "a"},
		"a block that only ends":            {[]any{blockEnd(0, thought, "x"), blockEnd(1, text, "a"), stopped}, "a"},
		"usage before the finish":           {[]any{reviewer.Usage{}, said(0, "a"), reviewer.Usage{Output: 1}, stopped}, "a"},
		"a pause below the limit, repeated": {[]any{59 * time.Second, said(0, "a"), 59 * time.Second, said(0, "b"), 59 * time.Second, stopped}, "ab"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, err := collected(t, reviewer.Limits{}, c.steps...)
				if err != nil || got != c.want {
					t.Errorf("got %q, %v; want %q", got, err, c.want)
				}
			})
		})
	}
}

func TestWhatIsNoWholeAnswerIsAFailure(t *testing.T) {
	text, thought := reviewer.BlockText, reviewer.BlockReasoning
	call := reviewer.Delta{Index: 1, Kind: reviewer.BlockToolCall, Text: "{}"}
	image := reviewer.BlockEnd{Index: 0, Kind: reviewer.BlockImage}
	finish := func(kind reviewer.FinishKind) reviewer.Finish { return reviewer.Finish{Kind: kind} }
	manyBlocks := make([]any, 300)
	for i := range manyBlocks {
		manyBlocks[i] = reasoning(i, "")
	}
	cases := map[string]struct {
		steps []any
		want  *reviewer.Failure
		says  string
	}{
		"no finish":                      {[]any{said(0, "a")}, ErrFinishMissing, "without a finish"},
		"nothing at all":                 {nil, ErrFinishMissing, ""},
		"a delta behind the finish":      {[]any{said(0, "a"), stopped, said(0, "b")}, ErrChunkAfterFinish, ""},
		"usage behind the finish":        {[]any{said(0, "a"), stopped, reviewer.Usage{}}, ErrChunkAfterFinish, ""},
		"an end behind the finish":       {[]any{said(0, "a"), stopped, blockEnd(0, text)}, ErrChunkAfterFinish, ""},
		"a second finish":                {[]any{said(0, "a"), stopped, stopped}, ErrChunkAfterFinish, ""},
		"an error behind the finish":     {[]any{said(0, "a"), stopped, errors.New("cut")}, ErrModelFailed, "cut"},
		"no blocks":                      {[]any{stopped}, ErrAnswerBlocks, "no blocks"},
		"reasoning alone":                {[]any{reasoning(0, "a"), stopped}, ErrAnswerBlocks, "no text"},
		"text before reasoning":          {[]any{said(0, "a"), reasoning(1, "x"), stopped}, ErrAnswerBlocks, `"reasoning" behind its text`},
		"two texts":                      {[]any{said(0, "a"), said(1, "b"), stopped}, ErrAnswerBlocks, `"text" behind its text`},
		"two texts, the second empty":    {[]any{said(0, "a"), said(1, ""), stopped}, ErrAnswerBlocks, ""},
		"two texts, the second only end": {[]any{said(0, "a"), blockEnd(1, text), stopped}, ErrAnswerBlocks, ""},
		"a lower index seen later":       {[]any{said(5, "a"), reasoning(0, "x"), stopped}, ErrAnswerBlocks, ""},
		"a tool call":                    {[]any{call, said(2, "a"), stopped}, ErrAnswerBlocks, `"tool-call"`},
		"an image":                       {[]any{image, said(1, "a"), stopped}, ErrAnswerBlocks, `"image"`},
		"a block of no kind":             {[]any{reviewer.Delta{}, said(1, "a"), stopped}, ErrAnswerBlocks, ""},
		"a block of two kinds":           {[]any{reasoning(0, "x"), said(0, "a"), stopped}, ErrBlockBroken, "kind"},
		"an end of another kind":         {[]any{said(0, "a"), blockEnd(0, thought), stopped}, ErrBlockBroken, "kind"},
		"a block that ends twice":        {[]any{said(0, "a"), blockEnd(0, text), blockEnd(0, text, "b"), stopped}, ErrBlockBroken, "ends twice"},
		"no chunk":                       {[]any{said(0, "a"), nil, stopped}, ErrBlockBroken, "unknown kind"},
		"a chunk by reference":           {[]any{&reviewer.Delta{Kind: text}, stopped}, ErrBlockBroken, "unknown kind"},
		"too many blocks":                {append(manyBlocks, said(999, "a"), stopped), ErrAnswerBlocks, "more than"},
		"the finish goes before blocks":  {[]any{said(0, "a"), said(1, "b"), finish(reviewer.FinishMaxTokens)}, ErrFinishNotStop, "max-tokens"},
		"max tokens":                     {[]any{said(0, "a"), finish(reviewer.FinishMaxTokens)}, ErrFinishNotStop, "max-tokens"},
		"tool calls":                     {[]any{said(0, "a"), finish(reviewer.FinishToolCalls)}, ErrFinishNotStop, "tool-calls"},
		"a content filter":               {[]any{said(0, "a"), finish(reviewer.FinishContentFilter)}, ErrFinishNotStop, "content-filter"},
		"a refusal":                      {[]any{said(0, "a"), finish(reviewer.FinishRefusal)}, ErrFinishNotStop, "refusal"},
		"a finish nobody knows":          {[]any{said(0, "a"), finish("tired")}, ErrFinishNotStop, "tired"},
		"a finish of no kind":            {[]any{said(0, "a"), finish("")}, ErrFinishNotStop, ""},
		"aborted":                        {[]any{said(0, "a"), finish(reviewer.FinishAborted)}, ErrModelAborted, ""},
		"an error with its particulars": {
			[]any{reviewer.Finish{Kind: reviewer.FinishError, Code: "server_error", Message: "overloaded", Status: 503, RequestID: "req_1"}},
			ErrModelError, "(code server_error, HTTP status 503, request req_1): overloaded",
		},
		"an error that says nothing":   {[]any{finish(reviewer.FinishError)}, ErrModelError, "provider failed"},
		"an error of the client":       {[]any{errors.New("boom")}, ErrModelFailed, "boom"},
		"a panic of the client":        {[]any{func() { panic("boom") }}, ErrModelPanic, "boom"},
		"a panic with a number":        {[]any{said(0, "a"), func() { panic(42) }}, ErrModelPanic, "42"},
		"a panic behind the finish":    {[]any{said(0, "a"), stopped, func() { panic("late") }}, ErrModelPanic, "late"},
		"a failure of the client":      {[]any{&reviewer.Failure{Class: reviewer.ClassUnavailable, Code: "X", Detail: "gone"}}, &reviewer.Failure{Class: reviewer.ClassUnavailable, Code: "X"}, "gone"},
		"a failure without a class":    {[]any{&reviewer.Failure{Code: "X"}}, ErrModelFailed, "X"},
		"a failure without a code":     {[]any{&reviewer.Failure{Class: reviewer.ClassCancelled}}, ErrModelFailed, ""},
		"a failure that is none":       {[]any{(*reviewer.Failure)(nil)}, ErrModelPanic, ""},
		"a message that is no UTF-8":   {[]any{errors.New("a\xffb")}, ErrModelFailed, "ab"},
		"a message without an end":     {[]any{errors.New(strings.Repeat("é", 10_000))}, ErrModelFailed, "é…"},
		"a finish with a long message": {[]any{reviewer.Finish{Kind: reviewer.FinishError, Message: strings.Repeat("m", 10_000)}}, ErrModelError, "m…"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, err := collected(t, reviewer.Limits{}, c.steps...)
				if got != "" || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %q, %v; want %s with %q", got, err, c.want.Code, c.says)
				}
				if err != nil && len(err.Error()) > 2*maxDetail {
					t.Errorf("the failure has %d bytes", len(err.Error()))
				}
			})
		})
	}
}

func TestEachLimitIsAFailureOfItsOwn(t *testing.T) {
	drip := func(n int, pause time.Duration) (steps []any) {
		for range n {
			steps = append(steps, pause, said(0, "x"))
		}
		return append(steps, stopped)
	}
	text := reviewer.BlockText
	cases := map[string]struct {
		limits reviewer.Limits
		steps  []any
		want   *reviewer.Failure
		class  reviewer.Class
		after  time.Duration
	}{
		"silence from the start":          {reviewer.Limits{}, []any{time.Hour}, ErrModelIdle, reviewer.ClassTimeout, time.Minute},
		"silence after a chunk":           {reviewer.Limits{}, []any{30 * time.Second, said(0, "x"), time.Hour}, ErrModelIdle, reviewer.ClassTimeout, 90 * time.Second},
		"silence after the finish":        {reviewer.Limits{}, []any{said(0, "x"), stopped, time.Hour}, ErrModelIdle, reviewer.ClassTimeout, time.Minute},
		"a route's own idle limit":        {reviewer.Limits{Idle: time.Second}, []any{time.Hour}, ErrModelIdle, reviewer.ClassTimeout, time.Second},
		"an answer that goes on":          {reviewer.Limits{}, drip(100, 30*time.Second), ErrModelTotalTime, reviewer.ClassTimeout, 10 * time.Minute},
		"a route's own total limit":       {reviewer.Limits{Total: 5 * time.Second}, drip(100, time.Second), ErrModelTotalTime, reviewer.ClassTimeout, 5 * time.Second},
		"text beyond the limit":           {reviewer.Limits{}, []any{said(0, strings.Repeat("x", 1<<20)), said(0, "x"), stopped}, ErrAnswerTooLarge, reviewer.ClassTooLarge, 0},
		"reasoning beyond the limit":      {reviewer.Limits{Bytes: 10}, []any{reasoning(0, "12345678"), said(1, "123"), stopped}, ErrAnswerTooLarge, reviewer.ClassTooLarge, 0},
		"an end's text beyond the limit":  {reviewer.Limits{Bytes: 3}, []any{said(0, "12"), blockEnd(0, text, "1234"), stopped}, ErrAnswerTooLarge, reviewer.ClassTooLarge, 0},
		"ignored text beyond the limit":   {reviewer.Limits{Bytes: 3}, []any{blockEnd(0, text, "1"), said(0, "234"), stopped}, ErrAnswerTooLarge, reviewer.ClassTooLarge, 0},
		"the limit is found in the midst": {reviewer.Limits{Bytes: 3}, []any{said(0, "1234"), time.Hour}, ErrAnswerTooLarge, reviewer.ClassTooLarge, 0},
	}
	for name, c := range cases {
		for _, slips := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					start := time.Now()
					m := &scriptedModel{steps: c.steps, slips: slips}
					got, err := collect(t.Context(), m, reviewer.Prompt{Route: reviewer.Route{Limits: c.limits}})
					failure, ok := errors.AsType[*reviewer.Failure](err)
					if !ok || !errors.Is(err, c.want) || failure.Class != c.class || got != "" {
						t.Errorf("got %q, %v; want %s", got, err, c.want.Code)
					}
					if d := time.Since(start); d != c.after {
						t.Errorf("gave up after %s, want %s", d, c.after)
					}
				})
			})
		}
	}
}

func TestTextUpToTheLimitIsTaken(t *testing.T) {
	full := strings.Repeat("x", 1<<20)
	got, err := collected(t, reviewer.Limits{}, said(0, full), blockEnd(0, reviewer.BlockText, full), stopped)
	if err != nil || got != full {
		t.Errorf("got %d bytes, %v; want 1 MiB, since an end that repeats the deltas counts once", len(got), err)
	}
}

func TestAnEndedContextIsACancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deaf := func() { time.Sleep(2 * time.Second) } // does not see that the context ended
		for name, steps := range map[string][]any{
			"while the model is silent":       {time.Hour},
			"between chunks":                  {said(0, "a"), 2 * time.Second, said(0, "b"), stopped},
			"after the finish":                {said(0, "a"), stopped, 2 * time.Second},
			"and the client throws":           {deaf, func() { panic("late") }},
			"and the provider gives up":       {deaf, reviewer.Finish{Kind: reviewer.FinishAborted}},
			"and the answer comes late":       {deaf, said(0, "a"), stopped},
			"and the answer was not over yet": {said(0, "a"), stopped, deaf},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			got, err := collect(ctx, &scriptedModel{steps: steps, slips: true}, reviewer.Prompt{})
			cancel()
			failure, ok := errors.AsType[*reviewer.Failure](err)
			if !ok || failure.Class != reviewer.ClassCancelled || !errors.Is(err, ErrCancelled) || got != "" {
				t.Errorf("%s: got %q, %v; want REVIEW_CANCELLED", name, got, err)
			}
		}
	})
}

func TestACancelledReviewAsksNobody(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := &scriptedModel{steps: []any{said(0, "a"), stopped}}
	if _, err := collect(ctx, m, reviewer.Prompt{}); !errors.Is(err, ErrCancelled) || m.asked != 0 {
		t.Errorf("got %v, asked %d times", err, m.asked)
	}
}

func TestACallersFailureIsNotTakenForALimit(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&reviewer.Failure{Class: reviewer.ClassStale, Code: "STALE_REVIEW"})
	if _, err := collect(ctx, &scriptedModel{}, reviewer.Prompt{}); !errors.Is(err, ErrCancelled) {
		t.Errorf("got %v, want REVIEW_CANCELLED", err)
	}
}
