package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/jetstream"
)

// TestServeTakesCommandsOverTheBus from whoever has a credential, in a process of its
// own; a session of the bus is one like any other.
func TestServeTakesCommandsOverTheBus(t *testing.T) {
	s := &crashStore{t: t, binary: buildEngine(t), dir: t.TempDir()}
	p := s.start(jetstream.Fsync(250 * time.Millisecond))
	defer p.stop()
	authority, err := bus.OpenAuthority(filepath.Join(s.dir, busDir))
	if err != nil {
		t.Fatal(err)
	}
	running, err := readRunFile(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := authority.Issue(bus.Request{Class: bus.Human, Name: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(running.URL, nats.UserCredentialBytes(c.Text), nats.CustomInboxPrefix(bus.InboxPrefix(bus.Human, "ada")))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	ask := func(command, request string) *nats.Msg {
		t.Helper()
		m, err := nc.Request(api.Address{Role: api.RoleHuman, Identity: "ada", Command: command}.Subject(), []byte(request), 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	ask("session.create", `{"id":"c1","session":"over-the-bus","cwd":"/srv/demo"}`)
	var state api.State
	if err := json.Unmarshal(ask("session.show", `{"session":"over-the-bus"}`).Data, &state); err != nil || state.Owner != "ada" || state.Preset == "" {
		t.Errorf("got %+v, %v", state, err)
	}
	if m := ask("session.credential", `{"session":"over-the-bus"}`); !strings.Contains(string(m.Data), "BEGIN NATS USER JWT") {
		t.Errorf("got %s, want a credential", m.Data)
	}
	if o, err := p.log.Open(t.Context(), "over-the-bus"); err != nil || o.Creator.Name != "ada" {
		t.Errorf("got %+v, %v", o.Creator, err)
	}
	if text := p.logs.String(); strings.Contains(text, "eyJ") || strings.Contains(text, "SU") {
		t.Errorf("a credential is in the log: %s", text)
	}
}
