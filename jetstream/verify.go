package jetstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"

	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/frame"
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
	// What is kept elsewhere is read before the log, which may grow meanwhile.
	v := verification{log: l, at: position{index: -1, chain: events.ChainStart()}}
	if err := v.readMarks(ctx, id); err != nil {
		return nil, err
	}
	last, err := l.last(ctx, a)
	switch {
	case errors.Is(err, errNoMessage):
		err = v.frames(l.walk(ctx, a))
	case err == nil:
		err = v.frames(l.messages(ctx, a, position{index: -1}, claimed(last)))
	}
	if err != nil {
		return nil, fmt.Errorf("jetstream: verify session %s: %w", id, err)
	}
	v.damaged(a)
	if v.at.index < 0 && len(v.findings) == 0 {
		return v.absent(id)
	}
	if last.stream == 0 && v.log.files == nil {
		v.found(events.FindingCorrupt, "", "%v", errLastUnreadable)
	}
	v.end()
	return v.findings, nil
}

// damaged says where the files are damaged so that something of the session may have
// been there: what stands before the damage does not show it.
func (v *verification) damaged(a address) {
	if v.log.files == nil {
		return
	}
	if d, is := v.log.files.names(a.stream, a.subject); is {
		v.found(events.FindingCorrupt, "", "%s", damagedHere(d))
	}
	if d, is := v.log.files.names(AuditStream, sealPrefix+string(a.id)); is {
		v.found(events.FindingUnproven, "", "a seal of it cannot be read: %s", d)
	}
}

// walk yields a subject's messages one by one, up to one that cannot be read: it
// is for a log whose last one is unknown.
func (l *Log) walk(ctx context.Context, a address) iter.Seq2[stored, error] {
	return func(yield func(stored, error) bool) {
		for after := uint64(0); ; {
			m, err := l.firstAfter(ctx, a, after)
			if errors.Is(err, errNoMessage) || !yield(m, err) || err != nil {
				return
			}
			after = m.stream
		}
	}
}

// claimed is where a message stands, if what it says is true: how a log is read
// depends on it, and nothing else.
func claimed(m stored) position {
	p := frame.Parser{Headers: m.header}
	index := p.Number(frame.HeaderFrame)
	if p.Err != nil {
		index = manyFrames
	}
	return position{stream: m.stream, index: index}
}

// verification is the state of one session's check.
type verification struct {
	log      *Log
	findings []events.Finding
	at       position
	header   events.Header
	marks    []mark // that the log has not come to, in order

	anchor   anchoredHead
	anchored bool
	outside  events.Seq // where the last anchor or seal was made; 0 if there is none
}

// mark is a place that the log was at, or was declared to come to.
type mark struct {
	next  events.Seq
	chain events.Chain
	made  string // "anchored"
}

func (v *verification) found(kind events.FindingKind, t events.Type, format string, args ...any) {
	v.findings = append(v.findings, events.Finding{Kind: kind, Seq: v.at.next, Type: t, Problem: fmt.Sprintf(format, args...)})
}

func (v *verification) absent(id events.SessionID) ([]events.Finding, error) {
	if v.anchored {
		v.found(events.FindingCorrupt, "", "the whole log is gone: its anchor was made at seq %d", v.anchor.next)
	} else if v.outside > 0 {
		v.found(events.FindingCorrupt, "", "the whole log is gone: it was sealed at seq %d", v.outside)
	}
	if len(v.findings) > 0 {
		return v.findings, nil
	}
	return nil, fmt.Errorf("session %s: %w", id, events.ErrNotFound)
}

// readMarks reads what is kept of the session outside of its log.
func (v *verification) readMarks(ctx context.Context, id events.SessionID) error {
	if v.anchor, v.anchored = v.log.anchors.head(id); v.anchored {
		v.mark(mark{v.anchor.next, v.anchor.chain, "anchored"})
		v.outside = v.anchor.next
	}
	if kept, is := v.log.outside.head(id); is {
		v.mark(mark{kept.next, kept.chain, "anchored elsewhere"})
		v.outside = max(v.outside, kept.next)
	}
	for seal, err := range v.log.Seals(ctx, id) {
		var chain events.Chain
		if err == nil {
			chain, err = events.ParseChain(seal.Chain)
		}
		if errors.Is(err, events.ErrCorrupt) {
			v.found(events.FindingCorrupt, "", "a seal is not what the engine wrote: %v", errors.Unwrap(err))
			return nil
		}
		if err != nil {
			return err
		}
		v.mark(mark{seal.Seq + 1, chain, "sealed"})
		v.outside = max(v.outside, seal.Seq+1)
	}
	return nil
}

func (v *verification) mark(m mark) {
	i, _ := slices.BinarySearchFunc(v.marks, m.next, func(m mark, next events.Seq) int { return cmp.Compare(m.next, next) })
	v.marks = slices.Insert(v.marks, i, m)
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
		v.found(events.FindingCorrupt, f.FirstType(), "frame at stream sequence %d was not written by the engine: %v", m.stream, signature)
	case err != nil:
		v.found(events.FindingCorrupt, f.FirstType(), "frame at stream sequence %d: %v", m.stream, err)
	case v.at.index < 0:
		v.first(f)
	default:
		v.follows(f)
	}
	if err == nil && signature == nil {
		v.at = f.position()
		v.pass()
	}
}

func (v *verification) first(f storedFrame) {
	header, err := f.SessionHeader()
	if err != nil {
		v.found(events.FindingCorrupt, f.FirstType(), "frame at stream sequence %d: %v", f.stream, err)
	}
	v.header = header
	if f.Seed.Chain != (events.Chain{}) {
		v.mark(mark{f.Seed.Next, f.Seed.Chain, "declared as its seed"})
	}
}

func (v *verification) follows(f storedFrame) {
	_, err := f.follow(v.at)
	if err == nil {
		err = f.Behind(v.header.Line)
	}
	if err != nil {
		v.found(events.FindingCorrupt, f.FirstType(), "frame at stream sequence %d: %v", f.stream, err)
	}
}

// pass compares the place with the marks up to it. Marks are made where a frame
// ends.
func (v *verification) pass() {
	for len(v.marks) > 0 && v.marks[0].next <= v.at.next {
		if m := v.marks[0]; m.next != v.at.next || m.chain != v.at.chain {
			v.found(events.FindingCorrupt, "", "the records before seq %d are not the ones that were %s", m.next, m.made)
		}
		v.marks = v.marks[1:]
	}
}

// end compares where the log ends with what is kept elsewhere, and says what no
// comparison can show.
func (v *verification) end() {
	switch {
	case v.at.next < v.outside:
		v.found(events.FindingCorrupt, "", "the log ends here, but it was at seq %d: its tail was cut", v.outside)
	case !v.anchored && v.outside == 0:
		v.found(events.FindingUnproven, "", "no anchor or seal was kept: a cut tail would not show")
	case v.at.next > v.outside:
		v.found(events.FindingUnproven, "", "the last anchor or seal was made at seq %d: a cut behind it would not show", v.outside)
	}
}

// VerifyStreams checks the streams as wholes, and that every anchored session is
// there.
func (l *Log) VerifyStreams(ctx context.Context) ([]events.Finding, error) {
	findings, err := l.CheckStreams(ctx)
	if err != nil {
		return nil, err
	}
	if l.files != nil {
		for _, d := range l.files.damages {
			findings = append(findings, events.Finding{Kind: events.FindingCorrupt, Problem: d.String()})
		}
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
		anchor := l.anchors.stream(name) // before the stream, which may grow meanwhile
		state, err := l.streamState(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("jetstream: check stream %s: %w", name, err)
		}
		for _, err := range []error{CheckLoss(name, state), checkBehindAnchor(name, state.LastSeq, max(anchor, l.outside.stream(name)))} {
			if err != nil {
				findings = append(findings, events.Finding{Kind: events.FindingCorrupt, Problem: err.Error()})
			}
		}
	}
	return findings, nil
}

// streamState is what a stream holds.
func (l *Log) streamState(ctx context.Context, name string) (natsjs.StreamState, error) {
	if l.files != nil {
		have, first, last := l.files.streams[name].state()
		return natsjs.StreamState{Msgs: have, FirstSeq: first, LastSeq: last}, nil
	}
	stream, err := l.js.Stream(ctx, name)
	if err != nil {
		return natsjs.StreamState{}, err
	}
	return stream.CachedInfo().State, nil
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
	gone := l.outside.sessions()
	if gone == nil {
		gone = map[events.SessionID]anchoredHead{}
	}
	maps.Copy(gone, l.anchors.sessions())
	for id, err := range l.Sessions(ctx) {
		if err != nil {
			return nil, err
		}
		delete(gone, id)
	}
	var findings []events.Finding
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		findings = append(findings, events.Finding{Kind: events.FindingCorrupt, Problem: fmt.Sprintf("session %s is gone: its anchor was made at seq %d", id, gone[id].next)})
	}
	return findings, nil
}
