package jetstream_test

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// persistent appends events wherever the log is, as a writer that catches up does,
// until told to stop, and remembers what was acknowledged.
type persistent struct {
	log  events.Log
	id   events.SessionID
	name string

	acknowledged map[events.Seq]string // owned by run
}

func (p *persistent) run(t *testing.T, stop <-chan struct{}) {
	p.acknowledged = map[events.Seq]string{}
	next := events.Seq(0)
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		text := fmt.Sprintf("%s-%d", p.name, n)
		for {
			_, err := p.log.Append(t.Context(), p.id, unit(t, events.AppendID(text), next, text))
			conflict, moved := errors.AsType[*events.ConflictError](err)
			if err == nil {
				p.acknowledged[next] = text
				next++
				break
			}
			if !moved {
				t.Errorf("append %s at %d: %v", text, next, err)
				return
			}
			if conflict.Actual <= next {
				t.Errorf("append %s at %d: got the conflict %v, which is no reason", text, next, err)
				return
			}
			next = conflict.Actual
		}
	}
}

// wantAcknowledged wants exactly what was acknowledged in a log: nothing is lost,
// nothing is there twice, and nothing that was refused.
func wantAcknowledged(t *testing.T, log events.Log, id events.SessionID, writers []*persistent) {
	t.Helper()
	found := eventstest.Check(t, log, id)
	n := 0
	for _, w := range writers {
		if w.id != id {
			continue
		}
		n += len(w.acknowledged)
		for seq, text := range w.acknowledged {
			if int(seq) >= len(found) || found[seq].Event.(events.PermissionPreset).Preset != text {
				t.Errorf("session %s, seq %d: what was acknowledged as %s is not there", id, seq, text)
			}
		}
	}
	if len(found) != n {
		t.Errorf("session %s: got %d events, %d were acknowledged", id, len(found), n)
	}
}

func TestNothingAcknowledgedIsLostOrDoubledWhenLeadersStop(t *testing.T) {
	t.Parallel()
	g := jetstreamtest.Cluster(t, 3)
	provision(t, g.Connect(), 3)
	ids := []events.SessionID{"s1", "s2"}
	for _, id := range ids {
		create(t, logOn(t, g.Connect()), id)
	}
	var writers []*persistent
	for i := range 4 {
		writers = append(writers, &persistent{log: logOn(t, g.Connect()), id: ids[i%2], name: fmt.Sprint("w", i)})
	}
	stop := make(chan struct{})
	var group sync.WaitGroup
	for _, w := range writers {
		group.Go(func() { w.run(t, stop) })
	}
	reader := logOn(t, g.Connect())
	group.Go(func() { readsOn(t, reader, ids[0], stop) })
	for range 2 {
		n := g.Leader(sessions)
		n.Stop()
		g.WaitReady()
		g.Leader(sessions)
		n.Start()
		g.WaitReady()
		g.WaitCurrent(sessions)
	}
	close(stop)
	group.Wait()
	for _, id := range ids {
		wantAcknowledged(t, logOn(t, g.Connect()), id, writers)
	}
	reportFindings(t, logOn(t, g.Connect()), ids)
}

// readsOn reads a log again and again, which never gets shorter.
func readsOn(t *testing.T, log events.Log, id events.SessionID, stop <-chan struct{}) {
	seen := 0
	for {
		select {
		case <-stop:
			return
		default:
		}
		got, err := texts(t.Context(), log, id, 0)
		switch {
		case errors.Is(err, events.ErrCorrupt):
			t.Errorf("read: %v", err)
			return
		case err == nil && len(got) < seen:
			t.Errorf("read: got %d events, there were %d", len(got), seen)
			return
		case err == nil:
			seen = len(got)
		}
	}
}

// A writer that does not guard its messages must not get between a frame and the
// one that its guard names, which a wildcard guard does not hold on replicated
// streams.
func TestNoForeignMessageGetsBetweenAFrameAndItsPredecessor(t *testing.T) {
	t.Parallel()
	g := jetstreamtest.Cluster(t, 3)
	provision(t, g.Connect(), 3)
	foreign := streams(t, g.Connect())
	log := logOn(t, g.Connect())
	const rounds = 60
	for round := range rounds {
		id := create(t, log, events.SessionID(fmt.Sprint("s", round)))
		var group sync.WaitGroup
		begun := make(chan struct{})
		begin := sync.OnceFunc(func() { close(begun) })
		group.Go(func() {
			<-begun
			for range 3 {
				if _, err := foreign.Publish(t.Context(), subjectOf(id), []byte("foreign")); err != nil {
					t.Errorf("publish: %v", err)
				}
			}
		})
		next, err := events.Seq(0), error(nil)
		for err == nil {
			next, err = log.Append(t.Context(), id, unit(t, events.AppendID(fmt.Sprint("a", next)), next, "ours"))
			begin()
		}
		if !errors.Is(err, events.ErrCorrupt) {
			t.Errorf("got %v, want the foreign message to be found", err)
		}
		group.Wait()
	}
	g.WaitCurrent(sessions) // whichever replica answers
	for round := range rounds {
		followsItsGuard(t, foreign, events.SessionID(fmt.Sprint("s", round)))
	}
}

// followsItsGuard wants each frame right behind the message that its guard names,
// and more than the header frame.
func followsItsGuard(t *testing.T, js natsjs.JetStream, id events.SessionID) {
	t.Helper()
	ours, last := 0, uint64(0)
	for _, m := range messagesOf(t, js, sessions, subjectOf(id)) {
		if string(m.Data) != "foreign" {
			ours++
			if guard, err := strconv.ParseUint(m.Header.Get(guardHeader), 10, 64); err != nil || guard != last {
				t.Errorf("session %s: a frame with the guard %q stands behind %d", id, m.Header.Get(guardHeader), last)
			}
		}
		last = m.Sequence
	}
	if ours < 2 {
		t.Errorf("session %s: got %d frames of ours, want 2 or more", id, ours)
	}
}

// messagesOf reads a subject's messages as they are stored.
func messagesOf(tb testing.TB, js natsjs.JetStream, stream, subject string) []*natsjs.RawStreamMsg {
	tb.Helper()
	s, err := js.Stream(tb.Context(), stream)
	if err != nil {
		tb.Fatal(err)
	}
	var out []*natsjs.RawStreamMsg
	for next := uint64(1); ; {
		m, err := s.GetMsg(tb.Context(), next, natsjs.WithGetMsgSubject(subject))
		if errors.Is(err, natsjs.ErrMsgNotFound) {
			return out
		}
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, m)
		next = m.Sequence + 1
	}
}

// reportFindings wants nothing corrupt in a store.
func reportFindings(t *testing.T, log events.StoreVerifier, ids []events.SessionID) {
	t.Helper()
	for _, id := range ids {
		findings, err := log.VerifyStore(t.Context(), id)
		if err != nil {
			t.Errorf("verify session %s: %v", id, err)
		}
		for _, f := range findings {
			if f.Kind != events.FindingUnproven {
				t.Errorf("verify session %s: %s", id, f)
			}
		}
	}
}
