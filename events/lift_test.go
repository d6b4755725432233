package events_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// What format 0 stored, and what it is in the current format.
func TestFormat0IsLifted(t *testing.T) {
	cases := map[string]struct {
		line string // as stored
		want string // as the current format stores it
	}{
		"an assistant message gets an empty stream and loses its sources": {
			line("assistant/message", `{"turn":1,"step":1,"message":{"role":"assistant","content":[]},"usage":{"a":1.0}}`, `,"surfaceOp":"append"`, `,"sourceEventSeqs":[3,4]`),
			line("assistant/message", `{"turn":1,"step":1,"message":{"role":"assistant","content":[]},"usage":{"a":1.0},"stream":[]}`, `,"surfaceOp":"append"`),
		},
		"or keeps the stream that it has": {
			line("assistant/message", `{"turn":1,"step":1,"stream":[{"x":1}],"message":{"role":"assistant","content":[]}}`, `,"surfaceOp":"append"`),
			line("assistant/message", `{"turn":1,"step":1,"stream":[{"x":1}],"message":{"role":"assistant","content":[]}}`, `,"surfaceOp":"append"`),
		},
		"a request header loses its system prompt and what is empty": {
			line("request/header", `{"header":{"config":{"provider":"p","model":"m"},"system":"be good","tools":[],"adapterDefaults":{}},"reason":"initial"}`),
			line("request/header", `{"header":{"config":{"provider":"p","model":"m"}},"reason":"initial"}`),
		},
		"and keeps what is not": {
			line("request/header", `{"header":{"config":{"provider":"p","model":"m"},"tools":[{"name":"t"}],"adapterDefaults":{"a":true}},"reason":"initial"}`),
			line("request/header", `{"header":{"config":{"provider":"p","model":"m"},"tools":[{"name":"t"}],"adapterDefaults":{"a":true}},"reason":"initial"}`),
		},
		"a descriptor of version 2 is one of version 3": {
			line("subagent/descriptor", `{"version":2,"mode":"one-shot","provider":"p","label":"l"}`),
			line("subagent/descriptor", `{"version":3,"mode":"one-shot","provider":"p","label":"l"}`),
		},
		"a replacement names its ends otherwise": {
			line("user/message", userData, `,"surfaceOp":{"op":"replace","start":3,"end":4}`, `,"sourceEventSeqs":[3,4]`),
			line("user/message", userData, `,"surfaceOp":{"op":"replace","startSeq":3,"endSeq":4}`, `,"sourceEventSeqs":[3,4]`),
		},
		"the start of an inner call has another name and other ids": {
			line("tool/code-dispatch-start", `{"rootCallId":"c","parentCallId":"c","subCallId":"c:code:1","name":"read","arguments":{"a":"c:code:1"}}`),
			line("tool/ptc-dispatch-start", `{"rootCallId":"c","parentCallId":"c","subCallId":"c:ptc:1","name":"read","arguments":{"a":"c:code:1"}}`),
		},
		"so has its end": {
			line("tool/code-dispatch", `{"rootCallId":"c","parentCallId":"c:code:1","subCallId":"c:code:1:code:2","name":"read","arguments":{},"isError":false,"content":[]}`),
			line("tool/ptc-dispatch", `{"rootCallId":"c","parentCallId":"c:ptc:1","subCallId":"c:ptc:1:ptc:2","name":"read","arguments":{},"isError":false,"content":[]}`),
		},
		"an id of the model's is left alone": {
			line("tool/code-dispatch-start", `{"rootCallId":"x:code:9","parentCallId":"x:code:9","subCallId":"x:code:9:code:1","name":"read","arguments":{}}`),
			line("tool/ptc-dispatch-start", `{"rootCallId":"x:code:9","parentCallId":"x:code:9","subCallId":"x:code:9:ptc:1","name":"read","arguments":{}}`),
		},
		"the later name with the earlier ids": {
			line("tool/ptc-dispatch-start", `{"rootCallId":"c","parentCallId":"c","subCallId":"c:code:1","name":"read","arguments":{}}`),
			line("tool/ptc-dispatch-start", `{"rootCallId":"c","parentCallId":"c","subCallId":"c:ptc:1","name":"read","arguments":{}}`),
		},
		"a checkpoint was a plugin's message": {
			line("user/message", `{"id":"m","role":"user","source":{"kind":"plugin","plugin":"compact","compactionId":"k"},"content":[]}`, `,"surfaceOp":"append"`),
			line("user/message", `{"id":"m","role":"user","source":{"kind":"compact-checkpoint","compactionId":"k"},"content":[]}`, `,"surfaceOp":"append"`),
		},
		"other plugins' messages stay theirs": {
			line("user/message", `{"id":"m","role":"user","source":{"kind":"plugin","plugin":"compactor"},"content":[]}`, `,"surfaceOp":"append"`),
			line("user/message", `{"id":"m","role":"user","source":{"kind":"plugin","plugin":"compactor"},"content":[]}`, `,"surfaceOp":"append"`),
		},
		"and so do messages of other kinds": {
			line("user/message", `{"id":"m","role":"user","source":{"kind":"goal","plugin":"compact"},"content":[]}`, `,"surfaceOp":"append"`),
			line("user/message", `{"id":"m","role":"user","source":{"kind":"goal","plugin":"compact"},"content":[]}`, `,"surfaceOp":"append"`),
		},
		"a result comes out of its block": {
			line("tool/result", `{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c"},"content":[{"type":"tool-result","toolCallId":"c","content":[{"type":"text","text":"x"}],"isError":false}],"role":"user","id":"m"}}`, `,"surfaceOp":"append"`),
			line("tool/result", `{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c"},"content":[{"type":"text","text":"x"}],"role":"user","id":"m","isError":false}}`, `,"surfaceOp":"append"`),
		},
		"so does a failure": {
			line("tool/result", `{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c"},"content":[{"type":"tool-result","content":[],"isError":true}]},"error":{"name":"n","code":"c"}}`, `,"surfaceOp":"append"`),
			line("tool/result", `{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c"},"content":[],"isError":true},"error":{"name":"n","code":"c"}}`, `,"surfaceOp":"append"`),
		},
		"a coordinator's message is an agent-message": {
			line("user/message", `{"content":[],"source":{"kind":"coordinator","form":"relay","senderSessionId":"s"},"role":"user","id":"m"}`, `,"surfaceOp":"append"`),
			line("agent-message", `{"content":[],"role":"user","id":"m","senderSessionId":"s","form":"relay"}`, `,"surfaceOp":"append"`),
		},
		"so is a relay": {
			line("user/message", `{"content":[],"source":{"kind":"relay","form":"relay","senderSessionId":"s"},"role":"user","id":"m"}`, `,"surfaceOp":"append"`),
			line("agent-message", `{"content":[],"role":"user","id":"m","senderSessionId":"s","form":"relay"}`, `,"surfaceOp":"append"`),
		},
		"what did not change is not touched": {
			line("permission/preset", `{"x":1.0,"preset":"\u00e9"}`),
			line("permission/preset", `{"x":1.0,"preset":"\u00e9"}`),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			old := eventstest.Line(t, events.Format0, c.line)
			e := mustDecode(t, events.Format0, c.line)
			if string(old.Line) != c.line {
				t.Errorf("got stored line %s, want it untouched", old.Line)
			}
			lifted, err := events.NewRecord(e)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(lifted.Line)); diff != "" {
				t.Errorf("got another line than want (-want +got):\n%s", diff)
			}
		})
	}
}

// What the reference calls agent-message in a user message is one in the current
// format as well.
func TestAnAgentMessageIsLiftedInEveryFormat(t *testing.T) {
	text := line("user/message", `{"source":{"kind":"agent-message","form":"relay","senderSessionId":"s"},"id":"m","role":"user","content":[{"type":"text","text":"x"}]}`, `,"surfaceOp":"append"`)
	want := events.AgentMessage{ID: "m", Role: "user", SenderSessionID: "s", Form: "relay", Content: []events.Block{events.TextBlock("x")}}
	for _, format := range []events.Format{events.Format0, events.Format4} {
		e := mustDecode(t, format, text)
		if diff := cmp.Diff(events.Event(want), e.Event, ignoreRaw); diff != "" {
			t.Errorf("format %d: got another event than want (-want +got):\n%s", format, diff)
		}
	}
}

// What an export wrote for a reviewer's notice is one again, if it says whose.
func TestAReviewNoticeIsLiftedInEveryFormat(t *testing.T) {
	notice := func(source string) string {
		return line("user/message", `{"source":`+source+`,"id":"m","role":"user","content":[]}`, `,"surfaceOp":"append"`)
	}
	for _, format := range []events.Format{events.Format0, events.Format4} {
		e := mustDecode(t, format, notice(`{"kind":"review-notice","reviewer":"auto"}`))
		want := events.ReviewNotice{ID: "m", Role: "user", Reviewer: "auto", Content: []events.Block{}}
		if diff := cmp.Diff(events.Event(want), e.Event, ignoreRaw); diff != "" {
			t.Errorf("format %d: got another event than want (-want +got):\n%s", format, diff)
		}
		if e := mustDecode(t, format, notice(`{"kind":"review-notice"}`)); e.Type() != events.TypeUserMessage {
			t.Errorf("format %d: got %s from a notice of nobody's, want a user/message", format, e.Type())
		}
	}
}

func TestWhatCannotBeLiftedIsRefused(t *testing.T) {
	result := func(content string) string {
		return line("tool/result", `{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c"},"content":`+content+`}}`, `,"surfaceOp":"append"`)
	}
	cases := map[string]struct{ line, field string }{
		"a result without a block":      {result(`[]`), "data.message.content"},
		"a result with two":             {result(`[{"type":"tool-result","content":[]},{"type":"tool-result","content":[]}]`), "data.message.content"},
		"a result with another block":   {result(`[{"type":"text","text":"x"}]`), "data.message.content"},
		"a result with text":            {result(`"x"`), "data.message.content"},
		"a result with a number in it":  {result(`[7]`), "data.message.content"},
		"a block without content":       {result(`[{"type":"tool-result"}]`), "data.message.content.0.content"},
		"a result without a message":    {line("tool/result", `{"turn":1,"step":1}`), "data.message"},
		"a header that is none":         {line("request/header", `{"header":[],"reason":"initial"}`), "data.header"},
		"a message without a source":    {line("user/message", `{"id":"m","role":"user","content":[]}`), "data.source"},
		"a coordinator without a name":  {line("user/message", `{"id":"m","role":"user","content":[],"source":{"kind":"coordinator","form":"relay"}}`), "data.source.senderSessionId"},
		"a descriptor of version 1":     {line("subagent/descriptor", `{"version":1,"mode":"one-shot","provider":"p"}`), "data.version"},
		"names of the current format":   {line("user/message", userData, `,"surfaceOp":{"op":"replace","startSeq":3,"endSeq":4}`), "surfaceOp.startSeq"},
		"an end that is not a seq":      {line("user/message", userData, `,"surfaceOp":{"op":"replace","start":3,"end":-4}`), "surfaceOp.endSeq"},
		"data that is not an object":    {line("tool/result", `[]`), "data"},
		"a descriptor with more":        {line("subagent/descriptor", `{"version":2,"mode":"one-shot","provider":"p","x":1}`), "data.x"},
		"an inner call without its ids": {line("tool/code-dispatch-start", `{"name":"read","arguments":{}}`), "data.rootCallId"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := decode(events.Format0, c.line)
			wantField(t, err, c.field)
		})
	}
}

// The current format does not know what format 0 was.
func TestFormat4IsNotLifted(t *testing.T) {
	for name, c := range map[string]struct{ line, field string }{
		"a system prompt in a header": {line("request/header", `{"header":{"config":{},"system":"s"},"reason":"initial"}`), "data.header.system"},
		"a descriptor of version 2":   {line("subagent/descriptor", `{"version":2,"mode":"one-shot","provider":"p"}`), "data.version"},
		"the names of a replacement":  {line("user/message", userData, `,"surfaceOp":{"op":"replace","start":3,"end":4}`), "surfaceOp.start"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode(events.Format4, c.line)
			wantField(t, err, c.field)
		})
	}
	if _, err := decode(events.Format4, line("tool/code-dispatch-start", `{}`)); !isUnknown(err) {
		t.Errorf("got %v for a type of format 0, want an unknown one", err)
	}
	e := mustDecode(t, events.Format4, line("user/message", `{"id":"m","role":"user","source":{"kind":"plugin","plugin":"compact"},"content":[]}`))
	if e.Event.(events.UserMessage).Source.Checkpoint() {
		t.Error("got a checkpoint from a plugin's message")
	}
	e = mustDecode(t, events.Format4, line("user/message", `{"id":"m","role":"user","source":{"kind":"relay","form":"relay","senderSessionId":"s"},"content":[]}`))
	if e.Type() != events.TypeUserMessage {
		t.Errorf("got %s from a relay, want a user/message", e.Type())
	}
}

// Rules that format 0 did not have: a result need not cite its call, and a log
// without a word of it in the header may have an inherited part.
func TestFormat0HasFewerRules(t *testing.T) {
	lines := []string{
		`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`,
		`{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":1}}`,
		`{"type":"tool/call","seq":2,"time":1,"data":{"turn":1,"step":1,"callId":"c","name":"n","arguments":""}}`,
		`{"type":"tool/result","seq":3,"time":1,"data":{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c"},"content":[{"type":"tool-result","content":[]}]}},"surfaceOp":"append"}`,
		`{"type":"session/end-seed","seq":4,"time":1,"data":{"inherited":true}}`,
	}
	v := events.NewValidator(eventstest.Header0(t, "s"))
	for _, l := range lines {
		if _, err := v.Record(eventstest.Line(t, events.Format0, l)); err != nil {
			t.Errorf("got %v for %s", err, l)
		}
	}
	if err := v.Finish(); err != nil || v.InheritedCount() != 4 {
		t.Errorf("got %d inherited events, %v, want 4", v.InheritedCount(), err)
	}
	another := eventstest.Line(t, events.Format0, `{"type":"tool/result","seq":5,"time":1,"data":{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"d"},"content":[{"type":"tool-result","content":[]}]}},"surfaceOp":"append"}`)
	_, err := v.Record(another)
	wantField(t, err, "data.message.source.callId")
}

func TestFormatsAreThoseTwo(t *testing.T) {
	for format := events.Format(-1); format < 7; format++ {
		known := slices.Contains([]events.Format{events.Format0, events.Format4}, format)
		if err := format.Check(); (err == nil) != known {
			t.Errorf("got %v for format %d", err, format)
		}
	}
}
