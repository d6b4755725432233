package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
)

// ForkRequest asks for a session that begins as a copy of another one.
type ForkRequest struct {
	Source events.SessionID
	Child  events.SessionID
	// At is the last event that is copied; nil is the source's last one.
	At *events.Seq
	// Header is the child's, for a child that a spawn makes; nil makes that of a
	// fork (lineage.ForkHeader).
	Header   *events.Header
	Actor    events.Actor
	Now      int64 // Unix ms, the child's createdAt
	Observer Observer
	// Kept is how many bytes of the seed stay in memory between its plan and its
	// appends; what is beyond is read again. 0 is 64 MiB.
	Kept int
}

// Forked is the child of a fork, complete.
type Forked struct {
	Header events.Header
	// Inherited is how many events are the parent's; Events how many the seed has,
	// marker and closers included.
	Inherited, Events events.Seq
	// AlreadyThere says that nothing had to be stored, Resumed that a fork which was
	// cut short was finished.
	AlreadyThere, Resumed bool
}

// Fork makes a session that begins with the source's events up to and including
// At, then session/end-seed {inherited:true}, then the closers of what the prefix
// leaves open (reference 1.6 and 8, item 10). The same fork again finishes a
// child that was cut short, or changes nothing; without At, such a child keeps
// the boundary that it was begun with.
//
// A source that is not stored is [events.ErrNotFound]; one that is incomplete or
// corrupt is refused as [Load] refuses it, a boundary that is no event of it with
// a *[lineage.BoundaryError], and a child that exists and is not this fork with a
// *[DiffersError]. The prefix is not decoded again, but for its end: it was
// accepted when it was appended, and the store answers for its bytes.
func Fork(ctx context.Context, log events.Log, req ForkRequest) (Forked, error) {
	f := forking{log: log, req: req}
	if err := f.open(ctx); err != nil {
		return Forked{}, fmt.Errorf("engine: fork session %s: %w", req.Source, err)
	}
	done, err := f.run(ctx)
	if err != nil {
		return Forked{}, fmt.Errorf("engine: fork session %s into %s: %w", req.Source, req.Child, err)
	}
	return done, nil
}

// forking is one run of a fork.
type forking struct {
	log    events.Log
	req    ForkRequest
	parent events.Opened
	child  events.Opened // as it is stored, or as it is to be
	exists bool
	seed   *seeding
}

// open looks at the parent, and at the child if it exists.
func (f *forking) open(ctx context.Context) (err error) {
	if f.parent, err = opened(ctx, f.log, f.req.Source); err != nil {
		return err
	}
	if err := f.req.Child.Check(); err != nil {
		return err
	}
	createdAt := f.req.Now
	f.child, err = f.log.Open(ctx, f.req.Child)
	switch {
	case err == nil:
		f.exists, createdAt = true, f.child.Header.CreatedAt
	case !errors.Is(err, events.ErrNotFound):
		return err
	}
	header, err := f.header(createdAt)
	if err != nil {
		return err
	}
	if f.exists {
		return f.sameHeader(header)
	}
	f.child = events.Opened{Header: header, Head: events.Head{Chain: events.ChainStart()}}
	return nil
}

func (f *forking) header(createdAt int64) (events.Header, error) {
	if f.req.Header != nil {
		return *f.req.Header, nil
	}
	return lineage.ForkHeader(f.parent.Header, f.req.Child, createdAt)
}

func (f *forking) sameHeader(want events.Header) error {
	switch {
	case f.child.Seed.Kind != events.SeedFork:
		return differHeader(f.req.Child, "it is not a fork")
	case f.child.Header.ParentSession != f.req.Source:
		return differHeader(f.req.Child, "it is a fork of session %s", f.child.Header.ParentSession)
	case string(f.child.Header.Line) != string(want.Line):
		return differHeader(f.req.Child, "its header is %s, that of this fork is %s", f.child.Header.Line, want.Line)
	default:
		return nil
	}
}

func (f *forking) run(ctx context.Context) (Forked, error) {
	count, err := f.boundary(ctx)
	if err != nil {
		return Forked{}, err
	}
	seed, err := f.plan(ctx, count)
	if err != nil {
		return Forked{}, err
	}
	done := Forked{Header: f.child.Header, Inherited: count, Events: seed.Next}
	switch {
	case f.exists && f.child.Seed != seed:
		return Forked{}, differHeader(f.req.Child, "it is a fork of that session at another seq")
	case f.exists && f.child.Complete():
		done.AlreadyThere = true
		return done, nil
	case f.exists:
		done.Resumed = true
	default:
		err = f.log.Create(ctx, events.Creation{ID: "fork", Actor: f.req.Actor, Header: f.child.Header, Seed: seed})
	}
	if err == nil {
		err = f.seed.store(ctx)
	}
	if errors.Is(err, errNotThePlan) {
		err = &events.CorruptError{Session: f.req.Child, Seq: max(f.child.Head.Next-1, 0), Err: errors.New("the events up to here are not the beginning of the seed that was declared")}
	}
	return done, err
}

// boundary gives how many events are copied.
func (f *forking) boundary(ctx context.Context) (events.Seq, error) {
	end := f.parent.Head.Next
	if f.req.At != nil || !f.exists {
		return lineage.Boundary(f.req.Source, f.req.At, end)
	}
	records := stored(ctx, f.log, f.req.Source, 0, end)
	count, found, err := lineage.FindBoundary(records, f.child.Seed, f.child.Header.CreatedAt)
	if err == nil && !found {
		err = differHeader(f.req.Child, "its seed is not one of that session's")
	}
	return count, err
}

// plan reads the prefix once and plans the child's seed.
func (f *forking) plan(ctx context.Context, count events.Seq) (events.Seed, error) {
	f.seed = newSeeding(f.log, f.req.Child, events.SeedFork, f.req.Actor)
	f.seed.at, f.seed.observer = f.child.Head, f.req.Observer
	if f.req.Kept > 0 {
		f.seed.budget = f.req.Kept
	}
	plan := lineage.NewFork(f.req.Source, count)
	var copied []events.Record
	frames := 0
	for r, err := range ahead(stored(ctx, f.log, f.req.Source, 0, count)) {
		if err != nil {
			return events.Seed{}, err
		}
		if copied, err = plan.Copy(copied[:0], r); err != nil {
			return events.Seed{}, err
		}
		for _, c := range copied[:len(copied)-1] {
			f.seed.add(c, events.Head{Next: c.End(), Chain: f.seed.head.Chain.Over(c)})
		}
		f.seed.add(copied[len(copied)-1], plan.Copied())
		if n := len(f.seed.frames); n > frames {
			frames = n
			f.req.Observer.tell(StageCheck, int64(plan.Copied().Next), int64(count))
		}
	}
	if err := f.wholeLog(plan.Copied()); err != nil {
		return events.Seed{}, err
	}
	return f.own(plan, count)
}

// wholeLog compares a prefix that is all of the parent with the parent's head.
func (f *forking) wholeLog(copied events.Head) error {
	head := f.parent.Head
	if copied.Next != head.Next || copied.Chain == head.Chain {
		return nil
	}
	return &events.CorruptError{Session: f.req.Source, Seq: max(head.Next-1, 0), Err: errors.New("the events up to here are not those of the log's head: the chain differs")}
}

// own plans the marker and the closers, and how the seed is read again.
func (f *forking) own(plan *lineage.Fork, count events.Seq) (events.Seed, error) {
	own, seed, err := plan.Own(f.child.Header.CreatedAt)
	if err != nil {
		return events.Seed{}, err
	}
	for _, r := range own {
		f.seed.add(r, events.Head{Next: r.End(), Chain: f.seed.head.Chain.Over(r)})
	}
	planned := f.seed.plan()
	if planned != seed {
		return events.Seed{}, fmt.Errorf("the plan ends at %d with chain %s, not at %d with %s", planned.Next, planned.Chain, seed.Next, seed.Chain)
	}
	seed.Imported = f.imported(count)
	f.seed.again = func(ctx context.Context, from events.Seq) iter.Seq2[events.Record, error] {
		return f.again(ctx, from, count, own)
	}
	return seed, nil
}

// imported is how many of the copied events an import brought. What a fork declared
// before it was cut short stays; a child that is spawned is the parent's doing, which
// was adopted.
func (f *forking) imported(count events.Seq) events.Seq {
	switch {
	case f.exists:
		return f.child.Seed.Imported
	case f.req.Header != nil:
		return 0
	}
	return min(f.parent.Seed.Foreign(), count)
}

// again yields the child's seed from the beginning of a frame on.
func (f *forking) again(ctx context.Context, from, count events.Seq, own []events.Record) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for r, err := range prefix(ctx, f.log, f.req.Source, from, count) {
			if !yield(r, err) || err != nil {
				return
			}
		}
		for _, r := range own {
			if r.Seq >= from && !yield(r, nil) {
				return
			}
		}
	}
}
