package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// folded is a session's state at a place in its stored log.
type folded struct {
	log   events.Log
	state *projections.Session
	head  events.Head
	saved events.Seq // up to where a snapshot holds the state
	grown int64      // bytes of the lines that were folded
	// history is what reviews are shown, nil before the first.
	history *projections.History
	// kin is the nearest session whose people's words bind this one, nil before it is
	// looked for; told is what the session was at its last places that reviews of its
	// descendants were asked for at.
	kin  *events.SessionID
	told []reviewer.Ancestor
}

// fold opens a session: a snapshot of it, nil for none, and what came after. The
// snapshot was taken from its store before, so that the log is not behind it.
// shows, unless it is nil, says of a state whether reviews will be shown it: what
// they are shown is then kept while the log is read.
func fold(ctx context.Context, log events.Log, snap *folded, id events.SessionID, shows func(*projections.Session) bool) (*folded, error) {
	o, err := opened(ctx, log, id)
	if err != nil {
		return nil, err
	}
	s := &folded{log: log, state: projections.NewSession(o.Header), head: events.Head{Chain: events.ChainStart()}}
	s.state.Imported = o.Seed.Foreign()
	s.state.Access.Creator, s.state.Access.Foreign = o.Creator, o.Seed.Kind == events.SeedImport
	if snap != nil {
		if err := usable(snap, o); err != nil {
			return nil, err
		}
		s = snap
		s.log = log
	}
	if shows == nil {
		return s, s.read(ctx, o)
	}
	if err := s.readShown(ctx, o, shows); err != nil {
		return nil, err
	}
	return s, nil
}

// readShown is read for a session that reviews may be shown.
func (s *folded) readShown(ctx context.Context, o events.Opened, shows func(*projections.Session) bool) error {
	if s.head.Next == 0 {
		s.history = projections.NewHistory() // the log will tell whether it is wanted
	} else if shows(s.state) {
		if _, err := s.visible(ctx); err != nil {
			return err
		}
	}
	err := s.read(ctx, o)
	if err == nil && !shows(s.state) {
		s.history = nil
	}
	return err
}

// usable: a snapshot that the engine signed reaches no further than the log. If
// it does, the log has lost its end.
func usable(snap *folded, o events.Opened) error {
	if string(snap.state.Header().Line) != string(o.Header.Line) {
		return &events.CorruptError{Session: o.Header.ID, Err: errors.New("its header is not the one that a snapshot was made under")}
	}
	if snap.head.Next > o.Head.Next {
		return &events.CorruptError{Session: o.Header.ID, Seq: o.Head.Next, Err: fmt.Errorf("the log ends here, but a snapshot was made at seq %d", snap.head.Next)}
	}
	return nil
}

// read folds the records from where the state is up to a head, and compares the
// chain there. An error leaves the state somewhere in between: it is dropped.
func (s *folded) read(ctx context.Context, o events.Opened) error {
	id := o.Header.ID
	for batch, err := range inOrder(batches(stored(ctx, s.log, id, s.head.Next, o.Head.Next)), decodeAll) {
		if err != nil {
			return err
		}
		for _, d := range batch {
			if err := s.take(id, d); err != nil {
				return err
			}
		}
	}
	if s.head.Next == o.Head.Next && s.head.Chain != o.Head.Chain {
		return &events.CorruptError{Session: id, Seq: max(s.head.Next-1, 0), Err: errors.New("the events up to here are not those of the log's head: the chain differs")}
	}
	return nil
}

// take folds one record that was decoded.
func (s *folded) take(id events.SessionID, d decoded) error {
	err := d.err
	if err == nil {
		err = s.state.Apply(d.events...)
	}
	if err == nil {
		s.show(d.events)
	}
	if err == nil && s.state.Next() != d.record.End() {
		err = errors.New("the record does not stand for as many events as it says")
	}
	if err != nil {
		return &events.CorruptError{Session: id, Seq: s.state.Next(), Type: d.record.Type(), Err: err}
	}
	if d.record.Append != "" {
		s.state.Commands.Note(d.record.Append, d.record.End())
	}
	s.grown += int64(len(d.record.Line))
	s.head = events.Head{Next: d.record.End(), Chain: s.head.Chain.Over(d.record)}
	return nil
}

// catchUp folds what others have appended.
func (s *folded) catchUp(ctx context.Context) error {
	o, err := s.log.Open(ctx, s.state.Header().ID)
	if err != nil {
		return err
	}
	if o.Head.Next < s.head.Next {
		return &events.CorruptError{Session: o.Header.ID, Seq: o.Head.Next, Err: fmt.Errorf("the log ends here, but it was at seq %d", s.head.Next)}
	}
	return s.read(ctx, o)
}

// unit is what is appended as one: events and the lines that are stored of them.
type unit struct {
	envelopes []events.Envelope
	records   []events.Record
}

// decide gives what a command comes to at the end of the log. An error that is
// the command's own is a *[events.Refusal].
func (s *folded) decide(c Command, m Meta) (unit, error) {
	if m.Expect != nil && *m.Expect != s.state.Next() {
		return unit{}, events.Refuse(CodeStale, "expect", "the session is at seq %d, not at %d", s.state.Next(), *m.Expect)
	}
	drafts, err := Decide(s.state, c)
	if err != nil {
		return unit{}, err
	}
	u, err := s.drafts(drafts, m.Now)
	return u, refused(err)
}

// drafts puts what was decided at the end of the log.
func (s *folded) drafts(drafts []events.Draft, now int64) (unit, error) {
	u := unit{make([]events.Envelope, 0, len(drafts)), make([]events.Record, 0, len(drafts))}
	for i, d := range drafts {
		e, r, err := d.Stored(s.head.Next+events.Seq(i), now)
		if err != nil {
			return unit{}, err
		}
		u.envelopes, u.records = append(u.envelopes, e), append(u.records, r)
	}
	return u, nil
}

// unitOf is the unit of events that have their place.
func unitOf(envelopes []events.Envelope) (unit, error) {
	u := unit{envelopes, make([]events.Record, 0, len(envelopes))}
	for _, e := range envelopes {
		r, err := events.NewRecord(e)
		if err != nil {
			return unit{}, err
		}
		u.records = append(u.records, r)
	}
	return u, nil
}

// append stores a unit as one frame at the end of the log, and folds it when it is
// stored. A *[events.FieldError] says which rule of the log refuses it; the log
// never saw it. c is the command that it is of, nil for none.
func (s *folded) append(ctx context.Context, c Command, m Meta, u unit) error {
	if err := unkept(c, u.envelopes); err != nil {
		return err
	}
	commit, undo, err := s.state.Stage(u.envelopes...)
	if err != nil {
		return err
	}
	head := events.Head{Next: s.head.Next + events.Seq(len(u.records)), Chain: s.head.Chain.Over(u.records...)}
	a := events.Append{ID: m.ID, Next: s.head.Next, Actor: m.Actor, Records: u.records, Sent: meanwhile(c, u.envelopes, head)}
	if _, err = s.log.Append(ctx, s.state.Header().ID, a); err != nil {
		undo()
		return err
	}
	if a.Sent != nil {
		a.Sent() // unless the log has
	}
	commit()
	s.show(u.envelopes)
	s.state.Commands.Note(m.ID, head.Next)
	for _, r := range u.records {
		s.grown += int64(len(r.Line))
	}
	s.head = head
	return nil
}

// preparing is a command with something to make ready from its frame. Nobody is
// given it before the log has answered; where the frame is not stored it is dropped.
type preparing interface {
	// prepare is told the events and the head behind them.
	prepare(envelopes []events.Envelope, head events.Head)
}

// meanwhile is what a command makes ready, once, while the log stores its frame; nil
// where there is nothing.
func meanwhile(c Command, envelopes []events.Envelope, head events.Head) func() {
	p, ok := c.(preparing)
	if !ok {
		return nil
	}
	done := false
	return func() {
		if !done {
			done = true
			p.prepare(envelopes, head)
		}
	}
}

// show keeps what reviews are shown up to date.
func (s *folded) show(envelopes []events.Envelope) {
	if s.history == nil {
		return
	}
	for _, e := range envelopes {
		s.history.Apply(s.state, e)
	}
}

// keepShown begins to keep what reviews are shown, where the log has nothing of it
// yet: the first review need not read it then.
func (s *folded) keepShown() {
	if s.history == nil && projections.HistoryFrom(s.state) == s.state.Next() {
		s.history = projections.NewHistory()
	}
}

// visible is what a review is shown of the session. The first time it is made from
// what of the log can be on the surface.
func (s *folded) visible(ctx context.Context) (*projections.History, error) {
	if s.history != nil {
		return s.history, nil
	}
	h := projections.NewHistory()
	for batch, err := range inOrder(batches(stored(ctx, s.log, s.state.Header().ID, projections.HistoryFrom(s.state), s.head.Next)), decodeAll) {
		if err != nil {
			return nil, err
		}
		for _, d := range batch {
			if d.err != nil {
				return nil, &events.CorruptError{Session: s.state.Header().ID, Seq: d.record.Seq, Type: d.record.Type(), Err: d.err}
			}
			for _, e := range d.events {
				h.Apply(s.state, e)
			}
		}
	}
	s.history = h
	return h, nil
}

// bytes estimates what the session holds in memory.
func (s *folded) bytes() int64 {
	n := s.state.Size()
	if s.history != nil {
		n += s.history.Size()
	}
	return n
}
