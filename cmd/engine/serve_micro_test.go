package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docket-engine/docket/bus"
)

// waitServed returns when a serve that has begun takes commands.
func waitServed(t *testing.T, served running) {
	t.Helper()
	nc, err := connect(served.endpoint)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(t.Context(), scriptPatience)
	defer cancel()
	if err := pollUntil(ctx, func() (bool, error) {
		_, err := nc.RequestWithContext(ctx, "$SRV.PING."+bus.ServiceName, nil)
		return err == nil, nil
	}); err != nil {
		t.Fatalf("no commands are taken: %v", err)
	}
}

// TestThePlainToolFindsTheService: nats micro, with the engine's credential, lists it,
// says what its endpoints are and counts what they did. Nobody else may ask.
func TestThePlainToolFindsTheService(t *testing.T) {
	home := t.TempDir()
	served := serveIn(t, home)
	says := func(creds, inbox string, args ...string) string {
		t.Helper()
		all := append([]string{
			"tool", "-modfile=tools.mod", "nats", "--server", served.URL, "--creds", creds, "--inbox-prefix", inbox, "--timeout", "5s", "micro",
		}, args...)
		cmd := exec.CommandContext(t.Context(), "go", all...)
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+home)
		out, _ := cmd.CombinedOutput() // what it says is looked at
		return string(out)
	}
	own := filepath.Join(stateOf(home), busDir, "engine.creds")
	waitServed(t, served)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"ls"}, []string{bus.ServiceName}},
		{[]string{"info", bus.ServiceName}, []string{"human-session-create", "docket.v1.human.*.session.create", "agent-call", "begin a session"}},
		{[]string{"stats", bus.ServiceName}, []string{"spawner-session-credential", "Requests"}},
	} {
		out := says(own, "_INBOX.tool", c.args...)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("nats micro %v: got %s, want %s", c.args, out, want)
			}
		}
	}
	creds := filepath.Join(home, "ann.creds")
	if r := runIn(t.Context(), home, "creds", "auditor", "ann", "--out", creds); r.code != exitOK {
		t.Fatalf("got %+v", r)
	}
	if out := says(creds, "_INBOX.auditor.ann", "ls"); !strings.Contains(strings.ToLower(out), "permissions violation") {
		t.Errorf("an auditor: got %s, want that it may not ask", out)
	}
}
