package main

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

const (
	rowAppend       = "append, one event, in process"
	rowAppendTCP    = "append, one event, over TCP"
	rowAppendAlways = "append, one event, in process, fsync always"
	rowAppendSigned = "append, one event, in process, raw signed"
	rowAppendTen    = "append, ten events against one"
)

// appendGroup measures how long an append takes from the call to its return: the
// median of the appends of a run.
func appendGroup() group {
	return group{[]string{rowAppend, rowAppendSigned, rowAppendTCP, rowAppendTen, rowAppendAlways}, func(ctx context.Context, s *suite) error {
		if err := with(ctx, defaultFsync, func(r *rig) error { return s.appends(ctx, r) }); err != nil {
			return err
		}
		return with(ctx, jetstream.FsyncAlways, func(r *rig) error {
			b := appendBench{rig: r, nc: r.nc, runs: s.size(500, 100)}
			return s.compare(ctx, b.against(rowAppendAlways, target{}))
		})
	}}
}

func (s *suite) appends(ctx context.Context, r *rig) error {
	inProcess := appendBench{rig: r, nc: r.nc, runs: s.size(4000, 500)}
	if err := s.compare(ctx, inProcess.against(rowAppend, atMost(2.2))); err != nil {
		return err
	}
	signed := inProcess.against(rowAppendSigned, target{})
	signed.note, signed.raw = "p50; raw also hashes its body and signs as many bytes", inProcess.signed
	if err := s.compare(ctx, signed); err != nil {
		return err
	}
	nc, err := r.dial()
	if err != nil {
		return err
	}
	tcp := appendBench{rig: r, nc: nc, runs: inProcess.runs, name: "tcp"}
	if err := s.compare(ctx, tcp.against(rowAppendTCP, atMost(1.6))); err != nil {
		return err
	}
	return s.compare(ctx, comparison{
		name: rowAppendTen, unit: micros, target: atMost(2), note: "p50 of one command's ten events beside p50 of one event",
		ours: func(ctx context.Context) (float64, error) { return inProcess.ours(ctx, 10) },
		raw:  func(ctx context.Context) (float64, error) { return inProcess.ours(ctx, 1) },
	})
}

// appendBench appends over one connection, to a new session in each run.
type appendBench struct {
	rig  *rig
	nc   *nats.Conn
	runs int
	name string
	made int // sessions
}

func (b *appendBench) against(name string, t target) comparison {
	return comparison{
		name: name, unit: micros, target: t, note: "p50; raw has the same body, message id and guard",
		ours: func(ctx context.Context) (float64, error) { return b.ours(ctx, 1) }, raw: b.raw,
	}
}

func (b *appendBench) session() events.SessionID {
	b.made++
	return events.SessionID(fmt.Sprintf("append-%s%d", b.name, b.made))
}

// ours gives the median of appends of so many events each, in µs.
func (b *appendBench) ours(ctx context.Context, size int) (float64, error) {
	id := b.session()
	records, err := messages(0, b.runs*size)
	if err != nil {
		return 0, err
	}
	log, err := b.rig.log(b.nc)
	if err != nil {
		return 0, err
	}
	if err := create(ctx, log, id); err != nil {
		return 0, err
	}
	return medianTime(b.runs, func(i int) error {
		part := records[i*size : (i+1)*size]
		_, err := log.Append(ctx, id, events.Append{ID: appendID(i), Next: part[0].Seq, Actor: actor, Records: part})
		return err
	})
}

// raw gives the median of publishes, in µs.
func (b *appendBench) raw(ctx context.Context) (float64, error) { return b.published(ctx, nil) }

// signed is raw with what no signed chain can do without.
func (b *appendBench) signed(ctx context.Context) (float64, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return 0, err
	}
	chain, payload := events.ChainStart(), make([]byte, 400)
	return b.published(ctx, func(data []byte) string {
		chain = chain.Next(data)
		copy(payload, chain[:])
		return hex.EncodeToString(ed25519.Sign(private, payload))
	})
}

func (b *appendBench) published(ctx context.Context, sign func([]byte) string) (float64, error) {
	records, err := messages(0, b.runs)
	if err != nil {
		return 0, err
	}
	js, err := natsjs.New(b.nc)
	if err != nil {
		return 0, err
	}
	_, subject := place(b.session())
	p := publisher{js: js, subject: subject, sign: sign}
	return medianTime(b.runs, func(i int) error { return p.publish(ctx, records[i].Line) })
}

// medianTime runs something that often and gives the median time, in µs.
func medianTime(runs int, do func(i int) error) (float64, error) {
	times := make([]time.Duration, runs)
	for i := range times {
		begin := time.Now()
		if err := do(i); err != nil {
			return 0, err
		}
		times[i] = time.Since(begin)
	}
	return medianMicros(times), nil
}

// medianMicros is the median of times, in µs. It sorts them.
func medianMicros(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2]) / float64(time.Microsecond)
}
