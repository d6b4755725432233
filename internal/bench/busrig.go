package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

// busRig is a rig whose server has the bus's accounts, with a desk that is served.
type busRig struct {
	rig       *rig
	authority *bus.Authority
	desk      *desk
	service   *bus.Service
	person    *client.Human
	connected *client.Client // the person's
	engine    string         // a credential
}

func withBus(ctx context.Context, do func(*busRig) error) (err error) {
	keys, err := newKeys()
	if err != nil {
		return err
	}
	b := &busRig{rig: &rig{keys: keys}}
	if b.rig.dir, err = os.MkdirTemp("", "docket-bench-"); err != nil {
		return err
	}
	if err = b.start(ctx); err == nil {
		err = do(b)
	}
	return errors.Join(err, b.close(ctx))
}

func (b *busRig) start(ctx context.Context) (err error) {
	if b.authority, err = bus.OpenAuthority(filepath.Join(b.rig.dir, "bus")); err != nil {
		return err
	}
	if b.rig.trust, err = b.authority.Trust(); err != nil {
		return err
	}
	if err := b.rig.start(ctx, defaultFsync); err != nil {
		return err
	}
	if b.desk, err = b.rig.desk(b.rig.nc, judgement{}); err != nil {
		return err
	}
	b.service, err = bus.NewService(bus.ServiceConfig{
		Conn: b.rig.nc, Engine: b.desk.engine, Gate: b.desk.gate, Registry: b.desk.registry, Log: b.desk.log, Tail: b.desk.log,
		Instance: deskName, Establish: b.authority.Table().Establish,
	})
	if err == nil {
		err = b.service.Start()
	}
	if err == nil {
		_, err = b.rig.nc.Subscribe(echoSubject, func(m *nats.Msg) { _ = m.Respond(m.Data) }) // whoever asked finds out
	}
	if err != nil {
		return err
	}
	return b.connect(ctx)
}

// connect makes the person, over TCP.
func (b *busRig) connect(ctx context.Context) error {
	engine, err := b.authority.Issue(bus.Request{Class: bus.Engine, Name: "bare"})
	if err != nil {
		return err
	}
	b.engine = string(engine.Text)
	person, err := b.authority.Issue(bus.Request{Class: bus.Human, Name: "ana"})
	if err != nil {
		return err
	}
	if b.connected, err = client.Dial(ctx, client.Config{URL: b.rig.server.ClientURL(), Creds: person.Text}); err != nil {
		return err
	}
	b.person, err = b.connected.Human()
	return err
}

// close ends what was started, in the opposite order.
func (b *busRig) close(ctx context.Context) error {
	var errs []error
	if b.connected != nil {
		errs = append(errs, b.connected.Close(ctx))
	}
	if b.service != nil {
		errs = append(errs, b.service.Shutdown(ctx))
	}
	if b.desk != nil {
		errs = append(errs, b.desk.close(ctx))
	}
	return errors.Join(append(errs, b.rig.close())...)
}

// busAgent is an agent on a session of its own.
type busAgent struct {
	Session events.SessionID `json:"session"`
	Creds   string           `json:"creds"`
}

// agent makes a session on the preset auto, and the credential of its agent.
func (b *busRig) agent(ctx context.Context) (busAgent, error) {
	made, err := b.person.Create(ctx, api.SessionCreate{CWD: "/srv/demo", Preset: presets.Auto})
	if err != nil {
		return busAgent{}, err
	}
	c, err := b.authority.Issue(bus.Request{Class: bus.Agent, Name: string(made.Session)})
	return busAgent{made.Session, string(c.Text)}, err
}

// send runs an errand in another process, and gives the figure that it comes back
// with.
func (b *busRig) send(ctx context.Context, e errand) (figure float64, err error) {
	e.URL, e.Engine = b.rig.server.ClientURL(), b.engine
	text, err := json.Marshal(e)
	if err != nil {
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, errandArg)
	var failed bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), &failed
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("the client's process: %w: %s", err, failed.String())
	}
	return figure, json.Unmarshal(out, &figure)
}

// bareSubject is where the bare endpoints are, in the engine's account.
const bareSubject = "docket.engine.bare."

// bareEndpoint is a micro endpoint that makes guarded publishes when it is asked to.
// Another one answers with nothing.
type bareEndpoint struct {
	bodies     [][]byte
	publishers map[string]*publisher // by session; each is used by one client
	js         natsjs.JetStream
}

// begin makes the publishers of new sessions, before anybody asks for them.
func (e *bareEndpoint) begin(sessions []busAgent) {
	e.publishers = make(map[string]*publisher, len(sessions))
	for _, s := range sessions {
		_, subject := place(s.Session)
		e.publishers[string(s.Session)] = &publisher{js: e.js, subject: subject}
	}
}

func (e *bareEndpoint) serve(r *rig) error {
	e.js = r.js
	service, err := micro.AddService(r.nc, micro.Config{Name: "bare", Version: "0.0.1"})
	if err != nil {
		return err
	}
	return service.AddEndpoint("publish", micro.HandlerFunc(func(q micro.Request) {
		// Others are served meanwhile, as the engine serves them.
		go func() {
			if err := e.publish(q.Subject()); err != nil {
				_ = q.Error("500", err.Error(), nil) // whoever asked finds out that there is no answer
				return
			}
			_ = q.Respond(nil)
		}()
	}), micro.WithEndpointSubject(bareSubject+"*.*"))
}

// publish makes the publishes of a call, or those of a result.
func (e *bareEndpoint) publish(subject string) error {
	session, what, _ := strings.Cut(strings.TrimPrefix(subject, bareSubject), ".")
	p := e.publishers[session]
	if p == nil {
		return fmt.Errorf("there is no session %s", session)
	}
	if what == bareResult {
		return p.all(context.Background(), e.bodies[callFrames-1:])
	}
	return p.all(context.Background(), e.bodies[:callFrames-1])
}
