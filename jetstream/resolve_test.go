package jetstream_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

const guardHeader = "Nats-Expected-Last-Subject-Sequence"

// isFrame tells the publish of a frame from everything else that a client sends.
func isFrame(p *jetstreamtest.Passing) bool { return strings.HasPrefix(p.Subject, "session.") }

// isLook tells the question to the leader by which an append is resolved.
func isLook(p *jetstreamtest.Passing) bool {
	return strings.HasPrefix(p.Subject, "$JS.API.STREAM.MSG.GET.")
}

func refusal(code, errCode int) string {
	return fmt.Sprintf(`{"error":{"code":%d,"err_code":%d,"description":"as a test wants it"},"stream":%q,"seq":0}`, code, errCode, sessions)
}

// unclear are the answers that do not say whether a frame is stored.
func unclear() map[string]string {
	return map[string]string{
		"10071, the guard does not hold":         refusal(400, 10071),
		"10164, the guard may not hold":          refusal(400, 10164),
		"10158, a duplicate is being stored":     refusal(409, 10158),
		"10201, a duplicate in a batch":          refusal(400, 10201),
		"10008, JetStream is not there just now": refusal(503, 10008),
		"10023, resources are short just now":    refusal(503, 10023),
		"a duplicate":                            fmt.Sprintf(`{"stream":%q,"seq":1,"duplicate":true}`, sessions),
		"no answer that can be read":             `{"stream":`,
		"no answer":                              "",
	}
}

// answering makes the wire answer the first frame so; before it is passed on,
// meanwhile runs, and may change it.
func answering(w *jetstreamtest.Wire, answer string, meanwhile func(*jetstreamtest.Passing)) {
	first, answered := true, false
	asked := func(p *jetstreamtest.Passing) bool {
		if !isFrame(p) || !first {
			return false
		}
		first = false
		meanwhile(p)
		return true
	}
	w.Answers(asked, func(p *jetstreamtest.Passing) bool {
		if answered {
			return true
		}
		answered = true
		p.Data = []byte(answer)
		return answer != ""
	})
}

func TestHoweverTheServerAnswersTheFrameThatStandsThereDecides(t *testing.T) {
	for name, answer := range unclear() {
		t.Run(name, func(t *testing.T) {
			t.Run("one's own is success", func(t *testing.T) {
				inBubble(t, func(t *testing.T) { ownStandsThere(t, answer) })
			})
			t.Run("another one is a conflict", func(t *testing.T) {
				inBubble(t, func(t *testing.T) { anotherStandsThere(t, answer) })
			})
			t.Run("none is published again", func(t *testing.T) {
				inBubble(t, func(t *testing.T) { noneStandsThere(t, answer) })
			})
		})
	}
}

func ownStandsThere(t *testing.T, answer string) {
	s := newStore(t)
	log, wire := s.behindWire(t)
	create(t, log, "s1")
	answering(wire, answer, func(*jetstreamtest.Passing) {})
	mustAppend(t, log, "s1", unit(t, "a", 0, "one", "two"))
	wantTexts(t, logOn(t, s.nc), "s1", "one", "two")
	mustAppend(t, log, "s1", unit(t, "b", 2, "three"))
	wantTexts(t, logOn(t, s.nc), "s1", "one", "two", "three")
}

func anotherStandsThere(t *testing.T, answer string) {
	s := newStore(t)
	log, wire := s.behindWire(t)
	create(t, log, "s1")
	other := logOn(t, s.nc)
	answering(wire, answer, func(*jetstreamtest.Passing) {
		mustAppend(t, other, "s1", unit(t, "other", 0, "one"))
		mustAppend(t, other, "s1", unit(t, "other", 1, "two"))
	})
	_, err := log.Append(t.Context(), "s1", unit(t, "a", 0, "mine"))
	wantConflict(t, err, events.ConflictError{Session: "s1", Expected: 0, Actual: 2})
	wantTexts(t, other, "s1", "one", "two")
}

func noneStandsThere(t *testing.T, answer string) {
	s := newStore(t)
	log, wire := s.behindWire(t)
	create(t, log, "s1")
	answering(wire, answer, func(p *jetstreamtest.Passing) {
		p.Header = bytes.Replace(p.Header, []byte(guardHeader+": 1"), []byte(guardHeader+": 77"), 1) // so that it is refused
	})
	mustAppend(t, log, "s1", unit(t, "a", 0, "one"))
	wantTexts(t, logOn(t, s.nc), "s1", "one")
	if got := stored(t, s.nc, "s1"); got != 2 {
		t.Errorf("got %d frames, want 2", got)
	}
}

// A creation is an append to a log that is not there.
func TestACreationIsResolvedLikeAnAppend(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log, wire := s.behindWire(t)
		answering(wire, "", func(*jetstreamtest.Passing) {})
		create(t, log, "s1")
		create(t, log, "s1")
		answering(wire, "", func(*jetstreamtest.Passing) {
			c := creation(t, "s2")
			c.ID = "other"
			if err := logOn(t, s.nc).Create(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		})
		if err := log.Create(t.Context(), creation(t, "s2")); !errors.Is(err, events.ErrExists) {
			t.Errorf("got %v, want ErrExists", err)
		}
	})
}

// The second publish of a frame that is stored is refused by its own guard.
func TestALostAcknowledgementAndALostLookAreTriedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log, wire := s.behindWire(t)
		create(t, log, "s1")
		lost := 0
		wire.Answers(func(p *jetstreamtest.Passing) bool { return isFrame(p) || isLook(p) }, func(*jetstreamtest.Passing) bool {
			lost++
			return lost > 4
		})
		mustAppend(t, log, "s1", unit(t, "a", 0, "one"))
		if got := stored(t, s.nc, "s1"); got != 2 {
			t.Errorf("got %d frames, want 2", got)
		}
		wire.Pass()
		wantTexts(t, log, "s1", "one")
	})
}

// Minutes pass in a bubble.
func TestWhatIsNotAnsweredEndsExactlyWithItsContextAndUnknown(t *testing.T) {
	silences := map[string]func(*jetstreamtest.Wire){
		"the frame is stored, and nothing is answered": func(w *jetstreamtest.Wire) {
			w.Answers(func(p *jetstreamtest.Passing) bool { return isFrame(p) || isLook(p) }, func(*jetstreamtest.Passing) bool { return false })
		},
		"the frame is lost, and nothing is answered": func(w *jetstreamtest.Wire) {
			w.Sent(func(*jetstreamtest.Passing) bool { return false })
		},
		"the frame is lost each time, and looks are answered": func(w *jetstreamtest.Wire) {
			w.Sent(func(p *jetstreamtest.Passing) bool { return !isFrame(p) })
		},
		"the frame is stored, and every answer is late": func(w *jetstreamtest.Wire) {
			w.Received(func(*jetstreamtest.Passing) bool { time.Sleep(61 * time.Second); return true })
		},
	}
	for name, silence := range silences {
		for _, limit := range []time.Duration{100 * time.Millisecond, 7 * time.Second, time.Minute} {
			t.Run(fmt.Sprint(name, ", ", limit), func(t *testing.T) {
				inBubble(t, func(t *testing.T) { endsUnknown(t, limit, silence) })
			})
		}
	}
}

func endsUnknown(t *testing.T, limit time.Duration, silence func(*jetstreamtest.Wire)) {
	s := newStore(t)
	log, wire := s.behindWire(t)
	create(t, log, "s1")
	silence(wire)
	reason := errors.New("the test has waited enough")
	ctx, cancel := context.WithTimeoutCause(t.Context(), limit, reason)
	defer cancel()
	began := time.Now()
	a := unit(t, "a", 0, "one", "two")
	_, err := log.Append(ctx, "s1", a)
	wantUnknown(t, err)
	if !errors.Is(err, reason) {
		t.Errorf("got %v, want it to say why it ended", err)
	}
	if took := time.Since(began); took != limit {
		t.Errorf("took %s, want %s", took, limit)
	}
	wire.Pass()
	for range 2 { // the repeat of an unknown append, and of a known one
		mustAppend(t, log, "s1", a)
	}
	mustAppend(t, logOn(t, s.nc), "s1", a)
	wantTexts(t, logOn(t, s.nc), "s1", "one", "two")
}

// What an unknown append left behind is another's conflict.
func TestAfterAnUnknownOutcomeAnotherAppendIsAConflict(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log, wire := s.behindWire(t)
		create(t, log, "s1")
		wire.Answers(func(*jetstreamtest.Passing) bool { return true }, func(*jetstreamtest.Passing) bool { return false })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := log.Append(ctx, "s1", unit(t, "a", 0, "one"))
		wantUnknown(t, err)
		wire.Pass()
		_, err = log.Append(t.Context(), "s1", unit(t, "b", 0, "other"))
		wantConflict(t, err, events.ConflictError{Session: "s1", Expected: 0, Actual: 1})
		wantTexts(t, log, "s1", "one")
	})
}

// A connection that breaks while an append is on its way is a lost answer too.
// The client library connects again in real time only.
func TestAnAppendOutlivesItsConnection(t *testing.T) {
	for name, stored := range map[string]bool{"that takes the answer along": true, "that takes the frame along": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			log, wire := s.behindWire(t)
			create(t, log, "s1")
			once := sync.OnceFunc(func() { go wire.Cut() })
			wire.Answers(func(p *jetstreamtest.Passing) bool { return isFrame(p) && stored }, func(*jetstreamtest.Passing) bool {
				once()
				return false
			})
			if !stored {
				wire.Sent(func(*jetstreamtest.Passing) bool { once(); wire.Pass(); return false })
			}
			mustAppend(t, log, "s1", unit(t, "a", 0, "one"))
			wire.Pass()
			wantTexts(t, logOn(t, s.nc), "s1", "one")
		})
	}
}

// behind makes the wire give, for a while, the answer to the first question for a
// log's end again, as a leader does that has lost touch with the others.
func behind(w *jetstreamtest.Wire, until time.Time) {
	var first []byte
	w.Answers(func(p *jetstreamtest.Passing) bool {
		return isLook(p) && bytes.Contains(p.Data, []byte("last_by_subj"))
	}, func(p *jetstreamtest.Passing) bool {
		if first == nil {
			first = p.Data
		}
		if time.Now().Before(until) {
			p.Data = first
		}
		return true
	})
}

func TestALeaderThatIsBehindIsNotTakenForALossAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log, wire := s.behindWire(t)
		create(t, log, "s1")
		behind(wire, time.Now().Add(10*time.Second))
		if _, err := log.Open(t.Context(), "s1"); err != nil { // the answer that comes again
			t.Fatal(err)
		}
		fill(t, log, "s1", 0, 3)
		began := time.Now()
		wantNumbers(t, log, "s1", 3)
		if took := time.Since(began); took < 9*time.Second {
			t.Errorf("took %s, want to wait until the leader knows", took)
		}
		behind(wire, time.Now().Add(time.Hour))
		if _, err := logOn(t, s.nc).Append(t.Context(), "s1", unit(t, "other", 3, "x")); err != nil {
			t.Fatal(err)
		}
		if _, err := log.Open(t.Context(), "s1"); err != nil { // is remembered from now on
			t.Fatal(err)
		}
		mustAppend(t, log, "s1", unit(t, "next", 4, "y"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := log.Open(ctx, "s1"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
		_, err := log.Open(t.Context(), "s1")
		wantCorrupt(t, err, "s1", 4)
	})
}

// A closed connection never answers: an append does not wait for its context.
func TestAnAppendOnAClosedConnectionEndsAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		w := jetstreamtest.NewWire(t)
		nc := s.node.Connect(w.Option())
		log, err := jetstream.NewLog(jetstream.LogConfig{Conn: nc, Keys: testKeys(t)})
		if err != nil {
			t.Fatal(err)
		}
		create(t, log, "s1")
		w.Answers(isFrame, func(*jetstreamtest.Passing) bool { go nc.Close(); return false })
		began := time.Now()
		a := unit(t, "a", 0, "one")
		_, err = log.Append(t.Context(), "s1", a)
		wantUnknown(t, err)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("took %s, want no more than an answer takes", took)
		}
		began = time.Now()
		_, err = log.Append(t.Context(), "s1", a)
		if err == nil || errors.Is(err, events.ErrOutcomeUnknown) || errors.Is(err, events.ErrConflict) || time.Since(began) != 0 {
			t.Errorf("got %v after %s, want at once that nothing was sent", err, time.Since(began))
		}
		other := logOn(t, s.nc)
		mustAppend(t, other, "s1", a)
		wantTexts(t, other, "s1", "one")
	})
}

func TestAFullStreamRefusesAndSaysSo(t *testing.T) {
	full := func(t *testing.T, nc *nats.Conn, replicas int) {
		layout := jetstream.Layout{Replicas: replicas, MaxBytes: 64 << 10}
		if _, err := jetstream.Provision(t.Context(), streams(t, nc), layout); err != nil {
			t.Fatal(err)
		}
		log := logOn(t, nc)
		create(t, log, "s1")
		kept := []string{}
		for next := events.Seq(0); ; next++ {
			text := strings.Repeat("x", 4<<10)
			_, err := log.Append(t.Context(), "s1", unit(t, events.AppendID(fmt.Sprint("a", next)), next, text))
			if err == nil {
				kept = append(kept, text)
				continue
			}
			if !sameError(err, "the store refused it") || errors.Is(err, events.ErrOutcomeUnknown) || errors.Is(err, events.ErrConflict) {
				t.Errorf("got %v, want a refusal", err)
			}
			break
		}
		wantTexts(t, log, "s1", kept...)
	}
	t.Run("one server", func(t *testing.T) { full(t, jetstreamtest.Server(t).Connect(), 1) })
	t.Run("a cluster", func(t *testing.T) { full(t, jetstreamtest.Cluster(t, 3).Connect(), 3) })
}
