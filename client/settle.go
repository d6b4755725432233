package client

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

// forever is the patience of what must not be lost.
const forever = time.Duration(math.MaxInt64)

// settle puts the result of a body on the log. One that cannot be stored, since it is
// too large or no valid text, is replaced by an error that says so: the call has
// ended, whatever its result is like.
func (s *Session) settle(command, call, nonce string, r Result) error {
	if r.Content == nil {
		r.Content = []events.Block{}
	}
	err := s.record("settle", api.Settle{
		Command: s.command(command + "-result"), CallID: call, Nonce: nonce,
		Content: r.Content, IsError: r.IsError, Error: r.Error, Meta: r.Meta, Artifacts: r.Artifacts,
	}, nil)
	e, is := errors.AsType[*api.Error](err)
	if !is || e.Code != api.CodeTooLarge && e.Code != api.CodeInvalid {
		return err
	}
	instead := s.record("settle", api.Settle{
		Command: s.command(command + "-instead"), CallID: call, Nonce: nonce,
		Content: []events.Block{events.TextBlock("Error: The body ran, and its result cannot be stored: " + e.Error())}, IsError: true,
		Error: &api.ToolError{Name: resultName, Code: codeResult},
	}, nil)
	return errors.Join(err, instead)
}

// withNote reads what the log has of a result whose call a person allowed: the engine
// has added what the person noted for the agent.
func (s *Session) withNote(call string, from events.Seq, into *Result) error {
	ctx, cancel := context.WithTimeout(s.c.ctx, s.c.cfg.RecordWait)
	defer cancel()
	for r, err := range s.Read(ctx, from) {
		if err != nil {
			return fmt.Errorf("client: the result is on the log, and cannot be read back: %w", err)
		}
		decoded, err := r.Decode()
		if err != nil || len(decoded) != 1 {
			continue
		}
		switch ev := any(decoded[0].Event).(type) {
		case events.ToolResult:
			if ev.CallID() == call {
				into.Content = ev.Message.Content
				return nil
			}
		case events.PTCDispatch:
			if ev.SubCallID == call {
				into.Content = ev.Content
				return nil
			}
		}
	}
	return errors.New("client: the result is on the log, and was not found there")
}

// giveBack returns a permit whose body did not start and never will.
func (s *Session) giveBack(command, call, nonce string, cause error, cancelled bool) (*Refused, error) {
	proof, err := s.c.executor.Return(nonce)
	if err != nil {
		return nil, fmt.Errorf("client: call %s: %w", call, errors.Join(cause, err))
	}
	refused := &Refused{Cause: cause}
	refused.Kind, refused.Text = "failed", "The executor returned the call's permit unused; its body was not executed"
	refused.Refused.Error = &api.ToolError{Name: "PermitReturnedError", Code: "PERMIT_RETURNED_UNUSED"}
	if cancelled {
		refused.Kind, refused.Text = "cancelled", "The call was cancelled before its body started"
		refused.Refused.Error = &api.ToolError{Name: abortName, Code: "ABORTED_BEFORE_DISPATCH"}
	}
	var done api.Done
	err = s.record("return", api.Return{Command: s.command(command + "-returned"), CallID: call, Proof: proof, Cancelled: cancelled}, &done)
	if err != nil {
		return refused, err
	}
	refused.Seq = seqBehind(done)
	return refused, nil
}

// abandon makes sure that no body of a call without an answer ever runs, and tells the
// engine, in the background.
func (s *Session) abandon(command, call, nonce string) {
	proof, err := s.c.executor.Return(nonce)
	if err != nil {
		return // nobody has it any more
	}
	s.c.record(func(ctx context.Context) error {
		r := api.Return{Command: s.command(command + "-abandoned"), CallID: call, Proof: proof, Cancelled: true}
		_, err := askWhile[api.Done](ctx, s.c, "return", r, forever)
		if _, refused := errors.AsType[*api.Error](err); refused {
			return nil // it was not dispatched, or has ended: nothing is lost
		}
		return err
	})
}

// record sends what ends a call until there is an answer, for as long as the client
// lives, and waits for that for a while.
func (s *Session) record(command string, request any, done *api.Done) error {
	got := make(chan error, 1)
	s.c.record(func(ctx context.Context) error {
		reply, err := askWhile[api.Done](ctx, s.c, command, request, forever)
		if err == nil && done != nil {
			*done = reply
		}
		got <- err
		return err
	})
	timer := time.NewTimer(s.c.cfg.RecordWait)
	defer timer.Stop()
	select {
	case err := <-got:
		return err
	case <-timer.C:
		return fmt.Errorf("client: %s: %w: %w", command, ErrUnrecorded, errors.Join(s.c.link.problem()))
	}
}

// record does something that Close waits for, in the background. The caller is one
// that Close waits for itself.
func (c *Client) record(do func(context.Context) error) {
	c.mu.Lock()
	c.pending++
	c.work.Add(1)
	c.mu.Unlock()
	go func() {
		defer c.work.Done()
		err := do(c.ctx)
		c.mu.Lock()
		c.pending--
		c.mu.Unlock()
		if err != nil {
			c.cfg.Failed(err)
		}
	}()
}
