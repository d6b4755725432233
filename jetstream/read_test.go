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

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// The lengths that are read by direct gets and through a consumer.
const (
	shortLog = 20
	longLog  = 150
)

// lengths runs a test on a log that is read by direct gets, and on one that is
// read through a consumer.
func lengths(t *testing.T, run func(t *testing.T, frames int)) {
	t.Run("by direct gets", func(t *testing.T) { run(t, shortLog) })
	t.Run("through a consumer", func(t *testing.T) { run(t, longLog) })
}

// asks counts the requests by which a log is read.
type asks struct {
	mu              sync.Mutex
	direct, consume int
}

func (a *asks) count(p *jetstreamtest.Passing) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if strings.HasPrefix(p.Subject, "$JS.API.DIRECT.GET.") {
		a.direct++
	}
	if strings.HasPrefix(p.Subject, "$JS.API.CONSUMER.CREATE.") {
		a.consume++
	}
	return true
}

// wantNoConsumer wants that a read has left none behind.
func wantNoConsumer(tb testing.TB, nc *nats.Conn) {
	tb.Helper()
	for _, name := range []string{sessions, jetstream.AuditStream} {
		s, err := streams(tb, nc).Stream(tb.Context(), name)
		if err != nil {
			tb.Fatal(err)
		}
		for c := range s.ListConsumers(tb.Context()).Info() {
			tb.Errorf("a consumer was left behind in %s: %s", name, c.Name)
		}
	}
}

func TestAShortLogIsReadByDirectGetsAndOthersThroughAConsumer(t *testing.T) {
	s := newStore(t)
	writing := logOn(t, s.nc)
	scattered := create(t, writing, "scattered")
	fill(t, writing, scattered, 0, 2)
	for _, n := range []int{shortLog, longLog} {
		fill(t, writing, create(t, writing, events.SessionID(fmt.Sprint("s", n))), 0, n)
	}
	between(t, s.nc, 17_000)
	fill(t, writing, scattered, 2, 2)
	for name, tt := range map[string]struct {
		id     events.SessionID
		events int
		direct int
	}{
		"short":     {"s20", shortLog, 1},
		"long":      {"s150", longLog, 0},
		"scattered": {scattered, 4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			log, wire := s.behindWire(t)
			var got asks
			wire.Sent(got.count)
			read, err := texts(t.Context(), log, tt.id, 0)
			if err != nil || len(read) != tt.events {
				t.Errorf("got %d events, %v, want %d", len(read), err, tt.events)
			}
			if got.direct != tt.direct || got.consume != 1-tt.direct {
				t.Errorf("got %d direct gets and %d consumers, want %d and %d", got.direct, got.consume, tt.direct, 1-tt.direct)
			}
			wantNoConsumer(t, s.nc)
		})
	}
}

// between stores messages of another subject.
func between(t *testing.T, nc *nats.Conn, n int) {
	t.Helper()
	js := streams(t, nc)
	for range n {
		if _, err := js.PublishAsync("session.0.0.between", nil, natsjs.WithStallWait(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-js.PublishAsyncComplete():
	case <-time.After(time.Minute):
		t.Fatal("the messages in between are not stored")
	}
}

func TestALogIsReadWholeFromEverywhere(t *testing.T) {
	lengths(t, func(t *testing.T, frames int) {
		s := newStore(t)
		log := logOn(t, s.nc)
		create(t, log, "s1")
		fill(t, log, "s1", 0, frames)
		for from := range frames + 2 {
			for _, l := range []*jetstream.Log{log, logOn(t, s.nc)} { // one that remembers, and one that does not
				got, err := texts(t.Context(), l, "s1", events.Seq(from))
				if err != nil || len(got) != max(0, frames-from) || len(got) > 0 && got[0] != fmt.Sprint(from) {
					t.Fatalf("from %d: got %d events, %v, want %d", from, len(got), err, frames-from)
				}
			}
		}
		wantNoConsumer(t, s.nc)
	})
}

func TestLargeFramesAreReadWhole(t *testing.T) {
	s := newStore(t)
	log := logOn(t, s.nc)
	create(t, log, "s1")
	body := strings.Repeat("x", 200<<10)
	var want []string
	for i := range 66 {
		mustAppend(t, log, "s1", unit(t, "a", events.Seq(i), body))
		want = append(want, body)
	}
	got, err := texts(t.Context(), logOn(t, s.nc), "s1", 0)
	if err != nil || len(got) != len(want) {
		t.Errorf("got %d events, %v, want %d", len(got), err, len(want))
	}
	wantNoConsumer(t, s.nc)
}

// isRead tells the messages of a read from everything else that a server sends:
// they carry headers of a frame, and are no answer of a leader.
func isRead(p *jetstreamtest.Passing) bool {
	return bytes.Contains(p.Header, []byte("Docket-Chain")) && !strings.HasPrefix(p.Subject, jetstream.LivePrefix)
}

// losing loses the messages of a read whose number lost says, counted over all
// attempts.
func losing(w *jetstreamtest.Wire, lost func(n int) bool) {
	n := 0
	w.Received(func(p *jetstreamtest.Passing) bool {
		if !isRead(p) {
			return true
		}
		n++
		return !lost(n)
	})
}

// A lost message is no hole in the log: what was lost on the way is read again.
func TestWhatIsLostOnTheWayIsReadAgain(t *testing.T) {
	lengths(t, func(t *testing.T, frames int) {
		for name, lost := range map[string]func(n int) bool{
			"the first":             func(n int) bool { return n == 1 },
			"the second":            func(n int) bool { return n == 2 },
			"one in the middle":     func(n int) bool { return n == frames/2 },
			"the last but one":      func(n int) bool { return n == frames-1 },
			"the last":              func(n int) bool { return n == frames },
			"the end":               func(n int) bool { return n > frames/2 && n <= frames },
			"all of the first time": func(n int) bool { return n <= frames },
		} {
			t.Run(name, func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					s := newStore(t)
					writing := logOn(t, s.nc)
					create(t, writing, "s1")
					fill(t, writing, "s1", 0, frames)
					log, wire := s.behindWire(t)
					losing(wire, lost)
					wantNumbers(t, log, "s1", frames)
					wantNoConsumer(t, s.nc)
				})
			})
		}
	})
}

func TestAReadThatNeverGetsThroughIsAnErrorAndNotAShortLog(t *testing.T) {
	lengths(t, func(t *testing.T, frames int) {
		for name, lost := range map[string]func(n int) bool{
			"every second message": func(n int) bool { return n%2 == 0 },
			"every message":        func(int) bool { return true },
			"the end":              func(n int) bool { return n > 5 },
		} {
			t.Run(name, func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					s := newStore(t)
					log, wire := s.behindWire(t)
					create(t, log, "s1")
					fill(t, log, "s1", 0, frames)
					losing(wire, lost)
					got, err := texts(t.Context(), log, "s1", 0)
					if err == nil || errors.Is(err, events.ErrCorrupt) || len(got) >= frames {
						t.Errorf("got %d events, %v, want an error that says nothing of the log", len(got), err)
					}
					wire.Pass()
					wantNoConsumer(t, s.nc)
				})
			})
		}
	})
}

func TestAReaderThatStopsEarlyLeavesNothingBehind(t *testing.T) {
	lengths(t, func(t *testing.T, frames int) {
		s := newStore(t)
		log := logOn(t, s.nc)
		create(t, log, "s1")
		fill(t, log, "s1", 0, frames)
		for _, n := range []int{1, 2, frames / 2, frames} {
			seen := 0
			for _, err := range log.Read(t.Context(), "s1", 0) {
				if err != nil {
					t.Fatal(err)
				}
				if seen++; seen == n {
					break
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			seen, last := 0, error(nil)
			for _, err := range log.Read(ctx, "s1", 0) {
				if last = err; err == nil {
					seen++
				}
				if seen == n {
					cancel()
				}
			}
			if (last == nil) != (seen == frames) || last != nil && !errors.Is(last, context.Canceled) {
				t.Errorf("got %d records and %v, want all or why it ended", seen, last)
			}
			cancel()
			wantNoConsumer(t, s.nc)
		}
	})
}

// In a cluster, the server that a client talks to may hear of a consumer later.
func TestAConsumerThatAServerDoesNotKnowYetIsAskedAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		unknown time.Duration
		whole   bool
	}{"for a second": {time.Second, true}, "for good": {time.Hour, false}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				s := newStore(t)
				writing := logOn(t, s.nc)
				create(t, writing, "s1")
				fill(t, writing, "s1", 0, longLog)
				log, wire := s.behindWire(t)
				began := time.Now()
				wire.Sent(func(p *jetstreamtest.Passing) bool {
					if strings.HasPrefix(p.Subject, "$JS.API.CONSUMER.MSG.NEXT.") && time.Since(began) < tt.unknown {
						p.Subject = "nobody.is.there"
					}
					return true
				})
				got, err := texts(t.Context(), log, "s1", 0)
				if whole := err == nil && len(got) == longLog; whole != tt.whole || errors.Is(err, events.ErrCorrupt) {
					t.Errorf("got %d events, %v, want all: %t", len(got), err, tt.whole)
				}
				if took := time.Since(began); took > 20*time.Second {
					t.Errorf("took %s, want an end", took)
				}
				wantNoConsumer(t, s.nc)
			})
		})
	}
}

// Neither the answer to its making nor that to its end is waited for.
func TestAConsumerWhoseAnswersAreLostIsNotLeftBehind(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log, wire := s.behindWire(t)
		create(t, log, "s1")
		fill(t, log, "s1", 0, longLog)
		wire.Answers(func(p *jetstreamtest.Passing) bool { return strings.HasPrefix(p.Subject, "$JS.API.CONSUMER.") }, func(*jetstreamtest.Passing) bool { return false })
		for _, limit := range []time.Duration{time.Second, time.Minute} {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			if got, err := texts(ctx, log, "s1", 0); err == nil {
				t.Errorf("got %d events, want an error", len(got))
			}
			cancel()
			wantNoConsumer(t, s.nc)
		}
	})
}

func TestALongLogIsReadBesideItsWriters(t *testing.T) {
	s := newStore(t)
	log := logOn(t, s.nc)
	create(t, log, "s1")
	fill(t, log, "s1", 0, longLog)
	var group sync.WaitGroup
	group.Go(func() { fillBeside(t, logOn(t, s.nc), "s1", longLog, 200) })
	group.Go(func() {
		other := create(t, log, "s2")
		fillBeside(t, log, other, 0, 200)
	})
	seen := longLog
	for range 20 {
		got, err := texts(t.Context(), logOn(t, s.nc), "s1", 0)
		if err != nil || len(got) < seen {
			t.Errorf("got %d events, %v, want %d or more", len(got), err, seen)
		}
		seen = len(got)
		for i, text := range got {
			if diff := cmp.Diff(fmt.Sprint(i), text); diff != "" {
				t.Fatalf("event %d (-want +got):\n%s", i, diff)
			}
		}
	}
	group.Wait()
	wantNumbers(t, log, "s1", longLog+200)
	wantNoConsumer(t, s.nc)
}

// fillBeside is fill for goroutines, which may not end a test.
func fillBeside(t *testing.T, log events.Log, id events.SessionID, next events.Seq, frames int) {
	for range frames {
		if _, err := log.Append(t.Context(), id, unit(t, events.AppendID(fmt.Sprint("fill-", next)), next, fmt.Sprint(next))); err != nil {
			t.Errorf("append at %d: %v", next, err)
			return
		}
		next++
	}
}
