package jetstream_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// seen is a record as a tail gave it.
type seen struct {
	record events.Record
	err    error
	after  time.Duration // since the tail began
}

// followed runs a tail in a bubble until the test ends.
func followed(t *testing.T, tail events.Tail, id events.SessionID, from events.Seq) <-chan seen {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	out, began := make(chan seen, 100), time.Now()
	go func() {
		defer close(out)
		for r, err := range tail.Tail(ctx, id, from) {
			out <- seen{r, err, time.Since(began)}
		}
	}()
	synctest.Wait()
	return out
}

func losesWakeUps(w *jetstreamtest.Wire) {
	w.Received(func(p *jetstreamtest.Passing) bool { return !strings.HasPrefix(p.Subject, jetstream.LivePrefix) })
}

func TestATailIsWokenUpAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log := logOn(t, s.nc)
		create(t, log, "s1")
		got := followed(t, log, "s1", 0)
		time.Sleep(time.Second)
		mustAppend(t, logOn(t, s.nc), "s1", unit(t, "a", 0, "one"))
		if r := <-got; r.err != nil || r.after != time.Second {
			t.Errorf("got %v after %s, want the record at once", r.err, r.after)
		}
	})
}

func TestATailWhoseWakeUpIsLostFindsTheRecordAtItsNextLook(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log, wire := s.behindWire(t)
		losesWakeUps(wire)
		create(t, log, "s1")
		got := followed(t, log, "s1", 0)
		other := logOn(t, s.nc)
		for seq, looked := range []time.Duration{5 * time.Second, 10 * time.Second, 15 * time.Second} {
			time.Sleep(time.Second)
			mustAppend(t, other, "s1", unit(t, "a", events.Seq(seq), "x"))
			if r := <-got; r.err != nil || r.record.Seq != events.Seq(seq) || r.after != looked {
				t.Errorf("got seq %d, %v after %s, want %d after %s", r.record.Seq, r.err, r.after, seq, looked)
			}
		}
	})
}

// What comes on the live subject is never evidence.
func TestATailYieldsWhatIsStoredAndNotWhatWokeItUp(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log := logOn(t, s.nc)
		create(t, log, "s1")
		got := followed(t, log, "s1", 0)
		if err := s.nc.Publish(jetstream.LiveSubject(subjectOf("s1")), []byte("x")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		select {
		case r := <-got:
			t.Errorf("got seq %d, %v, want nothing", r.record.Seq, r.err)
		default:
		}
	})
}

func TestATailEndsWithAnErrorWhenTheLogTurnsOutCorrupt(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log := logOn(t, s.nc)
		create(t, log, "s1")
		got := followed(t, log, "s1", 0)
		if _, err := streams(t, s.nc).Publish(t.Context(), subjectOf("s1"), []byte("x")); err != nil {
			t.Fatal(err)
		}
		if r := <-got; !errors.Is(r.err, events.ErrCorrupt) || r.after != 0 {
			t.Errorf("got %v after %s, want a corrupt log at once", r.err, r.after)
		}
		if r, more := <-got; more {
			t.Errorf("got %v behind the error, want the end", r)
		}
	})
}

// A read waits for a leader that does not answer, and no longer than its context.
func TestAReadOfASilentServerEndsExactlyWithItsContext(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log, wire := s.behindWire(t)
		create(t, log, "s1")
		wire.Sent(func(*jetstreamtest.Passing) bool { return false })
		for _, limit := range []time.Duration{time.Second, 9 * time.Second} {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			began := time.Now()
			_, err := texts(ctx, log, "s1", 0)
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != limit {
				t.Errorf("got %v after %s, want the deadline after %s", err, time.Since(began), limit)
			}
			cancel()
		}
		began := time.Now()
		_, err := log.Open(t.Context(), "s1")
		if took := time.Since(began); err == nil || errors.Is(err, context.DeadlineExceeded) || took > 20*time.Second {
			t.Errorf("got %v after %s, want that nobody answers, within 20 s", err, took)
		}
	})
}
