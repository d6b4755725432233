package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/fixtures/certify"
	"github.com/docket-engine/docket/internal/agent"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/tools"
)

// stage is where the cases are played.
type stage struct {
	dir     string
	routes  roleRoutes
	outside *outside
	asked   *listener
	store   *store
	gate    *gated
}

func (s *stage) path(name string) string { return filepath.Join(s.dir, name) }

// play plays all cases in order. What goes wrong in one is recorded with its calls.
// Review records are written beside the calls, so that they are read at the end.
func (s *stage) play(ctx context.Context, cases []certify.Case, report *certification) error {
	for _, c := range cases {
		for _, run := range c.Runs {
			report.Calls = append(report.Calls, s.playRun(ctx, c, run)...)
		}
	}
	if err := s.gate.close(ctx); err != nil {
		return err
	}
	for i := range report.Calls {
		report.Calls[i].read(context.WithoutCancel(ctx), s.store)
	}
	return nil
}

// playing is one run of a case.
type playing struct {
	*stage
	of      certify.Case
	run     certify.Run
	session events.SessionID
	folder  string
	agent   *agent.Agent

	mu     sync.Mutex // guards bodies
	bodies map[string]int
}

// playRun plays a case with one route, and gives a result for each of its calls
// whatever happens.
func (s *stage) playRun(ctx context.Context, c certify.Case, run certify.Run) []certifiedCall {
	id := events.SessionID(strings.ToLower(c.ID) + "-" + string(run.Role))
	p := &playing{stage: s, of: c, run: run, session: id, folder: s.path(filepath.Join("work", string(id))), bodies: map[string]int{}}
	broken := p.prepare(ctx)
	var results []certifiedCall
	for i, call := range c.Calls {
		r := newCertifiedCall(p, i, call)
		if broken != nil {
			r.fault("the case could not be prepared: %s", p.redacted(broken.Error()))
		} else {
			p.make(ctx, call, &r)
		}
		results = append(results, r)
	}
	return results
}

// prepare makes the files and the session, and its calls that nobody reviews: the
// session is on full access until then. From there on it is on auto, and under the
// policy never, so that a denial is final.
func (p *playing) prepare(ctx context.Context) error {
	if err := os.MkdirAll(p.folder, 0o700); err != nil {
		return err
	}
	for _, f := range p.of.Files {
		path := filepath.Join(p.folder, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(f.Content), 0o600); err != nil {
			return err
		}
	}
	if err := p.begin(ctx); err != nil {
		return err
	}
	for i, setup := range p.of.Setup {
		ran, err := p.turn(ctx, setup.Say, fmt.Sprintf("setup-%d", i+1), setup.Tool, setup.Arguments)
		switch {
		case err != nil:
			return err
		case ran.Refused != nil:
			return fmt.Errorf("the call of %s was refused: %s", setup.Tool, ran.Refused.Text)
		case ran.Result.IsError:
			return fmt.Errorf("the call of %s failed: %s", setup.Tool, ran.Result.Content[0].Text)
		}
	}
	m, err := meta()
	if err != nil {
		return err
	}
	if _, err := p.gate.gate.SetPreset(ctx, p.session, engine.SetPreset{Preset: presets.Auto}, m); err != nil {
		return err
	}
	_, err = p.store.do(ctx, p.session, engine.SetPolicy{Policy: events.PolicyNever})
	return err
}

func (p *playing) begin(ctx context.Context) error {
	header, err := events.NewHeader(events.Header{ID: p.session, CreatedAt: time.Now().UnixMilli(), CWD: p.folder})
	if err != nil {
		return err
	}
	if _, err := engine.Create(ctx, p.store.log, header, "create", actor()); err != nil {
		return err
	}
	m, err := meta()
	if err != nil {
		return err
	}
	if _, err := p.gate.gate.Publish(ctx, p.session, engine.Publish{UserDefault: presets.DangerFullAccess}, m); err != nil {
		return err
	}
	p.agent, err = agent.New(agent.Config{
		Engine: p.gate.engine, Gate: p.gate.gate, Executor: p.gate.executor, Tools: p.gate.tools,
		Route: p.routes[p.run.Role], Starting: p.starting,
	}, header)
	return err
}

func (p *playing) starting(permit permit.Permit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bodies[permit.Tool]++
}

func (p *playing) ran(tool string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bodies[tool]
}

// turn is one turn of one call.
func (p *playing) turn(ctx context.Context, say, id, tool string, arguments jsontext.Value) (engine.Ran, error) {
	if say != "" {
		if err := p.agent.Hear(ctx, actor(), p.filled(say)); err != nil {
			return engine.Ran{}, err
		}
	}
	if err := p.agent.StartTurn(ctx); err != nil {
		return engine.Ran{}, err
	}
	ran, err := p.agent.Step(ctx, agent.Said{Calls: []agent.Call{{ID: id, Name: tool, Arguments: p.filled(string(arguments))}}})
	if err == nil {
		err = p.agent.EndTurn(ctx)
	}
	if err != nil {
		return engine.Ran{}, err
	}
	return ran[0], nil
}

// filled puts the outside host's address in its place.
func (p *playing) filled(text string) string {
	return strings.ReplaceAll(text, certify.Outside, p.outside.address())
}

// make makes a call under review, and records what can be seen at once.
func (p *playing) make(ctx context.Context, call certify.Call, r *certifiedCall) {
	asked, bodies, came := p.asked.count(), p.ran(call.Tool), p.outside.connections()
	tool, arguments := call.Tool, call.Arguments
	if p.run.Mode == certify.Inner {
		var err error
		if tool, arguments, err = asProgram(call); err != nil {
			r.fault("the program could not be written: %v", err)
			return
		}
	}
	if _, err := p.turn(ctx, call.Say, r.CallID, tool, arguments); err != nil {
		r.fault("the call could not be made: %s", p.redacted(err.Error()))
	}
	r.questions = p.asked.since(asked)
	r.Effects.Bodies = p.ran(call.Tool) - bodies
	r.Effects.Connections = p.outside.connections() - came
	for name := range call.Expect.Files {
		r.Effects.Files[name] = p.presence(name, r)
	}
}

// asProgram is a call as a program makes it.
func asProgram(call certify.Call) (tool string, arguments jsontext.Value, err error) {
	text, err := json.Marshal(map[string]string{"code": fmt.Sprintf("return await tools.%s(%s);", call.Tool, call.Arguments)})
	return tools.RunCodeName, text, err
}

func (p *playing) presence(name string, r *certifiedCall) certify.Presence {
	_, err := os.Lstat(filepath.Join(p.folder, filepath.FromSlash(name)))
	switch {
	case err == nil:
		return certify.Present
	case errors.Is(err, os.ErrNotExist):
		return certify.Gone
	default:
		r.fault("%s could not be looked at", name)
		return ""
	}
}

const maxReason = 240 // in characters

// redacted is a text without the case's secrets and this machine's paths, on one
// line and short.
func (p *playing) redacted(text string) string {
	for _, s := range p.of.Secrets {
		text = strings.ReplaceAll(text, s, "[credential]")
	}
	text = strings.ReplaceAll(text, p.folder, "[folder]")
	text = strings.ReplaceAll(text, p.dir, "[temporary]")
	text = strings.ReplaceAll(text, p.outside.address(), "[outside host]")
	return plain(text, maxReason)
}
