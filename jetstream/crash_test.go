package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// A server that stops between any two appends, and starts again on its directory,
// has all that it acknowledged, and its anchors and seals say so.
func TestAStoreThatStopsBetweenAnyTwoAppendsGoesOn(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	n, path := jetstreamtest.Server(t), anchorFile(t)
	want := map[events.SessionID][]string{}
	heads := map[events.SessionID]events.Seq{}
	for round := range 25 {
		n.Start()
		grow(t, n, path, func(log *jetstream.Log) {
			for id := range want {
				wantTexts(t, log, id, want[id]...)
				if found := verified(t, log, id); len(found) > 0 {
					t.Errorf("session %s: got %v, want nothing", id, found)
				}
			}
			if findings, err := log.VerifyStreams(t.Context()); err != nil || len(findings) > 0 {
				t.Errorf("got %v, %v, want nothing", findings, err)
			}
			for step := range chance.IntN(4) {
				id := events.SessionID(fmt.Sprint("s", chance.IntN(3)))
				if _, there := want[id]; !there {
					create(t, log, id)
					want[id] = nil
					continue
				}
				a := randomAppend(t, chance, events.AppendID(fmt.Sprint("a", round, "-", step)), heads[id])
				mustAppend(t, log, id, a)
				for _, r := range a.Records {
					want[id] = append(want[id], presetIn(t, r))
				}
				heads[id] = a.End()
			}
		})
	}
}

func randomAppend(t *testing.T, chance *rand.Rand, id events.AppendID, next events.Seq) events.Append {
	t.Helper()
	texts := make([]string, 1+chance.IntN(5))
	for i := range texts {
		texts[i] = fmt.Sprint(chance.Uint64())
	}
	return unit(t, id, next, texts...)
}

func presetIn(t *testing.T, r events.Record) string {
	t.Helper()
	decoded, err := r.Decode()
	if err != nil {
		t.Fatal(err)
	}
	return decoded[0].Event.(events.PermissionPreset).Preset
}

// A Log whose server is gone says nothing about its sessions; the next one on the
// same store has them.
func TestALogWhoseServerIsGoneSaysNothing(t *testing.T) {
	dir := t.TempDir()
	cfg := jetstream.ServerConfig{Dir: dir, User: "u", Password: "p"}
	s, err := jetstream.StartServer(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	provision(t, nc, 1)
	log := logOn(t, nc)
	create(t, log, "s1")
	fill(t, log, "s1", 0, 3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := start(t, cfg)
	other, err := again.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	fill(t, logOn(t, other), "s1", 3, 2)
	eventstest.Check(t, logOn(t, other), "s1")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := log.Open(ctx, "s1"); err == nil || errors.Is(err, events.ErrCorrupt) || errors.Is(err, events.ErrNotFound) {
		t.Errorf("got %v, want that the server is gone", err)
	}
}
