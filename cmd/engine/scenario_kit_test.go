package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

const (
	shellTool = "shell"
	// playPatience is for the whole play, which takes some seconds.
	playPatience = time.Minute
)

// play is two engines in processes of their own on one server, and those who work
// with them. All that is a double is the model's judgement.
type play struct {
	t     *testing.T
	ctx   context.Context // of all that is done, so that nothing waits for ever
	ns    *server.Server
	url   string
	dirs  map[string]string    // of each engine
	procs map[string]*exec.Cmd // those that run
	ana   *client.Human

	mu     sync.Mutex                                          // guards what follows
	ran    map[string]int                                      // bodies, by session and call
	asked  map[events.SessionID]func(engine string)            // told when the model thinks about a call
	answer map[events.SessionID]func(q *client.Question) error // of the next question
}

func newPlay(t *testing.T) *play {
	t.Helper()
	home := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), playPatience)
	t.Cleanup(cancel)
	ns := printedServer(t, home)
	p := &play{
		t: t, ctx: ctx, ns: ns, url: ns.ClientURL(), dirs: map[string]string{}, procs: map[string]*exec.Cmd{},
		ran: map[string]int{}, asked: map[events.SessionID]func(string){}, answer: map[events.SessionID]func(*client.Question) error{},
	}
	p.do(home, "integration", "install", "auto")
	// Where there is an auditor, engines make the mirrors.
	p.do(home, "creds", "auditor", "ann", "--out", filepath.Join(home, "ann.creds"))
	p.do(home, "creds", "human", "ana", "--out", filepath.Join(home, "ana.creds"))
	creds := filepath.Join(home, "engine.creds")
	p.do(home, "creds", "engine", "first", "--out", creds)
	// Any command makes the keys that both engines sign with.
	p.do(home, "session", "create", "--id", "first", "--nats", p.url, "--creds", creds)
	judge := p.judge()
	binary := buildEngine(t)
	for _, name := range []string{"one", "two"} {
		p.dirs[name] = filepath.Join(t.TempDir(), name)
		p.do(home, "creds", "replica", name, p.dirs[name])
		p.must(os.WriteFile(filepath.Join(p.dirs[name], settingsFile), fmt.Appendf(nil,
			`{"routes":[{"provider":"p","model":"m","api":"chat-completions","baseUrl":"%s/%s","reviews":true}]}`, judge, name), 0o600))
		p.serve(binary, name, filepath.Join(p.dirs[name], replicaCreds))
	}
	text, err := os.ReadFile(filepath.Join(home, "ana.creds"))
	p.must(err)
	p.ana, err = p.dial(text).Human()
	p.must(err)
	p.person()
	return p
}

func (p *play) do(home string, args ...string) {
	p.t.Helper()
	if r := runIn(p.ctx, home, args...); r.code != exitOK {
		p.t.Fatalf("%v: got %+v", args, r)
	}
}

// must ends the test; it may be called from a goroutine of the play's, which it ends.
func (p *play) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// serve runs an engine in a process of its own until it is killed, or the test ends.
func (p *play) serve(binary, name, creds string) {
	p.t.Helper()
	cmd := exec.CommandContext(context.Background(), binary, "--dir", p.dirs[name], "--nats", p.url, "--creds", creds, "--json", "serve")
	logs := &bytes.Buffer{}
	cmd.Stderr = logs
	out, err := cmd.StdoutPipe()
	p.must(errors.Join(err, cmd.Start()))
	line, err := bufio.NewReader(out).ReadString('\n')
	p.procs[name] = cmd
	p.t.Cleanup(func() {
		p.kill(name)
		if p.t.Failed() {
			p.t.Logf("engine %s said:\n%s", name, logs)
		}
	})
	if err != nil || !strings.Contains(line, `"commands":true`) {
		p.t.Fatalf("engine %s did not begin: %s, %v", name, line, err)
	}
}

// kill ends an engine that still runs with SIGKILL.
func (p *play) kill(name string) {
	p.mu.Lock()
	cmd := p.procs[name]
	delete(p.procs, name)
	p.mu.Unlock()
	if cmd == nil {
		return
	}
	if err := cmd.Process.Kill(); err != nil {
		p.t.Errorf("kill engine %s: %v", name, err)
	}
	_ = cmd.Wait() // says that it was killed
}

// dial connects a client until the test ends.
func (p *play) dial(creds []byte) *client.Client {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, scriptPatience)
	defer cancel()
	c, err := client.Dial(ctx, client.Config{URL: p.url, Creds: creds, Failed: func(err error) { p.t.Errorf("not recorded: %v", err) }})
	p.must(err)
	p.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), scriptPatience)
		defer cancel()
		if err := c.Close(ctx); err != nil {
			p.t.Errorf("close: %v", err)
		}
	})
	return c
}

// judge is a real server with a double's judgement: it denies what removes something,
// thinks for ever where it is told to think, and allows the rest. The path says which
// engine asks.
func (p *play) judge() string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		at := strings.LastIndex(string(body), "PENDING_ACTION")
		if err != nil || at < 0 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		action := string(body[at:])
		if _, who, thinks := strings.Cut(action, "think then "); thinks {
			p.thinks(who, strings.Split(r.URL.Path, "/")[1])
			<-r.Context().Done()
			return
		}
		answer := `{"risk":"low","decision":"allow"}`
		if strings.Contains(action, "rm -r") {
			answer = `{"risk":"high","decision":"deny","reason":"it removes"}`
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", answer)
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	p.t.Cleanup(server.Close)
	return server.URL
}

// whenAsked does something, once, when a session's call is being thought about.
func (p *play) whenAsked(id events.SessionID, do func(engine string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[id] = do
}

func (p *play) thinks(who, engine string) {
	p.mu.Lock()
	var do func(string)
	for id, waiting := range p.asked {
		if strings.HasPrefix(who, string(id)) {
			do = waiting
			delete(p.asked, id)
		}
	}
	p.mu.Unlock()
	if do == nil {
		p.t.Errorf("a model was asked once more about the call of %.20s", who)
		return
	}
	go do(engine)
}

// answers says what the person does about a session's next question.
func (p *play) answers(id events.SessionID, do func(*client.Question) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer[id] = do
}

// person is Ana, who answers questions until the test ends.
func (p *play) person() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for q, err := range p.ana.Approvals(ctx) {
			if err != nil {
				p.t.Errorf("questions: %v", err)
				return
			}
			p.mu.Lock()
			do := p.answer[q.Session]
			delete(p.answer, q.Session)
			p.mu.Unlock()
			if do == nil {
				p.t.Errorf("an unexpected question of %s", q.Session)
			} else if err := do(q); err != nil {
				p.t.Errorf("answer %s: %v", q.ID, err)
			}
		}
	}()
	p.t.Cleanup(func() {
		stop()
		<-done
	})
}

// body counts, and does what its call is about.
func (p *play) body(do func(context.Context, permit.Permit) error) client.Body {
	return func(ctx context.Context, given permit.Permit) client.Result {
		p.mu.Lock()
		p.ran[string(given.Session)+" "+given.CallID]++
		p.mu.Unlock()
		if do != nil {
			if err := do(ctx, given); err != nil {
				p.t.Errorf("the body of %s: %v", given.CallID, err)
				return client.Failure("BODY", err.Error())
			}
		}
		return client.Text("done")
	}
}

// together runs parts of the play beside one another.
func (p *play) together(parts ...func()) {
	p.t.Helper()
	var all sync.WaitGroup
	for _, part := range parts {
		all.Go(part)
	}
	all.Wait()
	if p.t.Failed() {
		p.t.FailNow()
	}
}

func shellSchema() api.Tool {
	return api.Tool{Name: shellTool, Description: []byte(`"runs a command"`), Parameters: []byte(`{"type":"object"}`)}
}

func shellRequest() api.RequestSet {
	return api.RequestSet{Provider: "p", Model: "m", Reason: "initial", Tools: []api.Tool{
		shellSchema(), {Name: "task", Description: []byte(`"starts a child"`), Parameters: []byte(`{"type":"object"}`)},
	}}
}

// startsChild is what a model hands to a child; every other wish is a command.
const startsChild = "start a child"

func callFor(id, wish string) client.Call {
	if wish == startsChild {
		return client.Call{ID: id, Name: "task", Arguments: fmt.Sprintf(`{"prompt":%q}`, wish)}
	}
	return shellCall(id, wish)
}

func shellCall(id, command string) client.Call {
	return client.Call{ID: id, Name: shellTool, Arguments: fmt.Sprintf(`{"command":%q}`, command)}
}

// saying is the message of a model that wants some calls.
func saying(calls ...client.Call) api.AssistantMessage {
	m := api.AssistantMessage{Provider: "p", Model: "m"}
	for _, c := range calls {
		m.Content = append(m.Content, events.ToolCallBlock(c.ID, c.Name, c.Arguments))
	}
	return m
}

// wants begins a turn of a session whose model wants to run some commands.
func (p *play) wants(s *client.Session, commands ...string) []client.Call {
	p.t.Helper()
	ctx := p.ctx
	p.must(p.ana.Say(ctx, s.ID(), "please do what has to be done"))
	p.must(s.StartTurn(ctx))
	p.step(s)
	p.must(s.SetRequest(ctx, shellRequest()))
	return p.says(s, commands...)
}

func (p *play) step(s *client.Session) {
	p.t.Helper()
	p.must(s.StartStep(p.ctx))
}

// says records what the model says in the open step.
func (p *play) says(s *client.Session, commands ...string) []client.Call {
	p.t.Helper()
	state, err := s.State(p.ctx)
	p.must(err)
	var calls []client.Call
	for i, command := range commands {
		calls = append(calls, callFor(fmt.Sprintf("call-%d-%d", state.Step, i+1), command))
	}
	p.must(s.Say(p.ctx, saying(calls...)))
	return calls
}

func (p *play) wantRan(ran client.Ran, err error) {
	p.t.Helper()
	if err != nil || ran.Result == nil || ran.Result.IsError {
		p.t.Errorf("got %+v, %v, want a result", ran, err)
	}
}

func (p *play) wantRefused(as error) func(client.Ran, error) {
	return func(ran client.Ran, err error) {
		p.t.Helper()
		if err != nil || !errors.Is(ran.Err(), as) {
			p.t.Errorf("got %v, %v, want %v", ran.Err(), err, as)
		}
	}
}

// sessions are those that there are, children too.
func (p *play) sessions() []events.SessionID {
	p.t.Helper()
	var all []events.SessionID
	for s, err := range p.ana.List(p.ctx) {
		p.must(err)
		all = append(all, s.Session)
	}
	if len(all) != 4 {
		p.t.Errorf("got the sessions %v, want three and a child", all)
	}
	return all
}

// wantBodiesOfDispatches holds what ran against what the logs let run.
func (p *play) wantBodiesOfDispatches() {
	p.t.Helper()
	dispatched := map[string]int{}
	for _, id := range p.sessions() {
		for r, err := range p.ana.Read(p.ctx, id, 0) {
			p.must(err)
			decoded, err := r.Decode()
			p.must(err)
			for _, e := range decoded {
				if d, ok := e.Event.(events.ToolDispatched); ok {
					dispatched[string(id)+" "+d.CallID]++
				}
			}
		}
	}
	if diff := cmp.Diff(dispatched, p.ran); diff != "" {
		p.t.Errorf("bodies that ran (-dispatched +ran):\n%s", diff)
	}
	for call, n := range p.ran {
		if n != 1 {
			p.t.Errorf("%s ran %d times", call, n)
		}
	}
	// Each ran but a denial, a rejection, a cancellation and a lost review.
	if len(p.ran) != 3+2+1+1+2+3 {
		p.t.Errorf("got the bodies %v", slices.Sorted(maps.Keys(p.ran)))
	}
}

// wantNoWaysBack wants the server to remember no answer that is still to be carried
// over to an agent: it would for minutes, and for each request of theirs.
func (p *play) wantNoWaysBack() {
	p.t.Helper()
	authority, err := bus.OpenAuthority(filepath.Join(p.dirs["one"], busDir))
	p.must(err)
	account, err := p.ns.LookupAccount(authority.PublicKey(bus.AgentAccount))
	p.must(err)
	if n := account.NumPendingReverseResponses(); n != 0 {
		p.t.Errorf("the server remembers %d ways back to agents who ask for nothing", n)
	}
}

// wantLogsVerify has an auditor say that all logs are whole, and then, when no engine
// runs any more, each engine's own keys and anchors.
func (p *play) wantLogsVerify() {
	p.t.Helper()
	authority, err := bus.OpenAuthority(filepath.Join(p.dirs["one"], busDir))
	p.must(err)
	c, err := authority.Issue(bus.Request{Class: bus.Auditor, Name: "ann"})
	p.must(err)
	keys, err := readPublic(filepath.Join(p.dirs["one"], keysDir))
	p.must(err)
	audit, err := p.dial(c.Text).Audit(keys...)
	p.must(err)
	for _, id := range p.sessions() {
		var found []events.Finding
		// The mirror and the seal of the last turn come a moment later.
		if err := pollUntil(p.ctx, func() (bool, error) {
			found, err = audit.Verify(p.ctx, id)
			return err == nil && len(found) == 0, nil
		}); err != nil {
			p.t.Errorf("%s in the mirror: got %v, %v", id, found, err)
		}
	}
	creds := filepath.Join(p.t.TempDir(), "verify.creds")
	for name, dir := range p.dirs {
		p.kill(name)
		p.do(p.t.TempDir(), "--dir", dir, "creds", "engine", "verifies-"+name, "--out", creds+name)
		p.do(p.t.TempDir(), "--dir", dir, "--nats", p.url, "--creds", creds+name, "verify", "--all")
	}
}
