package jetstreamtest_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	natsjs "github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func create(t *testing.T, js natsjs.JetStream, replicas int) {
	t.Helper()
	cfg := natsjs.StreamConfig{Name: "S", Subjects: []string{"s.*"}, Replicas: replicas}
	if _, err := js.CreateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
}

func publish(t *testing.T, js natsjs.JetStream, want uint64) {
	t.Helper()
	ack, err := js.Publish(t.Context(), "s.1", nil)
	if err != nil || ack.Sequence != want {
		t.Fatalf("publish: got %v, %v, want sequence %d", ack, err, want)
	}
}

func TestANodeKeepsItsStoreOverARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := jetstreamtest.Server(t)
		create(t, n.JetStream(), 1)
		publish(t, n.JetStream(), 1)
		n.Stop()
		n.Stop() // harmless
		n.Start()
		n.Start() // harmless
		publish(t, n.JetStream(), 2)
		n.Stop()
		publish(t, jetstreamtest.ServerAt(t, n.Dir()).JetStream(), 3)
	})
}

func TestAClusterOutlivesEachOfItsNodes(t *testing.T) {
	g := jetstreamtest.Cluster(t, 3)
	js := g.JetStream()
	create(t, js, 3)
	for i, n := range g.Nodes {
		publish(t, js, uint64(2*i+1))
		n.Stop()
		g.WaitReady()
		g.Leader("S")
		publish(t, js, uint64(2*i+2))
		n.Start()
		g.WaitReady()
		g.WaitCurrent("S")
	}
	for _, n := range g.Nodes {
		if got := len(n.Blocks("S")); got != 1 {
			t.Errorf("a node has %d blocks of the stream, want 1", got)
		}
	}
}

func TestBlocksAreListedOldestFirst(t *testing.T) {
	n := jetstreamtest.Server(t)
	create(t, n.JetStream(), 1)
	n.Stop()
	for _, name := range []string{"10.blk", "2.blk", "1.key"} {
		if err := os.WriteFile(filepath.Join(n.StreamDir("S"), "msgs", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, path := range n.Blocks("S") {
		got = append(got, filepath.Base(path))
	}
	if diff := cmp.Diff([]string{"1.blk", "2.blk", "10.blk"}, got); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

func TestDamageIsExactlyWhatWasAskedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	jetstreamtest.FlipBit(t, path, 0)
	jetstreamtest.FlipBit(t, path, -3)
	jetstreamtest.Truncate(t, path, 2)
	if got, err := os.ReadFile(path); err != nil || string(got) != "`bce" {
		t.Errorf("got %q, %v, want %q", got, err, "`bce")
	}
}
