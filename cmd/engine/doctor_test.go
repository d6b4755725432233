package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/events"
)

// examine runs the doctor and returns what it found, by name.
func examine(t *testing.T, home string, args ...string) (map[string][]check, ran, examination) {
	t.Helper()
	r := runIn(t.Context(), home, append([]string{"doctor", "--json"}, args...)...)
	var e examination
	if err := json.Unmarshal([]byte(r.out), &e); err != nil {
		t.Fatalf("got %+v: %v", r, err)
	}
	byName := map[string][]check{}
	for _, c := range e.Checks {
		byName[c.Name] = append(byName[c.Name], c)
	}
	if e.OK != (r.code == exitOK) {
		t.Errorf("got exit code %d with ok %v", r.code, e.OK)
	}
	return byName, r, e
}

func TestTheDoctorFindsNothingWrongWithAFreshInstallation(t *testing.T) {
	home := t.TempDir()
	if checks, r, _ := examine(t, home); r.code != exitFailed || checks["connection"][0].Remedy == "" {
		t.Errorf("without a serve: got %+v", r)
	}
	served := serveIn(t, home)
	checks, r, e := examine(t, home)
	if r.code != exitOK {
		t.Fatalf("got %+v", r)
	}
	for _, name := range []string{"files", "credential", "connection", "version", "payload", "permissions", "jetstream", "streams", "capacity", "clock"} {
		if cs := checks[name]; len(cs) != 1 || cs[0].Outcome != checkOK {
			t.Errorf("%s: got %+v, want ok", name, cs)
		}
	}
	if e.Trust != string(events.TrustSameUser) {
		t.Errorf("got trust level %q", e.Trust)
	}
	for _, class := range []string{"human", "agent", "spawner", "auditor", "host", "reviewer", "admin"} {
		creds := filepath.Join(home, class+".creds")
		if r := runIn(t.Context(), home, "creds", class, "x", "--out", creds); r.code != 0 {
			t.Fatalf("got %+v", r)
		}
		checks, r, _ := examine(t, home, "--nats", served.URL, "--creds", creds)
		if r.code != exitOK || checks["permissions"][0].Outcome != checkOK {
			t.Errorf("%s: got %+v", class, r)
		}
	}
	text := runIn(t.Context(), home, "doctor")
	if text.code != 0 || !strings.HasSuffix(text.out, "Nothing is wrong.\n") || !strings.Contains(text.out, "note     trust: same-user: ") {
		t.Errorf("got %+v", text)
	}
}

func TestTheDoctorSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	home := t.TempDir()
	served := serveIn(t, home)
	state := filepath.Join(home, ".local", "state", "docket")
	creds := filepath.Join(home, "x.creds")
	if r := runIn(t.Context(), home, "creds", "human", "x", "--out", creds); r.code != 0 {
		t.Fatalf("got %+v", r)
	}
	wrong := func(name, text string, args ...string) {
		t.Helper()
		checks, r, _ := examine(t, home, args...)
		found := slices.ContainsFunc(checks[name], func(c check) bool {
			return c.Outcome == checkFault && strings.Contains(c.Text, text) && c.Remedy != ""
		})
		if r.code != exitFailed || !found {
			t.Errorf("got %+v, want the fault %s: %s", r, name, text)
		}
	}
	// A credential that has been taken back.
	if r := runIn(t.Context(), home, "creds", "revoke", "human", "x"); r.code != 0 {
		t.Fatalf("got %+v", r)
	}
	wrong("connection", "Authorization Violation", "--nats", served.URL, "--creds", creds)
	wrong("connection", "no such file", "--nats", served.URL, "--creds", filepath.Join(home, "none.creds"))
	wrong("connection", "no servers available", "--nats", "nats://127.0.0.1:1")
	// A secret that others can read.
	if err := os.Chmod(filepath.Join(state, "run.json"), 0o644); err != nil {
		t.Fatal(err)
	}
	wrong("files", "can be read by others")
	// A server that is not ours lets one do what it should not.
	open, err := startNATS(filepath.Join(home, "open"), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(open.stop)
	wrong("streams", "missing: SESSIONS_0_0", "--nats", open.url)
}

func TestAServerThatIsTooOldIsAFault(t *testing.T) {
	for version, want := range map[string]string{
		"2.15.3": checkOK, "2.15.10": checkOK, "2.16.0-RC.1": checkOK, "3.0.0": checkOK,
		"2.15.2": checkFault, "2.9.25": checkFault, "": checkFault, "2.15": checkFault, "2.15.x": checkFault,
	} {
		e := examination{OK: true}
		if e.version(version); e.Checks[0].Outcome != want || e.OK != (want == checkOK) {
			t.Errorf("%s: got %+v, want %s", version, e.Checks, want)
		}
	}
}

func TestTheTrustLevelIsNeverHigherThanWhatIsKnown(t *testing.T) {
	for want, facts := range map[events.Trust][]trustFacts{
		events.TrustSeparate: {{}, {Confined: true}},
		events.TrustConfined: {{Reaches: true, Confined: true}},
		events.TrustSameUser: {{Reaches: true}, {Reaches: true, Open: true}, {Reaches: true, Open: true, Confined: true}},
	} {
		for _, f := range facts {
			if got := f.level(); got != want || f.because() == "" {
				t.Errorf("%+v: got %s, want %s", f, got, want)
			}
		}
	}
	now := time.Now()
	agent, confined := bus.Issued{Class: bus.Agent}, bus.Issued{Class: bus.Host, Confines: true}
	gone, past := agent, agent
	gone.Revoked, past.Expires = now, now.Add(-time.Hour)
	for name, tt := range map[string]struct {
		issued []bus.Issued
		want   bool
	}{
		"nobody":                   {nil, false},
		"no executor":              {[]bus.Issued{{Class: bus.Human}}, false},
		"all confine":              {[]bus.Issued{confined, {Class: bus.Auditor}}, true},
		"one does not":             {[]bus.Issued{confined, agent}, false},
		"the others are no longer": {[]bus.Issued{gone, past, confined}, true},
	} {
		if got := allConfined(tt.issued, now); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}
