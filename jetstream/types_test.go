package jetstream_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// Headers cannot hold everything that a line can say.
func TestWhateverTheTypesAreTheLogIsWhole(t *testing.T) {
	s := newStore(t)
	log := logOn(t, s.nc)
	for name, typ := range map[string]string{
		"a newline":          `"a\r\nDocket-Sig: x"`,
		"spaces":             `" a "`,
		"a comma":            `"a,b"`,
		"a percent sign":     `"100%25"`,
		"nothing":            `""`,
		"no text":            `{"a":1}`,
		"none":               ``,
		"no ASCII":           `"é\u00e9 🂡"`,
		"a lone surrogate":   `"\ud800"`,
		"a control":          `"\u0000\u007f"`,
		"very long":          `"` + string(make64k()) + `"`,
		"one that we define": `"turn/start"`,
	} {
		t.Run(name, func(t *testing.T) {
			id := create(t, log, events.SessionID(fmt.Sprintf("s%x", name)))
			line := `{"seq":0,"type":` + typ + `}`
			if typ == "" {
				line = `{"seq":0}`
			}
			a := unit(t, "a", 1, "behind")
			a.Next, a.Records = 0, append([]events.Record{eventstest.Line(t, events.Format4, line)}, a.Records...)
			mustAppend(t, log, id, a)
			var got []string
			for r, err := range logOn(t, s.nc).Read(t.Context(), id, 0) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(r.Line))
			}
			if diff := cmp.Diff([]string{line, string(a.Records[1].Line)}, got); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			reportFindings(t, log, []events.SessionID{id})
		})
	}
}

func make64k() []byte {
	text := make([]byte, 64<<10)
	for i := range text {
		text[i] = 'x'
	}
	return text
}

// The line is what is stored; the fields beside it are the caller's.
func TestASessionIsTheOneThatItsHeaderLineNames(t *testing.T) {
	log := logOn(t, newStore(t).nc)
	c := creation(t, "s1")
	c.Header.ID = "s2"
	if err := log.Create(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, log, "s1")
	if _, err := log.Open(t.Context(), "s2"); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("got %v, want that there is no s2", err)
	}
}

func TestASeedIsKeptAsItIsDeclared(t *testing.T) {
	s := newStore(t)
	for name, seed := range map[string]events.Seed{
		"none": {}, "fork": {Kind: events.SeedFork, Next: 3, Chain: events.ChainStart()}, "import": {Kind: events.SeedImport},
		"no kind": {Next: 1}, "long": {Kind: events.SeedImport, Next: events.MaxSafeInteger},
	} {
		c := creation(t, events.SessionID(fmt.Sprintf("s%x", name)))
		c.Seed = seed
		if err := logOn(t, s.nc).Create(t.Context(), c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		opened, err := logOn(t, s.nc).Open(t.Context(), c.Header.ID)
		if err != nil || opened.Seed != seed {
			t.Errorf("%s: got %v, %v, want %v", name, opened.Seed, err, seed)
		}
	}
	for name, seed := range map[string]events.Seed{"another kind": {Kind: "x y"}, "negative": {Next: -1}, "endless": {Next: events.MaxSafeInteger + 1}} {
		c := creation(t, "s1")
		c.Seed = seed
		if err := logOn(t, s.nc).Create(t.Context(), c); !sameError(err, "seed must be") {
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
	}
}
