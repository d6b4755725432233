package main

import (
	"strings"
	"testing"

	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// TestStreamsOnAClusterHaveTheCopiesThatOneAsksFor: three servers, and one of them
// gone.
func TestStreamsOnAClusterHaveTheCopiesThatOneAsksFor(t *testing.T) {
	cluster := jetstreamtest.Cluster(t, 3)
	url := strings.Join(cluster.Connect().Servers(), ",")
	home := t.TempDir()
	file := "../../fixtures/sessions/demo-plain.jsonl"
	if r := runIn(t.Context(), home, "--nats", url, "--replicas", "3", "import", file); r.code != 0 || r.err != "" {
		t.Fatalf("got %+v", r)
	}
	info, err := cluster.JetStream().Stream(t.Context(), "SESSIONS_0_0")
	if err != nil {
		t.Fatal(err)
	}
	if got := info.CachedInfo().Config.Replicas; got != 3 {
		t.Errorf("got %d copies, want 3", got)
	}

	// Streams that are there are not changed.
	if r := runIn(t.Context(), home, "--nats", url, "session", "create"); r.code != exitFailed || !strings.Contains(r.err, "replicas is 3, want 1") {
		t.Errorf("got %+v, want the difference", r)
	}

	cluster.WaitCurrent("SESSIONS_0_0")
	cluster.Nodes[0].Stop()
	cluster.WaitReady()
	for _, stream := range []string{"SESSIONS_0_0", "PROJECTS", "AUDIT"} {
		cluster.Leader(stream)
	}
	r := runIn(t.Context(), home, "--nats", url, "verify", "--all")
	if want := "store: whole\nsession demo-plain: ok, 45 events\n"; r != (ran{out: want}) {
		t.Errorf("got %+v, want %q", r, want)
	}
}
