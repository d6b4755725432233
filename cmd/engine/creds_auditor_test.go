package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// serveIn runs serve on the home's state directory in this process, until the test
// ends, and returns where it is.
func serveIn(t *testing.T, home string, args ...string) running {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan ran)
	go func() { ended <- runIn(ctx, home, append([]string{"serve"}, args...)...) }()
	t.Cleanup(func() {
		stop()
		if r := <-ended; r.code != exitCancelled && r.code != exitOK {
			t.Errorf("serve: got %+v", r)
		}
	})
	var r running
	patience, cancel := context.WithTimeout(t.Context(), scriptPatience)
	defer cancel()
	if err := pollUntil(patience, func() (bool, error) {
		var err error
		r, err = readRunFile(filepath.Join(home, ".local", "state", "docket"))
		return err == nil, nil
	}); err != nil {
		t.Fatalf("serve did not begin: %v", err)
	}
	return r
}

// TestAnAuditorNeedsNothingButACredentialAndThePlainTool: the nats command as it is,
// without a context or any setting of ours.
func TestAnAuditorNeedsNothingButACredentialAndThePlainTool(t *testing.T) {
	home := t.TempDir()
	fixture := filepath.Join("..", "..", "fixtures", "sessions", "demo-plain.jsonl")
	do := func(args ...string) {
		t.Helper()
		if r := runIn(t.Context(), home, args...); r.code != 0 || r.err != "" {
			t.Fatalf("%v: got %+v", args, r)
		}
	}
	do("import", fixture)
	r := serveIn(t, home)
	creds := filepath.Join(home, "ann.creds")
	do("creds", "auditor", "ann", "--out", creds)

	tool := func(ctx context.Context, args ...string) *exec.Cmd {
		all := []string{
			"tool", "-modfile=tools.mod", "nats", "--server", r.URL, "--creds", creds, "--inbox-prefix", "_INBOX.auditor.ann", "--timeout", "2s",
		}
		cmd := exec.CommandContext(ctx, "go", append(all, args...)...)
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+home) // not this machine's contexts
		return cmd
	}
	says := func(want string, args ...string) {
		t.Helper()
		if out, err := tool(t.Context(), args...).CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("nats %v: got %v and\n%s, want %q", args, err, out, want)
		}
	}
	says("SESSIONS_0_0", "stream", "ls", "--names")
	says("permission/preset,sandbox/mode", "stream", "get", "SESSIONS_0_0", "--last-for", "session.0.0.demo-plain")
	says("SESSIONS_0_0", "stream", "subjects", "SESSIONS_0_0")
	for _, args := range [][]string{
		{"publish", "session.0.0.demo-plain", "x"},
		{"stream", "purge", "SESSIONS_0_0", "--force"},
		{"stream", "rm", "SESSIONS_0_0", "--force"},
		{"stream", "rmm", "SESSIONS_0_0", "1", "--force"},
		{"stream", "edit", "SESSIONS_0_0", "--max-msgs=1", "--force"},
		{"request", "docket.v1.human.ann.message.send", "x"},
	} {
		if out, err := tool(t.Context(), args...).CombinedOutput(); err == nil && !strings.Contains(strings.ToLower(string(out)), "permissions violation") {
			t.Errorf("nats %v: got no error and\n%s", args, out)
		}
	}

	// It follows what is appended while it looks.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var seen bytes.Buffer
	follow := tool(ctx, "sub", "--stream", "SESSIONS_0_0", "--all", "--count", "2", "--headers-only", "session.0.0.new")
	follow.Stdout, follow.Stderr = &seen, &seen
	if err := follow.Start(); err != nil {
		t.Fatal(err)
	}
	do("session", "create", "--id", "new")
	if err := follow.Wait(); err != nil || !strings.Contains(seen.String(), "Docket-Types: session/header") || strings.Count(seen.String(), "Received JetStream") != 2 {
		t.Errorf("got %v and\n%s, want the header of the new session and its first frame", err, &seen)
	}
	do("verify", "--all")
}
