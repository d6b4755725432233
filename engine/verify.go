package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/docket-engine/docket/events"
)

// Report is what a verification found.
type Report struct {
	Session events.SessionID
	// Events is how many the log has by its head; Checked how many were read and
	// accepted.
	Events, Checked events.Seq
	Findings        []events.Finding
}

// OK reports whether nothing is wrong: the log is whole and in order. It may
// still be that something could not be proven.
func (r Report) OK() bool {
	return !slices.ContainsFunc(r.Findings, func(f events.Finding) bool { return f.Kind != events.FindingUnproven })
}

// FirstBad is the corruption with the lowest seq, and whether there is one.
func (r Report) FirstBad() (first events.Finding, found bool) {
	for _, f := range r.Findings {
		if f.Kind == events.FindingCorrupt && (!found || f.Seq < first.Seq) {
			first, found = f, true
		}
	}
	return first, found
}

// Unproven lists what could not be proven.
func (r Report) Unproven() []events.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f events.Finding) bool { return f.Kind != events.FindingUnproven })
}

// Verify checks a stored session: its header and id agree; its records are
// gapless, decodable, accepted by the Validator, and have the chains that its seed
// and its head declare; its seed is complete; what a fork inherited is what its
// parent has. What the store alone can check it asks of store, which may be nil.
//
// What is wrong is in the report, also that a log cannot be read to its end
// because it is corrupt; the error says that the check could not be made. A session
// that is not stored is [events.ErrNotFound].
func Verify(ctx context.Context, log events.Log, store events.StoreVerifier, id events.SessionID, observer Observer) (Report, error) {
	v := verifying{log: log, report: Report{Session: id}}
	if err := v.run(ctx, id, observer); err != nil {
		return Report{}, fmt.Errorf("engine: verify session %s: %w", id, err)
	}
	if err := v.store(ctx, store, id); err != nil {
		return Report{}, fmt.Errorf("engine: verify session %s: %w", id, err)
	}
	return v.report, nil
}

// verifying is one run of a verification.
type verifying struct {
	log    events.Log
	report Report
	seeded inherited
}

// inherited is what the log says of its inherited events: the last
// session/end-seed of a fork, and the log before it.
type inherited struct {
	marked      bool
	end         events.Head // behind the inherited events
	parentChain string
}

func (v *verifying) find(kind events.FindingKind, seq events.Seq, problem string, args ...any) {
	v.report.Findings = append(v.report.Findings, events.Finding{Kind: kind, Seq: seq, Problem: fmt.Sprintf(problem, args...)})
}

// corrupt puts a corruption into the report; other errors are given back.
func (v *verifying) corrupt(err error) error {
	c, ok := errors.AsType[*events.CorruptError](err)
	if !ok {
		return err
	}
	v.report.Findings = append(v.report.Findings, events.Finding{Kind: events.FindingCorrupt, Seq: c.Seq, Type: c.Type, Problem: c.Err.Error()})
	return nil
}

func (v *verifying) run(ctx context.Context, id events.SessionID, observer Observer) error {
	o, err := v.log.Open(ctx, id)
	if err != nil {
		return v.corrupt(err)
	}
	v.report.Events = o.Head.Next
	if o.Header.ID != id {
		v.find(events.FindingCorrupt, 0, "the header is that of session %s", o.Header.ID)
		return nil
	}
	w := newWalk(v.log, o)
	w.observer, w.visit = observer, v.visit
	err = w.run(ctx)
	v.report.Checked = w.head.Next
	if err != nil {
		return v.corrupt(err)
	}
	if !o.Complete() {
		v.find(events.FindingIncomplete, o.Head.Next, "%v", incomplete(o))
		return nil
	}
	return v.lineage(ctx, o)
}

// visit notes where the inherited events end: the last marker is the log's own,
// those before it are its ancestors'.
func (v *verifying) visit(before events.Head, e events.Envelope) {
	if end, ok := e.Event.(events.EndSeed); ok && end.Inherited {
		v.seeded = inherited{marked: true, end: before, parentChain: end.ParentChain}
	}
}

// lineage compares what a fork inherited with its parent's log.
func (v *verifying) lineage(ctx context.Context, o events.Opened) error {
	s := v.seeded
	switch {
	case !s.marked:
		return nil
	case s.parentChain == "":
		v.unproven("the log does not hold the parent's chain")
		return nil
	case s.parentChain != s.end.Chain.String():
		v.find(mismatch(o), 0, "the %d inherited events are not those of the parent: it had the chain %s there, they have %s", s.end.Next, s.parentChain, s.end.Chain)
		return nil
	case o.Header.ParentSession == "":
		v.unproven("the header names no parent")
		return nil
	}
	return v.parent(ctx, o)
}

// unproven says why the inherited events could not be compared.
func (v *verifying) unproven(why string, args ...any) {
	v.find(events.FindingUnproven, 0, "the %d inherited events may not be those of the parent: %s", v.seeded.end.Next, fmt.Sprintf(why, args...))
}

// parent recomputes the chain over the parent's events up to the boundary, cut
// there as the fork has cut them.
func (v *verifying) parent(ctx context.Context, o events.Opened) error {
	id, end := o.Header.ParentSession, v.seeded.end
	p, err := v.log.Open(ctx, id)
	if err == nil && p.Head.Next < end.Next {
		v.find(mismatch(o), p.Head.Next, "%d events are inherited, the parent %s has only %d", end.Next, id, p.Head.Next)
		return nil
	}
	var chain events.Chain
	if err == nil {
		chain, err = chainOf(ahead(prefix(ctx, v.log, id, 0, end.Next)))
	}
	switch {
	case errors.Is(err, events.ErrNotFound):
		v.unproven("session %s is not stored here", id)
		return nil
	case errors.Is(err, events.ErrCorrupt):
		v.unproven("%v", err)
		return nil
	case err != nil || chain == end.Chain:
		return err
	default:
		return v.notTheParents(ctx, o)
	}
}

// notTheParents names the first inherited event that the parent has not.
func (v *verifying) notTheParents(ctx context.Context, o events.Opened) error {
	id, parent, end := o.Header.ID, o.Header.ParentSession, v.seeded.end.Next
	same, err := firstDifference(id, stored(ctx, v.log, id, 0, end), prefix(ctx, v.log, parent, 0, end))
	if err != nil {
		differs, ok := errors.AsType[*DiffersError](err)
		if !ok {
			return err
		}
		same = differs.Seq
	}
	v.find(mismatch(o), same, "the inherited event is not byte for byte that of the parent %s", parent)
	return nil
}

// mismatch is what it means that a prefix is not the parent's. A fork that was
// made here copied it. One that was imported may come from where the parent has
// other bytes, as an export of format 0 as version 4 has.
func mismatch(o events.Opened) events.FindingKind {
	if o.Seed.Kind == events.SeedFork {
		return events.FindingCorrupt
	}
	return events.FindingUnproven
}

// chainOf is the chain over records from the beginning of a log on.
func chainOf(records iter.Seq2[events.Record, error]) (events.Chain, error) {
	chain := events.ChainStart()
	for r, err := range records {
		if err != nil {
			return chain, err
		}
		chain = chain.Over(r)
	}
	return chain, nil
}

// store adds what the store finds.
func (v *verifying) store(ctx context.Context, store events.StoreVerifier, id events.SessionID) error {
	if store == nil {
		v.find(events.FindingUnproven, 0, "the log is what the engine wrote: this store keeps no signatures, anchors or seals that could be checked")
		return nil
	}
	findings, err := store.VerifyStore(ctx, id)
	if err != nil {
		return fmt.Errorf("check the store: %w", err)
	}
	v.report.Findings = append(v.report.Findings, findings...)
	return nil
}
