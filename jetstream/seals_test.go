package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// turns is an append of whole turns, of three events each.
func turns(tb testing.TB, id events.AppendID, next events.Seq, first, n int) events.Append {
	tb.Helper()
	a := events.Append{ID: id, Next: next, Actor: writer}
	for turn := first; turn < first+n; turn++ {
		for _, ev := range []events.Event{
			events.TurnStart{Turn: turn},
			events.PermissionPreset{Preset: "p"},
			events.TurnEnd{Turn: turn, Reason: events.TurnEndReason{Kind: events.EndCompleted}},
		} {
			a.Records = append(a.Records, eventstest.Record(tb, next+events.Seq(len(a.Records)), ev))
		}
	}
	return a
}

// closing is a log that a test closes itself, which flushes its seals.
func closing(t *testing.T, cfg jetstream.LogConfig) (*jetstream.Log, func()) {
	t.Helper()
	log, err := jetstream.NewLog(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return log, func() {
		t.Helper()
		if err := log.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func sealed(t *testing.T, log *jetstream.Log, id events.SessionID) []events.SealRecord {
	t.Helper()
	var out []events.SealRecord
	for s, err := range log.Seals(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func TestTheEndOfATurnIsSealed(t *testing.T) {
	s := newStore(t)
	log, flush := closing(t, jetstream.LogConfig{Conn: s.nc, Keys: testKeys(t)})
	create(t, log, "s1")
	mustAppend(t, log, "s1", unit(t, "a", 0, "one"))
	a := turns(t, "b", 1, 1, 1)
	before := time.Now().UnixMilli()
	mustAppend(t, log, "s1", a)
	opened, err := log.Open(t.Context(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	flush()
	got := sealed(t, logOn(t, s.nc), "s1")
	if len(got) != 1 || got[0].Time < before || got[0].Sig == "" {
		t.Fatalf("got seals %v, want one, made now and signed", got)
	}
	want := events.SealRecord{Session: "s1", Seq: 3, Chain: opened.Head.Chain.String(), Time: got[0].Time, Sig: got[0].Sig}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("seal (-want +got):\n%s", diff)
	}
}

func TestWhatEndsNoTurnIsNotSealed(t *testing.T) {
	s := newStore(t)
	log, flush := closing(t, jetstream.LogConfig{Conn: s.nc, Keys: testKeys(t)})
	create(t, log, "s1")
	fill(t, log, "s1", 0, 5)
	flush()
	if got := sealed(t, logOn(t, s.nc), "s1"); len(got) > 0 {
		t.Errorf("got %v, want none", got)
	}
}

// An import is sealed as a fork is, turns or none.
func TestTheEndOfASeedIsSealed(t *testing.T) {
	s := newStore(t)
	log, flush := closing(t, jetstream.LogConfig{Conn: s.nc, Keys: testKeys(t)})
	c := creation(t, "s1")
	c.Seed = events.Seed{Kind: events.SeedImport, Next: 3}
	if err := log.Create(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for _, a := range []events.Append{unit(t, "a", 0, "one", "two"), unit(t, "b", 2, "three")} {
		a.Seeding = true
		mustAppend(t, log, "s1", a)
	}
	flush()
	if got := sealed(t, logOn(t, s.nc), "s1"); len(got) != 1 || got[0].Seq != 2 {
		t.Errorf("got %v, want a seal behind seq 2", got)
	}
}

// Seals do not hold appends up, and a later one covers an earlier one: the last of
// each session is stored when the log is closed.
func TestCloseStoresTheLastSealOfEachSession(t *testing.T) {
	s := newStore(t)
	log, flush := closing(t, jetstream.LogConfig{Conn: s.nc, Keys: testKeys(t)})
	const sessions, rounds = 8, 20
	for i := range sessions {
		id := create(t, log, events.SessionID(fmt.Sprint("s", i)))
		for round := range rounds {
			mustAppend(t, log, id, turns(t, events.AppendID(fmt.Sprint("a", round)), events.Seq(3*round), round+1, 1))
		}
	}
	flush()
	for i := range sessions {
		id := events.SessionID(fmt.Sprint("s", i))
		got := sealed(t, logOn(t, s.nc), id)
		if len(got) == 0 || got[len(got)-1].Seq != 3*rounds-1 {
			t.Errorf("session %s: got %v, want a seal behind its last event", id, got)
		}
		for i := 1; i < len(got); i++ {
			if got[i].Seq <= got[i-1].Seq {
				t.Errorf("session %s: got a seal of %d behind one of %d", id, got[i].Seq, got[i-1].Seq)
			}
		}
		if found := verified(t, log, id); len(found) > 0 {
			t.Errorf("session %s: got %v, want nothing", id, found)
		}
	}
}

func TestAnAppendDoesNotWaitForItsSeal(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		w := jetstreamtest.NewWire(t)
		log, flush := closing(t, jetstream.LogConfig{Conn: s.node.Connect(w.Option()), Keys: testKeys(t)})
		create(t, log, "s1")
		asked := 0
		w.Sent(func(p *jetstreamtest.Passing) bool {
			if strings.HasPrefix(p.Subject, "audit.") {
				asked++
				return asked > 2
			}
			return true
		})
		began := time.Now()
		mustAppend(t, log, "s1", turns(t, "a", 0, 1, 1))
		if took := time.Since(began); took != 0 {
			t.Errorf("took %s, want no time", took)
		}
		flush() // two are lost, the third arrives
		if got := sealed(t, logOn(t, s.nc), "s1"); len(got) != 1 || got[0].Seq != 2 {
			t.Errorf("got %v, want a seal behind seq 2", got)
		}
	})
}

func TestCloseWaitsForSealsNoLongerThanItsContext(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		w := jetstreamtest.NewWire(t)
		log, err := jetstream.NewLog(jetstream.LogConfig{Conn: s.node.Connect(w.Option()), Keys: testKeys(t)})
		if err != nil {
			t.Fatal(err)
		}
		create(t, log, "s1")
		w.Sent(func(p *jetstreamtest.Passing) bool { return !strings.HasPrefix(p.Subject, "audit.") })
		mustAppend(t, log, "s1", turns(t, "a", 0, 1, 1))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := log.Close(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("got %v after %s, want the deadline after 1s", err, time.Since(began))
		}
		if err := log.Close(t.Context()); err != nil { // and gives up after its attempts
			t.Errorf("got %v, want nothing", err)
		}
	})
}

func TestASealThatTheEngineDidNotMakeIsFound(t *testing.T) {
	for name, forge := range map[string]func(good string) string{
		"another seq":     func(s string) string { return strings.Replace(s, `"seq":5`, `"seq":4`, 1) },
		"another session": func(s string) string { return strings.Replace(s, `"session":"s1"`, `"session":"s2"`, 1) },
		"another chain":   func(s string) string { return strings.Replace(s, `"chain":"`, `"chain":"00`, 1) },
		"another time":    func(s string) string { return strings.Replace(s, `"time":`, `"time":1`, 1) },
		"no signature":    func(s string) string { return s[:strings.Index(s, `,"sig"`)] + "}" },
		"no seal":         func(string) string { return "x" },
		"nothing":         func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				s := newStore(t)
				f := genuine(t, s, "s1")
				forged := sealsOf(t, s, "s1")
				forged[0].Data = []byte(forge(string(forged[0].Data)))
				log := logOn(t, rebuilt(t, f, forged).nc)
				if found := verified(t, log, "s1"); len(found) == 0 {
					t.Error("verify: got nothing, want a finding")
				}
				for _, err := range log.Seals(t.Context(), "s1") {
					if !errors.Is(err, events.ErrCorrupt) {
						t.Errorf("seals: got %v, want a corrupt seal", err)
					}
				}
			})
		})
	}
}

// A seal that was made for another session, or twice, says nothing new.
func TestSealsMayBeStoredTwiceAndStayWithTheirSession(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		one, two := genuine(t, s, "s1"), genuine(t, s, "s2")
		seals := sealsOf(t, s, "s1")
		log := logOn(t, rebuilt(t, one, two, seals, seals).nc)
		if found := verified(t, log, "s1"); len(found) > 0 {
			t.Errorf("got %v, want nothing", found)
		}
		moved := sealsOf(t, s, "s1")
		moved[0].Subject = sealsOf(t, s, "s2")[0].Subject
		wantFound(t, logOn(t, rebuilt(t, one, two, moved).nc), "s2", 0, "")
	})
}
