package jetstream_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

func fork(t *testing.T, log *jetstream.Log, source, child events.SessionID, at *events.Seq) (engine.Forked, error) {
	t.Helper()
	return engine.Fork(t.Context(), log, engine.ForkRequest{Source: source, Child: child, At: at, Actor: writer, Now: eventstest.Epoch + 1000})
}

// wantNoFork wants a fork to be refused for what is wrong with its parent from
// that seq on, and to leave nothing.
func wantNoFork(t *testing.T, log *jetstream.Log, source events.SessionID, seq events.Seq) {
	t.Helper()
	_, err := fork(t, log, source, "child", nil)
	wantCorrupt(t, err, source, seq)
	if _, err := log.Open(t.Context(), "child"); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("open the child: got %v, want that nothing is stored", err)
	}
}

// A fork takes its parent's chain for what was read, and hashes it no second time:
// the reading has to find whatever was done to it.
func TestAForkFindsWhatWasDoneToItsParent(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(frames) frames
		seq    events.Seq
	}{
		"a body is changed": {func(f frames) frames {
			return f.with(at2, func(m *nats.Msg) { m.Data = bytes.Replace(m.Data, []byte("three"), []byte("seven"), 1) })
		}, 2},
		"a bit of the second line of a body flips": {func(f frames) frames {
			return f.with(at0, func(m *nats.Msg) { m.Data[len(m.Data)-6] ^= 1 })
		}, 0},
		"the last body is changed": {func(f frames) frames {
			return f.with(at5, func(m *nats.Msg) { m.Data = bytes.Replace(m.Data, []byte("completed"), []byte("interrupted"), 1) })
		}, 5},
		"two frames are swapped": {func(f frames) frames {
			return frames{f[atHeader], f[at0], f[at3], f[at2], f[at5]}
		}, 2},
		"a frame is missing": {func(f frames) frames {
			return frames{f[atHeader], f[at0], f[at3], f[at5]}
		}, 2},
		"a chain is changed": {func(f frames) frames {
			return f.with(at2, func(m *nats.Msg) { m.Header.Set("Docket-Chain", f[at0].Header.Get("Docket-Chain")) })
		}, 2},
		"a body and its chain are changed": {func(f frames) frames {
			return f.with(at2, func(m *nats.Msg) {
				m.Data = bytes.Replace(m.Data, []byte("three"), []byte("seven"), 1)
				before, err := events.ParseChain(f[at0].Header.Get("Docket-Chain"))
				if err != nil {
					t.Fatal(err)
				}
				m.Header.Set("Docket-Chain", before.Next(m.Data).String())
			})
		}, 3}, // where the next frame, which is as it was, does not follow
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				f := genuine(t, newStore(t), "s1")
				wantNoFork(t, logOn(t, rebuilt(t, tt.change(f)).nc), "s1", tt.seq)
			})
		})
	}
}

func TestAForkFindsDamageInTheStore(t *testing.T) {
	for name, tt := range map[string]struct {
		do  func(t *testing.T, n *jetstreamtest.Node)
		seq events.Seq
	}{
		"a flipped bit":       {func(t *testing.T, n *jetstreamtest.Node) { t.Helper(); flipText(t, n, "two") }, 2},
		"a flipped bit, last": {func(t *testing.T, n *jetstreamtest.Node) { t.Helper(); flipText(t, n, "four") }, 0},
		"a cut tail": {func(t *testing.T, n *jetstreamtest.Node) {
			t.Helper()
			n.RemoveIndex(sessions)
			jetstreamtest.Truncate(t, n.Blocks(sessions)[0], 20)
		}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := damage(t, short(), func(n *jetstreamtest.Node) { tt.do(t, n) })
			wantNoFork(t, d.log(t, d.anchors), "s1", tt.seq)
		})
	}
}

// Frames of the parent that the child can take as they are, and boundaries at
// which it cannot, give the same records.
func TestAForkHasTheParentsBytes(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		genuine(t, s, "s1")
		want, err := texts(t.Context(), logOn(t, s.nc), "s1", 0)
		if err != nil {
			t.Fatal(err)
		}
		for at := range events.Seq(len(want)) {
			id := events.SessionID("fork-" + string(rune('0'+at)))
			log := logOn(t, s.nc)
			if _, err := fork(t, log, "s1", id, &at); err != nil {
				t.Fatal(err)
			}
			if found := verified(t, log, id); len(found) > 0 {
				t.Errorf("forked at %d: got %v, want nothing", at, found)
			}
			eventstest.Check(t, log, id)
			wantPrefix(t, log, "s1", id, at)
		}
	})
}

func wantPrefix(t *testing.T, log *jetstream.Log, parent, child events.SessionID, at events.Seq) {
	t.Helper()
	var want, got [][]byte
	for _, read := range []struct {
		id    events.SessionID
		lines *[][]byte
	}{{parent, &want}, {child, &got}} {
		for r, err := range log.Read(t.Context(), read.id, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Seq <= at {
				*read.lines = append(*read.lines, r.Line)
			}
		}
	}
	if !bytes.Equal(bytes.Join(want, []byte("\n")), bytes.Join(got, []byte("\n"))) {
		t.Errorf("forked at %d: got %q, want %q", at, got, want)
	}
}
