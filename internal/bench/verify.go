package main

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

const (
	rowVerify         = "verify, frames of one event"
	rowVerifyParallel = "verify, frames of one event, raw on all cores"
	rowVerifyImported = "verify, frames of 256 KiB"
)

// verifyGroup measures a verification against a raw ordered read of the same
// messages with the SHA-256 of each body and an Ed25519 signature over each
// message's headers.
func verifyGroup() group {
	return group{[]string{rowVerify, rowVerifyParallel, rowVerifyImported}, func(ctx context.Context, s *suite) error {
		return with(ctx, defaultFsync, func(r *rig) error { return s.verifications(ctx, r, s.size(100_000, 5000)) })
	}}
}

func (s *suite) verifications(ctx context.Context, r *rig, n int) error {
	s.progress.tell(fmt.Sprintf("write a session of %d events", n))
	small, err := newVerifyBench(ctx, r, n)
	if err != nil {
		return err
	}
	note := fmt.Sprintf("events, of %d; ours also decodes and validates", n)
	err = s.compare(ctx, comparison{
		name: rowVerify, unit: perSecond, target: atLeast(0.6), note: note, ours: small.ours,
		raw: func(ctx context.Context) (float64, error) { return small.raw(ctx, 1) },
	})
	if err != nil {
		return err
	}
	err = s.compare(ctx, comparison{
		name: rowVerifyParallel, unit: perSecond, note: note, ours: small.ours,
		raw: func(ctx context.Context) (float64, error) { return small.raw(ctx, runtime.GOMAXPROCS(0)) },
	})
	if err != nil || !s.wants(rowVerifyImported) {
		return err
	}
	seeds := seedBench{rig: r, records: small.records}
	if err := seeds.importAs(ctx, "imported"); err != nil {
		return err
	}
	imported := verifyBench{rig: r, id: "imported", records: small.records}
	if err := imported.sign(ctx); err != nil {
		return err
	}
	return s.compare(ctx, comparison{
		name: rowVerifyImported, unit: perSecond, note: note, ours: imported.ours,
		raw: func(ctx context.Context) (float64, error) { return imported.raw(ctx, 1) },
	})
}

// verifyBench verifies one session.
type verifyBench struct {
	rig     *rig
	id      events.SessionID
	records []events.Record

	public     ed25519.PublicKey
	signatures [][]byte // over the headers of each message
}

func newVerifyBench(ctx context.Context, r *rig, n int) (*verifyBench, error) {
	b := &verifyBench{rig: r, id: "small"}
	var err error
	if b.records, err = conversation(n); err != nil {
		return nil, err
	}
	log, err := r.log(r.nc)
	if err != nil {
		return nil, err
	}
	if err := appendAll(ctx, log, b.id, b.records); err != nil {
		return nil, err
	}
	return b, errors.Join(log.Close(ctx), b.sign(ctx))
}

// sign makes the raw reader's own signatures, over the same bytes.
func (b *verifyBench) sign(ctx context.Context) error {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	messages, err := b.rig.messages(ctx, b.id)
	if err != nil {
		return err
	}
	b.public = public
	for _, m := range messages {
		b.signatures = append(b.signatures, ed25519.Sign(private, headerBytes(m)))
	}
	return nil
}

// headerBytes are the headers of a message that Docket signs, in order.
func headerBytes(m *nats.Msg) []byte {
	names := make([]string, 0, len(m.Header))
	for name := range m.Header {
		if strings.HasPrefix(name, "Docket-") && name != "Docket-Sig" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	out := []byte(m.Subject)
	for _, name := range names {
		out = append(append(append(out, name...), ':'), m.Header.Get(name)...)
	}
	return out
}

func (b *verifyBench) ours(ctx context.Context) (float64, error) {
	log, err := b.rig.log(b.rig.nc)
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	report, err := engine.Verify(ctx, log, log, b.id, nil)
	if err == nil && (!report.OK() || int(report.Checked) != len(b.records)) {
		err = fmt.Errorf("session %s is not in order: %+v", b.id, report.Findings)
	}
	return float64(len(b.records)) / since(begin, time.Second), err
}

// raw reads the session and checks its messages, on so many goroutines.
func (b *verifyBench) raw(ctx context.Context, workers int) (float64, error) {
	begin := time.Now()
	messages, err := b.rig.messages(ctx, b.id)
	if err != nil {
		return 0, err
	}
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(messages) && errs[w] == nil; i += workers {
				errs[w] = b.check(messages[i], b.signatures[i])
			}
		})
	}
	wg.Wait()
	took := since(begin, time.Second)
	return float64(len(b.records)) / took, errors.Join(append(errs, b.rig.removeConsumers(ctx))...)
}

func (b *verifyBench) check(m *nats.Msg, signature []byte) error {
	if sha256.Sum256(m.Data) == [sha256.Size]byte{} || !ed25519.Verify(b.public, headerBytes(m), signature) {
		return errors.New("a signature is wrong")
	}
	return nil
}
