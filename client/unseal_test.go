package client_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/internal/sealed"
)

const passphrase = "correct horse"

// sealedFile is a person's credential that opens with the passphrase alone, alone in
// its folder.
func (y *yard) sealedFile(name string) string {
	y.t.Helper()
	plain, err := y.credential(bus.Human, name)
	must(y.t, err)
	box, err := sealed.Seal(plain, []byte(passphrase))
	must(y.t, err)
	path := y.t.TempDir() + "/person.creds.sealed"
	must(y.t, os.WriteFile(path, box, 0o600))
	return path
}

func says(text string) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) { return []byte(text), nil }
}

// TestASealedCredentialIsOpenedInMemoryAlone: asked for once, good for each connection,
// and nowhere on the disk; the passphrase is overwritten.
func TestASealedCredentialIsOpenedInMemoryAlone(t *testing.T) {
	y := newYard(t)
	path := y.sealedFile("ana")
	given, asked := []byte(passphrase), 0
	c := y.with(client.Config{
		URL: y.url(), CredsFile: path,
		Passphrase: func(context.Context) ([]byte, error) {
			asked++
			return given, nil
		},
	})
	if c.Name() != "ana" || c.Role() != api.RoleHuman || asked != 1 {
		t.Errorf("got %s %s after %d questions", c.Role(), c.Name(), asked)
	}
	if !bytes.Equal(given, make([]byte, len(given))) {
		t.Error("the passphrase was not overwritten")
	}
	h, err := c.Human()
	must(t, err)
	made, err := h.Create(t.Context(), api.SessionCreate{CWD: "/srv/demo"})
	must(t, err)
	y.restart(t) // the next connection signs as well, and nobody is asked again
	_, err = h.Show(t.Context(), made.Session)
	must(t, err)
	if asked != 1 {
		t.Errorf("the passphrase was asked for %d times", asked)
	}
	files, err := os.ReadDir(strings.TrimSuffix(path, "/person.creds.sealed"))
	must(t, err)
	if len(files) != 1 {
		t.Errorf("got %v beside the sealed file", files)
	}
}

// TestASealedCredentialThatIsNotOpenedIsOneClearError, and no connection is tried.
func TestASealedCredentialThatIsNotOpenedIsOneClearError(t *testing.T) {
	y := newYard(t)
	path := y.sealedFile("ana")
	box, err := os.ReadFile(path)
	must(t, err)
	nothing := errors.New("the terminal is gone")
	noCredential, err := sealed.Seal([]byte("secret-text"), []byte(passphrase))
	must(t, err)
	for name, c := range map[string]struct {
		cfg  client.Config
		is   error
		want string
	}{
		"a wrong passphrase":   {client.Config{CredsFile: path, Passphrase: says("correct house")}, client.ErrPassphrase, "the passphrase is wrong, or the sealed credential was altered"},
		"an empty one":         {client.Config{Creds: box, Passphrase: says("")}, client.ErrPassphrase, "the passphrase is wrong"},
		"an altered file":      {client.Config{Creds: bytes.Replace(box, []byte(`"box":"`), []byte(`"box":"AAAA`), 1), Passphrase: says(passphrase)}, client.ErrPassphrase, "the passphrase is wrong"},
		"nobody to ask":        {client.Config{CredsFile: path}, nil, "is sealed: set Config.Passphrase"},
		"no answer":            {client.Config{CredsFile: path, Passphrase: func(context.Context) ([]byte, error) { return nil, nothing }}, nothing, "there is no passphrase"},
		"something else in it": {client.Config{Creds: noCredential, Passphrase: says(passphrase)}, nil, "holds no JWT"},
		"a role that is none":  {client.Config{CredsFile: path, Role: "boss", Passphrase: says(passphrase)}, nil, "Config.Role"},
	} {
		t.Run(name, func(t *testing.T) {
			c.cfg.URL = y.url()
			_, err := client.Dial(t.Context(), c.cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			for _, secret := range []string{"secret-text", "correct", "\n"} {
				if err != nil && strings.Contains(err.Error(), secret) {
					t.Errorf("%v repeats %q", err, secret)
				}
			}
			if errors.Is(err, client.ErrNotPermitted) != (c.is == client.ErrNotPermitted) {
				t.Errorf("%v is told as a refusal of the server", err)
			}
		})
	}
}

// TestAClosedClientHasForgottenItsCredential: it signs nothing any more.
func TestAClosedClientHasForgottenItsCredential(t *testing.T) {
	y := newYard(t)
	c, err := client.Dial(t.Context(), client.Config{URL: y.url(), CredsFile: y.sealedFile("ana"), Passphrase: says(passphrase)})
	must(t, err)
	if err := c.SignNonce(); err != nil {
		t.Errorf("got %v while it is connected", err)
	}
	must(t, c.Close(t.Context()))
	if err := c.SignNonce(); !errors.Is(err, client.ErrClosed) {
		t.Errorf("got %v, want that it is closed", err)
	}
}
