package jetstream_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/docket-engine/docket/jetstream"
)

func TestASessionHasOneLiteralSubjectInItsShard(t *testing.T) {
	p := jetstream.DefaultEpoch().Place("s1")
	for got, want := range map[string]string{
		p.Stream():      "SESSIONS_0_0",
		p.Subject("s1"): "session.0.0.s1",
		p.Subjects():    "session.0.0.*",
		jetstream.Placement{Epoch: "2026-08", Shard: 7}.Stream():      "SESSIONS_2026-08_7",
		jetstream.Placement{Epoch: "2026-08", Shard: 7}.Subject("s1"): "session.2026-08.7.s1",
		jetstream.ProjectSubject("p1"):                                "project.p1",
		jetstream.SnapshotSubject("s1"):                               "snapshot.s1",
		jetstream.LiveSubject("session.0.0.s1"):                       "live.session.0.0.s1",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The values are those of FNV-1a-32 for ever: another hash would lose every
// session that is stored.
func TestTheShardOfAnIDNeverChanges(t *testing.T) {
	e := jetstream.Epoch{Name: "0", Shards: 1000}
	for id, want := range map[string]int{
		"":       2166136261 % 1000,
		"a":      0xe40c292c % 1000,
		"foobar": 0xbf9cf968 % 1000,
	} {
		if got := e.Place(id).Shard; got != want {
			t.Errorf("shard of %q: got %d, want %d", id, got, want)
		}
	}
}

func TestTheShardIsWhatTheServersPartitionMappingComputes(t *testing.T) {
	e := jetstream.Epoch{Name: "0", Shards: 7}
	mapping, err := server.NewSubjectTransform("in.*", "session.0.{{partition(7,1)}}.{{wildcard(1)}}")
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[int]bool)
	for range 200 {
		id := uuid.Must(uuid.NewV7()).String()
		p := e.Place(id)
		used[p.Shard] = true
		want, err := mapping.Match("in." + id)
		if err != nil || p.Subject(id) != want {
			t.Fatalf("got %q, want %q (%v)", p.Subject(id), want, err)
		}
	}
	if len(used) != e.Shards {
		t.Errorf("200 ids use %d of %d shards", len(used), e.Shards)
	}
}

func TestASubjectGivesItsIDBackToItsPlacementOnly(t *testing.T) {
	p := jetstream.Placement{Epoch: "0", Shard: 1}
	if id, ok := p.ID(p.Subject("s1")); id != "s1" || !ok {
		t.Errorf("got %q, %t, want s1", id, ok)
	}
	for _, subject := range []string{
		"", "session.0.1.", "session.0.1", "session.0.2.s1", "session.1.1.s1", "live.session.0.1.s1",
		"session.0.1.a.b", "session.0.1.*", "session.0.1.>", "session.0.1.a b", "session.0.10.s1",
	} {
		if id, ok := p.ID(subject); ok {
			t.Errorf("%q gives id %q", subject, id)
		}
	}
}

func TestAnEpochHasAPlacementForEachShard(t *testing.T) {
	ps := jetstream.Epoch{Name: "e", Shards: 3}.Placements()
	for i, p := range ps {
		if want := fmt.Sprintf("SESSIONS_e_%d", i); p.Stream() != want {
			t.Errorf("got %s, want %s", p.Stream(), want)
		}
	}
	if len(ps) != 3 {
		t.Errorf("got %d placements, want 3", len(ps))
	}
}
