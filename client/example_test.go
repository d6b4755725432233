package client_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
)

// underReview is the agent of the README.
func underReview(ctx context.Context, url, creds string) error {
	c, err := client.Dial(ctx, client.Config{URL: url, CredsFile: creds})
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	s, err := c.Session("") // the one that the credential is for
	if err != nil {
		return err
	}
	request := api.RequestSet{Provider: "me", Model: "m1", Reason: "initial", Tools: []api.Tool{readTool}}
	err = errors.Join(s.StartTurn(ctx), s.StartStep(ctx), s.SetRequest(ctx, request))
	said := []events.Block{events.ToolCallBlock("call-1", "read", `{"path":"notes.md"}`)} // by your model
	ran, acted := s.Act(ctx, api.AssistantMessage{Provider: "me", Model: "m1", Content: said}, readFile)
	for _, r := range ran {
		fmt.Println(r.Text()) // for your model: what the tool gave, or why it did not run
	}
	return errors.Join(err, acted, s.EndTurn(ctx))
}

// readTool is what the model is told of the tool.
var readTool = api.Tool{
	Name: "read", Description: jsontext.Value(`"Reads a file."`),
	Parameters: jsontext.Value(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`),
}

// readFile is the body of a tool: it runs on a permit alone, with its arguments.
func readFile(_ context.Context, p permit.Permit) client.Result {
	var in struct {
		Path string `json:"path"`
	}
	if err := json.Unmarshal(p.Arguments, &in, json.RejectUnknownMembers(true)); err != nil {
		return client.Failure("BAD_ARGUMENTS", err.Error())
	}
	text, err := os.ReadFile(in.Path)
	if err != nil {
		return client.Failure("CANNOT_READ", err.Error())
	}
	return client.Text(strings.TrimSpace(string(text)))
}

// An agent under review, as the README has it. The engine, the server and its accounts
// are real; the reviewer's judgement is a double that allows everything.
func Example() {
	ctx, w := begin()
	defer w.end()
	creds := w.agentFile(ctx, "ana", presets.Auto)
	if err := underReview(ctx, w.url(), creds); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Buy milk.
}

// An agent's loop: the model is asked until it asks for no call.
func ExampleSession_Act() {
	ctx, w := begin()
	defer w.end()
	c, err := client.Dial(ctx, client.Config{URL: w.url(), CredsFile: w.agentFile(ctx, "ana", presets.Auto)})
	check(err)
	defer func() { check(c.Close(ctx)) }()
	s, err := c.Session("")
	check(err)

	// A recorded model, which answers what it is told of its last calls.
	model := func(heard []string) []events.Block {
		if len(heard) == 0 {
			return []events.Block{
				events.ToolCallBlock("one", "add", `{"a":1,"b":2}`), events.ToolCallBlock("two", "add", `{"a":1}`),
			}
		}
		return []events.Block{events.TextBlock(fmt.Sprintf("I heard %q.", heard))}
	}
	add := func(_ context.Context, p permit.Permit) client.Result {
		var in struct{ A, B *int }
		if err := json.Unmarshal(p.Arguments, &in, json.MatchCaseInsensitiveNames(true)); err != nil || in.A == nil || in.B == nil {
			return client.Failure("BAD_ARGUMENTS", "a and b are needed")
		}
		return client.Text(fmt.Sprint(*in.A + *in.B))
	}

	check(s.StartTurn(ctx))
	check(s.StartStep(ctx))
	check(s.SetRequest(ctx, api.RequestSet{Provider: "p", Model: "m", Reason: "initial", Tools: []api.Tool{{
		Name: "add", Description: jsontext.Value(`"Adds two numbers."`),
		Parameters: jsontext.Value(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}`),
	}}}))
	for heard := []string{}; ; {
		said := model(heard)
		ran, err := s.Act(ctx, api.AssistantMessage{Provider: "p", Model: "m", Content: said}, add)
		check(err)
		if len(ran) == 0 {
			fmt.Println(said[0].Text)
			break
		}
		for _, r := range ran {
			heard = append(heard, r.Text())
		}
		check(s.StartStep(ctx))
	}
	check(s.EndTurn(ctx))
	// Output: I heard ["3" "Error: a and b are needed"].
}

// A spawner makes a session for its owner, and starts an agent with a credential that
// is good for that session alone.
func ExampleSpawner() {
	ctx, w := begin()
	defer w.end()
	c, err := client.Dial(ctx, client.Config{URL: w.url(), Creds: w.creds(bus.Spawner, "nightly")})
	check(err)
	defer func() { check(c.Close(ctx)) }()
	spawner, err := c.Spawner()
	check(err)

	made, err := spawner.Create(ctx, api.SessionCreate{Owner: "ana", CWD: "/srv/demo", Preset: presets.Auto, Headless: true})
	check(err)
	credential, err := spawner.Credential(ctx, made.Session)
	check(err)
	agent, err := client.Dial(ctx, client.Config{URL: w.url(), Creds: []byte(credential.Creds)})
	check(err)
	defer func() { check(agent.Close(ctx)) }()
	fmt.Println(agent.Role(), agent.Name() == string(made.Session), made.Owner, made.Preset)

	_, err = spawner.Create(ctx, api.SessionCreate{CWD: "/srv/demo"})
	fmt.Println(err)
	// Output:
	// agent true ana auto
	// client: session.create: owner: is missing
}

// A host begins a session for the person who sits at it, relays what they say, and runs
// the loop. Questions are answered by people with credentials of their own.
func ExampleHost() {
	ctx, w := begin()
	defer w.end()
	c, err := client.Dial(ctx, client.Config{URL: w.url(), Creds: w.creds(bus.Host, "desk")})
	check(err)
	defer func() { check(c.Close(ctx)) }()
	host, err := c.Host()
	check(err)

	made, err := host.Create(ctx, api.SessionCreate{CWD: "/srv/demo", Preset: presets.Auto})
	check(err)
	check(host.Relay(ctx, made.Session, "What is there to do?"))
	s, err := host.Session(made.Session)
	check(err)
	check(s.StartTurn(ctx))
	check(s.StartStep(ctx)) // which takes in what was relayed
	check(s.SetRequest(ctx, api.RequestSet{Provider: "openai", Model: "gpt-5", Reason: "initial"}))
	ran, err := s.Act(ctx, api.AssistantMessage{
		Provider: "openai", Model: "gpt-5", Content: []events.Block{events.ToolCallBlock("c1", "read", `{"path":"notes.md"}`)},
	}, func(context.Context, permit.Permit) client.Result {
		text, err := os.ReadFile("notes.md")
		check(err)
		return client.Text(string(text))
	})
	check(err)
	check(s.EndTurn(ctx))
	fmt.Print(ran[0].Result.Content[0].Text)
	_, err = c.Human()
	fmt.Println(err)
	// Output:
	// Buy milk.
	// client: the credential is not for this: it is of a host
}

// A person answers questions: what the reviewer denied, and the person has looked at.
func ExampleHuman_Approvals() {
	ctx, w := begin()
	defer w.end()
	w.judge.says(denies)
	creds := w.agentFile(ctx, "ana", presets.Auto)
	agent := make(chan error, 1)
	go func() { agent <- underReview(ctx, w.url(), creds) }()

	c, err := client.Dial(ctx, client.Config{URL: w.url(), Creds: w.creds(bus.Human, "ana")})
	check(err)
	defer func() { check(c.Close(ctx)) }()
	ana, err := c.Human()
	check(err)
	for q, err := range ana.Approvals(ctx) {
		check(err)
		fmt.Println(q.Tool, q.Arguments, "in", q.CWD)
		fmt.Println("as the log has it:", q.Verify(ctx) == nil)
		check(q.Allow(ctx, "It only reads."))
		break
	}
	check(<-agent)
	// Output:
	// read {"path":"notes.md"} in /srv/demo
	// as the log has it: true
	// Buy milk.
	// User approved this tool call with feedback: It only reads.
}

// An auditor reads and verifies what was stored, with the engine's public key and
// without asking the engine.
func ExampleAudit() {
	ctx, w := begin()
	defer w.end()
	creds := w.agentFile(ctx, "ana", presets.Auto)
	check(underReview(ctx, w.url(), creds))

	c, err := client.Dial(ctx, client.Config{URL: w.url(), Creds: w.creds(bus.Auditor, "ann")})
	check(err)
	defer func() { check(c.Close(ctx)) }()
	audit, err := c.Audit(w.key.Public().(ed25519.PublicKey))
	check(err)
	var ids []events.SessionID
	for len(ids) == 0 { // the mirror follows a moment later
		for id, err := range audit.List(ctx) {
			check(err)
			ids = append(ids, id)
		}
	}
	for e, err := range audit.Follow(ctx, ids[0]) {
		check(err)
		if t := e.Type(); t == events.TypeToolCall || t == events.TypeToolDispatched || t == events.TypeToolResult {
			fmt.Println(t, "by a", e.Actor.Class)
		}
		if e.Type() == events.TypeTurnEnd {
			break
		}
	}
	// Output:
	// Buy milk.
	// tool/call by a agent
	// tool/dispatched by a agent
	// tool/result by a agent
}

// begin starts a world for an example, in a folder that has a file to read.
func begin() (context.Context, *world) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	w, err := newWorld(ctx)
	check(err)
	home, err := os.Getwd()
	check(err)
	check(os.WriteFile(w.dir+"/notes.md", []byte("Buy milk.\n"), 0o600))
	check(os.Chdir(w.dir))
	w.leave = func() {
		check(os.Chdir(home))
		cancel()
	}
	_, err = w.serve()
	check(err)
	return ctx, w
}

func (w *world) end() {
	w.leave()
	check(w.close())
}

// check ends an example that failed: it has no test to fail.
func check(err error) {
	if err != nil {
		log.Panic(err)
	}
}

func (w *world) creds(class, name string) []byte {
	text, err := w.credential(class, name)
	check(err)
	return text
}

// agentFile makes a session for a person, and a file with its agent's credential.
func (w *world) agentFile(ctx context.Context, person, preset string) string {
	c, err := client.Dial(ctx, client.Config{URL: w.url(), Creds: w.creds(bus.Human, person)})
	check(err)
	defer func() { check(c.Close(ctx)) }()
	h, err := c.Human()
	check(err)
	made, err := h.Create(ctx, api.SessionCreate{CWD: "/srv/demo", Preset: preset})
	check(err)
	path := w.dir + "/agent.creds"
	check(os.WriteFile(path, w.creds(bus.Agent, string(made.Session)), 0o600))
	return path
}
