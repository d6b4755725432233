package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/fixtures/demo"
	"github.com/docket-engine/docket/internal/agent"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// demoPlay plays a recording: it says and calls what stands there, and answers as
// its person. What becomes of it, it learns from nobody.
type demoPlay struct {
	gated     *gated
	watch     *demoWatch
	recording demo.Recording
	route     reviewer.RouteName
	answers   map[string]demo.Answer        // by call
	leave     map[string]context.CancelFunc // of the callers that go away, by call
	gone      map[string]context.Context    // theirs
	steps     map[string][]demo.Step        // of children, by the parent's call
	sessions  []events.SessionID            // in the order in which they were made
}

func newDemoPlay(ctx context.Context, g *gated, w *demoWatch, r demo.Recording, route reviewer.RouteName) *demoPlay {
	p := &demoPlay{
		gated: g, watch: w, recording: r, route: route, answers: map[string]demo.Answer{},
		leave: map[string]context.CancelFunc{}, gone: map[string]context.Context{}, steps: map[string][]demo.Step{},
	}
	for _, s := range r.Scenes {
		p.prepare(ctx, s.Steps)
	}
	return p
}

// prepare finds what the script says about each call.
func (p *demoPlay) prepare(ctx context.Context, steps []demo.Step) {
	for _, s := range steps {
		for _, c := range s.Calls {
			if c.Answer != nil {
				p.answers[c.ID] = *c.Answer
			}
			for i, inner := range c.Inner {
				if inner.Answer != nil {
					p.answers[innerID(c.ID, i)] = *inner.Answer
				}
			}
			if c.Leaves {
				p.gone[c.ID], p.leave[c.ID] = context.WithCancel(ctx)
			}
			if c.Child != nil {
				p.steps[c.ID] = c.Child
			}
			p.prepare(ctx, c.Child)
		}
	}
}

// innerID is the id of a program's call, from 0.
func innerID(parent string, i int) string { return fmt.Sprintf("%s:ptc:%d", parent, i+1) }

// play plays all scenes. The person answers beside it.
func (p *demoPlay) play(ctx context.Context, header events.Header) error {
	if err := p.open(ctx, header); err != nil {
		return err
	}
	a, err := p.gated.newAgent(header, p.route, func(c *agent.Config) { c.Delegate, c.Pace = p.delegate, p.pace })
	if err != nil {
		return err
	}
	p.follow(ctx, header.ID, false)
	answering, done := context.WithCancel(ctx)
	p.watch.following.Go(func() {
		if err := p.answerAll(answering); err != nil {
			p.watch.fail(err)
		}
	})
	defer done()
	if err := p.caughtUp(ctx, header.ID); err != nil {
		return err
	}
	for _, s := range p.recording.Scenes {
		if err := p.scene(ctx, a, s); err != nil {
			return err
		}
	}
	return nil
}

func (p *demoPlay) follow(ctx context.Context, id events.SessionID, child bool) {
	p.sessions = append(p.sessions, id)
	p.watch.follow(ctx, id, child)
}

// open makes the session and puts it on auto, as a person would.
func (p *demoPlay) open(ctx context.Context, header events.Header) error {
	if _, err := engine.Create(ctx, p.gated.log, header, "create", actor()); err != nil {
		return err
	}
	m, err := meta()
	if err != nil {
		return err
	}
	if _, err := p.gated.gate.Publish(ctx, header.ID, engine.Publish{}, m); err != nil {
		return err
	}
	if m, err = meta(); err != nil {
		return err
	}
	_, err = p.gated.gate.SetPreset(ctx, header.ID, engine.SetPreset{Preset: presets.Auto}, m)
	return err
}

// scene is one turn. Nothing of it begins before what was is shown.
func (p *demoPlay) scene(ctx context.Context, a *agent.Agent, s demo.Scene) error {
	if err := p.watch.tell(ctx, moment{Moment: momentScene, Title: s.Title, Text: s.Note}); err != nil {
		return err
	}
	if s.Approval != "" {
		if err := p.do(ctx, a.Session(), engine.SetPolicy{Policy: s.Approval}); err != nil {
			return err
		}
	}
	err := a.Hear(ctx, actor(), s.Person)
	if err == nil {
		err = a.StartTurn(ctx)
	}
	if err == nil {
		err = p.turn(ctx, a, s.Steps)
	}
	return err
}

// turn plays the steps of one that is open, and ends it.
func (p *demoPlay) turn(ctx context.Context, a *agent.Agent, steps []demo.Step) error {
	for _, s := range steps {
		said := agent.Said{Text: s.Says}
		for _, c := range s.Calls {
			said.Calls = append(said.Calls, agent.Call{ID: c.ID, Name: c.Tool, Arguments: string(c.Arguments), Context: p.gone[c.ID]})
		}
		if _, err := a.Step(ctx, said); err != nil {
			return err
		}
		if err := p.caughtUp(ctx, a.Session()); err != nil {
			return err
		}
	}
	return errors.Join(a.EndTurn(ctx), p.caughtUp(ctx, a.Session()))
}

// delegate plays a child, and gives the last that it says.
func (p *demoPlay) delegate(ctx context.Context, c agent.Child) (string, error) {
	steps := p.steps[c.CallID]
	if len(steps) == 0 {
		return "", fmt.Errorf("the recording has no child for the call %s", c.CallID)
	}
	if err := p.caughtUp(ctx, p.sessions[0]); err != nil { // the parent's call comes before the child's
		return "", err
	}
	p.follow(ctx, c.Agent.Session(), true)
	return steps[len(steps)-1].Says, p.turn(ctx, c.Agent, steps)
}

// pace lets a call begin when what came before it is shown, and the files with it.
func (p *demoPlay) pace(ctx context.Context, id events.SessionID) {
	if err := p.caughtUp(ctx, id); err != nil && ctx.Err() == nil {
		p.watch.fail(err)
	}
}

// caughtUp waits until all that has happened in a session is shown.
func (p *demoPlay) caughtUp(ctx context.Context, id events.SessionID) error {
	var next events.Seq
	err := p.gated.engine.View(ctx, id, func(s *projections.Session) error {
		next = s.Next()
		return nil
	})
	if err != nil {
		return err
	}
	return p.watch.caughtUp(ctx, id, next)
}

func (p *demoPlay) do(ctx context.Context, id events.SessionID, c engine.Command) error {
	m, err := meta()
	if err == nil {
		_, err = p.gated.engine.Do(ctx, id, c, m)
	}
	return err
}

// answerAll is the person: it answers what it was shown, and rejects what the
// recording has no answer for.
func (p *demoPlay) answerAll(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case q := <-p.watch.asked:
			if leave, leaves := p.leave[q.Call]; leaves {
				leave()
				continue
			}
			if err := p.answer(ctx, q); err != nil {
				return err
			}
		}
	}
}

func (p *demoPlay) answer(ctx context.Context, q moment) error {
	scripted, ok := p.answers[q.Call]
	if !ok {
		scripted = demo.Answer{Reply: string(approvals.ReplyReject), Note: "The recording has no answer to this."}
	}
	reply := approvals.Reply{Kind: approvals.ReplyKind(scripted.Reply), Feedback: scripted.Note}
	err := p.do(ctx, q.Session, engine.AnswerApprovals{Answers: []approvals.Answer{{ID: q.Question, Reply: reply, Hash: q.Hash, By: actor().Name}}})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("answer the question %s: %w", q.Question, err)
	}
	return nil
}

// newDemoHeader is the session's, in the project's folder.
func newDemoHeader(id, folder string) (events.Header, error) {
	session, err := sessionID(id)
	if err != nil {
		return events.Header{}, err
	}
	return events.NewHeader(events.Header{ID: session, CreatedAt: time.Now().UnixMilli(), CWD: folder})
}
