package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
)

// TestEachCommandIsKnownToControlOrNot: a new one must be put on one of the lists.
func TestEachCommandIsKnownToControlOrNot(t *testing.T) {
	harmless := []string{"certify", "completion", "demo", "doctor", "effects", "help", "version"}
	a := &app{world: world{getenv: func(string) string { return "" }}}
	known := append(controlCommands(), harmless...)
	var all []string
	root := a.rootCommand()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		all = append(all, c.Name())
		if !slices.Contains(known, c.Name()) {
			t.Errorf("%s is neither a command that calls must not run nor one that is harmless", c.Name())
		}
	}
	for _, name := range known {
		if !slices.Contains(all, name) {
			t.Errorf("there is no command %s", name)
		}
	}
}

// TestAnAgentsCallsDoNotReachWhatIsTheEngines: on a serve of its own, with an agent's
// real credential. Nobody is asked, and under full access the person has allowed it.
func TestAnAgentsCallsDoNotReachWhatIsTheEngines(t *testing.T) {
	home := t.TempDir()
	do := func(args ...string) {
		t.Helper()
		if r := runIn(t.Context(), home, args...); r.code != exitOK {
			t.Fatalf("%v: got %+v", args, r)
		}
	}
	do("integration", "install", "auto")
	do("creds", "human", "ana", "--out", filepath.Join(home, "ana.creds"))
	served := serveIn(t, home)
	dial := func(cfg client.Config) *client.Client {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), scriptPatience)
		defer cancel()
		cfg.URL = served.URL
		c, err := client.Dial(ctx, cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := c.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
		return c
	}
	ana, err := dial(client.Config{CredsFile: filepath.Join(home, "ana.creds")}).Human()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{
		"its keys":     `{"command":"cat ` + stateOf(home) + `/bus/operator.nk"}`,
		"by the home":  `{"command":"cat ~/.local/state/docket/run.json"}`,
		"its server":   `{"command":"nats -s ` + served.URL + ` sub '>'"}`,
		"its commands": `{"command":"engine creds human me"}`,
	}
	for _, preset := range []string{presets.Auto, presets.DangerFullAccess} {
		made, err := ana.Create(t.Context(), api.SessionCreate{CWD: "/w", Preset: preset})
		if err != nil {
			t.Fatal(err)
		}
		leave, err := ana.Credential(t.Context(), made.Session)
		if err != nil {
			t.Fatal(err)
		}
		s, err := dial(client.Config{Creds: []byte(leave.Creds)}).Session("")
		if err != nil {
			t.Fatal(err)
		}
		bodies := runNamed(t, s, names)
		if want := len(names); preset == presets.DangerFullAccess && bodies != want || preset == presets.Auto && bodies != 0 {
			t.Errorf("%s: %d bodies ran", preset, bodies)
		}
		for r, err := range s.Read(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Type() == events.TypeReviewRequested || r.Type() == events.TypeApprovalAsked {
				t.Errorf("%s: somebody was asked: %s", preset, r.Line)
			}
		}
	}
}

// runNamed takes calls of a new turn through the gate, and counts the bodies that ran.
func runNamed(t *testing.T, s *client.Session, names map[string]string) (bodies int) {
	t.Helper()
	ctx, err := t.Context(), s.StartTurn(t.Context())
	if err == nil {
		err = s.StartStep(ctx)
	}
	if err == nil {
		err = s.SetRequest(ctx, api.RequestSet{Provider: "p", Model: "m", Reason: "initial"})
	}
	var blocks []events.Block
	for name, arguments := range names {
		blocks = append(blocks, events.ToolCallBlock(name, "shell", arguments))
	}
	var ran []client.Ran
	if err == nil {
		ran, err = s.Act(ctx, api.AssistantMessage{Provider: "p", Model: "m", Content: blocks}, func(context.Context, permit.Permit) client.Result {
			bodies++
			return client.Text("done")
		})
	}
	if err != nil || len(ran) != len(names) {
		t.Fatalf("got %+v, %v", ran, err)
	}
	for _, r := range ran {
		if r.Result == nil && !errors.Is(r.Err(), client.ErrDenied) {
			t.Errorf("got %v, want a denial", r.Err())
		}
	}
	return bodies
}
