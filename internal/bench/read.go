package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/docket-engine/docket/events"
)

// probes is how often a raw reader is tried before the fastest one is chosen.
const probes = 3

// readGroup measures cold reads: a Log that has seen nothing reads a whole session,
// one event a frame, out of a stream of a million messages. The baseline is the
// raw reader that is fastest for this length and layout among those that do not
// make a writer wait for long.
func readGroup(l layout) group {
	g := group{run: func(ctx context.Context, s *suite) error {
		t, err := s.made(ctx)
		if err != nil {
			return err
		}
		return withKeys(ctx, defaultFsync, t.keys, func(r *rig) error { return s.reads(ctx, r, l, t) })
	}}
	for _, n := range (&suite{}).lengths() {
		g.rows = append(g.rows, readRow(n, l))
	}
	g.rows = append(g.rows, leftRow(l))
	return g
}

func readRow(events int, l layout) string {
	return fmt.Sprintf("cold read of %d events, %s", events, l.name)
}
func leftRow(l layout) string { return "consumers left behind, " + l.name }

func filler(n int) events.SessionID { return events.SessionID(fmt.Sprint("filler-", n)) }

func (s *suite) reads(ctx context.Context, r *rig, l layout, t *template) error {
	total := s.size(1_000_000, 100_000)
	s.progress.tell(fmt.Sprintf("fill a stream with %d messages, %s", total, l.name))
	if err := r.fill(ctx, l, t, total); err != nil {
		return err
	}
	for _, session := range t.sessions {
		if s.wants(readRow(session.events, l)) {
			if err := s.read(ctx, r, l, session); err != nil {
				return fmt.Errorf("%s: %w", readRow(session.events, l), err)
			}
		}
	}
	left, err := r.consumers(ctx)
	if s.wants(leftRow(l)) {
		s.add(row{Name: leftRow(l), Unit: count, Ours: float64(left), Ratio: float64(left), Target: target{None: true}, Note: "after all reads; raw ones are removed"})
	}
	return err
}

// read compares reads of one session.
func (s *suite) read(ctx context.Context, r *rig, l layout, session recorded) error {
	w := wanted{id: session.id, messages: len(session.messages)}
	name := readRow(session.events, l)
	best, err := s.fastest(ctx, r, w, name)
	if err != nil {
		return err
	}
	own := reader{ours, func(ctx context.Context, r *rig, _ wanted) error { return readCold(ctx, r, session) }}
	probe, err := r.probe(ctx, own, w)
	if err != nil {
		return err
	}
	return s.compare(ctx, comparison{
		name: name, unit: millis, target: atMost(1.35),
		note:   fmt.Sprintf("raw: %s; a writer waits %s (raw %s)", best.name, tenths(probe.stall), tenths(best.stall)),
		before: func(ctx context.Context) error { return r.warm(ctx, w) },
		ours:   func(ctx context.Context) (float64, error) { return r.timed(ctx, own, w) },
		raw:    func(ctx context.Context) (float64, error) { return r.timed(ctx, best.reader, w) },
	})
}

// ours is the name of our own reader.
const ours = "ours"

// probed is a reader with how long it takes, and how long a writer waits.
type probed struct {
	reader
	time  float64 // ms
	stall time.Duration
}

// fastest tries the raw readers. If all of them make a writer wait too long, it is
// the one that does so the least.
func (s *suite) fastest(ctx context.Context, r *rig, w wanted, row string) (probed, error) {
	var all []probed
	for _, reader := range readers() {
		s.progress.tell(fmt.Sprintf("%s: try %s", row, reader.name))
		p, err := r.probe(ctx, reader, w)
		if err != nil {
			return probed{}, fmt.Errorf("%s: %w", reader.name, err)
		}
		s.debug("%s: %s takes %.2f ms, a writer waits %s", row, p.name, p.time, tenths(p.stall))
		all = append(all, p)
	}
	gentle := slices.DeleteFunc(slices.Clone(all), func(p probed) bool { return p.stall >= stallLimit })
	if len(gentle) == 0 {
		return slices.MinFunc(all, func(a, b probed) int { return int(a.stall - b.stall) }), nil
	}
	return slices.MinFunc(gentle, func(a, b probed) int { return int(1e6 * (a.time - b.time)) }), nil
}

// probe gives the medians of a few runs, alone and beside a writer.
func (r *rig) probe(ctx context.Context, reader reader, w wanted) (probed, error) {
	var times, stalls []float64
	for range probes {
		if err := r.warm(ctx, w); err != nil {
			return probed{}, err
		}
		took, err := r.timed(ctx, reader, w)
		if err != nil {
			return probed{}, err
		}
		longest, err := r.stall(ctx, func() error { return reader.read(ctx, r, w) })
		if err = errors.Join(err, r.removeConsumers(ctx)); err != nil {
			return probed{}, err
		}
		times, stalls = append(times, took), append(stalls, float64(longest))
	}
	return probed{reader, median(times), time.Duration(median(stalls))}, nil
}

// warm reads a session, so that the server has its blocks in memory: it lets go of
// them whenever memory is collected, and what is measured is a reader and not the
// disk.
func (r *rig) warm(ctx context.Context, w wanted) error {
	return errors.Join(readOrdered(ctx, r, w), r.removeConsumers(ctx))
}

// enough is how many messages a run reads at least: a short session is read again
// and again, each time as if it had never been seen.
const enough = 2000

// timed gives how long a reader takes, in ms.
func (r *rig) timed(ctx context.Context, reader reader, w wanted) (float64, error) {
	times := max(1, enough/w.messages)
	begin := time.Now()
	for range times {
		if err := reader.read(ctx, r, w); err != nil {
			return 0, err
		}
	}
	took := since(begin, time.Millisecond) / float64(times)
	if reader.name == ours {
		return took, nil // what it leaves behind is counted
	}
	return took, r.removeConsumers(ctx)
}

// readCold reads a session with a Log that remembers nothing.
func readCold(ctx context.Context, r *rig, session recorded) error {
	log, err := r.log(r.nc)
	if err != nil {
		return err
	}
	n := 0
	for record, err := range log.Read(ctx, session.id, 0) {
		if err != nil {
			return err
		}
		n += record.Count
	}
	if n != session.events {
		return fmt.Errorf("read %d events of %d", n, session.events)
	}
	return nil
}

func tenths(d time.Duration) string { return d.Round(100 * time.Microsecond).String() }
