package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

// seedSizes are how many events the imported and forked sessions have.
func (s *suite) seedSizes() []int {
	if s.short {
		return []int{500, 5000}
	}
	return []int{2000, 100_000}
}

// The rows. The mode says what is special, or is empty.
func importRow(events int, mode string) string {
	return fmt.Sprintf("import of %d events%s", events, mode)
}

func forkRow(events int, mode string) string { return fmt.Sprintf("fork of %d events%s", events, mode) }

const (
	modeAlways = ", fsync always"
	modeSmall  = ", in frames of one"
	modeWork   = ", raw does the work"
)

// seedGroup measures imports and forks, which write frames of up to 256 KiB,
// against raw publishes of the same frames, one after the other and guarded.
func seedGroup() group {
	g := group{run: func(ctx context.Context, s *suite) error {
		for _, n := range s.seedSizes() {
			if err := with(ctx, defaultFsync, func(r *rig) error { return s.seeds(ctx, r, n, "") }); err != nil {
				return err
			}
			if err := with(ctx, jetstream.FsyncAlways, func(r *rig) error { return s.seeds(ctx, r, n, modeAlways) }); err != nil {
				return err
			}
		}
		return nil
	}}
	for _, short := range []bool{false, true} {
		for _, n := range (&suite{options: options{short: short}}).seedSizes() {
			g.rows = append(g.rows, importRow(n, ""), forkRow(n, ""), forkRow(n, modeSmall), importRow(n, modeWork), forkRow(n, modeWork), importRow(n, modeAlways), forkRow(n, modeAlways))
		}
	}
	return g
}

func (s *suite) seeds(ctx context.Context, r *rig, n int, mode string) error {
	goal := atLeast(0.6)
	if mode != "" {
		goal = target{}
	}
	b, err := newSeedBench(ctx, r, n)
	if err != nil {
		return err
	}
	err = s.compare(ctx, comparison{
		name: importRow(n, mode), unit: perSecond, target: goal, ours: b.imported, raw: b.published, before: b.settled,
		note: fmt.Sprintf("events; %d frames, from a file in memory, checked whole", len(b.frames)),
	})
	if err != nil {
		return err
	}
	err = s.compare(ctx, comparison{
		name: forkRow(n, mode), unit: perSecond, target: goal, ours: b.forked("imported"), raw: b.published, before: b.settled,
		note: "events; the parent is an import",
	})
	if err == nil && mode == "" {
		err = s.floors(ctx, b, n)
	}
	if err != nil || mode != "" || !s.wants(forkRow(n, modeSmall)) {
		return err
	}
	log, err := r.log(r.nc)
	if err == nil {
		err = appendAll(ctx, log, "small", b.records)
	}
	if err != nil {
		return err
	}
	return s.compare(ctx, comparison{
		name: forkRow(n, modeSmall), unit: perSecond, ours: b.forked("small"), raw: b.published, before: b.settled,
		note: "events; the parent was appended to one by one, and reading it is not in the raw figure",
	})
}

// seedBench makes the same session again and again, under other names.
type seedBench struct {
	rig     *rig
	records []events.Record
	frames  [][]byte // bodies
	made    int
}

func newSeedBench(ctx context.Context, r *rig, n int) (*seedBench, error) {
	b := &seedBench{rig: r}
	var err error
	if b.records, err = conversation(n); err != nil {
		return nil, err
	}
	if err := b.importAs(ctx, "imported"); err != nil {
		return nil, err
	}
	messages, err := r.messages(ctx, "imported")
	if err != nil {
		return nil, err
	}
	for _, m := range messages[1:] { // behind the header's frame
		b.frames = append(b.frames, m.Data)
	}
	return b, nil
}

func (b *seedBench) name(kind string) events.SessionID {
	b.made++
	return events.SessionID(fmt.Sprintf("%s-%d", kind, b.made))
}

func (b *seedBench) importAs(ctx context.Context, id events.SessionID) error {
	file, err := text(id, b.records)
	if err != nil {
		return err
	}
	log, err := b.rig.log(b.rig.nc)
	if err != nil {
		return err
	}
	_, err = engine.Import(ctx, log, engine.ImportRequest{Actor: actor, File: engine.File{
		Name: "session.jsonl", Size: int64(len(file)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil },
	}})
	return err
}

func (b *seedBench) imported(ctx context.Context) (float64, error) {
	return b.rate(func() error { return b.importAs(ctx, b.name("import")) })
}

func (b *seedBench) forked(parent events.SessionID) measure {
	return func(ctx context.Context) (float64, error) {
		log, err := b.rig.log(b.rig.nc)
		if err != nil {
			return 0, err
		}
		return b.rate(func() error {
			_, err := engine.Fork(ctx, log, engine.ForkRequest{Source: parent, Child: b.name("fork"), Actor: actor, Now: epochMs})
			return err
		})
	}
}

func (b *seedBench) published(ctx context.Context) (float64, error) {
	_, subject := place(b.name("raw"))
	p := publisher{js: b.rig.js, subject: subject}
	return b.rate(func() error {
		for _, body := range b.frames {
			if err := p.publish(ctx, body); err != nil {
				return err
			}
		}
		return nil
	})
}

// settled has everything on the disk that was stored before, so that no run waits
// for what another one has left to be synced.
func (b *seedBench) settled(context.Context) error { return b.rig.server.MakeDurable() }

// rate gives how many of the session's events something takes a second.
func (b *seedBench) rate(do func() error) (float64, error) {
	begin := time.Now()
	err := do()
	return float64(len(b.records)) / since(begin, time.Second), err
}
