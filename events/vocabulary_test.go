package events_test

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/docket-engine/docket/events"
)

var update = flag.Bool("update", false, "write golden files anew")

// golden compares a text with a file in testdata.
func golden(tb testing.TB, name, got string) {
	tb.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		tb.Errorf("got another %s than want, -update rewrites it (-want +got):\n%s", name, diff)
	}
}

// ignoreRaw compares events but for the bytes that reading keeps of blocks and
// sources.
var ignoreRaw = cmp.Options{
	cmpopts.IgnoreFields(events.Block{}, "Raw"),
	cmpopts.IgnoreFields(events.Source{}, "Raw"),
	cmpopts.EquateComparable(events.SurfaceOp{}),
}

// TestVocabulary holds the code against the list that was written from the
// reference (1.3, 1.4) and from what this project adds to it. The list is edited
// by hand: it is what the code should be.
func TestVocabulary(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "vocabulary.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for l := range strings.Lines(string(text)) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			want = append(want, l)
		}
	}
	typed := events.Types()
	var got []string
	for _, l := range want {
		name := events.Type(strings.Fields(l)[0])
		got = append(got, describe(name, slices.Contains(typed, name)))
	}
	for _, name := range typed {
		if !slices.ContainsFunc(want, func(l string) bool { return strings.Fields(l)[0] == string(name) }) {
			got = append(got, describe(name, true))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("got another vocabulary than want (-want +got):\n%s", diff)
	}
}

func describe(name events.Type, typed bool) string {
	words := []string{string(name)}
	for _, w := range []struct {
		says bool
		word string
	}{
		{!events.Known(name) && !typed, "unknown"},
		{!events.Known(name) && typed, "format-0"},
		{events.KnownByName(name), "opaque"},
		{name.Surface(), "surface"},
		{name.Ignorable(), "ignorable"},
		{name.Ours(), "ours"},
	} {
		if w.says {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, " ")
}

func TestEveryTypeRoundTrips(t *testing.T) {
	var lines []string
	for _, typ := range slices.Sorted(slices.Values(events.Types())) {
		all := examples()[typ]
		if len(all) == 0 {
			t.Errorf("got no example of %s", typ)
		}
		for _, ev := range all {
			lines = append(lines, roundTrip(t, typ, ev))
		}
	}
	golden(t, "lines.jsonl", strings.Join(lines, "\n")+"\n")
}

// roundTrip makes an event a record and reads it again.
func roundTrip(t *testing.T, typ events.Type, ev events.Event) string {
	t.Helper()
	if ev.Type() != typ {
		t.Errorf("got an example of %s for %s", ev.Type(), typ)
	}
	made, err := events.NewEnvelope(5, 7, ev)
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	format := events.Format4
	rec, err := events.NewRecord(made)
	if typ == events.TypeAssistantChunk { // which is not written any more
		if !isUnknown(err) {
			t.Errorf("got %v for a chunk in the current format, want an unknown type", err)
		}
		format, err = events.Format0, nil
		rec.Line = []byte(line(string(typ), string(made.Data)))
	}
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	read := mustDecode(t, format, string(rec.Line))
	made.Format = format
	if diff := cmp.Diff(made, read, ignoreRaw); diff != "" {
		t.Errorf("%s: got another event than want (-want +got):\n%s", typ, diff)
	}
	again, err := events.NewEnvelope(5, 7, read.Event)
	if err != nil || string(again.Data) != string(made.Data) {
		t.Errorf("%s: got data %s, %v the second time, want %s", typ, again.Data, err, made.Data)
	}
	return string(rec.Line)
}

// TestExamplesAreFull looks for a member that no example sets, which the round
// trip would not notice if it were lost.
func TestExamplesAreFull(t *testing.T) {
	set := map[string]bool{}
	for _, all := range examples() {
		for _, ev := range all {
			noteFields(reflect.ValueOf(ev), set)
		}
	}
	for field, isSet := range set {
		if !isSet && field != "RequestConfiguration.System" { // which is there to be refused
			t.Errorf("got no example that sets %s", field)
		}
	}
}

// noteFields notes which fields of the structs in a value are set, and which are
// not so far.
func noteFields(v reflect.Value, set map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			noteFields(v.Elem(), set)
		}
	case reflect.Slice:
		for i := range v.Len() {
			noteFields(v.Index(i), set)
		}
	case reflect.Struct:
		for field, value := range v.Fields() {
			name := v.Type().Name() + "." + field.Name
			set[name] = set[name] || !value.IsZero()
			noteFields(value, set)
		}
	}
}

// What later versions or others add to an event is written again as it was read.
func TestUnknownMembersSurvive(t *testing.T) {
	for _, typ := range events.Types() {
		if typ == events.TypeSubagentDescriptor || typ == events.TypeAssistantChunk {
			continue // a descriptor refuses them; a chunk is not written
		}
		t.Run(string(typ), func(t *testing.T) {
			made, err := events.NewEnvelope(5, 7, examples()[typ][0])
			if err != nil {
				t.Fatal(err)
			}
			const more = `"zz":{"n":1.0,"e":1E2,"s":"\u00e9\/","null":null,"list":[{}]}`
			made.Data = slices.Concat(made.Data[:len(made.Data)-1], []byte(","+more+"}"))
			rec, err := events.NewRecord(made)
			if err != nil || !strings.Contains(string(rec.Line), more) {
				t.Fatalf("got %s, %v, want it to hold %s", rec.Line, err, more)
			}
			read := mustDecode(t, events.Format4, string(rec.Line))
			if again, err := events.NewRecord(read); err != nil || string(again.Line) != string(rec.Line) {
				t.Errorf("got %s, %v, want %s", again.Line, err, rec.Line)
			}
			fresh, err := events.NewEnvelope(5, 7, read.Event)
			if err != nil || !strings.Contains(string(fresh.Data), more) {
				t.Errorf("got data %s, %v, want it to hold %s", fresh.Data, err, more)
			}
		})
	}
}

func TestADescriptorHoldsNothingUnknown(t *testing.T) {
	_, err := decode(events.Format4, line("subagent/descriptor", `{"version":3,"mode":"one-shot","provider":"p","zz":1}`))
	wantField(t, err, "data.zz")
}
