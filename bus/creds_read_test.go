package bus_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/docket-engine/docket/bus"
)

func TestACredentialSaysWhatItClaimsToBe(t *testing.T) {
	a := open(t, filepath.Join(t.TempDir(), "bus"))
	c, err := a.Issue(bus.Request{Class: bus.Spawner, Name: "ci", Ceiling: "read-only", Owner: "ana", Confines: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := bus.ReadCredential(c.Text)
	if err != nil || got != c.Issued {
		t.Errorf("got %+v, %v, want %+v", got, err, c.Issued)
	}
	if !a.Issues(c.Text, bus.Spawner) || a.Issues(c.Text, bus.Agent) || a.Issues(nil, bus.Spawner) || a.Issues(c.Text, "root") {
		t.Error("the credential is not told by who issued it")
	}
	if open(t, filepath.Join(t.TempDir(), "bus")).Issues(c.Text, bus.Spawner) {
		t.Error("another authority takes it for its own")
	}
	if want := "_INBOX.spawner.ci"; got.InboxPrefix() != want {
		t.Errorf("got %s, want %s", got.InboxPrefix(), want)
	}
	for _, bad := range []string{"", "geheim", strings.Replace(string(c.Text), "eyJ", "eyX", 1)} {
		if got, err := bus.ReadCredential([]byte(bad)); err == nil || strings.Contains(err.Error(), "geheim") {
			t.Errorf("got %+v, %v, want an error that repeats nothing", got, err)
		}
	}
}
