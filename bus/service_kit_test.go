package bus_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// establishDouble stands for the server's word on who calls, and for nothing else:
// it believes the subject. What it says beside class and name is what its test gave.
type establishDouble map[string]bus.Caller

func (d establishDouble) establish(h nats.Header, subject string) (bus.Caller, error) {
	a, err := api.ParseSubject(subject)
	if err != nil || h.Get("Test-Unknown") != "" {
		return bus.Caller{}, errors.New("the double does not know the caller")
	}
	if c, ok := d[string(a.Role)+"."+a.Identity]; ok {
		return c, nil
	}
	return bus.Caller{Class: string(a.Role), Name: a.Identity}, nil
}

// judge is a double for a reviewer's judgement, and for nothing else.
type judge struct {
	answer func(context.Context, reviewer.Call) (reviewer.Verdict, error)
	asked  chan string // told of each call that it is asked about; never full in a test
}

func (j *judge) Name() string { return "double" }

func (j *judge) Prepare(_ reviewer.View, c reviewer.Call) (reviewer.Review, error) {
	return judgement{j, c}, nil
}

type judgement struct {
	judge *judge
	call  reviewer.Call
}

func (r judgement) Ask(ctx context.Context) (reviewer.Verdict, error) {
	r.judge.asked <- r.call.CallID
	return r.judge.answer(ctx, r.call)
}
func (r judgement) Digest() string { return strings.Repeat("0", 64) }
func (r judgement) Route() string  { return "double/double" }

func allows(context.Context, reviewer.Call) (reviewer.Verdict, error) {
	return reviewer.Verdict{Outcome: reviewer.Allow}, nil
}

func denies(context.Context, reviewer.Call) (reviewer.Verdict, error) {
	return reviewer.Verdict{Outcome: reviewer.Deny, Reason: []byte(`"no"`)}, nil
}

// waits judges nothing until its caller goes away.
func waits(ctx context.Context, _ reviewer.Call) (reviewer.Verdict, error) {
	<-ctx.Done()
	return reviewer.Verdict{}, ctx.Err()
}

// yard is a store on a real server, with engines that serve it.
type yard struct {
	t    *testing.T
	key  ed25519.PrivateKey
	keys jetstream.Keys

	connect    func() *nats.Conn                 // as an engine
	credential func(api.Role, string) *nats.Conn // as somebody else
	establish  func(nats.Header, string) (bus.Caller, error)
	callers    establishDouble
	// reviewer judges for an engine; nil for its own double.
	reviewer func(*replica) reviewer.Reviewer

	mu sync.Mutex // guards n
	n  int
}

// replica is one engine on a connection of its own.
type replica struct {
	*yard
	nc       *nats.Conn
	log      *jetstream.Log
	engine   *engine.Engine
	gate     *engine.Gate
	registry *presets.Registry
	service  *bus.Service
	judge    *judge
}

type option func(*bus.ServiceConfig)

func newKey(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	must(t, err)
	return key
}

func newYard(t *testing.T) *yard {
	t.Helper()
	y := newKeys(t)
	node := jetstreamtest.Server(t)
	y.connect = func() *nats.Conn { return node.Connect() }
	y.credential = func(api.Role, string) *nats.Conn { return node.Connect() }
	y.establish = y.callers.establish
	js, err := natsjs.New(y.connect())
	must(t, err)
	_, err = jetstream.Provision(t.Context(), js, jetstream.Layout{})
	must(t, err)
	return y
}

// serve starts an engine.
func (y *yard) serve(answer func(context.Context, reviewer.Call) (reviewer.Verdict, error), opts ...option) *replica {
	y.t.Helper()
	nc := y.connect()
	r := &replica{yard: y, nc: nc, judge: &judge{answer: answer, asked: make(chan string, 100)}}
	var err error
	r.log, err = jetstream.NewLog(jetstream.LogConfig{Conn: nc, Keys: y.keys})
	must(y.t, err)
	r.engine, err = engine.New(engine.Config{Log: r.log, Snapshots: r.log})
	must(y.t, err)
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	must(y.t, err)
	r.registry = presets.NewRegistry(table, nil)
	instance := y.name("engine")
	r.gate, err = engine.NewGate(engine.GateConfig{
		Engine: r.engine, Registry: r.registry, Tail: r.log, Instance: instance, Key: y.key, Audit: r.log, Elsewhere: bus.Elsewhere(nc, instance),
	})
	must(y.t, err)
	must(y.t, r.gate.Install(engine.Installation{Integration: presets.AutoIntegration(), Reviewer: y.judging(r), Words: auto.Words()}))
	cfg := bus.ServiceConfig{
		Conn: nc, Engine: r.engine, Gate: r.gate, Registry: r.registry, Log: r.log, Tail: r.log, Establish: y.establish, Instance: instance,
	}
	for _, o := range opts {
		o(&cfg)
	}
	r.service, err = bus.NewService(cfg)
	must(y.t, err)
	must(y.t, r.service.Start())
	y.t.Cleanup(r.stop)
	return r
}

func (y *yard) judging(r *replica) reviewer.Reviewer {
	if y.reviewer == nil {
		return r.judge
	}
	return y.reviewer(r)
}

// stop ends the engine in order; it does nothing if its connection is closed.
func (r *replica) stop() {
	if r.nc.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := r.service.Shutdown(ctx); err != nil {
		r.t.Errorf("shut down: %v", err)
	}
	if err := r.log.Close(ctx); err != nil {
		r.t.Errorf("close the log: %v", err)
	}
	r.nc.Close()
}

func (y *yard) name(what string) string {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.n++
	return fmt.Sprintf("%s-%d", what, y.n)
}

// client is somebody on the bus.
type client struct {
	*yard
	nc       *nats.Conn
	role     api.Role
	identity string
}

func (y *yard) client(role api.Role, identity string) *client {
	y.t.Helper()
	return &client{yard: y, nc: y.credential(role, identity), role: role, identity: identity}
}

func (c *client) subject(command string) string {
	return api.Address{Role: c.role, Identity: c.identity, Command: command}.Subject()
}

// request sends a request as bytes and gives the first answer.
func (c *client) request(command string, data []byte, header nats.Header) (reply []byte, failed *api.Error) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 10*time.Second)
	defer cancel()
	m, err := c.nc.RequestMsgWithContext(ctx, &nats.Msg{Subject: c.subject(command), Data: data, Header: header})
	if err != nil {
		c.t.Fatalf("%s: %v", c.subject(command), err)
	}
	return m.Data, errorIn(c.t, m)
}

func errorIn(t *testing.T, m *nats.Msg) *api.Error {
	t.Helper()
	if m.Header.Get(api.ErrorCodeHeader) == "" {
		return nil
	}
	var e api.Error
	must(t, json.Unmarshal(m.Data, &e, json.RejectUnknownMembers(true)))
	if string(e.Code) != m.Header.Get(api.ErrorCodeHeader) || e.Message == "" {
		t.Errorf("got the error %+v under the header %v", e, m.Header)
	}
	return &e
}

// try sends a request that may be refused.
func (c *client) try(command string, r any) *api.Error {
	c.t.Helper()
	_, failed := c.request(command, encode(c.t, r), nil)
	return failed
}

// do sends a request that must be done, and gives its reply.
func do[Reply any](c *client, command string, r any) Reply {
	c.t.Helper()
	data, failed := c.request(command, encode(c.t, r), nil)
	if failed != nil {
		c.t.Fatalf("%s as %s %s: %v (%s)", command, c.role, c.identity, failed, failed.Code)
	}
	var reply Reply
	if err := json.Unmarshal(data, &reply, json.RejectUnknownMembers(true)); err != nil {
		c.t.Fatalf("%s: got %s: %v", command, data, err)
	}
	return reply
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v, json.Deterministic(true))
	must(t, err)
	return text
}

// command is a new command's part; about may be empty.
func (c *client) command(about events.SessionID) api.Command {
	return api.Command{ID: c.name("command"), Session: about}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, failed *api.Error, code api.Code) {
	t.Helper()
	if failed == nil || failed.Code != code {
		t.Helper()
		t.Errorf("got %+v, want the code %s", failed, code)
	}
}

// session begins a session of a person's, on a preset.
func (c *client) session(id events.SessionID, preset string) {
	c.t.Helper()
	do[api.Created](c, "session.create", api.SessionCreate{Command: c.command(id), CWD: "/srv/demo", Preset: preset})
}

// wants takes the session to a step whose model asks for calls.
func (c *client) wants(about events.SessionID, calls ...string) {
	c.t.Helper()
	var blocks []events.Block
	for _, id := range calls {
		blocks = append(blocks, events.ToolCallBlock(id, toolOf(id), arguments(id)))
	}
	do[api.Done](c, "turn.start", api.TurnStart{Command: c.command(about)})
	do[api.Done](c, "step.start", api.StepStart{Command: c.command(about)})
	do[api.Done](c, "request.set", api.RequestSet{
		Command: c.command(about), Provider: "p", Model: "m", Reason: "initial",
		Tools: []api.Tool{{Name: "shell", Description: []byte(`"runs"`), Parameters: []byte(`{"type":"object"}`)}},
	})
	do[api.Done](c, "message.assistant", api.AssistantMessage{Command: c.command(about), MessageID: "a", Provider: "p", Model: "m", Content: blocks})
}

// delegation is the call that a test's model makes of task, with the prompt that its
// children have; every other one is of shell.
const (
	delegation = "task"
	prompt     = "go"
)

func toolOf(id string) string {
	if id == delegation {
		return "task"
	}
	return "shell"
}

func arguments(id string) string {
	if id == delegation {
		return `{"prompt":"` + prompt + `"}`
	}
	return `{"command":"echo ` + id + `"}`
}

// spawns makes the session's child by the call delegation, and gives the call's nonce.
func (c *client) spawns(x *permit.Executor, session events.SessionID, r api.Spawn) (made api.Spawned, nonce string) {
	c.t.Helper()
	a := c.call(x, session, delegation).answer()
	if a.Permit == nil {
		c.t.Fatalf("got %+v, want the delegation dispatched", a)
	}
	r.Command, r.Prompt, r.PromptID, r.CallID = c.command(""), prompt, "p", delegation
	return do[api.Spawned](c, "spawn", r), a.Permit.Permit.Nonce
}

// executor is where bodies would run.
func (y *yard) executor() *permit.Executor {
	return permit.NewExecutor(y.key.Public().(ed25519.PublicKey))
}

// calling is a call that was asked for.
type calling struct {
	client  *client
	session events.SessionID
	request api.Call
	answers *nats.Subscription
	inbox   string
}

// call asks for a call and waits until it is acknowledged.
func (c *client) call(x *permit.Executor, session events.SessionID, id string) *calling {
	c.t.Helper()
	nonce := x.Expect(permit.Scope{Session: session, CallID: id, Tool: toolOf(id)})
	k := &calling{client: c, session: session, request: api.Call{Command: c.command(session), CallID: id, Name: toolOf(id), Arguments: arguments(id), Nonce: nonce}}
	k.ask()
	k.accepted()
	return k
}

// ask sends the request, once more if it was sent before.
func (k *calling) ask() {
	k.client.t.Helper()
	k.inbox = k.client.nc.NewRespInbox()
	var err error
	k.answers, err = k.client.nc.SubscribeSync(k.inbox)
	must(k.client.t, err)
	must(k.client.t, k.client.nc.PublishRequest(k.client.subject("call"), k.inbox, encode(k.client.t, k.request)))
}

func (k *calling) accepted() {
	k.client.t.Helper()
	m := k.next()
	if m.Header.Get(api.StateHeader) != api.StateAccepted {
		k.client.t.Fatalf("got %v %s, want the call to be accepted", m.Header, m.Data)
	}
}

func (k *calling) next() *nats.Msg {
	k.client.t.Helper()
	m, err := k.answers.NextMsg(10 * time.Second)
	if err != nil {
		k.client.t.Fatalf("call %s: %v", k.request.CallID, err)
	}
	return m
}

// final is the last answer.
func (k *calling) final() (api.Answer, *api.Error) {
	k.client.t.Helper()
	m := k.next()
	for m.Header.Get(api.StateHeader) == api.StateAccepted {
		m = k.next()
	}
	if failed := errorIn(k.client.t, m); failed != nil {
		return api.Answer{}, failed
	}
	var a api.Answer
	must(k.client.t, json.Unmarshal(m.Data, &a, json.RejectUnknownMembers(true), jsontext.AllowInvalidUTF8(true)))
	return a, nil
}

// answer is the last answer of a call that must have one.
func (k *calling) answer() api.Answer {
	k.client.t.Helper()
	a, failed := k.final()
	if failed != nil {
		k.client.t.Fatalf("call %s: %v (%s)", k.request.CallID, failed, failed.Code)
	}
	return a
}

// types are the log's events from a type on.
func (r *replica) types(id events.SessionID, from events.Type) []string {
	r.t.Helper()
	var out []string
	for record, err := range r.log.Read(r.t.Context(), id, 0) {
		must(r.t, err)
		if len(out) > 0 || record.Type() == from {
			out = append(out, string(record.Type()))
		}
	}
	return out
}

// next is the seq of a session's next event.
func (r *replica) next(id events.SessionID) events.Seq {
	r.t.Helper()
	o, err := r.log.Open(r.t.Context(), id)
	must(r.t, err)
	return o.Head.Next
}
