package jetstreamtest

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

const (
	loopback    = "127.0.0.1"
	account     = "$G" // the server's default account
	settleLimit = 30 * time.Second
	settleEvery = 20 * time.Millisecond
)

// Group is a cluster of servers in this process, joined over loopback.
type Group struct {
	Nodes []*Node

	tb   testing.TB
	urls []string // of clients; the same before and after a restart
}

// Cluster starts that many servers with replicated JetStream, and returns when
// they have a leader and know each other.
func Cluster(tb testing.TB, size int) *Group {
	tb.Helper()
	ports := freePorts(tb, 2*size)
	clients, routes := ports[:size], ports[size:]
	g := &Group{tb: tb}
	for i := range size {
		n := &Node{tb: tb, dir: tb.TempDir()}
		opts := clusterOptions(fmt.Sprintf("n%d", i), n.dir, clients[i], routes[i], routes)
		n.launch = func() instance { return launch(tb, opts) }
		g.Nodes = append(g.Nodes, n)
		g.urls = append(g.urls, "nats://"+address(clients[i]))
	}
	for _, n := range g.Nodes {
		n.begin()
	}
	g.WaitReady()
	return g
}

func clusterOptions(name, dir string, client, route int, routes []int) server.Options {
	opts := server.Options{
		ServerName:             name,
		Host:                   loopback,
		Port:                   client,
		NoSigs:                 true,
		JetStream:              true,
		DisableJetStreamBanner: true,
		StoreDir:               dir,
		SyncInterval:           fsync.Interval(),
		JetStreamMaxMemory:     1 << 30,
		JetStreamMaxStore:      1 << 40,
		Cluster:                server.ClusterOpts{Name: "docket-test", Host: loopback, Port: route},
	}
	for _, port := range routes {
		opts.Routes = append(opts.Routes, &url.URL{Scheme: "nats", Host: address(port)})
	}
	return opts
}

// launch takes the options by value: a server keeps and changes its own.
func launch(tb testing.TB, opts server.Options) instance {
	tb.Helper()
	ns, err := server.NewServer(&opts)
	if err != nil {
		tb.Fatalf("configure server %s: %v", opts.ServerName, err)
	}
	ns.Start()
	stop := func() error {
		ns.Shutdown()
		ns.WaitForShutdown()
		return nil
	}
	if !ns.ReadyForConnections(settleLimit) {
		_ = stop()
		tb.Fatalf("server %s does not accept connections", opts.ServerName)
	}
	connect := func(opts ...nats.Option) (*nats.Conn, error) {
		return nats.Connect("", append([]nats.Option{nats.InProcessServer(ns)}, opts...)...)
	}
	return instance{connect: connect, close: stop, nats: ns}
}

// Connect connects to whichever node answers, and moves on to another when that
// one stops, until the test ends.
func (g *Group) Connect(opts ...nats.Option) *nats.Conn {
	g.tb.Helper()
	own := []nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(settleEvery)}
	nc, err := nats.Connect(strings.Join(g.urls, ","), append(own, opts...)...)
	if err != nil {
		g.tb.Fatalf("connect to the cluster: %v", err)
	}
	g.tb.Cleanup(nc.Close)
	return nc
}

// JetStream is the JetStream client of a new connection.
func (g *Group) JetStream() natsjs.JetStream {
	g.tb.Helper()
	return client(g.tb, g.Connect())
}

// WaitReady returns when the running nodes follow a leader that has heard of
// each of them. [Cluster] has waited already; it is for after Stop and Start.
func (g *Group) WaitReady() {
	g.tb.Helper()
	wait(g.tb, "the cluster has a leader", func() bool {
		running, heard := 0, 0
		for ns := range g.running {
			if !ns.JetStreamIsCurrent() {
				return false
			}
			running++
			heard = max(heard, len(ns.JetStreamClusterPeers())) // none unless ns leads
		}
		return heard >= running
	})
}

// WaitCurrent returns when every running node has all of the stream.
func (g *Group) WaitCurrent(stream string) {
	g.tb.Helper()
	g.Leader(stream)
	wait(g.tb, "all replicas of stream "+stream+" are current", func() bool {
		for ns := range g.running {
			if !ns.JetStreamIsStreamCurrent(account, stream) {
				return false
			}
		}
		return true
	})
}

// Leader waits for the stream to have a leader and returns its node.
func (g *Group) Leader(stream string) *Node {
	g.tb.Helper()
	var leader *Node
	wait(g.tb, "stream "+stream+" has a leader", func() bool {
		for _, n := range g.Nodes {
			if n.inst != nil && n.inst.nats.JetStreamIsStreamLeader(account, stream) {
				leader = n
			}
		}
		return leader != nil
	})
	return leader
}

func (g *Group) running(yield func(*server.Server) bool) {
	for _, n := range g.Nodes {
		if n.inst != nil && !yield(n.inst.nats) {
			return
		}
	}
}

// wait asks again and again, since the server tells nobody when it has settled.
func wait(tb testing.TB, what string, done func() bool) {
	tb.Helper()
	deadline := time.After(settleLimit)
	tick := time.NewTicker(settleEvery)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			tb.Fatalf("waited %s in vain until %s", settleLimit, what)
		}
	}
}

// freePorts are fixed before the servers start, because each must know the
// others' and keep its own over a restart.
func freePorts(tb testing.TB, n int) []int {
	tb.Helper()
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", loopback+":0")
		if err != nil {
			tb.Fatalf("find a free port: %v", err)
		}
		defer l.Close() // all at the end, so that no port is found twice
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports
}

func address(port int) string { return fmt.Sprintf("%s:%d", loopback, port) }
