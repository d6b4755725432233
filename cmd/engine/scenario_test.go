package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
)

// TestTwoEnginesServeThreeAgentsAndOneIsKilled: on one server of one's own, with
// everything in it that the demo has; and in the middle of a call of each agent the
// engine is killed that reviews one of them. Behind it every log verifies, and what
// was dispatched ran once and nothing else at all.
func TestTwoEnginesServeThreeAgentsAndOneIsKilled(t *testing.T) {
	p := newPlay(t)
	alpha, beta, gamma := p.agent("alpha"), p.agent("beta"), p.agent("gamma")
	p.together(
		func() { p.programAndChild(alpha) },
		func() { p.denialAndCancellation(beta) },
		func() { p.approval(gamma) },
	)
	p.killInMidCall(alpha, beta, gamma)
	p.together(
		func() { p.end(alpha, "ran late") },
		func() { p.end(beta, "after the loss") },
		func() { p.end(gamma, "as before") },
	)
	p.wantNoWaysBack()
	p.wantBodiesOfDispatches()
	p.wantLogsVerify()
}

// programAndChild makes a call, a program's calls, and a child that makes one of its
// own and tells of it.
func (p *play) programAndChild(s *client.Session) {
	ctx := p.ctx
	calls := p.wants(s, "echo plain", "run program", startsChild)
	p.wantRan(s.Run(ctx, calls[0], p.body(nil)))
	p.wantRan(s.Run(ctx, calls[1], p.body(func(ctx context.Context, parent permit.Permit) error {
		for i := range 2 {
			ran, err := s.Run(ctx, client.Call{
				ID: fmt.Sprintf("%s:ptc:%d", parent.CallID, i+1), Name: shellTool, Arguments: `{"command":"echo within"}`,
				Inner: &api.InnerCall{RootCallID: parent.CallID, ParentCallID: parent.CallID, Schema: shellSchema()},
			}, p.body(nil))
			if err = errors.Join(err, ran.Err()); err != nil {
				return err
			}
		}
		return nil
	})))
	p.wantRan(s.Run(ctx, calls[2], p.body(func(ctx context.Context, parent permit.Permit) error {
		made, err := s.Spawn(ctx, api.Spawn{Mode: "one-shot", Provider: "spawn", Prompt: startsChild, CallID: parent.CallID, Credential: true})
		if err != nil {
			return err
		}
		child, err := p.dial([]byte(made.Credential.Creds)).Session("")
		if err != nil {
			return err
		}
		return p.childWorks(ctx, child, s.ID())
	})))
	p.must(s.EndStep(ctx))
}

// childWorks is what a child does in the step that it is started in.
func (p *play) childWorks(ctx context.Context, child *client.Session, parent events.SessionID) error {
	call := shellCall("child-1", "echo as a child")
	err := errors.Join(
		child.SetRequest(ctx, shellRequest()),
		child.Say(ctx, saying(call)),
	)
	if err != nil {
		return err
	}
	ran, err := child.Run(ctx, call, p.body(nil))
	return errors.Join(err, ran.Err(),
		child.EndStep(ctx), child.EndTurn(ctx), child.Send(ctx, parent, "the child is done", ""))
}

// denialAndCancellation has a call denied under never, and another one given up while
// the model thinks about it.
func (p *play) denialAndCancellation(s *client.Session) {
	ctx := p.ctx
	p.must(p.ana.SetPolicy(ctx, s.ID(), events.PolicyNever))
	calls := p.wants(s, "rm -r drafts", "think then "+string(s.ID()))
	p.wantRefused(client.ErrDenied)(s.Run(ctx, calls[0], p.body(nil)))
	thinking, cancel := context.WithCancel(ctx)
	defer cancel()
	p.whenAsked(s.ID(), func(string) { cancel() })
	p.wantRefused(client.ErrCancelled)(s.Run(thinking, calls[1], p.body(nil)))
	p.must(s.EndStep(ctx))
}

// approval has a person allow what was denied, and reject it the second time.
func (p *play) approval(s *client.Session) {
	ctx := p.ctx
	calls := p.wants(s, "rm -r old", "rm -r new")
	p.answers(s.ID(), func(q *client.Question) error { return q.Allow(ctx, "go on") })
	p.wantRan(s.Run(ctx, calls[0], p.body(nil)))
	p.answers(s.ID(), func(q *client.Question) error { return q.Reject(ctx, "not that one") })
	p.wantRefused(client.ErrDenied)(s.Run(ctx, calls[1], p.body(nil)))
	p.must(s.EndStep(ctx))
}

// killInMidCall kills the engine that has one agent's call under review, while the
// body of another one runs and a person is asked about the third.
func (p *play) killInMidCall(running, reviewed, asking *client.Session) {
	ctx := p.ctx
	killed, started, asked := make(chan struct{}), make(chan struct{}), make(chan *client.Question, 1)
	p.answers(asking.ID(), func(q *client.Question) error {
		asked <- q
		return nil
	})
	p.whenAsked(reviewed.ID(), func(engine string) {
		<-started
		q := <-asked
		p.kill(engine)
		close(killed)
		p.must(q.Allow(ctx, "whoever asks"))
	})
	p.together(
		func() {
			p.step(running)
			p.wantRan(running.Run(ctx, p.says(running, "echo slowly")[0], p.body(func(ctx context.Context, _ permit.Permit) error {
				close(started)
				select {
				case <-killed:
					return nil
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			})))
		},
		func() {
			p.step(reviewed)
			ran, err := reviewed.Run(ctx, p.says(reviewed, "think then "+string(reviewed.ID()))[0], p.body(nil))
			p.wantRefused(client.ErrFailed)(ran, err)
			if !strings.Contains(ran.Text(), "REVIEWER_LOST") {
				p.t.Errorf("got %s, want REVIEWER_LOST", ran.Text())
			}
		},
		func() {
			p.step(asking)
			p.wantRan(asking.Run(ctx, p.says(asking, "rm -r later")[0], p.body(nil)))
		},
	)
}

// end makes one more call with the engine that is left, and ends the turn.
func (p *play) end(s *client.Session, text string) {
	ctx := p.ctx
	p.must(s.EndStep(ctx))
	p.step(s)
	p.wantRan(s.Run(ctx, p.says(s, "echo "+text)[0], p.body(nil)))
	p.must(s.EndStep(ctx))
	p.must(s.EndTurn(ctx))
}

// agent is one on a session of its own, with a credential that is good for it alone.
func (p *play) agent(name string) *client.Session {
	p.t.Helper()
	ctx := p.ctx
	made, err := p.ana.Create(ctx, api.SessionCreate{Command: api.Command{Session: events.SessionID(name)}, CWD: "/srv/demo", Preset: presets.Auto})
	p.must(err)
	p.must(p.ana.AllowRoute(ctx, made.Session, "p", "m"))
	credential, err := p.ana.Credential(ctx, made.Session)
	p.must(err)
	s, err := p.dial([]byte(credential.Creds)).Session("")
	p.must(err)
	return s
}
