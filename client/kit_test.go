package client_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

func TestMain(m *testing.M) {
	// A server that is closed while it begins a mirror waits for an answer a little
	// longer, by itself.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.(*stream).setupMirrorConsumer.func3"))
}

// patience is how long a test waits for what has to come.
const patience = 30 * time.Second

// judge is a double for a model's judgement as a reviewer, and for nothing else.
type judge struct {
	mu     sync.Mutex
	answer func(context.Context, reviewer.Call) (reviewer.Verdict, error)
	calls  []string // ids that it was asked about
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
	r.judge.mu.Lock()
	r.judge.calls = append(r.judge.calls, r.call.CallID)
	answer := r.judge.answer
	r.judge.mu.Unlock()
	return answer(ctx, r.call)
}

func (r judgement) Digest() string { return strings.Repeat("0", 64) }
func (r judgement) Route() string  { return "double/double" }

func (j *judge) says(answer func(context.Context, reviewer.Call) (reviewer.Verdict, error)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.answer = answer
}

// asked are the ids that it was asked about.
func (j *judge) asked() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]string(nil), j.calls...)
}

func allows(context.Context, reviewer.Call) (reviewer.Verdict, error) {
	return reviewer.Verdict{Outcome: reviewer.Allow}, nil
}

func denies(context.Context, reviewer.Call) (reviewer.Verdict, error) {
	return reviewer.Verdict{Outcome: reviewer.Deny, Reason: []byte(`"nobody asked for it"`)}, nil
}

func fails(context.Context, reviewer.Call) (reviewer.Verdict, error) {
	return reviewer.Verdict{}, &reviewer.Failure{Class: reviewer.ClassTimeout, Code: "MODEL_IDLE", Detail: "nothing came"}
}

// waits judges nothing until its caller goes away.
func waits(ctx context.Context, _ reviewer.Call) (reviewer.Verdict, error) {
	<-ctx.Done()
	return reviewer.Verdict{}, ctx.Err()
}

// world is a real server with real accounts, and real engines that serve it. All that
// is a double in it is the judge.
type world struct {
	dir       string
	port      int
	authority *bus.Authority
	server    *jetstream.Server
	key       ed25519.PrivateKey // of logs
	dispatch  ed25519.PrivateKey // of permits
	judge     *judge
	limits    bus.Limits
	wait      time.Duration                                  // for a person
	evidence  func(engine.PendingCall) []events.ExecutedFile // of the engine; nil for none
	engines   []*running
	leave     func() // of an example
}

// running is an engine that serves.
type running struct {
	nc      *nats.Conn
	log     *jetstream.Log
	service *bus.Service
}

// newWorld starts a world without engines. Examples use it, which have no test.
func newWorld(ctx context.Context) (*world, error) {
	dir, err := os.MkdirTemp("", "docket-client-")
	if err != nil {
		return nil, err
	}
	w := &world{dir: dir, judge: &judge{answer: allows}, limits: bus.Limits{Alive: 100 * time.Millisecond, Gone: 3 * time.Second}}
	if _, w.key, err = ed25519.GenerateKey(nil); err == nil {
		_, w.dispatch, err = ed25519.GenerateKey(nil)
	}
	if err == nil {
		w.authority, err = bus.OpenAuthority(filepath.Join(dir, "bus"))
	}
	if err == nil {
		err = w.startServer(ctx)
	}
	if err == nil {
		err = w.provision(ctx)
	}
	return w, err
}

func (w *world) startServer(ctx context.Context) error {
	trust, err := w.authority.Trust()
	if err != nil {
		return err
	}
	w.server, err = jetstream.StartServer(ctx, jetstream.ServerConfig{
		Dir: w.dir, Fsync: jetstream.Fsync(250 * time.Millisecond), Listen: true, Port: w.port, Trust: trust,
	})
	if err != nil {
		return err
	}
	u, err := url.Parse(w.server.ClientURL())
	if err == nil {
		w.port, err = strconv.Atoi(u.Port()) // the same one when it starts again
	}
	return err
}

// provision makes the streams and the auditors' mirrors.
func (w *world) provision(ctx context.Context) error {
	nc, err := w.connect(w.authority.EngineCreds(), bus.Engine)
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := natsjs.New(nc)
	if err == nil {
		_, err = jetstream.Provision(ctx, js, jetstream.Layout{})
	}
	if err != nil {
		return err
	}
	mirror, err := w.connect(w.authority.MirrorCreds(), bus.Mirror)
	if err != nil {
		return err
	}
	defer mirror.Close()
	return bus.ProvisionMirrors(ctx, mirror, jetstream.Layout{})
}

func (w *world) url() string { return "nats://127.0.0.1:" + strconv.Itoa(w.port) }

func (w *world) connect(creds, class string) (*nats.Conn, error) {
	return nats.Connect(w.url(), nats.UserCredentials(creds), nats.CustomInboxPrefix(bus.InboxPrefix(class, "local")),
		nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond))
}

// serve starts an engine.
func (w *world) serve() (*running, error) {
	nc, err := w.connect(w.authority.EngineCreds(), bus.Engine)
	if err != nil {
		return nil, err
	}
	keys, err := jetstream.NewKeys(w.key)
	if err != nil {
		return nil, err
	}
	r := &running{nc: nc}
	if r.log, err = jetstream.NewLog(jetstream.LogConfig{Conn: nc, Keys: keys}); err != nil {
		return nil, err
	}
	eng, err := engine.New(engine.Config{Log: r.log, Snapshots: r.log})
	if err != nil {
		return nil, err
	}
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	if err != nil {
		return nil, err
	}
	registry, instance := presets.NewRegistry(table, nil), fmt.Sprint("engine-", len(w.engines))
	gate, err := engine.NewGate(engine.GateConfig{
		Engine: eng, Registry: registry, Tail: r.log, Instance: instance, Key: w.dispatch, Wait: w.wait, Elsewhere: bus.Elsewhere(nc, instance), Evidence: w.evidence,
	})
	if err == nil {
		err = gate.Install(engine.Installation{Integration: presets.AutoIntegration(), Reviewer: w.judge, Words: auto.Words()})
	}
	if err != nil {
		return nil, err
	}
	r.service, err = bus.NewService(bus.ServiceConfig{
		Conn: nc, Engine: eng, Gate: gate, Registry: registry, Log: r.log, Tail: r.log, Instance: instance,
		Establish: w.authority.Table().Establish, Issue: w.issue, Limits: w.limits,
	})
	if err == nil {
		err = r.service.Start()
	}
	w.engines = append(w.engines, r)
	return r, err
}

func (w *world) issue(_ context.Context, session events.SessionID) (api.Credential, error) {
	c, err := w.authority.Issue(bus.Request{Class: bus.Agent, Name: string(session)})
	return api.Credential{Session: session, Creds: string(c.Text), ExpiresAt: c.Expires.UnixMilli()}, err
}

// stop ends an engine in order. Of one that was killed it ends what is left in this
// process, which cannot write any more.
func (r *running) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	killed := r.nc.IsClosed()
	err := errors.Join(r.service.Shutdown(ctx), r.log.Close(ctx))
	r.nc.Close()
	if killed {
		return nil
	}
	return err
}

func (w *world) close() error {
	var errs []error
	for _, r := range w.engines {
		errs = append(errs, r.stop())
	}
	if w.server != nil {
		errs = append(errs, w.server.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(w.dir))...)
}

// credential issues one of a class.
func (w *world) credential(class, name string) ([]byte, error) {
	r := bus.Request{Class: class, Name: name}
	if class == bus.Host || class == bus.Spawner {
		r.Ceiling = presets.Auto
	}
	c, err := w.authority.Issue(r)
	return c.Text, err
}

// yard is a world with one engine, until its test ends.
type yard struct {
	*world
	t *testing.T
}

func newYard(t *testing.T, set ...func(*world)) *yard {
	t.Helper()
	w, err := newWorld(t.Context())
	if w != nil {
		t.Cleanup(func() { must(t, w.close()) })
	}
	must(t, err)
	for _, s := range set {
		s(w)
	}
	_, err = w.serve()
	must(t, err)
	return &yard{w, t}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// dial connects a client until the test ends.
func (y *yard) dial(class, name string, opts ...nats.Option) *client.Client {
	y.t.Helper()
	creds, err := y.credential(class, name)
	must(y.t, err)
	return y.with(client.Config{URL: y.url(), Creds: creds, Name: y.t.Name(), Options: opts})
}

func (y *yard) with(cfg client.Config) *client.Client {
	y.t.Helper()
	ctx, cancel := context.WithTimeout(y.t.Context(), patience)
	defer cancel()
	c, err := client.Dial(ctx, cfg)
	must(y.t, err)
	y.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := c.Close(ctx); err != nil {
			y.t.Errorf("close: %v", err)
		}
	})
	return c
}

// human is a person.
func (y *yard) human(name string) *client.Human {
	y.t.Helper()
	h, err := y.dial(bus.Human, name).Human()
	must(y.t, err)
	return h
}

// session begins one of a person's on a preset, and gives it as its agent has it.
func (y *yard) session(h *client.Human, preset string, opts ...nats.Option) *client.Session {
	y.t.Helper()
	made, err := h.Create(y.t.Context(), api.SessionCreate{CWD: "/srv/demo", Preset: preset})
	must(y.t, err)
	s, err := y.dial(bus.Agent, string(made.Session), opts...).Session("")
	must(y.t, err)
	return s
}

// wants takes a session to a step whose model asks for calls of the tool shell.
func wants(t *testing.T, s *client.Session, ids ...string) []client.Call {
	t.Helper()
	calls := make([]client.Call, len(ids))
	for i, id := range ids {
		calls[i] = client.Call{ID: id, Name: "shell", Arguments: `{"command":"echo ` + id + `"}`}
	}
	wantsCalls(t, s, calls...)
	return calls
}

// wantsCalls takes a session to a step whose model asks for calls.
func wantsCalls(t *testing.T, s *client.Session, calls ...client.Call) {
	t.Helper()
	var blocks []events.Block
	for _, c := range calls {
		blocks = append(blocks, events.ToolCallBlock(c.ID, c.Name, c.Arguments))
	}
	ctx := t.Context()
	must(t, s.StartTurn(ctx))
	must(t, s.StartStep(ctx))
	must(t, s.SetRequest(ctx, request()))
	must(t, s.Say(ctx, api.AssistantMessage{Provider: "p", Model: "m", Content: blocks}))
}

func request() api.RequestSet {
	return api.RequestSet{Provider: "p", Model: "m", Reason: "initial", Tools: []api.Tool{
		{Name: "shell", Description: []byte(`"runs a command"`), Parameters: []byte(`{"type":"object"}`)},
	}}
}

// types are the session's events from a type on.
func types(t *testing.T, s *client.Session, from events.Type) string {
	t.Helper()
	var out []string
	for r, err := range s.Read(t.Context(), 0) {
		must(t, err)
		if len(out) > 0 || r.Type() == from {
			out = append(out, string(r.Type()))
		}
	}
	return strings.Join(out, " ")
}
