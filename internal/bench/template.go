package main

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

// template is sessions of several lengths as jetstream.Log has written them, one
// event a frame: their signed messages, to be put into other streams. Nothing that
// is signed says where in a stream a message stands.
type template struct {
	keys     jetstream.Keys
	sessions []recorded
}

// recorded is one session: its header frame and its frames.
type recorded struct {
	id       events.SessionID
	events   int
	messages []*nats.Msg
}

// lengths are how many events the measured sessions have.
func (s *suite) lengths() []int {
	if s.short {
		return []int{100, 1000, 10_000}
	}
	return []int{100, 1000, 10_000, 100_000}
}

// made gives the template, and makes it when it is first asked for.
func (s *suite) made(ctx context.Context) (*template, error) {
	if s.template != nil {
		return s.template, nil
	}
	t := &template{}
	err := with(ctx, defaultFsync, func(r *rig) error {
		t.keys = r.keys
		for _, n := range s.lengths() {
			s.progress.tell(fmt.Sprintf("write a session of %d events", n))
			session, err := r.record(ctx, n)
			if err != nil {
				return err
			}
			t.sessions = append(t.sessions, session)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.template = t
	return t, nil
}

func (r *rig) record(ctx context.Context, n int) (recorded, error) {
	s := recorded{id: events.SessionID(fmt.Sprint("measured-", n)), events: n}
	records, err := conversation(n)
	if err != nil {
		return s, err
	}
	log, err := r.log(r.nc)
	if err != nil {
		return s, err
	}
	if err := appendAll(ctx, log, s.id, records); err != nil {
		return s, err
	}
	if err := log.Close(ctx); err != nil {
		return s, err
	}
	s.messages, err = r.messages(ctx, s.id)
	return s, err
}

// messages gives what is stored of a session.
func (r *rig) messages(ctx context.Context, id events.SessionID) ([]*nats.Msg, error) {
	stream, subject := place(id)
	cons, err := r.js.OrderedConsumer(ctx, stream, natsjs.OrderedConsumerConfig{FilterSubjects: []string{subject}})
	if err != nil {
		return nil, err
	}
	it, err := cons.Messages()
	if err != nil {
		return nil, err
	}
	defer it.Stop()
	var found []*nats.Msg
	for {
		m, err := it.Next(natsjs.NextMaxWait(10 * time.Second))
		if err != nil {
			return nil, err
		}
		meta, err := m.Metadata()
		if err != nil {
			return nil, err
		}
		header := m.Headers()
		header.Del(natsjs.ExpectedLastSubjSeqHeader) // the guard is stored, and does not hold elsewhere
		found = append(found, &nats.Msg{Subject: m.Subject(), Header: header, Data: m.Data()})
		if meta.NumPending == 0 {
			return found, nil
		}
	}
}
