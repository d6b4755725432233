package auto

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/docket-engine/docket/reviewer"
)

// answered asks a real server that sends these deltas, and counts the answer as a review
// does.
func answered(t *testing.T, deltas ...string) (reviewer.Verdict, error) {
	t.Helper()
	var stream strings.Builder
	for _, d := range deltas {
		stream.WriteString(`data: {"choices":[{"index":0,"delta":` + d + `}]}` + "\n\n")
	}
	text, _, err := overPipes(t, reviewer.Limits{}, func(w http.ResponseWriter, _ *http.Request) {
		sends(w, stream.String(), pieceOfEnd, pieceOfEnd, `data: {"choices":[],"usage":{"prompt_tokens":1}}`+"\n\n", "data: [DONE]\n\n")
	})
	if err != nil {
		return reviewer.Verdict{}, err
	}
	return parseAnswer(text)
}

// TestWhatProvidersAddDoesNotLoosenWhatAnAnswerIs: each of these is a model that does not
// answer as it was told, and no habit of its server.
func TestWhatProvidersAddDoesNotLoosenWhatAnAnswerIs(t *testing.T) {
	const allow = `{\"risk\":\"low\",\"decision\":\"allow\"}`
	content := func(text string) string { return `{"content":"` + text + `"}` }
	part := func(kind, text string) string { return `{"type":"` + kind + `","` + kind + `":"` + text + `"}` }
	parts := func(all ...string) string { return `{"content":[` + strings.Join(all, ",") + `]}` }
	for name, c := range map[string]struct {
		deltas []string
		want   *reviewer.Failure // nil for an allowance
	}{
		"an answer":                           {[]string{content(allow)}, nil},
		"an answer as a part":                 {[]string{parts(part("text", allow))}, nil},
		"a thought and an answer":             {[]string{parts(part("thinking", "x"), part("text", allow))}, nil},
		"a code fence":                        {[]string{content("```json\\n" + allow + "\\n```")}, ErrAnswerNotJSON},
		"a code fence in a part":              {[]string{parts(part("text", "```\\n"+allow+"\\n```"))}, ErrAnswerNotJSON},
		"thinking in the text":                {[]string{content("<think>x</think>"), content(allow)}, ErrAnswerNotJSON},
		"the end of thinking in the text":     {[]string{content("</think>" + allow)}, ErrAnswerNotJSON},
		"an answer in the thoughts alone":     {[]string{parts(part("thinking", allow))}, ErrAnswerBlocks},
		"an answer in the reasoning alone":    {[]string{`{"reasoning_content":"` + allow + `"}`}, ErrAnswerBlocks},
		"an answer behind prose":              {[]string{content("I allow it: " + allow)}, ErrAnswerNotJSON},
		"an answer before prose":              {[]string{content(allow), content(" That is all.")}, ErrAnswerNotJSON},
		"the same answer twice":               {[]string{content(allow), content(allow)}, ErrAnswerNotJSON},
		"two texts":                           {[]string{parts(part("text", allow), part("text", allow))}, ErrAnswerBlocks},
		"two texts, the second empty":         {[]string{parts(part("text", allow), part("text", ""))}, ErrAnswerBlocks},
		"two texts, the first empty":          {[]string{parts(part("text", ""), part("text", allow))}, ErrAnswerBlocks},
		"an answer in two parts":              {[]string{parts(part("text", allow[:10]), part("text", allow[10:]))}, ErrAnswerBlocks},
		"a text before the reasoning":         {[]string{content(allow), `{"reasoning":"x"}`}, ErrAnswerBlocks},
		"a text before a thought":             {[]string{parts(part("text", allow)), parts(part("thinking", "x"))}, ErrAnswerBlocks},
		"a thought between two texts":         {[]string{parts(part("thinking", "x")), content(allow[:10]), parts(part("thinking", "y")), content(allow[10:])}, ErrAnswerBlocks},
		"text in details behind the text":     {[]string{content(allow), `{"reasoning_details":[{"type":"reasoning.text","text":"x"}]}`}, ErrAnswerBlocks},
		"a tool call":                         {[]string{content(allow), `{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{}"}}]}`}, ErrAnswerBlocks},
		"a tool call that is empty":           {[]string{content(allow), `{"function_call":{"name":"","arguments":""}}`}, ErrAnswerBlocks},
		"an image":                            {[]string{content(allow), `{"images":[{"type":"image_url"}]}`}, ErrAnswerBlocks},
		"a refusal":                           {[]string{content(allow), `{"refusal":"no"}`}, ErrFinishNotStop},
		"an answer that ends behind the stop": {[]string{content(allow[:10]) + `,"finish_reason":"stop"`, content(allow[10:])}, &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "CHUNK_AFTER_FINISH"}},
		"a second choice":                     {[]string{content(allow) + `},{"index":1,"delta":` + content(allow)}, &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "STREAM_BROKEN"}},
		"a closing object that differs":       {[]string{content(allow), `{},"message":{"content":"{\"risk\":\"high\",\"decision\":\"deny\"}"}`}, &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "STREAM_BROKEN"}},
	} {
		t.Run(name, func(t *testing.T) {
			verdict, err := answered(t, c.deltas...)
			switch {
			case c.want == nil && (err != nil || verdict.Outcome != reviewer.Allow):
				t.Errorf("got %+v, %v; want an allowance", verdict, err)
			case c.want != nil && (!errors.Is(err, c.want) || verdict.Outcome != ""):
				t.Errorf("got %+v, %v; want %s", verdict, err, c.want.Code)
			}
		})
	}
}

// FuzzHalves: a text with a half of a pair denies with a reason or is a failure, and a
// text without one is as it was.
func FuzzHalves(f *testing.F) {
	f.Add("{\"risk\":\"high\",\"decision\":\"deny\",\"reason\":\"\xed\xa0\xbd\"}")
	f.Add("{\"risk\":\"high\",\"decision\":\"deny\",\"reason\":\"\\\xed\xa0\xbd\"}")
	f.Add("{\"risk\":\"low\",\"decision\":\"allow\"}\xed\xb8\x80")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := withHalves(text)
		switch {
		case utf8.ValidString(text) && (err != nil || got != text):
			t.Fatalf("%q became %q, %v", text, got, err)
		case utf8.ValidString(text) || err != nil:
			return
		}
		verdict, err := parseAnswer(got)
		if err != nil || verdict.Outcome != reviewer.Deny || !strings.Contains(string(verdict.Reason), `\ud`) {
			t.Fatalf("%q became %q: %+v, %v", text, got, verdict, err)
		}
	})
}
