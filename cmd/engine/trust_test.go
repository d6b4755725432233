package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/events"
)

// TestAgentsAreApartOnlyWhereNothingSpeaksAgainstIt: what serve is told is held against
// what can be looked at.
func TestAgentsAreApartOnlyWhereNothingSpeaksAgainstIt(t *testing.T) {
	own, err := ownID()
	if err != nil {
		t.Fatal(err)
	}
	shut, open := t.TempDir(), t.TempDir()
	if err := errors.Join(os.Chmod(shut, 0o700), os.Chmod(open, 0o755)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		dir, where string
		apart      bool
		is         error
	}{
		"here":                       {shut, agentsHere, false, nil},
		"on other machines":          {shut, agentsElsewhere, true, nil},
		"another user":               {shut, "65534", true, nil},
		"the user of the engine":     {shut, own, false, errNotApart},
		"root":                       {shut, "0", false, errNotApart},
		"root in other words":        {shut, "00", false, errNotApart},
		"a directory that is open":   {open, "65534", true, errNotApart},
		"elsewhere, but it is open":  {open, agentsElsewhere, true, errNotApart},
		"here, whatever else is not": {open, agentsHere, false, nil},
	} {
		if apart, err := agentsApart(c.dir, c.where); !errors.Is(err, c.is) || err == nil && apart != c.apart {
			t.Errorf("%s: got %v, %v, want %v, %v", name, apart, err, c.apart, c.is)
		}
	}
	if _, err := agentsApart(shut, "no-such-user"); !isUsage(err) {
		t.Errorf("got %v, want an error of usage", err)
	}
}

// TestTheRecordedLevelFollowsWhatIsIssued, a second later at the latest, and is the
// lowest one where nothing is known.
func TestTheRecordedLevelFollowsWhatIsIssued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		w := newTrustWatch(dir, false)
		want := func(what string, level events.Trust) {
			t.Helper()
			time.Sleep(trustFresh)
			if got := w.now(); got != level {
				t.Errorf("%s: got %s, want %s", what, got, level)
			}
		}
		want("nothing is there", events.TrustSameUser)
		a, err := bus.OpenAuthority(filepath.Join(dir, busDir))
		if err != nil {
			t.Fatal(err)
		}
		issue := func(r bus.Request) {
			t.Helper()
			if _, err := a.Issue(r); err != nil {
				t.Fatal(err)
			}
		}
		want("no executor", events.TrustSameUser)
		issue(bus.Request{Class: bus.Host, Name: "box", Ceiling: "auto", Confines: true})
		want("one that confines", events.TrustConfined)
		issue(bus.Request{Class: bus.Agent, Name: "s1"})
		want("one that does not", events.TrustSameUser)
		if _, err := a.Revoke(bus.Agent, "s1"); err != nil {
			t.Fatal(err)
		}
		want("which is taken back", events.TrustConfined)
		person := filepath.Join(dir, busDir, "human.ana.creds")
		if err := os.WriteFile(person, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		want("a person's credential lies open", events.TrustSameUser)
		if err := os.Rename(person, person+sealedSuffix); err != nil {
			t.Fatal(err)
		}
		want("and is sealed", events.TrustConfined)
		w = newTrustWatch(dir, true)
		want("agents are apart", events.TrustSeparate)
		w.bodiesHere()
		want("but this process runs bodies", events.TrustConfined)
	})
}

// TestASessionSaysUnderWhichLevelsItWasWorkedWith: begun beside a serve whose agents
// are apart, and then worked with by a command that runs bodies as the engine's user.
func TestASessionSaysUnderWhichLevelsItWasWorkedWith(t *testing.T) {
	home := t.TempDir()
	serveIn(t, home, "--agents", agentsElsewhere)
	do := func(args ...string) string {
		t.Helper()
		r := runIn(t.Context(), home, args...)
		if r.code != exitOK {
			t.Fatalf("%v: got %+v", args, r)
		}
		return r.out
	}
	do("session", "create", "--id", "s1", "--permission", "danger-full-access")
	shows := func(began, last events.Trust, text string) {
		t.Helper()
		var v struct {
			Trust trustView `json:"trust"`
		}
		if err := json.Unmarshal([]byte(do("session", "show", "s1", "--json")), &v); err != nil {
			t.Fatal(err)
		}
		if v.Trust != (trustView{began, last}) {
			t.Errorf("got %+v, want %s and %s", v.Trust, began, last)
		}
		if out := do("session", "show", "s1"); !strings.Contains(out, text+"\n") {
			t.Errorf("got %s, want %s", out, text)
		}
		if out := do("session", "list", "--json"); !strings.Contains(out, `"trust":"`+string(last)+`"`) {
			t.Errorf("got %s", out)
		}
	}
	shows(events.TrustSeparate, events.TrustSeparate, "trust    separate")
	checks, _, _ := examine(t, home)
	if c := checks["recorded trust"]; len(c) != 1 || c[0].Outcome != checkNote || !strings.Contains(c[0].Text, "records separate") {
		t.Errorf("the doctor says %+v", c)
	}
	do("call", "s1", "write", "--args", `{"path":"`+filepath.Join(home, "made.txt")+`","content":"x"}`)
	shows(events.TrustSeparate, events.TrustSameUser, "trust    separate at first, same-user at last")
}

func TestServeRefusesAgentsThatAreNotApart(t *testing.T) {
	home := t.TempDir()
	for where, code := range map[string]int{"0": exitFailed, "no-such-user": exitUsage} {
		if r := runIn(t.Context(), home, "serve", "--agents", where); r.code != code || !strings.Contains(r.err, "--agents") {
			t.Errorf("%s: got %+v, want the exit code %d", where, r, code)
		}
	}
}
