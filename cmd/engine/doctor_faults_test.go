package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/jetstream"
)

// found is what an examination says of a check.
func (e *examination) found(t *testing.T, name, outcome, text string) {
	t.Helper()
	if !slices.ContainsFunc(e.Checks, func(c check) bool {
		return c.Name == name && c.Outcome == outcome && strings.Contains(c.Text, text)
	}) {
		t.Errorf("got %+v, want %s: %s: %s", e.Checks, outcome, name, text)
	}
	for _, c := range e.Checks {
		if c.Outcome == checkFault && c.Remedy == "" {
			t.Errorf("%+v says nothing about what to do", c)
		}
	}
	if wrong := slices.ContainsFunc(e.Checks, func(c check) bool { return c.Outcome == checkFault }); e.OK == wrong {
		t.Errorf("got ok %v with %+v", e.OK, e.Checks)
	}
}

func TestTheDoctorJudgesWhatItHasMeasured(t *testing.T) {
	now := time.Now()
	agent := bus.Issued{Class: bus.Agent, Name: "s1"}
	past, soon := agent, agent
	past.Expires, soon.Expires = now.Add(-time.Hour), now.Add(time.Hour)
	for name, c := range map[string]struct {
		look          func(*examination)
		check, result string
		text          string
	}{
		"messages that are too small":   {func(e *examination) { e.payload(wantPayload - 1) }, "payload", checkFault, "at most"},
		"messages that are large":       {func(e *examination) { e.payload(wantPayload) }, "payload", checkOK, "up to"},
		"clocks that agree":             {func(e *examination) { e.clock(time.Millisecond) }, "clock", checkOK, "1ms apart"},
		"clocks that nearly do":         {func(e *examination) { e.clock(clockNote) }, "clock", checkNote, "1s apart"},
		"clocks that do not":            {func(e *examination) { e.clock(clockFault) }, "clock", checkFault, "10s apart"},
		"a credential that has expired": {func(e *examination) { e.credential(past, now) }, "credential", checkFault, "has expired"},
		"one that will":                 {func(e *examination) { e.credential(soon, now) }, "credential", checkOK, "until"},
		"one that lasts":                {func(e *examination) { e.credential(agent, now) }, "credential", checkOK, "for ever"},
	} {
		t.Run(name, func(t *testing.T) {
			e := &examination{OK: true}
			c.look(e)
			e.found(t, c.check, c.result, c.text)
		})
	}
}

// plainServer is one that is nobody's, with JetStream or without.
func plainServer(t *testing.T, withStreams bool) *nats.Conn {
	t.Helper()
	ns, err := server.NewServer(&server.Options{
		DontListen: true, NoSigs: true, NoLog: true, JetStream: withStreams, DisableJetStreamBanner: true, StoreDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	ns.Start()
	t.Cleanup(func() {
		ns.Shutdown()
		ns.WaitForShutdown()
	})
	nc, err := nats.Connect("", nats.InProcessServer(ns), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// TestTheDoctorLooksAtTheStreams of a real server: whether there are any, whether they
// are what the log relies on, and how full they are.
func TestTheDoctorLooksAtTheStreams(t *testing.T) {
	e := &examination{OK: true}
	e.streams(t.Context(), plainServer(t, false), bus.Engine)
	e.found(t, "jetstream", checkFault, "jetstream not enabled")

	nc := plainServer(t, true)
	e = &examination{OK: true}
	e.streams(t.Context(), nc, bus.Engine)
	e.found(t, "streams", checkFault, "missing: ")

	js, err := natsjs.New(nc)
	if err == nil {
		_, err = jetstream.Provision(t.Context(), js, jetstream.Layout{})
	}
	if err != nil {
		t.Fatal(err)
	}
	change := func(set func(*natsjs.StreamConfig)) {
		t.Helper()
		s, err := js.Stream(t.Context(), "SESSIONS_0_0")
		if err != nil {
			t.Fatal(err)
		}
		cfg := s.CachedInfo().Config
		set(&cfg)
		if _, err = js.UpdateStream(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := js.Publish(t.Context(), "session.0.0.x", bytes.Repeat([]byte("x"), 1000)); err != nil {
		t.Fatal(err)
	}
	change(func(c *natsjs.StreamConfig) { c.MaxBytes = 1100 })
	e = &examination{OK: true}
	e.streams(t.Context(), nc, bus.Engine)
	e.found(t, "capacity", checkFault, "SESSIONS_0_0 has")
	e.found(t, "clock", checkOK, "apart")

	change(func(c *natsjs.StreamConfig) { c.MaxBytes, c.MaxAge = -1, time.Hour })
	e = &examination{OK: true}
	e.streams(t.Context(), nc, bus.Engine)
	e.found(t, "streams", checkFault, "max_age")
	e.found(t, "capacity", checkOK, "no stream")

	e = &examination{OK: true}
	e.streams(t.Context(), nc, bus.Agent)
	e.found(t, "streams", checkSkipped, "does not see them")
}

// TestTheDoctorTriesPermissionsInBothDirections: what a credential can do and must not,
// and what it cannot do and should.
func TestTheDoctorTriesPermissionsInBothDirections(t *testing.T) {
	e := &examination{OK: true}
	e.permissions(plainServer(t, true), bus.Issued{Class: bus.Agent, Name: "s1"})
	e.found(t, "permissions", checkFault, "it can write to a stream by publishing on session.0.0.doctor-attempt, and must not")
	e.found(t, "permissions", checkFault, "it can hear the answers to others by subscribing to _INBOX.agent.somebody-else.>, and must not")

	home := t.TempDir()
	served := serveIn(t, home)
	authority, err := bus.OpenAuthority(stateOf(home) + "/" + busDir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := authority.Issue(bus.Request{Class: bus.Agent, Name: "s1"})
	if err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(served.URL, nats.UserCredentialBytes(c.Text), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	e = &examination{OK: true}
	e.permissions(nc, bus.Issued{Class: bus.Agent, Name: "s2"}) // which it is not
	e.found(t, "permissions", checkFault, "it cannot send a command as agent under its own name by publishing on docket.v1.agent.s2.doctor.attempt, and should")
	e.found(t, "permissions", checkFault, "it cannot hear the answers to itself by subscribing to _INBOX.agent.s2.x, and should")
}
