package events_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// sameAsReadBack holds Stored against At and NewRecord, which read all of the line
// back.
func sameAsReadBack(t rapid.TB, name string, d events.Draft, seq events.Seq, now int64) (refused bool) {
	t.Helper()
	e, err := d.At(seq, now)
	var want events.Record
	if err == nil {
		want, err = events.NewRecord(e)
	}
	got, r, gotErr := d.Stored(seq, now)
	if (err == nil) != (gotErr == nil) {
		t.Fatalf("%s: got the error %v, want %v", name, gotErr, err)
	}
	if err != nil {
		if err.Error() != gotErr.Error() {
			t.Errorf("%s: got the error %v, want %v", name, gotErr, err)
		}
		return true
	}
	if diff := cmp.Diff(string(want.Line), string(r.Line)); diff != "" || r.Seq != want.Seq || r.Count != 1 || r.Format != want.Format {
		t.Errorf("%s: got another record (-want +got):\n%s", name, diff)
	}
	if diff := cmp.Diff(e, got, ignoreRaw); diff != "" {
		t.Errorf("%s: got another envelope (-want +got):\n%s", name, diff)
	}
	read, err := r.Decode()
	if err != nil || len(read) != 1 {
		t.Fatalf("%s: a reader gets %d events and the error %v", name, len(read), err)
	}
	if diff := cmp.Diff(read[0], got, ignoreRaw); diff != "" {
		t.Errorf("%s: a reader gets another envelope (-read +got):\n%s", name, diff)
	}
	return false
}

func TestADraftIsStoredAsItsEnvelopeIs(t *testing.T) {
	for typ, evs := range examples() {
		for _, ev := range evs {
			sameAsReadBack(t, string(typ), events.Draft{Event: ev}, 7, 9)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		for _, e := range eventstest.Valid(rt).Events {
			sameAsReadBack(rt, string(e.Type()), events.Draft{Event: e.Event, Surface: e.Surface, Sources: e.Sources}, e.Seq, e.Time)
		}
	})
}

// TestADraftThatNoReaderTakesIsNotStored: for the same reason as NewRecord gives.
func TestADraftThatNoReaderTakesIsNotStored(t *testing.T) {
	deep := jsontext.Value("{\"a\":" + nested(600) + "}")
	inner := func(arguments jsontext.Value) events.Event {
		return events.PTCDispatchStart{RootCallID: "r", ParentCallID: "r", SubCallID: "r:ptc:1", Name: "n", Arguments: arguments}
	}
	own, ok := user().(events.UserMessage)
	if !ok {
		t.Fatal("a user says no user/message")
	}
	own.Source = events.Source{Kind: events.SourceAgentMessage}
	for name, c := range map[string]struct {
		draft events.Draft
		seq   events.Seq
		now   int64
	}{
		"a negative seq":         {events.Draft{Event: user()}, -1, 7},
		"a seq beyond a double":  {events.Draft{Event: user()}, events.MaxSafeInteger + 1, 7},
		"a negative time":        {events.Draft{Event: user()}, 5, -1},
		"empty sources":          {events.Draft{Event: user(), Sources: []events.Seq{}}, 5, 7},
		"a range below zero":     {events.Draft{Event: user(), Surface: events.SurfaceReplace(-2, -1)}, 5, 7},
		"negative zero":          {events.Draft{Event: inner(jsontext.Value(`{"a":-0}`))}, 5, 7},
		"more than a double":     {events.Draft{Event: inner(jsontext.Value(`{"a":1e999}`))}, 5, 7},
		"too deep":               {events.Draft{Event: inner(deep)}, 5, 7},
		"a member twice":         {events.Draft{Event: inner(jsontext.Value(`{"a":1,"a":2}`))}, 5, 7},
		"no Unicode":             {events.Draft{Event: inner(jsontext.Value("{\"a\":\"\xff\"}"))}, 5, 7},
		"half a surrogate":       {events.Draft{Event: inner(jsontext.Value(`{"a":"\ud800"}`))}, 5, 7},
		"a reason of no Unicode": {events.Draft{Event: denial(jsontext.Value("\"\xff\""))}, 5, 7},
		"no JSON":                {events.Draft{Event: inner(jsontext.Value(`{`))}, 5, 7},
	} {
		if !sameAsReadBack(t, name, c.draft, c.seq, c.now) {
			t.Errorf("%s: got no error", name)
		}
	}
	for name, d := range map[string]events.Draft{
		"a reason that is half a surrogate": {Event: denial(jsontext.Value(`"\ud800"`))},
		"a message of an agent":             {Event: own},
		"spaces":                            {Event: inner(jsontext.Value(`{ "a" : 1 }`))},
		"escapes":                           {Event: inner(jsontext.Value(`{"\u0061":"\u003c"}`))},
	} {
		sameAsReadBack(t, name, d, 5, 7)
	}
}

func denial(reason jsontext.Value) events.Event {
	return events.ReviewVerdict{Turn: 1, Step: 1, CallID: "c", Mode: "native", Preset: "p", Reviewer: "r", Outcome: events.VerdictDeny, Reason: reason}
}

func nested(n int) string {
	text := "1"
	for range n {
		text = "[" + text + "]"
	}
	return text
}

// TestAPlainEventIsWhatAReaderFinds: whatever its texts and numbers are, one that is
// not read back when it is stored is what is read later, or is refused.
func TestAPlainEventIsWhatAReaderFinds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("ab\"\\\u2028\u0000<\ufffd")), 0, 8, -1),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 4), func(b []byte) string { return string(b) }))
		str := func() string { return text.Draw(rt, "text") }
		number := func() int { return int(rapid.Int64().Draw(rt, "number")) }
		seq := func() *events.Seq {
			if rapid.Bool().Draw(rt, "absent") {
				return nil
			}
			return new(events.Seq(number()))
		}
		files := func() (out []events.ExecutedFile) {
			if rapid.Bool().Draw(rt, "no files") {
				return nil
			}
			for range rapid.IntRange(0, 2).Draw(rt, "files") {
				out = append(out, events.ExecutedFile{Path: str(), SHA256: strings.Repeat("0f", 32), Size: int64(number())})
			}
			return append([]events.ExecutedFile{}, out...)
		}
		argument := str()
		outcome := rapid.SampledFrom([]string{events.VerdictAllow, events.VerdictCancelled, "other"}).Draw(rt, "outcome")
		for _, ev := range []events.Event{
			events.StepStart{Turn: number(), Step: number()},
			events.StepEnd{Turn: number(), Step: number()},
			events.ToolCall{Turn: number(), Step: number(), CallID: str(), Name: str(), Arguments: &argument},
			events.ToolCall{Turn: number(), Step: number(), CallID: str(), Name: str()},
			events.ReviewRequested{CallID: str(), Engine: str(), Reviewer: str(), Nonce: str(), AsOfSeq: events.Seq(number())},
			events.ReviewRequested{CallID: str(), Engine: str(), Reviewer: str(), Nonce: str(), Files: files()},
			events.ReviewVerdict{Turn: number(), Step: number(), CallID: str(), Mode: "native", Preset: str(), Reviewer: str(), Outcome: outcome},
			events.ToolDispatched{
				CallID: str(), VerdictSeq: seq(), PresetSeq: seq(), ArgumentHash: str(), Mode: events.ModeReadOnly, Nonce: str(), ExpiresAt: int64(number()), Files: files(),
			},
		} {
			sameAsReadBack(rt, string(ev.Type()), events.Draft{Event: ev}, 5, 7)
		}
	})
}
