package jetstream_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// Nobody else ends these appends: their contexts have no end.
func TestAnAppendIsNotTriedForEver(t *testing.T) {
	// unable answers each frame but the silent ones as a store does that cannot take
	// it, and keeps it from being stored.
	unable := func(silent func(n int) bool) func(*jetstreamtest.Wire) {
		return func(w *jetstreamtest.Wire) {
			n := 0
			w.Answers(func(p *jetstreamtest.Passing) bool {
				if !isFrame(p) {
					return false
				}
				p.Header = bytes.Replace(p.Header, []byte(guardHeader+": 1"), []byte(guardHeader+": 77"), 1)
				return true
			}, func(p *jetstreamtest.Passing) bool {
				n++
				p.Data = []byte(refusal(500, 10047))
				return !silent(n)
			})
		}
	}
	for name, tt := range map[string]struct {
		do      func(*jetstreamtest.Wire)
		unknown bool
	}{
		"no frame arrives": {func(w *jetstreamtest.Wire) {
			w.Sent(func(p *jetstreamtest.Passing) bool { return !isFrame(p) })
		}, true},
		"nothing is answered": {func(w *jetstreamtest.Wire) {
			w.Answers(func(*jetstreamtest.Passing) bool { return true }, func(*jetstreamtest.Passing) bool { return false })
		}, true},
		"the disk is full":                           {unable(func(int) bool { return false }), false},
		"the disk is full, and one answer gets lost": {unable(func(n int) bool { return n == 3 }), true},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				s := newStore(t)
				log, wire := s.behindWire(t)
				create(t, log, "s1")
				tt.do(wire)
				began := time.Now()
				a := unit(t, "a", 0, "one")
				_, err := log.Append(t.Context(), "s1", a)
				if took := time.Since(began); took < time.Minute || took > 70*time.Second {
					t.Errorf("took %s, want a minute and what one answer takes", took)
				}
				if errors.Is(err, events.ErrOutcomeUnknown) != tt.unknown || errors.Is(err, events.ErrConflict) || err == nil {
					t.Errorf("got %v, want an unknown outcome: %t", err, tt.unknown)
				}
				if !tt.unknown && !sameError(err, "the store refused it") {
					t.Errorf("got %v, want a refusal", err)
				}
				wire.Pass()
				mustAppend(t, log, "s1", a)
				wantTexts(t, logOn(t, s.nc), "s1", "one")
			})
		})
	}
}
