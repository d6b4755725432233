package compaction_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func TestTokensAreFourBytesEach(t *testing.T) {
	text := func(s string) []events.Block { return []events.Block{events.TextBlock(s)} }
	for name, c := range map[string]struct {
		event events.Event
		want  int64
	}{
		"empty":         {events.UserMessage{}, 4},
		"text":          {events.UserMessage{Content: text("12345")}, 4 + 4 + 2},
		"wide":          {events.UserMessage{Content: text("四四四四")}, 4 + 4 + 3},
		"call":          {events.AssistantMessage{Message: events.Message{Content: []events.Block{events.ToolCallBlock("c", "bash", "{}")}}}, 4 + 4 + 1 + 1},
		"result":        {events.ToolResult{Message: events.Message{Content: text("1234")}}, 4 + 4 + 4 + 1},
		"system":        {events.SystemMessage{Message: events.Message{Content: text("1234")}}, 4 + 4 + 1},
		"developer":     {events.DeveloperMessage{Message: events.Message{Content: text("1234")}}, 4 + 4 + 1},
		"agent-message": {events.AgentMessage{Content: text("1234")}, 4 + 4 + 1},
		"notice":        {events.ReviewNotice{Content: text("1234")}, 4 + 4 + 1},
		"image":         {events.UserMessage{Content: []events.Block{{Type: "image", Raw: jsontext.Value(`{"type":"image"}`)}}}, 4 + 4 + 1200},
		"unknown block": {events.UserMessage{Content: []events.Block{{Type: "x", Raw: jsontext.Value(`{"type":"x"}`)}}}, 4 + 4 + 3},
		"no message":    {events.TurnStart{Turn: 1}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := compaction.Tokens(c.event); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

// wordyLog is system message 2, a long message 3 that is nobody's word, assistant 4 with call c1, its start 5, its
// result 6, assistant 7.
func wordyLog(t *testing.T) *log {
	t.Helper()
	s := eventstest.NewScript(t, eventstest.Header(t, "session", nil))
	for _, text := range []string{
		"turn", "step", "system You are an agent.", "from plugin " + strings.Repeat("word ", 100), "ask c1", "call c1", "result c1 done", "say The end.", "step-end", "turn-end",
	} {
		line(t, s, text)
	}
	return newLog(t, s)
}

func TestCoverAcceptsOnlyWhatMayBeReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		start, end events.Seq
		want       string
	}{
		"up to the result":        {3, 6, ""},
		"all":                     {3, 7, ""},
		"behind the message":      {3, 3, ""},
		"between call and result": {3, 4, compaction.CodeRange},
		"not from the head":       {4, 6, compaction.CodeRange},
		"with the system message": {2, 6, compaction.CodeRange},
		"the system message":      {2, 2, compaction.CodeRange},
		"not visible":             {5, 6, compaction.CodeRange},
		"end not visible":         {3, 5, compaction.CodeRange},
		"turned around":           {6, 3, compaction.CodeRange},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := wordyLog(t).state.Cover(c.start, c.end); code(t, err) != c.want {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if _, err := (&compaction.State{}).Cover(0, 0); code(t, err) != compaction.CodeRange {
		t.Errorf("got %v for an empty log", err)
	}
}

func TestAnUnfitSummaryIsAFailureOnTheLog(t *testing.T) {
	good := compaction.Summary{Blocks: []events.Block{events.TextBlock("Short.")}, Provider: "p", Model: "m"}
	for name, c := range map[string]struct {
		change func(*compaction.Completion)
		want   string
	}{
		"good":        {func(*compaction.Completion) {}, ""},
		"empty":       {func(c *compaction.Completion) { c.Summary.Blocks = nil }, compaction.CodeSummary},
		"no provider": {func(c *compaction.Completion) { c.Summary.Provider = "" }, compaction.CodeSummary},
		"no text": {func(c *compaction.Completion) {
			c.Summary.Blocks = []events.Block{events.ToolCallBlock("c", "bash", "{}")}
		}, compaction.CodeSummary},
		"not smaller": {func(c *compaction.Completion) {
			c.Summary.Blocks = []events.Block{events.TextBlock(strings.Repeat("word ", 120))}
		}, compaction.CodeNotSmaller},
		"another range": {func(c *compaction.Completion) { c.Range.Seqs = c.Range.Seqs[1:] }, compaction.CodeStalePlan},
		"older surface": {func(c *compaction.Completion) { c.Range.Generation-- }, compaction.CodeStalePlan},
		"no range":      {func(c *compaction.Completion) { c.Range = compaction.Range{} }, compaction.CodeStalePlan},
	} {
		t.Run(name, func(t *testing.T) {
			l := wordyLog(t)
			r := compaction.Request{CompactionID: "c"}
			plan, err := compaction.Plan(l.state, r)
			if err != nil {
				t.Fatal(err)
			}
			start, err := compaction.Start(l.state, r)
			if err != nil {
				t.Fatal(err)
			}
			l.append(start)
			done := compaction.Completion{CompactionID: "c", Range: plan, Messages: l.events, Summary: good, MessageID: "m"}
			c.change(&done)
			end, err := compaction.Finish(l.state, done)
			if err != nil {
				t.Fatal(err)
			}
			l.append(end.Drafts)
			if failed := l.state.Last.Failed; failed != (c.want != "") || l.state.Lock != nil {
				t.Errorf("got failed %t and lock %v, want %q", failed, l.state.Lock, c.want)
			}
			got := ""
			if end.Failure != nil {
				got = end.Failure.Code
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestACheckpointNeedsAnID(t *testing.T) {
	l := wordyLog(t)
	start, err := compaction.Start(l.state, compaction.Request{CompactionID: "c"})
	if err != nil {
		t.Fatal(err)
	}
	l.append(start)
	if _, err := compaction.Finish(l.state, compaction.Completion{CompactionID: "c"}); code(t, err) != compaction.CodeMissing {
		t.Errorf("got %v, want %q", err, compaction.CodeMissing)
	}
}

func TestOnlyTheResultThatStandsThereIsPruned(t *testing.T) {
	l := wordyLog(t)
	result := l.events[6].Event.(events.ToolResult)
	other := result
	other.Message.Content = []events.Block{events.TextBlock("not what stands there, and longer")}
	for name, c := range map[string]struct {
		pruning compaction.Pruning
		want    string
	}{
		"shorter":        {compaction.Pruning{Seq: 6, Result: result, Content: []events.Block{}}, ""},
		"another result": {compaction.Pruning{Seq: 6, Result: other, Content: []events.Block{}}, compaction.CodeNoResult},
		"no content":     {compaction.Pruning{Seq: 6, Result: result}, compaction.CodeMissing},
		"no result":      {compaction.Pruning{Seq: 7, Result: result, Content: []events.Block{}}, compaction.CodeNoResult},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := compaction.Prune(l.state, c.pruning); code(t, err) != c.want {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestAnInputNeedsAllOfItsRange(t *testing.T) {
	l := wordyLog(t)
	plan, err := compaction.Plan(l.state, compaction.Request{CompactionID: "c"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compaction.NewInput(plan, l.events[:4]); code(t, err) != compaction.CodeRange {
		t.Errorf("got %v, want %q", err, compaction.CodeRange)
	}
}

func TestShortenNamesWhatItLeavesOut(t *testing.T) {
	short := compaction.Shorten([]events.Block{
		events.TextBlock("kept"),
		{Type: "image", Raw: jsontext.Value(`{"type":"image"}`)},
		events.TextBlock(strings.Repeat("line of text\n", 100)),
	}, 120)
	if got := compaction.Tokens(events.UserMessage{Content: short}); got > 120 {
		t.Errorf("got %d tokens, want at most 120", got)
	}
	if short[0].Text != "kept" || short[1].Text != "[image left out]" || !strings.Contains(short[2].Text, "bytes left out") || !strings.HasPrefix(short[2].Text, "line of text\n") {
		t.Errorf("got %+v", short)
	}
}
