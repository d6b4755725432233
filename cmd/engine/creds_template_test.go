package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/bus/bustest"
)

// TestAServerWithThePrintedConfigurationKeepsTheSameRules: a plain nats-server, which
// knows nothing of us but what was printed.
func TestAServerWithThePrintedConfigurationKeepsTheSameRules(t *testing.T) {
	home := t.TempDir()
	r := runIn(t.Context(), home, "creds", "template")
	if r.code != 0 || r.err != "" {
		t.Fatalf("got %+v", r)
	}
	for _, secret := range []string{"SO", "SA", "SU"} { // what seeds begin with
		for _, word := range strings.Fields(r.out) {
			if strings.HasPrefix(word, secret) && len(word) == 58 {
				t.Error("the configuration holds a seed")
			}
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "nats.conf")
	text := r.out + "\nlisten: 127.0.0.1:-1\njetstream { store_dir: \"" + filepath.Join(dir, "store") + "\" }\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	opts, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatal(err)
	}
	opts.NoSigs, opts.NoLog = true, true
	ns, err := server.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	ns.Start()
	t.Cleanup(func() {
		ns.Shutdown()
		ns.WaitForShutdown()
	})
	if !ns.ReadyForConnections(scriptPatience) {
		t.Fatal("the server does not accept connections")
	}
	authority, err := bus.OpenAuthority(filepath.Join(home, ".local", "state", "docket", busDir))
	if err != nil {
		t.Fatal(err)
	}
	bustest.Permissions(t, bustest.At(t, authority, ns.ClientURL()))

	// An engine serves from it.
	creds := filepath.Join(home, "engine.creds")
	for _, args := range [][]string{
		{"creds", "engine", "one", "--out", creds},
		{"session", "create", "--id", "there", "--nats", ns.ClientURL(), "--creds", creds},
		{"verify", "there", "--nats", ns.ClientURL(), "--creds", creds},
	} {
		if r := runIn(t.Context(), home, args...); r.code != 0 {
			t.Errorf("%v: got %+v", args, r)
		}
	}
}
