package jetstream

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"

	"github.com/docket-engine/docket/events"
)

// verifyChunk is how many frames have their signatures checked side by side.
const verifyChunk = 128

var _ events.StoreVerifier = (*Log)(nil)

// VerifyStore checks every frame of a session: its signature, its headers
// against its body, the chain, the seed, and the log against its anchor and its
// seals.
func (l *Log) VerifyStore(ctx context.Context, id events.SessionID) ([]events.Finding, error) {
	a, err := l.address(id)
	if err != nil {
		return nil, err
	}
	v := verification{log: l, at: position{index: -1, chain: events.ChainStart()}}
	last, err := l.last(ctx, a)
	if errors.Is(err, errNoMessage) {
		return v.absent(id)
	}
	if err != nil {
		return nil, fmt.Errorf("jetstream: verify session %s: %w", id, err)
	}
	v.anchor, v.anchored = l.anchors.head(id)
	if err := v.readSeals(ctx, id); err != nil {
		return nil, err
	}
	if err := v.frames(l.messages(ctx, a, position{}, position{stream: last.stream, index: directFrames + 1})); err != nil {
		return nil, fmt.Errorf("jetstream: verify session %s: %w", id, err)
	}
	v.end()
	return v.findings, nil
}

// verification is the state of one session's check.
type verification struct {
	log      *Log
	findings []events.Finding
	at       position
	header   events.Header
	seed     events.Seed

	anchor   anchoredHead
	anchored bool
	seals    map[events.Seq]string // chain by the seq behind the sealed event
	sealed   events.Seq            // behind the last seal
}

func (v *verification) found(kind events.FindingKind, format string, args ...any) {
	v.findings = append(v.findings, events.Finding{Kind: kind, Seq: v.at.next, Problem: fmt.Sprintf(format, args...)})
}

func (v *verification) absent(id events.SessionID) ([]events.Finding, error) {
	if anchor, ok := v.log.anchors.head(id); ok {
		v.found(events.FindingCorrupt, "the whole log is gone: its anchor was made at seq %d", anchor.next)
		return v.findings, nil
	}
	return nil, fmt.Errorf("session %s: %w", id, events.ErrNotFound)
}

func (v *verification) readSeals(ctx context.Context, id events.SessionID) error {
	v.seals = map[events.Seq]string{}
	for seal, err := range v.log.Seals(ctx, id) {
		if errors.Is(err, events.ErrCorrupt) {
			v.found(events.FindingCorrupt, "a seal is not what the engine wrote: %v", errors.Unwrap(err))
			return nil
		}
		if err != nil {
			return err
		}
		v.seals[seal.Seq+1] = seal.Chain
		v.sealed = max(v.sealed, seal.Seq+1)
	}
	return nil
}

// frames checks the stored messages in their order, their signatures in chunks.
func (v *verification) frames(messages iter.Seq2[stored, error]) error {
	chunk := make([]stored, 0, verifyChunk)
	for m, err := range messages {
		if err != nil {
			return err
		}
		if chunk = append(chunk, m); len(chunk) == verifyChunk {
			v.chunk(chunk)
			chunk = chunk[:0]
		}
	}
	v.chunk(chunk)
	return nil
}

func (v *verification) chunk(messages []stored) {
	for i, err := range checkSignatures(messages, v.log.keys) {
		v.frame(messages[i], err)
	}
}

// checkSignatures uses all processors: nothing else in a verification is as slow.
func checkSignatures(messages []stored, keys Keys) []error {
	errs := make([]error, len(messages))
	workers := min(runtime.GOMAXPROCS(0), len(messages))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(messages); i += workers {
				errs[i] = checkSignature(messages[i], keys)
			}
		})
	}
	wg.Wait()
	return errs
}

// frame checks one message. Behind a fault it goes on where the frame says that
// it ends, so that a second fault is found as well.
func (v *verification) frame(m stored, signature error) {
	f, err := parseFrame(m)
	switch {
	case signature != nil:
		v.found(events.FindingCorrupt, "frame at stream sequence %d was not written by the engine: %v", m.stream, signature)
	case err != nil:
		v.found(events.FindingCorrupt, "frame at stream sequence %d: %v", m.stream, err)
	case v.at.index < 0:
		v.first(f)
	default:
		v.follows(f)
	}
	if err == nil && signature == nil {
		v.at = f.position()
		v.outside()
	}
}

func (v *verification) first(f frame) {
	header, err := f.sessionHeader()
	if err != nil {
		v.found(events.FindingCorrupt, "%v", err)
	}
	v.header, v.seed = header, f.seed
}

func (v *verification) follows(f frame) {
	_, err := f.follow(v.at)
	if err == nil && f.index == 1 && f.hash != hashLine(v.header.Line) {
		err = errOtherHeader
	}
	if err != nil {
		v.found(events.FindingCorrupt, "frame at stream sequence %d: %v", f.stream, err)
	}
}

// outside compares the place with what is kept elsewhere of it.
func (v *verification) outside() {
	chain := v.at.chain.String()
	if v.anchored && v.at.next == v.anchor.next && v.at.chain != v.anchor.chain {
		v.found(events.FindingCorrupt, "the records before it are not the ones that were anchored")
	}
	if sealed, ok := v.seals[v.at.next]; ok && sealed != chain {
		v.found(events.FindingCorrupt, "the records before it are not the ones that were sealed")
	}
	declared := v.seed.Chain != (events.Chain{}) && v.seed.Next == v.at.next
	if declared && v.seed.Chain != v.at.chain {
		v.found(events.FindingCorrupt, "the records before it are not the seed that was declared")
	}
}

// end compares where the log ends with what is kept elsewhere, and says what no
// comparison can show.
func (v *verification) end() {
	outside := v.sealed
	if v.anchored {
		outside = max(outside, v.anchor.next)
	}
	switch {
	case v.at.next < outside:
		v.found(events.FindingCorrupt, "the log ends here, but it was at seq %d: its tail was cut", outside)
	case !v.anchored && v.sealed == 0:
		v.found(events.FindingUnproven, "no anchor or seal was kept: a cut tail would not show")
	case v.at.next > outside:
		v.found(events.FindingUnproven, "the last anchor or seal was made at seq %d: a cut behind it would not show", outside)
	}
}

// VerifyStreams checks the streams as wholes, and that every anchored session is
// there.
func (l *Log) VerifyStreams(ctx context.Context) ([]events.Finding, error) {
	findings, err := l.CheckStreams(ctx)
	if err != nil {
		return nil, err
	}
	gone, err := l.goneSessions(ctx)
	return append(findings, gone...), err
}

// CheckStreams reports whether something is missing inside the streams that
// never forget, and whether they reach as far as their anchors. It costs one
// request a stream.
func (l *Log) CheckStreams(ctx context.Context) ([]events.Finding, error) {
	var findings []events.Finding
	for _, name := range l.streams() {
		stream, err := l.js.Stream(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("jetstream: check stream %s: %w", name, err)
		}
		state := stream.CachedInfo().State
		for _, err := range []error{CheckLoss(name, state), l.anchors.CheckStream(name, state.LastSeq)} {
			if err != nil {
				findings = append(findings, events.Finding{Kind: events.FindingCorrupt, Problem: err.Error()})
			}
		}
	}
	return findings, nil
}

// streams are those that never forget.
func (l *Log) streams() []string {
	names := []string{ProjectsStream, AuditStream}
	for _, p := range l.epoch.Placements() {
		names = append(names, p.Stream())
	}
	return names
}

func (l *Log) goneSessions(ctx context.Context) ([]events.Finding, error) {
	gone := l.anchors.sessions()
	for id, err := range l.Sessions(ctx) {
		if err != nil {
			return nil, err
		}
		delete(gone, id)
	}
	var findings []events.Finding
	for id, head := range gone {
		findings = append(findings, events.Finding{Kind: events.FindingCorrupt, Problem: fmt.Sprintf("session %s is gone: its anchor was made at seq %d", id, head.next)})
	}
	return findings, nil
}
