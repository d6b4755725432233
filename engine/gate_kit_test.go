package engine_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// judge is a double for a reviewer's judgement, and for nothing else: it is asked
// as a real one is and answers what its test says.
type judge struct {
	prepare func(reviewer.View, reviewer.Call) error
	answer  func(ctx context.Context, c reviewer.Call) (reviewer.Verdict, error)

	mu    sync.Mutex
	calls []reviewer.Call // that it was asked about
}

func (j *judge) Name() string { return "double" }

func (j *judge) Prepare(v reviewer.View, c reviewer.Call) (reviewer.Review, error) {
	if v.Session == nil || v.History == nil {
		return nil, errors.New("the double was shown nothing")
	}
	if j.prepare != nil {
		if err := j.prepare(v, c); err != nil {
			return nil, err
		}
	}
	return judgement{j, c}, nil
}

type judgement struct {
	judge *judge
	call  reviewer.Call
}

func (r judgement) Ask(ctx context.Context) (reviewer.Verdict, error) {
	r.judge.mu.Lock()
	r.judge.calls = append(r.judge.calls, r.call)
	r.judge.mu.Unlock()
	return r.judge.answer(ctx, r.call)
}

func (r judgement) Digest() string { return strings.Repeat("0", 64) }
func (r judgement) Route() string  { return "double/double" }

// asked is how often the double was asked.
func (j *judge) asked() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.calls)
}

func always(outcome reviewer.Outcome, reason string) func(context.Context, reviewer.Call) (reviewer.Verdict, error) {
	v := reviewer.Verdict{Outcome: outcome}
	if reason != "" {
		v.Reason = jsontext.Value(reason)
	}
	return func(context.Context, reviewer.Call) (reviewer.Verdict, error) { return v, nil }
}

// failing is a failure of the double.
var failing = &reviewer.Failure{Class: reviewer.ClassTimeout, Code: "MODEL_IDLE", Detail: "nothing came for 60 s"}

func fails(context.Context, reviewer.Call) (reviewer.Verdict, error) {
	return reviewer.Verdict{}, failing
}

// yard is a gate with what belongs to it, and a session that makes calls.
type yard struct {
	t        *testing.T
	log      events.Log
	memory   *eventstest.Memory
	engine   *engine.Engine
	registry *presets.Registry
	gate     *engine.Gate
	judge    *judge
	reviewer reviewer.Reviewer // in the judge's place, where a test has a real one
	executor *permit.Executor
	key      ed25519.PrivateKey
	id       events.SessionID
	n        int
	bodies   []string // of the calls whose body ran
	mu       sync.Mutex
}

type yardOption func(*engine.GateConfig, *yard)

// reviewedBy has a real reviewer judge the yard's calls.
func reviewedBy(r reviewer.Reviewer) yardOption {
	return func(_ *engine.GateConfig, y *yard) { y.reviewer = r }
}

// onLog puts a log between the yard and its memory.
func onLog(wrap func(events.Log) events.Log) yardOption {
	return func(_ *engine.GateConfig, y *yard) { y.log = wrap(y.memory) }
}

func newYard(t *testing.T, j *judge, opts ...yardOption) *yard {
	t.Helper()
	memory := &eventstest.Memory{}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	y := &yard{t: t, memory: memory, log: memory, judge: j, key: key, id: "work"}
	h := eventstest.Header(t, y.id, func(h *events.Header) { h.CWD = "/srv/demo" })
	if err := memory.Create(t.Context(), events.Creation{ID: "create", Header: h}); err != nil {
		t.Fatal(err)
	}
	y.open(opts...)
	return y
}

// open gives the yard an engine and a gate of its own, as a process that starts
// does.
func (y *yard) open(opts ...yardOption) {
	y.t.Helper()
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	if err != nil {
		y.t.Fatal(err)
	}
	y.registry = presets.NewRegistry(table, nil)
	y.n += 100
	cfg := engine.GateConfig{Registry: y.registry, Tail: y.memory, Instance: fmt.Sprint("engine-", y.n), Key: y.key, Audit: y.memory}
	for _, o := range opts {
		o(&cfg, y)
	}
	if y.engine, err = engine.New(engine.Config{Log: y.log}); err != nil {
		y.t.Fatal(err)
	}
	cfg.Engine = y.engine
	if y.gate, err = engine.NewGate(cfg); err != nil {
		y.t.Fatal(err)
	}
	y.install()
	y.executor = permit.NewExecutor(y.key.Public().(ed25519.PublicKey))
}

func (y *yard) install() {
	y.t.Helper()
	var by reviewer.Reviewer = y.judge
	if y.reviewer != nil {
		by = y.reviewer
	}
	err := y.gate.Install(engine.Installation{Integration: presets.AutoIntegration(), Reviewer: by, Words: auto.Words()})
	if err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) meta() engine.Meta {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.n++
	return engine.Meta{ID: events.AppendID(fmt.Sprint("command-", y.n)), Actor: events.Actor{Class: "agent", Name: string(y.id)}, Now: 1_800_000_000_000 + int64(y.n)}
}

func (y *yard) do(cs ...engine.Command) {
	y.t.Helper()
	for _, c := range cs {
		if _, err := y.engine.Do(y.t.Context(), y.id, c, y.meta()); err != nil {
			y.t.Fatalf("%T: %v", c, err)
		}
	}
}

// on puts the session on a preset, and on an approval policy if one is given.
func (y *yard) on(preset, policy string) {
	y.t.Helper()
	if _, err := y.gate.Publish(y.t.Context(), y.id, engine.Publish{}, y.meta()); err != nil {
		y.t.Fatal(err)
	}
	if _, err := y.gate.SetPreset(y.t.Context(), y.id, engine.SetPreset{Preset: preset}, y.meta()); err != nil {
		y.t.Fatal(err)
	}
	if policy != "" {
		y.do(engine.SetPolicy{Policy: policy})
	}
}

// wants opens a step whose model asks for calls of the tool shell.
func (y *yard) wants(ids ...string) {
	y.t.Helper()
	var blocks []events.Block
	for _, id := range ids {
		blocks = append(blocks, events.ToolCallBlock(id, "shell", argumentsOf(id)))
	}
	y.do(engine.StartTurn{}, engine.StartStep{}, engine.SetRequest{Header: shellHeader(), Reason: "initial"},
		engine.AssistantMessage{MessageID: "a", Provider: "p", Model: "m", Content: blocks})
}

func argumentsOf(id string) string { return fmt.Sprintf(`{"command":"echo %s"}`, id) }

func shellHeader() events.RequestConfiguration {
	return events.RequestConfiguration{
		Config: events.RequestConfig{Provider: "p", Model: "m"},
		Tools:  []events.ToolDefinition{{Name: "shell", Description: jsontext.Value(`"runs"`), Parameters: jsontext.Value(`{"type":"object"}`)}},
	}
}

// asks are auto's words of a session that makes calls under review.
func asks(t *testing.T, j *judge, policy string, ids ...string) *yard {
	t.Helper()
	y := newYard(t, j)
	y.on(presets.Auto, policy)
	y.wants(ids...)
	return y
}

func (y *yard) request(id string) engine.CallRequest {
	return engine.CallRequest{Session: y.id, CallID: id, Name: "shell", Arguments: argumentsOf(id)}
}

// body notes that it ran.
func (y *yard) body(_ context.Context, p permit.Permit) engine.BodyResult {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.bodies = append(y.bodies, p.CallID+" "+string(p.Arguments)+" "+p.Mode)
	return engine.BodyResult{Content: []events.Block{events.TextBlock("done")}}
}

// run takes a call through the gate and runs its body.
func (y *yard) run(ctx context.Context, r engine.CallRequest) (engine.Ran, error) {
	return y.gate.Run(ctx, y.executor, r, y.meta(), y.body)
}

// ran is what became of a call, and fails if the gate could not say.
func (y *yard) ran(ctx context.Context, id string) engine.Ran {
	y.t.Helper()
	ran, err := y.run(ctx, y.request(id))
	if err != nil {
		y.t.Errorf("call %s: %v", id, err) // also from another goroutine than the test's
	}
	return ran
}

// lines are the log's events from a type on, as type and what tells them apart.
func (y *yard) tail(from events.Type) []string {
	y.t.Helper()
	var out []string
	for _, e := range eventstest.Check(y.t, y.memory, y.id) {
		if len(out) > 0 || e.Type() == from {
			out = append(out, summary(e))
		}
	}
	return out
}

func summary(e events.Envelope) string {
	text := string(e.Type())
	switch ev := any(e.Event).(type) {
	case events.ToolCall:
		text += " " + ev.CallID
	case events.PTCDispatchStart:
		text += " " + ev.SubCallID
	case events.PTCDispatch:
		text += " " + ev.SubCallID + ended(*ev.IsError, ev.Error)
	case events.ReviewVerdict:
		text += " " + ev.CallID + " " + ev.Outcome
		if ev.Reason != nil {
			text += " " + string(ev.Reason)
		}
		if ev.Failure != nil {
			text += " " + ev.Failure.Class
		}
	case events.ToolDispatched:
		text += " " + ev.CallID + " by " + dispatchedBy(ev)
	case events.ToolResult:
		text += " " + ev.CallID() + ended(ev.Message.IsError, ev.Error)
	case events.ApprovalDecided:
		text += " " + ev.Outcome
	case events.PermissionPreset:
		text += " " + ev.Preset
	case events.ApprovalPolicy:
		text += " " + ev.Policy
	}
	return text
}

func dispatchedBy(d events.ToolDispatched) string {
	switch {
	case d.VerdictSeq != nil:
		return "verdict"
	case d.DecisionSeq != nil:
		return "decision"
	default:
		return "preset"
	}
}

func ended(isError bool, e *events.ToolError) string {
	switch {
	case e != nil:
		return " " + e.Code
	case isError:
		return " error"
	default:
		return " ok"
	}
}

// refusalOf is the refusal in an error.
func refusalOf(t *testing.T, err error) *events.Refusal {
	t.Helper()
	r, ok := errors.AsType[*events.Refusal](err)
	if !ok {
		t.Fatalf("got %v, want a refusal", err)
	}
	return r
}

// asCode is the code of the refusal in an error, "" if it is none.
func asCode(err error) string {
	if r, ok := errors.AsType[*events.Refusal](err); ok {
		return r.Code
	}
	return ""
}

// nowOf is a time at which an answer's permit is good.
func nowOf(a engine.Answer) time.Time { return time.UnixMilli(a.Permit.Permit.ExpiresAt - 1) }
