package client

import (
	"context"
	"errors"
	"time"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

// Run takes a call through the gate and, if the engine dispatches it, runs body, once,
// and puts what it came to on the log. It returns when that is done.
//
// What became of a refused call is in [Ran].Refused; the error says that there is no
// answer, or that the result is not on the log yet ([ErrUnrecorded]). When ctx ends,
// a call that was not dispatched is cancelled, one that was gets its permit back
// unused, and a body that runs is waited for.
//
// A step's calls are started in the order in which the model's message asks for
// them: one after the other with Run, or all at once with [Session.RunAll].
func (s *Session) Run(ctx context.Context, call Call, body Body) (Ran, error) {
	u, err := s.Start(ctx, call, body)
	if err != nil {
		return Ran{}, err
	}
	return u.Wait()
}

// RunAll runs the calls of one message, in its order. Bodies that overlap run at the
// same time, and each result is recorded behind the ones before it. It stops
// starting calls at the first one that the engine gives no answer to, and waits for
// those that it has started.
func (s *Session) RunAll(ctx context.Context, calls []Call, body Body) ([]Ran, error) {
	var started []*Running
	var errs []error
	for _, call := range calls {
		u, err := s.Start(ctx, call, body)
		if err != nil {
			errs = append(errs, err)
			break
		}
		started = append(started, u)
	}
	ran := make([]Ran, 0, len(started))
	for _, u := range started {
		r, err := u.Wait()
		ran, errs = append(ran, r), append(errs, err)
	}
	return ran, errors.Join(errs...)
}

// Running is a call that the gate has answered.
type Running struct {
	alone   bool          // its body overlaps with no other
	ended   chan struct{} // closed when the body has ended and the results up to it were tried to be recorded
	ran     Ran
	err     error
	command string // the id of the call's command, of which those of its end are made
}

// Wait gives what became of the call.
func (u *Running) Wait() (Ran, error) {
	<-u.ended
	return u.ran, u.err
}

// lane is the order of calls among siblings: a session's own, and those of each
// program.
type lane struct {
	turn chan struct{} // holds one value while a call is started
	last *Running      // the one before; whoever has the turn reads and writes it
}

// lane of a call.
func (s *Session) lane(call Call) *lane {
	parent := ""
	if call.Inner != nil {
		parent = call.Inner.ParentCallID
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.lanes[parent]
	if !ok {
		l = &lane{turn: make(chan struct{}, 1)}
		s.lanes[parent] = l
	}
	return l
}

// leave forgets the lane of a program that has ended.
func (s *Session) leave(parent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lanes, parent)
}

// Start takes a call through the gate and starts its body, if it is dispatched. It
// returns when the gate has answered, so that a program's calls can be started in
// order while their bodies overlap. A body that does not overlap is waited for
// before the next call is taken to the gate: no body starts a sibling of its own
// call, only calls within it ([Call].Inner).
func (s *Session) Start(ctx context.Context, call Call, body Body) (*Running, error) {
	if err := s.c.enter(); err != nil {
		return nil, err
	}
	u, err := s.start(ctx, call, body)
	if err != nil {
		s.c.work.Done()
	}
	return u, err
}

func (s *Session) start(ctx context.Context, call Call, body Body) (*Running, error) {
	l := s.lane(call)
	l.turn <- struct{}{} // siblings end, whatever ctx does
	defer func() { <-l.turn }()
	before := l.last
	if before != nil && (before.alone || !call.Overlaps) {
		<-before.ended
	}
	u := &Running{alone: !call.Overlaps, ended: make(chan struct{}), command: newID()}
	p, nonce, err := s.gate(ctx, call, u)
	if err != nil {
		return nil, err
	}
	l.last = u
	go func() {
		defer s.c.work.Done()
		defer close(u.ended)
		defer s.leave(call.ID)
		if u.ran.Refused != nil {
			u.after(before)
			return
		}
		result := run(ctx, body, p)
		u.ran.Result = &result
		u.after(before)
		if u.err = s.settle(u.command, call.ID, nonce, result); u.err == nil && p.DecisionSeq != nil {
			u.err = s.withNote(call.ID, p.Seq, &result)
		}
	}()
	return u, nil
}

// after waits for the sibling before, whose result comes first.
func (u *Running) after(before *Running) {
	if before != nil {
		<-before.ended
	}
}

// gate asks for the call and burns its permit. Of a refused call it puts the refusal
// into u.
func (s *Session) gate(ctx context.Context, call Call, u *Running) (p permit.Permit, nonce string, err error) {
	x := s.c.executor
	nonce = x.Expect(permit.Scope{Session: s.id, CallID: call.ID, Tool: call.Name})
	answer, err := s.c.await(ctx, api.Call{
		Command: s.command(u.command), CallID: call.ID, Name: call.Name, Arguments: call.Arguments, Nonce: nonce, Inner: call.Inner,
	})
	switch {
	case err != nil && nothingWritten(err):
		x.Forget(nonce)
		return p, nonce, err
	case err != nil:
		// It may be dispatched, or be so later: nothing runs, and the engine is told.
		s.abandon(u.command, call.ID, nonce)
		return p, nonce, err
	case answer.Refused != nil:
		x.Forget(nonce)
		u.ran.Refused = &Refused{Refused: *answer.Refused}
		return p, nonce, nil
	case ctx.Err() != nil:
		u.ran.Refused, err = s.giveBack(u.command, call.ID, nonce, context.Cause(ctx), true)
		return p, nonce, err
	}
	if p, err = x.Burn(*answer.Permit, time.Now()); err != nil {
		u.ran.Refused, err = s.giveBack(u.command, call.ID, nonce, err, false)
	}
	return p, nonce, err
}

// nothingWritten reports whether an error says that the call is not on the log, or
// not this process's to end.
func nothingWritten(err error) bool {
	e, is := errors.AsType[*api.Error](err)
	return is && e.Code != api.CodeUnavailable && e.Code != api.CodeInternal && e.Code != api.CodeOutcomeUnknown
}

// command is what every command of the session carries.
func (s *Session) command(id string) api.Command {
	return api.Command{ID: named(id), Session: s.id}
}

// seqBehind is the seq of the last event of what was done.
func seqBehind(d api.Done) *events.Seq {
	if d.Next == 0 {
		return nil
	}
	return new(d.Next - 1)
}
