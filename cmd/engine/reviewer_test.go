package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"iter"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
)

// begun is a command in a process of its own that has said that it is ready.
type begun struct {
	t    *testing.T
	cmd  *exec.Cmd
	logs *bytes.Buffer
}

func begin(t *testing.T, binary string, args ...string) *begun {
	t.Helper()
	b := &begun{t: t, cmd: exec.CommandContext(context.Background(), binary, args...), logs: &bytes.Buffer{}}
	b.cmd.Stderr = b.logs
	out, err := b.cmd.StdoutPipe()
	if err := errors.Join(err, b.cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.cmd.Process.Kill() }) // most have ended
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"pid":`) {
		t.Fatalf("%v did not begin: %s, %v\n%s", args, line, err, b.logs)
	}
	return b
}

// end ends the process in good order, and gives its exit code.
func (b *begun) end() int {
	b.t.Helper()
	if err := b.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		b.t.Error(err)
	}
	_ = b.cmd.Wait() // the exit code says it
	return b.cmd.ProcessState.ExitCode()
}

// TestServeAsksReviewersInOtherProcesses: without one a call fails, with one it is
// judged by its rules, and when it has left, calls fail again.
func TestServeAsksReviewersInOtherProcesses(t *testing.T) {
	binary, dir := buildEngine(t), t.TempDir()
	if out, err := exec.CommandContext(t.Context(), binary, "--dir", dir, "integration", "install", "auto").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	serve := begin(t, binary, "--dir", dir, "--fsync", "250ms", "--json", "serve", "--reviewer", "remote")
	_, s := reviewedSession(t, dir)
	readCall := func(id string) string {
		t.Helper()
		said := []events.Block{events.ToolCallBlock(id, "read", `{"path":"notes.md"}`)}
		ran, err := s.Act(t.Context(), api.AssistantMessage{Provider: "me", Model: "m1", Content: said}, func(context.Context, permit.Permit) client.Result {
			return client.Text("Buy milk.")
		})
		if err != nil || len(ran) != 1 {
			t.Fatalf("call %s: got %+v, %v", id, ran, err)
		}
		if err := s.StartStep(t.Context()); err != nil {
			t.Fatal(err)
		}
		return ran[0].Text()
	}
	if got := readCall("c1"); !strings.Contains(got, "REVIEWER_UNAVAILABLE") {
		t.Errorf("without a reviewer: got %q", got)
	}
	apart := begin(t, binary, "--dir", dir, "--json", "reviewer")
	if got := readCall("c2"); got != "Buy milk." {
		t.Errorf("with a reviewer: got %q\n%s%s", got, apart.logs, serve.logs)
	}
	if code := apart.end(); code != exitOK {
		t.Errorf("the reviewer ended with %d\n%s", code, apart.logs)
	}
	if got := readCall("c3"); !strings.Contains(got, "REVIEWER_UNAVAILABLE") {
		t.Errorf("behind the reviewer: got %q", got)
	}
	again := begin(t, binary, "--dir", dir, "--json", "reviewer")
	if code := serve.end(); code != exitOK {
		t.Errorf("serve ended with %d\n%s", code, serve.logs)
	}
	if _ = again.cmd.Wait(); again.cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(again.logs.String(), "has stopped") {
		t.Errorf("beside no serve the reviewer ended with %d\n%s", again.cmd.ProcessState.ExitCode(), again.logs)
	}
}

// TestARunningServeTakesOverWhatIsInstalled: a removal moves its sessions and is told
// to whoever knows the catalogue; an installation brings the preset back, and no session.
func TestARunningServeTakesOverWhatIsInstalled(t *testing.T) {
	binary, dir := buildEngine(t), t.TempDir()
	integration := func(what string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), binary, "--dir", dir, "integration", what, presets.IntegrationAuto).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	integration("install")
	serve := begin(t, binary, "--dir", dir, "--fsync", "250ms", "--json", "serve")
	ana, s := reviewedSession(t, dir)
	said := []events.Block{events.ToolCallBlock("c1", "read", `{"path":"notes.md"}`)}
	if _, err := s.Act(t.Context(), api.AssistantMessage{Provider: "me", Model: "m1", Content: said}, func(context.Context, permit.Permit) client.Result {
		return client.Text("Buy milk.")
	}); err != nil {
		t.Fatal(err)
	}
	on := func(want string) {
		t.Helper()
		if state, err := ana.Show(t.Context(), "work"); err != nil || state.Preset != want {
			t.Errorf("the session is on %s, want %s: %v", state.Preset, want, err)
		}
	}
	on(presets.Auto)
	next, stop := iter.Pull2(ana.Catalogs(t.Context()))
	defer stop()
	await := func(there bool) {
		t.Helper()
		for {
			c, err, ok := next()
			if err != nil || !ok {
				t.Fatalf("the catalogue is told no more: %v", err)
			}
			if slices.ContainsFunc(c.Options, func(o api.Preset) bool { return o.Name == presets.Auto }) == there {
				return
			}
		}
	}
	await(true)
	integration("remove")
	on(presets.DangerFullAccess)
	await(false)
	integration("install")
	await(true)
	on(presets.DangerFullAccess)
	if code := serve.end(); code != exitOK {
		t.Errorf("serve ended with %d\n%s", code, serve.logs)
	}
}

// reviewedSession is an agent's session under auto, in its first step, and its owner.
func reviewedSession(t *testing.T, dir string) (*client.Human, *client.Session) {
	t.Helper()
	authority, err := bus.OpenAuthority(filepath.Join(dir, busDir))
	if err != nil {
		t.Fatal(err)
	}
	running, err := readRunFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	dial := func(class, name string) *client.Client {
		credential, err := authority.Issue(bus.Request{Class: class, Name: name})
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.Dial(t.Context(), client.Config{URL: running.URL, Creds: credential.Text})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close(context.Background()) }) // the server has ended
		return c
	}
	ana, err := dial(bus.Human, "ana").Human()
	if err == nil {
		_, err = ana.Create(t.Context(), api.SessionCreate{Command: api.Command{Session: "work"}, CWD: "/srv/demo", Preset: presets.Auto})
	}
	if err == nil {
		err = ana.Say(t.Context(), "work", "please read notes.md")
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := dial(bus.Agent, "work").Session("")
	if err != nil {
		t.Fatal(err)
	}
	request := api.RequestSet{Provider: "me", Model: "m1", Reason: "initial", Tools: []api.Tool{{
		Name: "read", Description: jsontext.Value(`"Reads a file."`),
		Parameters: jsontext.Value(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`),
	}}}
	if err := errors.Join(s.StartTurn(t.Context()), s.StartStep(t.Context()), s.SetRequest(t.Context(), request)); err != nil {
		t.Fatal(err)
	}
	return ana, s
}
