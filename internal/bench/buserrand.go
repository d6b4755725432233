package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

// errandArg makes this program the process of clients.
const errandArg = "bus-clients"

// What clients are sent for.
const (
	errandCalls    = "calls"    // one session after the other; gives the median call in µs
	errandTogether = "together" // all sessions at once; gives calls a second
	errandCommands = "commands" // all sessions at once; gives commands a second
	errandEcho     = "echo"     // bare requests; gives the median in µs
	errandBare     = "bare"     // requests for the publishes of calls, all at once; gives calls a second
	errandBareOne  = "bare-one" // requests for one publish, all at once; gives requests a second

	bareCall, bareResult = "call", "result"

	echoSubject    = "docket.engine.echo"
	requestTimeout = 10 * time.Second
)

// errand is what the process of clients reads.
type errand struct {
	Do     string     `json:"do"`
	URL    string     `json:"url"`
	Engine string     `json:"engine"` // the credential for bare requests
	Agents []busAgent `json:"agents"`
	Each   int        `json:"each"`
}

func errandCode(ctx context.Context, in io.Reader, out, stderr io.Writer) int {
	var e errand
	err := json.NewDecoder(in).Decode(&e)
	figure := 0.0
	if err == nil {
		figure, err = e.run(ctx)
	}
	if err == nil {
		err = json.NewEncoder(out).Encode(figure)
	}
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 1
	}
	return 0
}

func (e *errand) run(ctx context.Context) (float64, error) {
	switch e.Do {
	case errandCalls:
		return e.calls(ctx)
	case errandTogether:
		return e.together(ctx)
	case errandEcho:
		return e.echo()
	case errandCommands:
		return e.commands(ctx)
	case errandBare:
		return e.bare(bareCall, bareResult)
	case errandBareOne:
		return e.bare(bareResult)
	default:
		return 0, fmt.Errorf("there is no errand %q", e.Do)
	}
}

// errandAgent is an agent that has dialled.
type errandAgent struct {
	client  *client.Client
	session *client.Session
	wanted  int // calls
}

func (e *errand) dial(ctx context.Context, a busAgent) (*errandAgent, error) {
	c, err := client.Dial(ctx, client.Config{URL: e.URL, Creds: []byte(a.Creds)})
	if err != nil {
		return nil, err
	}
	s, err := c.Session("")
	if err == nil {
		err = s.StartTurn(ctx)
	}
	if err == nil {
		err = s.StartStep(ctx)
	}
	if err == nil {
		h := callHeader()
		err = s.SetRequest(ctx, api.RequestSet{
			Provider: modelProvider, Model: modelName, Reason: "initial",
			Tools: []api.Tool{{Name: callTool, Description: h.Tools[0].Description, Parameters: h.Tools[0].Parameters}},
		})
	}
	return &errandAgent{client: c, session: s}, err
}

// wants records that the model asks for so many calls, and gives them.
func (a *errandAgent) wants(ctx context.Context, n int) ([]client.Call, error) {
	m := api.AssistantMessage{Provider: "p", Model: "m", Content: []events.Block{events.TextBlock("I will run the tests now.")}}
	var calls []client.Call
	for range n {
		c := client.Call{ID: fmt.Sprint("call-", a.wanted), Name: callTool, Arguments: callArguments}
		a.wanted++
		calls, m.Content = append(calls, c), append(m.Content, events.ToolCallBlock(c.ID, c.Name, c.Arguments))
	}
	return calls, a.session.Say(ctx, m)
}

// run makes a call, through review, permit and body to its result.
func (a *errandAgent) run(ctx context.Context, c client.Call) error {
	ran, err := a.session.Run(ctx, c, func(ctx context.Context, p permit.Permit) client.Result {
		return client.Result{Content: body(ctx, p).Content}
	})
	return errors.Join(err, ran.Err())
}

// calls makes each call in a step of its own, as the baseline does.
func (e *errand) calls(ctx context.Context) (float64, error) {
	var times []time.Duration
	for _, agent := range e.Agents {
		a, err := e.dial(ctx, agent)
		if err != nil {
			return 0, err
		}
		for i := range e.Each {
			if i > 0 {
				err = errors.Join(a.session.EndStep(ctx), a.session.StartStep(ctx))
			}
			calls, wantErr := a.wants(ctx, 1)
			if err = errors.Join(err, wantErr); err != nil {
				return 0, err
			}
			begin := time.Now()
			if err := a.run(ctx, calls[0]); err != nil {
				return 0, err
			}
			times = append(times, time.Since(begin))
		}
		if err := a.client.Close(ctx); err != nil {
			return 0, err
		}
	}
	return medianMicros(times), nil
}

// together lets all agents make the calls of one step at once, each its own one after
// the other.
func (e *errand) together(ctx context.Context) (float64, error) {
	agents, err := e.dialAll(ctx)
	if err != nil {
		return 0, err
	}
	calls := make([][]client.Call, len(agents))
	for i, a := range agents {
		if calls[i], err = a.wants(ctx, e.Each); err != nil {
			return 0, err
		}
	}
	rate, err := e.atOnce(func(i, n int) error { return agents[i].run(ctx, calls[i][n]) })
	return rate, errors.Join(err, closeAll(ctx, agents))
}

// commands lets all agents end and begin steps at once.
func (e *errand) commands(ctx context.Context) (float64, error) {
	agents, err := e.dialAll(ctx)
	if err != nil {
		return 0, err
	}
	rate, err := e.atOnce(func(i, n int) error {
		if n%2 == 0 {
			return agents[i].session.EndStep(ctx)
		}
		return agents[i].session.StartStep(ctx)
	})
	return rate, errors.Join(err, closeAll(ctx, agents))
}

func (e *errand) dialAll(ctx context.Context) ([]*errandAgent, error) {
	agents := make([]*errandAgent, len(e.Agents))
	for i, agent := range e.Agents {
		var err error
		if agents[i], err = e.dial(ctx, agent); err != nil {
			return nil, err
		}
	}
	return agents, nil
}

func closeAll(ctx context.Context, agents []*errandAgent) error {
	var errs []error
	for _, a := range agents {
		errs = append(errs, a.client.Close(ctx))
	}
	return errors.Join(errs...)
}

// atOnce gives how often a second something was done, so many times by each agent.
func (e *errand) atOnce(do func(agent, n int) error) (float64, error) {
	errs := make([]error, len(e.Agents))
	var all sync.WaitGroup
	begin := time.Now()
	for i := range e.Agents {
		all.Go(func() {
			for n := 0; n < e.Each && errs[i] == nil; n++ {
				errs[i] = do(i, n)
			}
		})
	}
	all.Wait()
	return float64(len(e.Agents)*e.Each) / since(begin, time.Second), errors.Join(errs...)
}

// connect makes a connection in the engine's account.
func (e *errand) connect(name string) (*nats.Conn, error) {
	return nats.Connect(e.URL, nats.UserCredentialBytes([]byte(e.Engine)), nats.CustomInboxPrefix(bus.InboxPrefix(bus.Engine, name)))
}

func (e *errand) echo() (float64, error) {
	nc, err := e.connect("echo")
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	return medianTime(e.Each, func(int) error {
		_, err := nc.Request(echoSubject, []byte(callArguments), requestTimeout)
		return err
	})
}

// bare makes each of some requests in its turn.
func (e *errand) bare(requests ...string) (float64, error) {
	conns := make([]*nats.Conn, len(e.Agents))
	for i := range conns {
		nc, err := e.connect(fmt.Sprint("bare-", i))
		if err != nil {
			return 0, err
		}
		defer nc.Close()
		conns[i] = nc
	}
	return e.atOnce(func(i, _ int) error {
		for _, what := range requests {
			m, err := conns[i].Request(bareSubject+string(e.Agents[i].Session)+"."+what, []byte(callArguments), requestTimeout)
			if err == nil && m.Header.Get("Nats-Service-Error") != "" {
				err = errors.New(m.Header.Get("Nats-Service-Error"))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
