package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
)

// stateOf is the state directory of a home.
func stateOf(home string) string { return filepath.Join(home, ".local", "state", "docket") }

// TestAnEngineElsewhereServesWithACopyOfWhatItNeeds: a person and an agent work with
// the second engine alone, on a session that the first one's command has made.
func TestAnEngineElsewhereServesWithACopyOfWhatItNeeds(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	do := func(home string, args ...string) {
		t.Helper()
		if r := runIn(t.Context(), home, args...); r.code != exitOK {
			t.Fatalf("%v: got %+v", args, r)
		}
	}
	url := printedServer(t, first).ClientURL()
	do(first, "creds", "engine", "first", "--out", filepath.Join(first, "engine.creds"))
	do(first, "creds", "human", "ana", "--out", filepath.Join(first, "ana.creds"))
	do(first, "--nats", url, "--creds", filepath.Join(first, "engine.creds"), "session", "create", "--id", "before")
	if err := os.MkdirAll(filepath.Dir(stateOf(second)), 0o700); err != nil {
		t.Fatal(err)
	}
	do(first, "creds", "replica", "second", stateOf(second))
	serveIn(t, second, "--nats", url, "--creds", filepath.Join(stateOf(second), replicaCreds))

	dial := func(cfg client.Config) *client.Client {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), scriptPatience)
		defer cancel()
		cfg.URL = url
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
	person, err := dial(client.Config{CredsFile: filepath.Join(first, "ana.creds")}).Human()
	if err != nil {
		t.Fatal(err)
	}
	made, err := person.Create(t.Context(), api.SessionCreate{CWD: "/w", Preset: presets.DangerFullAccess})
	if err != nil {
		t.Fatal(err)
	}
	leave, err := person.Credential(t.Context(), made.Session)
	if err != nil {
		t.Fatal(err)
	}
	s, err := dial(client.Config{Creds: []byte(leave.Creds)}).Session("")
	if err != nil {
		t.Fatal(err)
	}
	ran := runOne(t, s)
	if ran.Result == nil {
		t.Errorf("got %+v, want the result of a body", ran)
	}
	// Both directories trust what either has signed.
	do(first, "--nats", url, "--creds", filepath.Join(first, "engine.creds"), "verify", "--all")
}

// runOne takes one call of a new turn through the gate.
func runOne(t *testing.T, s *client.Session) client.Ran {
	t.Helper()
	ctx, err := t.Context(), s.StartTurn(t.Context())
	if err == nil {
		err = s.StartStep(ctx)
	}
	if err == nil {
		err = s.SetRequest(ctx, api.RequestSet{Provider: "p", Model: "m", Reason: "initial"})
	}
	var ran []client.Ran
	if err == nil {
		ran, err = s.Act(ctx, api.AssistantMessage{
			Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("c1", "shell", `{"command":"true"}`)},
		}, func(context.Context, permit.Permit) client.Result { return client.Text("done") })
	}
	if err != nil || len(ran) != 1 {
		t.Fatalf("got %+v, %v", ran, err)
	}
	return ran[0]
}

// TestAReplicaIsPrivateAndHoldsNobodysCredentials but the new engine's own, and says of
// what was issued what the original says.
func TestAReplicaIsPrivateAndHoldsNobodysCredentials(t *testing.T) {
	home := t.TempDir()
	for _, args := range [][]string{{"session", "create"}, {"integration", "install", "auto"}, {"creds", "human", "ana"}, {"creds", "replica", "two", filepath.Join(home, "two")}} {
		if r := runIn(t.Context(), home, args...); r.code != exitOK {
			t.Fatalf("%v: got %+v", args, r)
		}
	}
	var secrets []string
	err := filepath.WalkDir(filepath.Join(home, "two"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others (%s)", path, info.Mode().Perm())
		}
		if name, is := strings.CutPrefix(path, filepath.Join(home, "two")+"/"); is && !d.IsDir() && filepath.Ext(path) != ".json" {
			secrets = append(secrets, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"engine.creds", "keys/dispatch.key", "keys/engine.key", "keys/engine.pub", "bus/operator.nk", "bus/ENGINE.jwt", "bus/AGENT.agent.nk"} {
		if !slices.Contains(secrets, want) {
			t.Errorf("%s is missing: %v", want, secrets)
		}
	}
	for _, name := range secrets {
		if strings.HasSuffix(name, ".creds") && name != replicaCreds {
			t.Errorf("it holds %s", name)
		}
	}
	here, there := runIn(t.Context(), home, "creds", "list", "--json"), runIn(t.Context(), home, "--dir", filepath.Join(home, "two"), "creds", "list", "--json")
	for _, r := range []ran{here, there} {
		if r.code != exitOK || !strings.Contains(r.out, `"name":"two"`) || !strings.Contains(r.out, `"name":"ana"`) {
			t.Errorf("got %+v, want what was issued", r)
		}
	}
}

// TestAReplicaIsRefusedAndLeavesNothing where there is something already, or nothing to
// copy.
func TestAReplicaIsRefusedAndLeavesNothing(t *testing.T) {
	home := t.TempDir()
	if r := runIn(t.Context(), home, "creds", "human", "ana"); r.code != exitOK {
		t.Fatalf("got %+v", r)
	}
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no key of logs": {[]string{"two", filepath.Join(home, "two")}, exitFailed, "'engine serve' makes it at its first start"},
		"it exists":      {[]string{"two", home}, exitFailed, "exists, and nothing is written over it"},
		"no folder":      {[]string{"two", filepath.Join(home, "none", "two")}, exitFailed, ""},
		"no directory":   {[]string{"two"}, exitUsage, "give a name and a directory"},
		"a bad name":     {[]string{"a.b", filepath.Join(home, "two")}, exitUsage, "a name has"},
	} {
		if r := runIn(t.Context(), home, append([]string{"creds", "replica"}, c.args...)...); r.code != c.code || !strings.Contains(r.err, c.want) {
			t.Errorf("%s: got %+v, want %s", name, r, c.want)
		}
	}
	if r := runIn(t.Context(), t.TempDir(), "creds", "replica", "two", filepath.Join(home, "two")); r.code != exitFailed {
		t.Errorf("without keys: got %+v", r)
	}
	left, err := filepath.Glob(filepath.Join(home, "two*"))
	if err != nil || len(left) != 0 {
		t.Errorf("got %v, %v, want nothing", left, err)
	}
	issued := runIn(t.Context(), home, "creds", "list")
	if strings.Contains(issued.out, "two") {
		t.Errorf("got %s, want nothing issued for it", issued.out)
	}
}
