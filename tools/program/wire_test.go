package program_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/tools/program"
)

func TestMessagesArriveAsTheyWereSent(t *testing.T) {
	sent := []program.FromProgram{
		{Ready: &program.Ready{}},
		{Output: &program.Output{Text: "a\nb\u2028\"\x00"}},
		{Call: &program.Call{Number: 1, Name: "read", Arguments: jsontext.Value(`{"path":"x\n"}`)}},
		{End: &program.End{Kind: program.EndReturned, Text: strings.Repeat("x", 1<<20), Dropped: 3}},
	}
	var pipe bytes.Buffer
	w, r := program.NewWriter[program.FromProgram](&pipe), program.NewReader[program.FromProgram](&pipe)
	for _, m := range sent {
		if err := w.Write(m); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range sent {
		got, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Errorf("(-sent +got):\n%s", diff)
		}
	}
	if _, err := r.Read(); !errors.Is(err, io.EOF) {
		t.Errorf("got %v at the end", err)
	}
}

func TestWhatIsNoMessageIsRefused(t *testing.T) {
	for text, want := range map[string]error{
		"":                                    io.EOF,
		`{"ready":{}}`:                        program.ErrCutOff,
		"\n":                                  program.ErrProtocol,
		"{}\n":                                program.ErrProtocol,
		"null\n":                              program.ErrProtocol,
		`{"ready":{},"ready":{}}` + "\n":      program.ErrProtocol,
		`{"ready":{}} {"ready":{}}` + "\n":    program.ErrProtocol,
		`{"READY":{}}` + "\n":                 program.ErrProtocol,
		`{"ready":[]}` + "\n":                 program.ErrProtocol,
		`{"output":{"text":"\ud800"}}` + "\n": program.ErrProtocol,
		"{\"output\":{\"text\":\"\xff\"}}\n":  program.ErrProtocol,
		strings.Repeat(" ", 9<<20):            program.ErrProtocol,
	} {
		_, err := program.NewReader[program.FromProgram](strings.NewReader(text)).Read()
		if !errors.Is(err, want) {
			t.Errorf("%.40q: got %v, want %v", text, err, want)
		}
	}
}

// FuzzMessages wants whatever is taken to be one message, which is the same after
// it was written and read again.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		`{"ready":{}}`, `{"output":{"text":"a"}}`, `{"call":{"number":1,"name":"read","arguments":{"a":[1]}}}`,
		`{"end":{"kind":"returned","text":"","dropped":0}}`, `{}`, `{"ready":null}`, `{"ready":{},"end":{}}`,
	} {
		f.Add([]byte(seed + "\n"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := program.NewReader[program.FromProgram](bytes.NewReader(text)).Read()
		if err != nil {
			return
		}
		there := 0
		for _, is := range []bool{m.Ready != nil, m.Call != nil, m.Output != nil, m.End != nil} {
			if is {
				there++
			}
		}
		if there != 1 {
			t.Fatalf("%q has %d members", text, there)
		}
		if m.Call != nil && m.Call.Arguments == nil {
			return // no arguments at all: the run refuses it
		}
		var pipe bytes.Buffer
		if err := program.NewWriter[program.FromProgram](&pipe).Write(m); err != nil {
			t.Fatal(err)
		}
		again, err := program.NewReader[program.FromProgram](&pipe).Read()
		if err != nil {
			t.Fatal(err)
		}
		if m.Call != nil { // spaces between the parts of a value are not kept
			_, _ = m.Call.Arguments.Compact(), again.Call.Arguments.Compact()
		}
		if diff := cmp.Diff(m, again); diff != "" {
			t.Errorf("(-first +second):\n%s", diff)
		}
	})
}
