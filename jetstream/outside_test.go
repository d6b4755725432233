package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

// anchoredUp does some work in a bubble, with anchors written of it, and gives
// the anchors as the next start reads them.
func anchoredUp(t *testing.T, s store, work func()) *jetstream.Anchors {
	t.Helper()
	path := filepath.Join(t.TempDir(), "anchors")
	w, err := jetstream.StartAnchors(t.Context(), jetstream.AnchorConfig{Path: path, Conn: s.nc, Keys: testKeys(t), Anchors: loadAnchors(t, path)})
	if err != nil {
		t.Fatal(err)
	}
	work()
	synctest.Wait() // until all is heard
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return loadAnchors(t, path)
}

func loadAnchors(tb testing.TB, path string) *jetstream.Anchors {
	tb.Helper()
	a, err := jetstream.LoadAnchors(path, testKeys(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

// sealsOf are the messages of a session's seals. It needs a bubble, in which the
// seals are stored when nothing else happens.
func sealsOf(t *testing.T, s store, id events.SessionID) frames {
	t.Helper()
	synctest.Wait()
	var out frames
	for _, m := range messagesOf(t, streams(t, s.nc), jetstream.AuditStream, "audit.seal."+string(id)) {
		out = append(out, &nats.Msg{Subject: m.Subject, Data: m.Data})
	}
	return out
}

func logWith(t *testing.T, s store, a *jetstream.Anchors) *jetstream.Log {
	t.Helper()
	return newLog(t, jetstream.LogConfig{Conn: s.nc, Keys: testKeys(t), Anchors: a})
}

func TestWhatIsNotKeptOutsideIsUnproven(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		var f frames
		anchors := anchoredUp(t, s, func() { f = genuine(t, s, "s1") })
		longer := rebuilt(t, f)
		mustAppend(t, logOn(t, longer.nc), "s1", unit(t, "a6", 6, "seven"))
		for name, tt := range map[string]struct {
			log  *jetstream.Log
			want []string
		}{
			"anchored up to its end":  {logWith(t, s, anchors), nil},
			"grown behind its anchor": {logWith(t, longer, anchors), []string{"unproven 7"}},
			"neither anchor nor seal": {logOn(t, rebuilt(t, f).nc), []string{"unproven 6"}},
			"nothing, and it was cut": {logOn(t, rebuilt(t, f[:at3]).nc), []string{"unproven 3"}},
			"sealed up to its end":    {logOn(t, rebuilt(t, f, sealsOf(t, s, "s1")).nc), nil},
		} {
			findings, err := tt.log.VerifyStore(t.Context(), "s1")
			if diff := cmp.Diff(tt.want, kinds(findings)); err != nil && diff != "" {
				t.Errorf("%s: findings (-want +got), %v:\n%s", name, err, diff)
			}
		}
	})
}

func TestACutTailIsFoundAgainstAnAnchorAndAgainstASeal(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		var f frames
		anchors := anchoredUp(t, s, func() { f = genuine(t, s, "s1") })
		for left := atHeader + 1; left < frameCount; left++ {
			at := []events.Seq{0, 0, 2, 3, 5}[left]
			log := logWith(t, rebuilt(t, f[:left]), anchors)
			wantFound(t, log, "s1", at, "")
			_, err := log.Open(t.Context(), "s1")
			wantCorrupt(t, err, "s1", at)
			_, err = texts(t.Context(), log, "s1", 0)
			wantCorrupt(t, err, "s1", at)
			_, err = log.Append(t.Context(), "s1", unit(t, "b", at, "other"))
			wantCorrupt(t, err, "s1", at)

			wantFound(t, logOn(t, rebuilt(t, f[:left], sealsOf(t, s, "s1")).nc), "s1", at, "")
		}
	})
}

func TestASessionThatIsGoneIsFound(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		var two frames
		anchors := anchoredUp(t, s, func() { genuine(t, s, "s1"); two = genuine(t, s, "s2") })
		log := logWith(t, rebuilt(t, two, sealsOf(t, s, "s1")), anchors)
		wantFound(t, log, "s1", 0, "")
		if found := verified(t, log, "s2"); len(found) > 0 {
			t.Errorf("got %v, want nothing wrong with the other one", found)
		}
		_, err := log.Open(t.Context(), "s1")
		wantCorrupt(t, err, "s1", 0)
		if err := log.Create(t.Context(), creation(t, "s1")); !errors.Is(err, events.ErrCorrupt) {
			t.Errorf("create: got %v, want a corrupt log", err)
		}
		findings, err := log.VerifyStreams(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"corrupt: seq 0: stream SESSIONS_0_0 ends at 5, its anchor was made at 10: what was stored in between is lost",
			"corrupt: seq 0: session s1 is gone: its anchor was made at seq 6",
		}
		if diff := cmp.Diff(want, lines(findings)); diff != "" {
			t.Errorf("streams (-want +got):\n%s", diff)
		}
		wantFound(t, logOn(t, rebuilt(t, two, sealsOf(t, s, "s1")).nc), "s1", 0, "") // by its seal alone
	})
}

func lines(findings []events.Finding) []string {
	out := make([]string, len(findings))
	for i, f := range findings {
		out[i] = f.String()
	}
	return out
}

// The engine signs each frame that it sends, also one that lost a conflict. Who
// heard it can put it in the winner's place, if nothing is kept outside.
func TestAFrameThatLostAConflictIsFoundInTheWinnersPlace(t *testing.T) {
	for name, tt := range map[string]struct {
		texts []string
		found events.Seq // behind the frame that passes the end of the genuine log
	}{
		"with as many events": {[]string{"x", "y"}, 8},
		"with fewer events":   {[]string{"x"}, 7},
		"with more events":    {[]string{"x", "y", "z", "w"}, 7},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				s := newStore(t)
				var f frames
				anchors := anchoredUp(t, s, func() { f = genuine(t, s, "s1") })
				loser := unit(t, "loser", 3, tt.texts...)
				other := rebuilt(t, f[:at3])
				mustAppend(t, logOn(t, other.nc), "s1", loser)
				mustAppend(t, logOn(t, other.nc), "s1", unit(t, "behind", loser.End(), "1", "2", "3"))
				wantFound(t, logWith(t, other, anchors), "s1", tt.found, "")
				other.add(t, sealsOf(t, s, "s1"))
				wantFound(t, logOn(t, other.nc), "s1", tt.found, "")
			})
		})
	}
}

// The header frame of a creation that lost is signed as well; the first frame of
// records names the one that it goes with.
func TestAHeaderThatLostIsFoundInTheWinnersPlace(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s, other := newStore(t), newStore(t)
		f := genuine(t, s, "s1")
		c := creation(t, "s1")
		c.Actor.Name = "somebody else"
		c.Seed = events.Seed{Kind: events.SeedImport}
		c.Header = headerAt(t, "s1", "/somewhere/else")
		if err := logOn(t, other.nc).Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		log := logOn(t, rebuilt(t, framesOf(t, other, "s1"), f[at0:]).nc)
		wantFound(t, log, "s1", 0, preset)
		_, err := texts(t.Context(), log, "s1", 0)
		wantCorrupt(t, err, "s1", 0)
	})
}

// A log that has seen later frames does not take an older one for the last.
func TestAnOlderFrameIsNotTakenForTheLast(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		f := genuine(t, s, "s1")
		log := logOn(t, s.nc)
		if _, err := log.Open(t.Context(), "s1"); err != nil {
			t.Fatal(err)
		}
		s.add(t, frames{f[at2]})
		_, err := log.Append(t.Context(), "s1", unit(t, "a6", 6, "seven"))
		wantCorrupt(t, err, "s1", 6)
		_, err = log.Append(t.Context(), "s1", unit(t, "b3", 3, "four"))
		wantCorrupt(t, err, "s1", 6)
		_, err = log.Open(t.Context(), "s1")
		wantCorrupt(t, err, "s1", 6)
	})
}

func TestADeclaredSeedIsHeldAgainstItsLog(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		records := unit(t, "a", 0, "one", "two").Records
		c := creation(t, "s1")
		c.Seed = events.Seed{Kind: events.SeedImport, Next: 2, Chain: events.ChainStart().Over(records...)}
		log := logOn(t, s.nc)
		if err := log.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		a := events.Append{ID: "a", Records: records, Seeding: true}
		mustAppend(t, log, "s1", a)
		if found := verified(t, log, "s1"); len(found) > 0 {
			t.Errorf("got %v, want nothing", found)
		}
		// The same header frame over another seed, of one event more.
		other := newStore(t)
		c.Seed = events.Seed{Kind: events.SeedImport, Next: 3}
		if err := logOn(t, other.nc).Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		a.Records = unit(t, "a", 0, "one", "two", "three").Records
		mustAppend(t, logOn(t, other.nc), "s1", a)
		mixed := rebuilt(t, framesOf(t, s, "s1")[:at0], framesOf(t, other, "s1")[at0:])
		wantFound(t, logOn(t, mixed.nc), "s1", 3, "")
	})
}

// A session that grows while it is verified is ahead of what was read before, and
// behind nothing.
func TestAVerificationBesideWritersFindsNothing(t *testing.T) {
	s, path := newStore(t), anchorFile(t)
	a := startAnchors(t, s.nc, path, 0)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	group.Go(func() {
		if err := a.writer.Run(ctx); err != nil {
			t.Errorf("anchors: %v", err)
		}
	})
	log := logWith(t, s, a.anchors)
	create(t, log, "s1")
	group.Go(func() {
		for turn := 0; ctx.Err() == nil; turn++ {
			made := turns(t, events.AppendID(fmt.Sprint("a", turn)), events.Seq(3*turn), turn+1, 1)
			if _, err := log.Append(t.Context(), "s1", made); err != nil {
				t.Errorf("append: %v", err)
			}
		}
	})
	deadline := time.After(1500 * time.Millisecond) // anchors are written once or twice
	for running := true; running; {
		select {
		case <-deadline:
			running = false
		default:
		}
		if found := verified(t, log, "s1"); len(found) > 0 {
			t.Errorf("got %v, want nothing", found)
			running = false
		}
		if findings, err := log.VerifyStreams(t.Context()); err != nil || len(findings) > 0 {
			t.Errorf("got %v, %v, want nothing", findings, err)
		}
		if _, err := logWith(t, s, a.anchors).Open(t.Context(), "s1"); err != nil {
			t.Errorf("open: %v", err)
		}
	}
	cancel()
	group.Wait()
	a.stop(t)
}
