package events_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// Where a model's reason goes, as lines with REASON and OTHER in them.
var reasonLines = map[string]string{
	"review/verdict": `{"type":"review/verdict","seq":5,"time":7,"data":{"turn":1,"step":1,"callId":"c","mode":"native","preset":"auto",` +
		`"reviewer":"auto","outcome":"deny","reason":REASON,"x":OTHER}}`,
	"tool/result": `{"type":"tool/result","seq":5,"time":7,"data":{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c"},` +
		`"content":[],"isError":true},"error":{"name":"n","code":"c","reason":REASON,"x":OTHER}},"surfaceOp":"append"}`,
	"tool/ptc-dispatch": `{"type":"tool/ptc-dispatch","seq":5,"time":7,"data":{"rootCallId":"c","parentCallId":"c","subCallId":"c:ptc:1",` +
		`"name":"n","arguments":{},"isError":true,"content":[],"error":{"name":"n","code":"c","reason":REASON,"x":OTHER}}}`,
}

func reasonLine(typ, reason, other string) string {
	return strings.NewReplacer("REASON", reason, "OTHER", other).Replace(reasonLines[typ])
}

func TestAReasonIsKeptAsTheLiteralThatTheModelWrote(t *testing.T) {
	for typ := range reasonLines {
		for name, reason := range map[string]string{
			"plain text":           `"too risky"`,
			"nothing":              `""`,
			"escapes":              `"\u0041\/\"é\ud83d\ude00"`,
			"a lone surrogate":     `"half \ud83d of one"`,
			"surrogates reversed":  `"\ude00\ud83d"`,
			"many lone surrogates": `"` + strings.Repeat(`\udfff`, 100) + `"`,
		} {
			t.Run(typ+" with "+name, func(t *testing.T) {
				text := reasonLine(typ, reason, `"é"`)
				e := mustDecode(t, events.Format4, text)
				if got := reasonOf(e.Event); string(got) != reason {
					t.Errorf("got reason %s, want %s", got, reason)
				}
				if again, err := events.NewRecord(e); err != nil || string(again.Line) != text {
					t.Errorf("got %s, %v, want %s", again.Line, err, text)
				}
				made, err := events.NewEnvelope(e.Seq, e.Time, e.Event)
				if err != nil || string(made.Data) != string(e.Data) {
					t.Errorf("got data %s, %v, want %s", made.Data, err, e.Data)
				}
			})
		}
	}
}

func TestWhatIsNoReasonLiteralIsRefused(t *testing.T) {
	const lone = `"\ud83d"`
	fields := map[string]string{"review/verdict": "data.reason", "tool/result": "data.error.reason", "tool/ptc-dispatch": "data.error.reason"}
	for typ, field := range fields {
		cases := map[string]struct{ line, field string }{
			"null":                               {reasonLine(typ, `null`, `1`), field},
			"a number":                           {reasonLine(typ, `7`, `1`), field},
			"an object that holds a surrogate":   {reasonLine(typ, `{"a":`+lone+`}`, `1`), field + ".a"},
			"bytes that are not UTF-8":           {reasonLine(typ, "\"\xff\"", `1`), field},
			"an escape that is none":             {reasonLine(typ, `"\ud83"`, `1`), field},
			"a surrogate elsewhere":              {reasonLine(typ, `"x"`, lone), strings.TrimSuffix(field, "reason") + "x"},
			"a surrogate here and elsewhere":     {reasonLine(typ, lone, lone), field},
			"another member named by a one":      {strings.Replace(reasonLine(typ, lone, `1`), `"x"`, lone, 1), field},
			"a reason that is there twice":       {strings.Replace(reasonLine(typ, lone, `1`), `"x"`, `"reason"`, 1), field},
			"a surrogate in a member of that":    {strings.Replace(reasonLine(typ, lone, `1`), `"x":1`, `"x":{"reason":`+lone+`}`, 1), field},
			"a surrogate beside data":            {strings.Replace(reasonLine(typ, lone, `1`), `"seq":5`, `"seq":5,"reason":`+lone, 1), "reason"},
			"negative zero besides a surrogate":  {reasonLine(typ, lone, `-0`), strings.TrimSuffix(field, "reason") + "x"},
			"a surrogate in a call's other text": {strings.Replace(reasonLine(typ, lone, `1`), `"c"`, lone, 1), ""},
		}
		for name, c := range cases {
			t.Run(typ+" with "+name, func(t *testing.T) {
				_, err := decode(events.Format4, c.line)
				if c.field == "" {
					if err == nil {
						t.Errorf("got no error for %s", c.line)
					}
					return
				}
				wantField(t, err, c.field)
			})
		}
	}
}

// Only the three types have a reason that may hold what is not text.
func TestOtherReasonsAreText(t *testing.T) {
	_, err := decode(events.Format4, line("approval/asked", `{"id":"a","toolName":"bash","reason":"\ud83d"}`))
	wantField(t, err, "data.reason")
	_, err = decode(events.Format4, line("turn/end", `{"turn":1,"reason":{"kind":"\ud83d"}}`))
	wantField(t, err, "data.reason.kind")
}

// An engine's own strings are checked when they become an event, also beside a
// reason that needs the looser encoding.
func TestAnEventOfOursHoldsNoBytesThatAreNotText(t *testing.T) {
	verdict := events.ReviewVerdict{
		Turn: 1, Step: 1, CallID: "c", Mode: "native", Preset: "auto\xff", Reviewer: "auto", Outcome: events.VerdictDeny,
	}
	_, err := events.NewEnvelope(0, 0, verdict)
	wantField(t, err, "data.preset")
	verdict.Reason = jsontext.Value(`"\ud83d"`)
	_, err = events.NewEnvelope(0, 0, verdict)
	wantField(t, err, "data.preset")
	_, err = events.NewEnvelope(0, 0, events.PermissionPreset{Preset: "\xc3"})
	wantField(t, err, "data.preset")
}

func TestAReasonSurvivesTheValidator(t *testing.T) {
	s := eventstest.NewScript(t, eventstest.Header(t, "s", nil))
	s.StartTurn()
	s.StartStep()
	s.Add(events.ReviewVerdict{
		Turn: 1, Step: 1, CallID: "c", Mode: "native", Preset: "auto", Reviewer: "auto", Outcome: events.VerdictDeny,
		Reason: jsontext.Value(`"\udc00"`),
	})
	v := events.NewValidator(s.Header)
	var got []events.Envelope
	for _, r := range s.Records() {
		es, err := v.Record(r)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, es...)
	}
	if diff := cmp.Diff(s.Events, got, ignoreRaw); diff != "" {
		t.Errorf("got other events than want (-want +got):\n%s", diff)
	}
}

func reasonOf(ev events.Event) jsontext.Value {
	switch ev := any(ev).(type) {
	case events.ReviewVerdict:
		return ev.Reason
	case events.ToolResult:
		return ev.Error.Reason
	case events.PTCDispatch:
		return ev.Error.Reason
	default:
		return nil
	}
}
