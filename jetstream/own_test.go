package jetstream_test

import (
	"bytes"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// TestATailHasWhatItsOwnLogAppendsWithoutReading it again, once the store has
// acknowledged it, and not before: what the store did not take it never yields.
func TestATailHasWhatItsOwnLogAppendsWithoutReading(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log, wire := s.behindWire(t)
		create(t, log, "s1")
		got := followed(t, log, "s1", 0)
		var reads atomic.Int64
		wire.Sent(func(p *jetstreamtest.Passing) bool {
			if strings.HasPrefix(p.Subject, "$JS.API.") {
				reads.Add(1)
			}
			return true
		})
		var yielded []events.Record
		for seq := range events.Seq(20) {
			mustAppend(t, log, "s1", unit(t, "a", seq, "x"))
			r := <-got
			if r.err != nil || r.record.Seq != seq || r.after != 0 {
				t.Fatalf("got seq %d, %v after %s, want %d at once", r.record.Seq, r.err, r.after, seq)
			}
			yielded = append(yielded, r.record)
		}
		synctest.Wait()
		if n := reads.Load(); n != 0 {
			t.Errorf("got %d requests to read, want none", n)
		}
		i := 0
		for r, err := range log.Read(t.Context(), "s1", 0) {
			if err != nil {
				t.Fatal(err)
			}
			if y := yielded[i]; y.Seq != r.Seq || y.Count != r.Count || y.Format != r.Format || y.Append != r.Append || !bytes.Equal(y.Line, r.Line) {
				t.Errorf("got %+v of the tail, want what is stored, %+v", y, r)
			}
			i++
		}
		if _, err := log.Append(t.Context(), "s1", unit(t, "b", 3, "at a place that is taken")); err == nil {
			t.Error("a frame was stored twice at one place")
		}
		synctest.Wait()
		select {
		case r := <-got:
			t.Errorf("got %+v, which was not stored", r)
		default:
		}
	})
}

// TestATailHasNoGapBetweenItsOwnLogAndOthers, nor anything twice, also where wake-ups
// are lost and where the tail is slow.
func TestATailHasNoGapBetweenItsOwnLogAndOthers(t *testing.T) {
	const appends = 300 // more than wait for a slow tail
	for name, slow := range map[string]bool{"a tail that keeps up": false, "a slow one": true} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				s := newStore(t)
				log, wire := s.behindWire(t)
				other := logOn(t, s.nc)
				create(t, log, "s1")
				losesWakeUps(wire)
				got := followed(t, log, "s1", 0)
				all := make([]events.Append, appends)
				for seq := range all {
					all[seq] = unit(t, "a", events.Seq(seq), "x")
				}
				done := make(chan error, 1)
				go func() {
					var errs []error
					for seq, a := range all {
						writer := log
						if seq%7 == 3 {
							writer = other
						}
						_, err := writer.Append(t.Context(), "s1", a)
						errs = append(errs, err)
					}
					done <- errors.Join(errs...)
				}()
				if slow {
					synctest.Wait() // all is appended, and more than the tail can hold
				}
				for seq := range events.Seq(appends) {
					if r := <-got; r.err != nil || r.record.Seq != seq {
						t.Fatalf("got seq %d, %v, want %d", r.record.Seq, r.err, seq)
					}
				}
				if err := <-done; err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				select {
				case r := <-got:
					t.Errorf("got %+v once more", r)
				default:
				}
			})
		})
	}
}
