package bus_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docket-engine/docket/bus"
)

func TestASealedCredentialOpensWithItsPassphraseAlone(t *testing.T) {
	text, pass := []byte("the credential"), []byte("correct horse")
	box, err := bus.Seal(text, pass)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(box, text) || !bus.IsSealed(box) || bus.IsSealed(text) {
		t.Errorf("got %s", box)
	}
	if got, err := bus.Unseal(box, pass); err != nil || !bytes.Equal(got, text) {
		t.Errorf("got %q, %v", got, err)
	}
	if again, err := bus.Seal(text, pass); err != nil || bytes.Equal(again, box) {
		t.Errorf("got the same twice (%v)", err)
	}
	for name, wrong := range map[string][]byte{"another": []byte("correct house"), "none": nil} {
		if got, err := bus.Unseal(box, wrong); !errors.Is(err, bus.ErrPassphrase) || got != nil {
			t.Errorf("%s: got %q, %v, want ErrPassphrase", name, got, err)
		}
	}
	for name, bad := range map[string][]byte{
		"another salt":      bytes.Replace(box, []byte(`"salt":"`), []byte(`"salt":"AAAA`), 1),
		"an unknown member": bytes.Replace(box, []byte(`{`), []byte(`{"time":1,`), 1),
		"another format":    bytes.Replace(box, []byte(`credential-1`), []byte(`credential-2`), 1),
		"half":              box[:len(box)/2], "nothing": nil, "too much": bytes.Repeat(box, 1000),
	} {
		if got, err := bus.Unseal(bad, pass); err == nil || got != nil {
			t.Errorf("%s: got %q, %v, want an error", name, got, err)
		}
	}
	if _, err := bus.Seal(text, []byte("short")); err == nil {
		t.Error("got no error for a short passphrase")
	}
	if _, err := bus.Seal(nil, pass); err == nil {
		t.Error("got no error for nothing")
	}
}

func FuzzUnseal(f *testing.F) {
	f.Add([]byte(`{"format":"docket-sealed-credential-1","salt":"AAAAAAAAAAAAAAAAAAAAAA==","nonce":"","box":""}`))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if bus.IsSealed(text) && len(text) > 64<<10 {
			t.Errorf("%d bytes pass for a sealed credential", len(text))
		}
	})
}

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
