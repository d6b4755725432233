package jetstreamtest

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/jetstream"
)

// fsync keeps tests fast. A test about durability at a power cut starts a
// server of its own.
const fsync = jetstream.Fsync(250 * time.Millisecond)

// Node is one server on a store directory that outlives it.
type Node struct {
	tb     testing.TB
	dir    string
	launch func() instance
	inst   *instance // nil while stopped
}

// An instance is a running server.
type instance struct {
	connect func(...nats.Option) (*nats.Conn, error)
	close   func() error
	nats    *server.Server // nil for an embedded one
}

// Server starts an embedded server on an empty directory.
func Server(tb testing.TB) *Node {
	tb.Helper()
	return ServerAt(tb, tb.TempDir())
}

// ServerAt starts an embedded server on dir, which may hold a store.
func ServerAt(tb testing.TB, dir string) *Node {
	tb.Helper()
	n := &Node{tb: tb, dir: dir}
	n.launch = func() instance {
		tb.Helper()
		inst, err := n.embed(jetstream.ServerConfig{})
		if err != nil {
			tb.Fatalf("start an embedded server: %v", err)
		}
		return inst
	}
	n.begin()
	return n
}

func (n *Node) embed(cfg jetstream.ServerConfig) (instance, error) {
	cfg.Dir, cfg.Fsync = n.dir, fsync
	s, err := jetstream.StartServer(n.tb.Context(), cfg)
	if err != nil {
		return instance{}, err
	}
	connect := func(opts ...nats.Option) (*nats.Conn, error) { return s.Connect(n.tb.Context(), opts...) }
	return instance{connect: connect, close: s.Close}, nil
}

// TryStart starts the stopped node as Start does, with keys and anchors of the
// configuration, and gives the error if it does not start.
func (n *Node) TryStart(cfg jetstream.ServerConfig) error {
	n.tb.Helper()
	inst, err := n.embed(cfg)
	if err == nil {
		n.inst = &inst
	}
	return err
}

// StartBlind starts the stopped node as a server of somebody else's, which does not
// look at its files first, and cuts off what is damaged when it reads it.
func (n *Node) StartBlind() {
	n.tb.Helper()
	n.inst = new(launch(n.tb, server.Options{
		ServerName: "blind", DontListen: true, NoSigs: true, JetStream: true, DisableJetStreamBanner: true,
		StoreDir: n.dir, SyncInterval: fsync.Interval(), JetStreamMaxMemory: 1 << 30, JetStreamMaxStore: 1 << 40,
	}))
}

// begin starts the node for the first time and stops it when the test ends.
func (n *Node) begin() {
	n.tb.Helper()
	n.Start()
	n.tb.Cleanup(n.Stop)
}

// Start starts the node again after Stop; it does nothing if the node runs.
// Connections made before Stop reconnect by themselves only on a cluster.
func (n *Node) Start() {
	n.tb.Helper()
	if n.inst == nil {
		n.inst = new(n.launch())
	}
}

// Stop stops the server in good order; it does nothing if the node is stopped.
func (n *Node) Stop() {
	n.tb.Helper()
	if n.inst == nil {
		return
	}
	if err := n.inst.close(); err != nil {
		n.tb.Errorf("stop a server: %v", err)
	}
	n.inst = nil
}

// Dir is the directory that holds the node's store.
func (n *Node) Dir() string { return n.dir }

// Connect connects to the running node in process, until the test ends.
func (n *Node) Connect(opts ...nats.Option) *nats.Conn {
	n.tb.Helper()
	if n.inst == nil {
		n.tb.Fatal("connect to a node that is stopped")
	}
	nc, err := n.inst.connect(opts...)
	if err != nil {
		n.tb.Fatalf("connect: %v", err)
	}
	n.tb.Cleanup(nc.Close)
	return nc
}

// JetStream is the JetStream client of a new connection.
func (n *Node) JetStream() natsjs.JetStream {
	n.tb.Helper()
	return client(n.tb, n.Connect())
}

func client(tb testing.TB, nc *nats.Conn) natsjs.JetStream {
	tb.Helper()
	js, err := natsjs.New(nc)
	if err != nil {
		tb.Fatalf("JetStream client: %v", err)
	}
	return js
}
