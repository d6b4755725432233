package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/bus/bustest"
)

// TestAServerWithThePrintedConfigurationKeepsTheSameRules: what the embedded
// server keeps.
func TestAServerWithThePrintedConfigurationKeepsTheSameRules(t *testing.T) {
	home := t.TempDir()
	ns := printedServer(t, home)
	authority, err := bus.OpenAuthority(filepath.Join(home, ".local", "state", "docket", busDir))
	if err != nil {
		t.Fatal(err)
	}
	bustest.Permissions(t, bustest.At(t, authority, ns.ClientURL()))

	leafnodesAreRefused(t, ns, authority)

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

// printedServer starts a plain nats-server, which knows nothing of us but what was
// printed, until the test ends.
func printedServer(t *testing.T, home string) *server.Server {
	t.Helper()
	r := runIn(t.Context(), home, "creds", "template")
	if r.code != 0 || r.err != "" {
		t.Fatalf("got %+v", r)
	}
	for _, secret := range []string{"SO", "SA", "SU"} { // what seeds begin with
		for word := range strings.FieldsSeq(r.out) {
			if strings.HasPrefix(word, secret) && len(word) == 58 {
				t.Error("the configuration holds a seed")
			}
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "nats.conf")
	text := r.out + "\nlisten: 127.0.0.1:-1\nleafnodes { listen: 127.0.0.1:-1 }\njetstream { store_dir: \"" + filepath.Join(dir, "store") + "\" }\n"
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
	return ns
}

// leafnodesAreRefused joins a server as a leafnode with the credential of an agent, and
// with that of an engine, to one that has a port for leafnodes.
func leafnodesAreRefused(t *testing.T, hub *server.Server, authority *bus.Authority) {
	t.Helper()
	there, err := hub.Varz(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range []string{bus.Agent, bus.Engine} {
		c, err := authority.Issue(bus.Request{Class: class, Name: "leaf"})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "leaf.creds")
		if err := os.WriteFile(file, c.Text, 0o600); err != nil {
			t.Fatal(err)
		}
		refused := make(chan struct{}, 100)
		leaf, err := server.NewServer(&server.Options{
			Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true,
			LeafNode: server.LeafNodeOpts{ReconnectInterval: 50 * time.Millisecond, Remotes: []*server.RemoteLeafOpts{{
				URLs: []*url.URL{{Scheme: "nats-leaf", Host: fmt.Sprintf("127.0.0.1:%d", there.LeafNode.Port)}}, Credentials: file,
			}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		leaf.SetLoggerV2(leafLog{refused}, false, false, false)
		leaf.Start()
		select {
		case <-refused:
		case <-time.After(scriptPatience):
			t.Errorf("%s: the leafnode was not refused", class)
		}
		if n := hub.NumLeafNodes(); n != 0 {
			t.Errorf("%s: got %d leafnodes, want none", class, n)
		}
		leaf.Shutdown()
		leaf.WaitForShutdown()
	}
}

// leafLog hears that a leafnode was turned away.
type leafLog struct{ refused chan struct{} }

func (l leafLog) Errorf(format string, args ...any) {
	if strings.Contains(fmt.Sprintf(format, args...), "Authorization Violation") || strings.Contains(format, "maximum account") {
		select {
		case l.refused <- struct{}{}:
		default:
		}
	}
}
func (leafLog) Noticef(string, ...any) {}
func (leafLog) Warnf(string, ...any)   {}
func (leafLog) Fatalf(string, ...any)  {}
func (leafLog) Debugf(string, ...any)  {}
func (leafLog) Tracef(string, ...any)  {}

// TestAuditorsHaveTheirCopiesOnAServerOfOnesOwn: serve makes them there, too.
func TestAuditorsHaveTheirCopiesOnAServerOfOnesOwn(t *testing.T) {
	home := t.TempDir()
	ns := printedServer(t, home)
	engine, ann := filepath.Join(home, "engine.creds"), filepath.Join(home, "ann.creds")
	for _, args := range [][]string{
		{"creds", "engine", "one", "--out", engine},
		{"creds", "auditor", "ann", "--out", ann},
	} {
		if r := runIn(t.Context(), home, args...); r.code != 0 {
			t.Fatalf("%v: got %+v", args, r)
		}
	}
	serveIn(t, home, "--nats", ns.ClientURL(), "--creds", engine)
	for _, creds := range []string{engine, ann} {
		checks, r, _ := examine(t, home, "--nats", ns.ClientURL(), "--creds", creds)
		if r.code != exitOK || checks["streams"][0].Outcome != checkOK {
			t.Errorf("%s: got %+v", creds, r)
		}
	}
}
