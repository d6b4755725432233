package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/agent"
	"github.com/docket-engine/docket/projections"
)

// run opens what is not open, makes the call, and ends what it opened. An interrupt
// ends the call alone: what became of it is still put on the record.
func (c *oneCall) run(ctx context.Context, at place) (engine.Ran, string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return engine.Ran{}, "", fmt.Errorf("make a call id: %w", err)
	}
	driver, err := c.gate.newAgent(at.header, at.route, nil)
	if err != nil {
		return engine.Ran{}, "", err
	}
	recording, stop := lingering(ctx)
	defer stop()
	if c.say != "" {
		if err := driver.Hear(recording, actor(), c.say); err != nil {
			return engine.Ran{}, "", err
		}
	}
	if !at.turn {
		if err := driver.StartTurn(recording); err != nil {
			return engine.Ran{}, "", err
		}
	}
	said := agent.Said{Calls: []agent.Call{{ID: "call-" + id.String(), Name: c.tool, Arguments: c.arguments, Context: ctx}}}
	step := driver.Step
	if at.step {
		step = driver.Within
	}
	ran, err := step(recording, said)
	if err != nil {
		return engine.Ran{}, "", errors.Join(err, giveUp(recording, driver, at))
	}
	if !at.turn {
		err = driver.EndTurn(recording)
	}
	return ran[0], said.Calls[0].ID, err
}

// giveUp ends what was opened for a call that could not be made. Where the call has
// begun, that is left to repair.
func giveUp(ctx context.Context, driver *agent.Agent, at place) error {
	var err error
	if !at.step {
		err = driver.EndStep(ctx)
	}
	if r, ok := errors.AsType[*events.Refusal](err); ok && r.Code == engine.CodeNoStep {
		err = nil // it did not come to that
	}
	if err == nil && !at.turn {
		err = driver.FailTurn(ctx, events.Failure{Code: "CALL_NOT_MADE", Message: "the agent's call could not be made"})
	}
	if err != nil {
		return fmt.Errorf("its turn stays open ('engine session repair' ends it): %w", err)
	}
	return nil
}

// lingering is a context that ends a while after ctx does, so that what an interrupt
// ends is still put on the record, and a store that is gone is not waited for.
func lingering(ctx context.Context) (context.Context, func()) {
	later, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.NewTimer(stopTimeout)
		defer timer.Stop()
		select {
		case <-timer.C:
			cancel(context.Cause(ctx))
		case <-later.Done():
		}
	})
	return later, func() {
		stop()
		cancel(nil)
	}
}

// reached reports whether somebody could answer: with --yes, or from another
// terminal, which has to get to the store.
func (c *oneCall) reached(*projections.Session) bool { return c.yes || !c.store.alone() }

// alone reports whether no other process can reach the store while this one has it.
func (s *store) alone() bool { return s.server != nil }

// answer is the gate's question, told to whoever is at the terminal. Answers come
// as commands of people, so that it leaves the question to them.
func (c *oneCall) answer(ctx context.Context, q approvals.Question) (string, error) {
	a := c.app
	a.notice("the call waits for a person: %s", plain(q.Reason, 400))
	switch {
	case c.yes:
		return "", c.allow(ctx, q)
	case c.store.alone():
		a.notice("nobody can answer: this command has the store to itself. Run 'engine serve' beside it, or give --yes")
		return events.OutcomeUnavailable, nil
	}
	a.notice("see it with 'engine approve list %s', and answer with\n  engine approve answer %s %s once|reject --hash %s", c.session, c.session, q.ID, q.Hash)
	return "", nil
}

// allow answers as the person who wrote the call, and so has seen it whole.
func (c *oneCall) allow(ctx context.Context, q approvals.Question) error {
	m, err := meta()
	if err != nil {
		return err
	}
	answer := approvals.Answer{ID: q.ID, Reply: approvals.Reply{Kind: approvals.ReplyOnce}, Hash: q.Hash, By: actor().Name}
	if _, err := c.gate.engine.Do(ctx, c.session, engine.AnswerApprovals{Answers: []approvals.Answer{answer}}, m); err != nil {
		c.app.notice("--yes could not answer it: %v", err)
		return err
	}
	c.app.notice("allowed once, by --yes")
	return nil
}
