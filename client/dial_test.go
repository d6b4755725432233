package client_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/presets"
)

func TestAConfigThatLacksSomethingIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  client.Config
		want string
	}{
		"no URL":                {client.Config{Creds: []byte("x")}, "Config.URL"},
		"no credential":         {client.Config{URL: "nats://x"}, "one of Creds and CredsFile"},
		"two credentials":       {client.Config{URL: "nats://x", Creds: []byte("x"), CredsFile: "y"}, "one of Creds and CredsFile"},
		"a file that is not":    {client.Config{URL: "nats://x", CredsFile: t.TempDir() + "/none"}, "read the credential"},
		"no credentials file":   {client.Config{URL: "nats://x", Creds: []byte("secret-text")}, "holds no JWT"},
		"a key that is none":    {client.Config{URL: "nats://x", Creds: []byte("x"), DispatchKey: []byte("x")}, "DispatchKey"},
		"a wait into the past":  {client.Config{URL: "nats://x", Creds: []byte("x"), RecordWait: -1}, "RecordWait"},
		"a JWT that is no JWT":  {client.Config{URL: "nats://x", Creds: decorated("secret-text")}, "holds no JWT"},
		"a JWT without claims":  {client.Config{URL: "nats://x", Creds: decorated("a.secret-text.c")}, "holds no JWT"},
		"a name that is no one": {client.Config{URL: "nats://x", Creds: decorated("a.eyJuYW1lIjoiYS5iIn0.c")}, "name"},
		"a role that is none":   {client.Config{URL: "nats://x", Creds: decorated("a.eyJuYW1lIjoiYSJ9.c"), Role: "boss"}, "Config.Role"},
		"no role":               {client.Config{URL: "nats://x", Creds: decorated("a.eyJuYW1lIjoiYSJ9.c")}, "set Config.Role"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := client.Dial(t.Context(), c.cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret-text") {
				t.Errorf("got %v, want an error of %s", err, c.want)
			}
		})
	}
}

func decorated(token string) []byte {
	return []byte("-----BEGIN NATS USER JWT-----\n" + token + "\n------END NATS USER JWT------\n")
}

func FuzzACredentialIsReadOrRefused(f *testing.F) {
	f.Add(decorated("a.eyJuYW1lIjoiYSJ9.c"))
	f.Fuzz(func(t *testing.T, text []byte) {
		role, name, err := client.ParseCredential(text)
		if err == nil && api.CheckIdentity(name) != nil {
			t.Errorf("got %q of a %s", name, role)
		}
	})
}

func TestACredentialThatExpiresIsToldSo(t *testing.T) {
	y := newYard(t)
	id := y.session(y.human("ana"), presets.Auto).ID()
	issue := func(lifetime time.Duration) []byte {
		c, err := y.authority.Issue(bus.Request{Class: bus.Agent, Name: string(id), Lifetime: lifetime})
		must(t, err)
		return c.Text
	}
	path := t.TempDir() + "/agent.creds"
	must(t, os.WriteFile(path, issue(2*time.Second), 0o600))
	s, err := y.with(client.Config{URL: y.url(), CredsFile: path}).Session("")
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if !eventually(ctx, func() bool { _, err = s.State(ctx); return err != nil }) || !errors.Is(err, client.ErrNotPermitted) {
		t.Errorf("got %v, want ErrNotPermitted", err)
	}
	must(t, os.WriteFile(path, issue(time.Hour), 0o600)) // renewed: it goes on
	if !eventually(ctx, func() bool { _, err = s.State(ctx); return err == nil }) {
		t.Errorf("got %v with the new credential", err)
	}
}
