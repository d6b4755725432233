package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

const (
	writers = 8

	rowShared = "eight writers, one shared connection"
	rowOwn    = "eight writers, a connection each"
)

// writersGroup measures how much eight writers append together, each to a session
// of its own and waiting for each answer. An engine has one connection and one Log
// for all its sessions; a connection each is eight engines.
func writersGroup() group {
	return group{[]string{rowShared, rowOwn}, func(ctx context.Context, s *suite) error {
		return with(ctx, defaultFsync, func(r *rig) error { return s.writers(ctx, r) })
	}}
}

func (s *suite) writers(ctx context.Context, r *rig) error {
	shared := make([]*nats.Conn, writers)
	own := make([]*nats.Conn, writers)
	for i := range writers {
		nc, err := r.connect(ctx)
		if err != nil {
			return err
		}
		shared[i], own[i] = r.nc, nc
	}
	note := "in process, appends of one event"
	b := writersBench{rig: r, conns: shared, each: s.size(4000, 300)}
	if err := s.compare(ctx, comparison{name: rowShared, unit: perSecond, ours: b.ours, raw: b.raw, target: atLeast(0.6), note: note}); err != nil {
		return err
	}
	b.conns = own
	return s.compare(ctx, comparison{name: rowOwn, unit: perSecond, ours: b.ours, raw: b.raw, target: atLeast(0.6), note: note})
}

// write makes the i-th append of a writer.
type write func(i int, one []events.Record) error

// writersBench has a connection for each writer, which may be the same one.
type writersBench struct {
	rig   *rig
	conns []*nats.Conn
	each  int // appends of a writer
	made  int // sessions
}

func (b *writersBench) ours(ctx context.Context) (float64, error) {
	logs := map[*nats.Conn]*jetstream.Log{}
	return b.together(func(nc *nats.Conn, id events.SessionID) (write, error) {
		if logs[nc] == nil {
			log, err := b.rig.log(nc)
			if err != nil {
				return nil, err
			}
			logs[nc] = log
		}
		log := logs[nc]
		return func(i int, one []events.Record) error {
			_, err := log.Append(ctx, id, events.Append{ID: appendID(i), Next: one[0].Seq, Actor: actor, Records: one})
			return err
		}, create(ctx, log, id)
	})
}

func (b *writersBench) raw(ctx context.Context) (float64, error) {
	streams := map[*nats.Conn]natsjs.JetStream{}
	return b.together(func(nc *nats.Conn, id events.SessionID) (write, error) {
		if streams[nc] == nil {
			js, err := natsjs.New(nc)
			if err != nil {
				return nil, err
			}
			streams[nc] = js
		}
		_, subject := place(id)
		p := publisher{js: streams[nc], subject: subject}
		return func(_ int, one []events.Record) error { return p.publish(ctx, one[0].Line) }, nil
	})
}

// together makes a writer for each connection, lets all of them write, and gives
// how many appends they made in a second.
func (b *writersBench) together(writer func(*nats.Conn, events.SessionID) (write, error)) (float64, error) {
	records, err := messages(0, b.each)
	if err != nil {
		return 0, err
	}
	all := make([]write, len(b.conns))
	for i, nc := range b.conns {
		b.made++
		if all[i], err = writer(nc, events.SessionID(fmt.Sprint("writer-", b.made))); err != nil {
			return 0, err
		}
	}
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	begin := time.Now()
	for w, write := range all {
		wg.Go(func() {
			for i := 0; i < b.each && errs[w] == nil; i++ {
				errs[w] = write(i, records[i:i+1])
			}
		})
	}
	wg.Wait()
	return float64(b.each*len(all)) / since(begin, time.Second), errors.Join(errs...)
}
