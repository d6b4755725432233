package events_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
)

// seedLines are stored lines of both formats: an example of every type, and what
// the tables of the other tests refuse for a reason.
func seedLines(f *testing.F) [][]byte {
	f.Helper()
	file, err := os.Open(filepath.Join("testdata", "lines.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	defer file.Close()
	var out [][]byte
	for scan := bufio.NewScanner(file); scan.Scan(); {
		out = append(out, bytes.Clone(scan.Bytes()))
	}
	for row, lines := range unpacked {
		out = append(out, []byte(row), []byte(lines[0]))
	}
	for typ := range reasonLines {
		out = append(out, []byte(reasonLine(typ, `"\ud83d"`, `-0`)))
	}
	return append(out,
		[]byte(line("someone/else", `{"n":1e5}`, `,"ignorable":true`)),
		[]byte(line("user/message", userData, `,"surfaceOp":{"op":"replace","startSeq":1,"endSeq":2}`, `,"sourceEventSeqs":[1,2]`)),
		[]byte(line("user/message", `{"content":[],"source":{"kind":"coordinator","form":"relay","senderSessionId":"s"},"role":"user","id":"m"}`)),
		[]byte(`{"data":{"preset":"auto"},"\u0074ype":"permission/preset","time":7,"\u0073eq":5}`),
		[]byte(`{"type":"permission/preset","seq":05,"time":7,"data":{"preset":"auto"}}`),
	)
}

func FuzzParseHeader(f *testing.F) {
	f.Add([]byte(goodHeader))
	f.Add([]byte(`{"type":"session","version":0,"id":"s","createdAt":0}`))
	f.Add([]byte(`{"type":"session","version":4,"id":"s","createdAt":1e3,"isSeeded":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := events.ParseHeader(text)
		if err != nil {
			mustBeFieldError(t, err)
			return
		}
		again, err := events.ParseHeader(h.Line)
		if diff := cmp.Diff(h, again); diff != "" || err != nil {
			t.Errorf("got %v and another header the second time (-first +second):\n%s", err, diff)
		}
		made, err := events.NewHeader(h)
		if err != nil {
			t.Fatalf("got %v for a header that was read", err)
		}
		if made.ID != h.ID || made.Seeded() != h.Seeded() || made.Depth() != h.Depth() || made.CWD != h.CWD || made.ParentSession != h.ParentSession {
			t.Errorf("got %+v, want %+v", made, h)
		}
	})
}

func FuzzRecord(f *testing.F) {
	for _, l := range seedLines(f) {
		f.Add(l, true)
		f.Add(l, false)
	}
	f.Fuzz(func(t *testing.T, text []byte, old bool) {
		format := events.Format4
		if old {
			format = events.Format0
		}
		r, err := events.ParseRecord(format, text)
		if err != nil {
			mustBeFieldError(t, err)
			return
		}
		es, err := r.Decode()
		if err != nil {
			if !isUnknown(err) {
				mustBeFieldError(t, err)
			}
			return
		}
		// What a first look says is what is there.
		if len(es) != r.Count || es[0].Seq != r.Seq || !old && es[0].Type() != r.Type() && r.Type() != events.TypeUserMessage {
			t.Fatalf("got %d events from %d, want %d from %d", len(es), es[0].Seq, r.Count, r.Seq)
		}
		checkCuts(t, r)
		for _, e := range es {
			checkWrittenAgain(t, e)
		}
	})
}

func checkCuts(t *testing.T, r events.Record) {
	t.Helper()
	for _, before := range []events.Seq{r.Seq - 1, r.Seq, r.Seq + 1, r.Seq + events.Seq(r.Count)/2, r.End() - 1, r.End(), r.End() + 1} {
		parts, err := r.Cut(before)
		if err != nil {
			t.Fatalf("cut before %d: %v", before, err)
		}
		next := r.Seq
		for _, p := range parts {
			if p.Seq != next {
				t.Fatalf("cut before %d: got seq %d, want %d", before, p.Seq, next)
			}
			if _, err := p.Decode(); err != nil {
				t.Fatalf("cut before %d: %v", before, err)
			}
			next = p.End()
		}
		if want := min(max(before, r.Seq), r.End()); next != want {
			t.Fatalf("cut before %d: got an end at %d, want %d", before, next, want)
		}
	}
}

// checkWrittenAgain writes an event in the current format and reads it: it is the
// same, and so is its line.
func checkWrittenAgain(t *testing.T, e events.Envelope) {
	t.Helper()
	r, err := events.NewRecord(e)
	if e.Type() == events.TypeAssistantChunk {
		return // which the current format has not
	}
	if err != nil {
		t.Fatalf("got %v for an event that was read: %s", err, e.Data)
	}
	again, err := r.Decode()
	if err != nil {
		t.Fatalf("%s: %v", r.Line, err)
	}
	want := e
	want.Format, want.Data = events.Format4, again[0].Data // without its space
	if diff := cmp.Diff(want, again[0], ignoreRaw, sameJSON); diff != "" {
		t.Fatalf("got another event the second time (-first +second):\n%s", diff)
	}
	twice, err := events.NewRecord(again[0])
	if err != nil || !bytes.Equal(twice.Line, r.Line) {
		t.Fatalf("got %s, %v, want %s", twice.Line, err, r.Line)
	}
}

// sameJSON compares members that are kept as text, but for the space in them.
var sameJSON = cmp.Comparer(func(x, y jsontext.Value) bool {
	x, y = x.Clone(), y.Clone()
	loose := []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true)}
	return x.Compact(loose...) == nil && y.Compact(loose...) == nil && bytes.Equal(x, y) || len(x) == 0 && len(y) == 0
})

func FuzzSurfaceOp(f *testing.F) {
	for _, op := range []string{
		`"append"`, `{"op":"replace","startSeq":1,"endSeq":2}`, `{"op":"replace","start":1,"end":2}`, `null`, `"\u0061ppend"`,
		`{"op":"replace","startSeq":9007199254740992,"endSeq":-1}`, `{"op":"replace","startSeq":1,"startSeq":1,"endSeq":2}`,
	} {
		f.Add(op, false)
		f.Add(op, true)
	}
	f.Fuzz(func(t *testing.T, op string, old bool) {
		format := events.Format4
		if old {
			format = events.Format0
		}
		e, err := decode(format, line("user/message", userData, `,"surfaceOp":`, op))
		if err != nil {
			mustBeFieldError(t, err)
			return
		}
		if start, end, replaces := e.Surface.Replace(); replaces && (start < 0 || end < 0 || start > events.MaxSafeInteger || end > events.MaxSafeInteger) {
			t.Errorf("got a range from %d to %d from %s", start, end, op)
		}
		checkWrittenAgain(t, e)
	})
}

func FuzzCheckJSON(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-1.5e3,true,false,null,"\u00e9"]}`, `{"a":1,"a":1}`, `"\ud83d"`, "\"\xff\"", `-0`, `[-0.0]`, `1e309`, `-1e-400`,
		strings.Repeat("[", 513) + strings.Repeat("]", 513), `01`, `NaN`, `1 2`, ` `, `{"a":"-0 1e999"}`, `{"-0":1}`, "\ufeff1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := events.CheckJSON(text)
		valid := json.Valid(text)
		if err == nil {
			if !valid {
				t.Errorf("got no error, but the standard library refuses %q", text)
			}
			return
		}
		mustBeFieldError(t, err)
		if !valid {
			return
		}
		// What is refused although it parses is refused for one of these.
		for _, reason := range []string{"duplicate", "surrogate", "UTF-8", "negative zero", "a double can hold", "deeper"} {
			if strings.Contains(err.Error(), reason) {
				return
			}
		}
		t.Errorf("got %v, but the standard library accepts %q", err, text)
	})
}

func FuzzParseChain(f *testing.F) {
	f.Add(events.ChainStart().String())
	f.Add(strings.ToUpper(events.ChainStart().String()))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := events.ParseChain(text)
		if err != nil {
			mustBeFieldError(t, err)
			return
		}
		if c.String() != text {
			t.Errorf("got %s, want %s", c, text)
		}
	})
}

// templates are events with two places for small numbers, which FuzzValidator
// puts together to logs: many of them are nearly valid.
var templates = []string{
	`"turn/start","data":{"turn":$1}`,
	`"turn/end","data":{"turn":$1,"reason":{"kind":"completed"}}`,
	`"step/start","data":{"turn":$1,"step":$2}`,
	`"step/end","data":{"turn":$1,"step":$2}`,
	`"system/message","data":{"turn":$1,"step":$2,"message":{"content":[]}},"surfaceOp":"append"`,
	`"system/message","data":{"turn":1,"step":1,"message":{"content":[]}},"surfaceOp":{"op":"replace","startSeq":$1,"endSeq":$1},"sourceEventSeqs":[$1]`,
	`"user/message","data":{"id":"m","role":"user","source":{"kind":"user"},"content":[]},"surfaceOp":"append"`,
	`"user/message","data":{"id":"m","role":"user","source":{"kind":"compact-checkpoint"},"content":[]},"surfaceOp":{"op":"replace","startSeq":$1,"endSeq":$2},"sourceEventSeqs":[2,3,4,5,6,7,8]`,
	`"assistant/message","data":{"turn":$1,"step":$2,"message":{"role":"assistant","content":[]}},"surfaceOp":"append"`,
	`"tool/call","data":{"turn":1,"step":$1,"callId":"c$2","name":"n","arguments":""}`,
	`"tool/result","data":{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c$1"},"content":[]}},"surfaceOp":"append","sourceEventSeqs":[$2]`,
	`"tool/result","data":{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c$1"},"content":[]}},"surfaceOp":{"op":"replace","startSeq":$2,"endSeq":$2},"sourceEventSeqs":[$2]`,
	`"request/header","data":{"header":{"config":{},"tools":[{"name":"t$1"},{"name":"t$2"}]},"reason":"initial"}`,
	`"developer/message","data":{"turn":1,"step":1,"headerSeq":$1,"message":{"content":[{"type":"tool-addition","name":"t$2"}]}},"surfaceOp":"append"`,
	`"approval/asked","data":{"id":"a$1","toolName":"n"}`,
	`"approval/decided","data":{"id":"a$1","outcome":"rejected"}`,
	`"session/end-seed","data":{"inherited":true}`,
	`"someone/else","data":{},"ignorable":true,"surfaceOp":"append","sourceEventSeqs":[$1,$2]`,
}

// FuzzValidator reads three bytes an event: which one and its two numbers. What
// is refused leaves no trace, and the surface is made of earlier events, each once.
func FuzzValidator(f *testing.F) {
	f.Add([]byte{0, 1, 0, 2, 1, 1, 4, 1, 1, 6, 0, 0, 8, 1, 1, 9, 1, 1, 10, 1, 5, 11, 1, 6, 5, 2, 0, 7, 3, 4, 3, 1, 1, 1, 1, 0}, false)
	f.Add([]byte{0, 1, 0, 2, 1, 1, 12, 1, 2, 13, 2, 1, 14, 1, 0, 15, 1, 0, 15, 1, 0, 16, 0, 0, 17, 9, 9, 7, 3, 3, 7, 10, 10}, true)
	f.Fuzz(func(t *testing.T, script []byte, seeded bool) {
		h, err := events.NewHeader(events.Header{ID: "s", IsSeeded: &seeded})
		if err != nil {
			t.Fatal(err)
		}
		v, clean := events.NewValidator(h), events.NewValidator(h) // clean sees nothing that is refused
		for ; len(script) >= 3; script = script[3:] {
			body := strings.NewReplacer("$1", strconv.Itoa(int(script[1]%32)), "$2", strconv.Itoa(int(script[2]%32))).
				Replace(templates[int(script[0])%len(templates)])
			text := strings.Replace(`{"type":`+body+`}`, `,"data"`, `,"seq":`+strconv.Itoa(int(v.Next()))+`,"time":0,"data"`, 1)
			r, err := events.ParseRecord(events.Format4, []byte(text))
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if _, err := v.Record(r); err != nil {
				mustBeFieldError(t, err)
				continue
			}
			if _, err := clean.Record(r); err != nil {
				t.Fatalf("got %v for what was accepted: %s", err, text)
			}
		}
		if diff := stateDiff(v, clean); diff != "" {
			t.Fatalf("got another state after refusals (-want +got):\n%s", diff)
		}
		seen := map[events.Seq]bool{}
		for _, n := range v.Surface().Nodes() {
			if n < 0 || n >= v.Next() || seen[n] {
				t.Errorf("got surface %v of %d events", v.Surface().Nodes(), v.Next())
			}
			seen[n] = true
		}
	})
}

func mustBeFieldError(t *testing.T, err error) {
	t.Helper()
	if f, ok := errors.AsType[*events.FieldError](err); !ok || f.Field == "" || f.Rule == "" {
		t.Errorf("got error %v, want a field error", err)
	}
}
