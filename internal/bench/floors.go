package main

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/docket-engine/docket/events"
)

// floors compares imports and forks with raw runs that do what cannot be left out,
// and nothing else: a fork reads its parent and hashes each line once, an import
// decodes each line strictly, on all cores, and hashes it.
func (s *suite) floors(ctx context.Context, b *seedBench, n int) error {
	err := s.compare(ctx, comparison{
		name: importRow(n, modeWork), unit: perSecond, ours: b.imported, before: b.settled,
		raw:  func(ctx context.Context) (float64, error) { return b.worked(ctx, b.decode) },
		note: "events; raw also decodes and hashes each line",
	})
	if err != nil {
		return err
	}
	return s.compare(ctx, comparison{
		name: forkRow(n, modeWork), unit: perSecond, ours: b.forked("imported"), before: b.settled,
		raw:  func(ctx context.Context) (float64, error) { return b.worked(ctx, b.readAgain) },
		note: "events; raw also reads the parent's frames and hashes each line",
	})
}

// worked does some work and then publishes the frames.
func (b *seedBench) worked(ctx context.Context, work func(context.Context) error) (float64, error) {
	_, subject := place(b.name("raw"))
	p := publisher{js: b.rig.js, subject: subject}
	rate, err := b.rate(func() error {
		if err := work(ctx); err != nil {
			return err
		}
		for _, body := range b.frames {
			if err := p.publish(ctx, body); err != nil {
				return err
			}
		}
		return nil
	})
	return rate, errors.Join(err, b.rig.removeConsumers(ctx))
}

// decode decodes all records, side by side, and hashes them.
func (b *seedBench) decode(context.Context) error {
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(b.records) && errs[w] == nil; i += workers {
				_, errs[w] = b.records[i].Decode()
			}
		})
	}
	wg.Wait()
	return errors.Join(append(errs, b.hash(b.records))...)
}

// readAgain reads the stored frames and hashes their lines.
func (b *seedBench) readAgain(ctx context.Context) error {
	messages, err := b.rig.messages(ctx, "imported")
	if err != nil {
		return err
	}
	chain := events.ChainStart()
	for _, m := range messages[1:] { // behind the header's frame
		records, err := events.Split(events.Format4, m.Data, chain)
		if err != nil {
			return err
		}
		chain = chain.Over(records...)
	}
	return nil
}

func (b *seedBench) hash(records []events.Record) error {
	if events.ChainStart().Over(records...) == events.ChainStart() {
		return errors.New("a chain over records is that of none")
	}
	return nil
}
