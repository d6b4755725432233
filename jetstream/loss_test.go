package jetstream_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

func TestALogIsWholeIfItsMessagesAreCountedFromOne(t *testing.T) {
	tests := map[string]struct {
		state natsjs.StreamState
		want  uint64 // missing
	}{
		"new":               {state: natsjs.StreamState{}},
		"whole":             {state: natsjs.StreamState{FirstSeq: 1, LastSeq: 10, Msgs: 10}},
		"a hole":            {natsjs.StreamState{FirstSeq: 1, LastSeq: 10, Msgs: 7, NumDeleted: 3}, 3},
		"a hole not listed": {natsjs.StreamState{FirstSeq: 1, LastSeq: 10, Msgs: 7}, 3},
		"a hole not known":  {natsjs.StreamState{FirstSeq: 1, LastSeq: 10, Msgs: 10, NumDeleted: 2}, 2},
		"the start is gone": {natsjs.StreamState{FirstSeq: 5, LastSeq: 10, Msgs: 6}, 4},
		"start and hole":    {natsjs.StreamState{FirstSeq: 5, LastSeq: 10, Msgs: 5, NumDeleted: 1}, 5},
		"all is gone":       {natsjs.StreamState{FirstSeq: 11, LastSeq: 10}, 10},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := jetstream.CheckLoss("S", tt.state)
			loss, ok := errors.AsType[*jetstream.LossError](err)
			switch {
			case tt.want == 0 && err != nil:
				t.Errorf("got %v, want no error", err)
			case tt.want > 0 && !ok:
				t.Errorf("got %v, want a LossError", err)
			case ok:
				want := &jetstream.LossError{Stream: "S", Missing: tt.want, First: tt.state.FirstSeq, Last: tt.state.LastSeq}
				if diff := cmp.Diff(want, loss); diff != "" {
					t.Errorf("loss (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestADamagedStoreIsNotWhole(t *testing.T) {
	for name, damage := range map[string]func(*testing.T, *jetstreamtest.Node){
		"a bit in an old message": func(t *testing.T, n *jetstreamtest.Node) {
			jetstreamtest.FlipBit(t, n.Blocks(sessions)[0], 1000)
		},
		"an old block cut short": func(t *testing.T, n *jetstreamtest.Node) {
			jetstreamtest.Truncate(t, n.Blocks(sessions)[0], 1000)
		},
		"an old block gone": func(t *testing.T, n *jetstreamtest.Node) {
			if err := os.Remove(n.Blocks(sessions)[0]); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			n, js := provisioned(t, jetstream.Layout{})
			body := string(make([]byte, 512<<10))
			for range 40 { // more than two blocks of 8 MiB
				publish(t, js, "session.0.0.s1", body)
			}
			if err := checkLoss(t, js); err != nil {
				t.Fatalf("before the damage: %v", err)
			}
			js.Conn().Close()
			n.Stop()
			damage(t, n)
			n.RemoveIndex(sessions)
			if refused := refuses(t, n, jetstream.ServerConfig{}); refused != (name != "an old block gone") {
				t.Errorf("got refused %t", refused)
			} else if refused {
				n.StartBlind()
			}
			if err := checkLoss(t, n.JetStream()); !sameError(err, "stream SESSIONS_0_0 has lost") {
				t.Errorf("got %v, want a LossError", err)
			}
		})
	}
}

// What a reader has to be ready for: the state is whole and no error tells.
func TestADamagedMessageIsSkippedInSilence(t *testing.T) {
	n, js := provisioned(t, jetstream.Layout{})
	for range 3 {
		publish(t, js, "session.0.0.s1", strings.Repeat("x", 1000))
	}
	js.Conn().Close()
	n.Stop()
	jetstreamtest.FlipBit(t, n.Blocks(sessions)[0], 1500) // in the second message
	if !refuses(t, n, jetstream.ServerConfig{}) {
		t.Fatal("the damage was not found before the store was opened")
	}
	n.StartBlind()
	js = n.JetStream()
	if err := checkLoss(t, js); err != nil {
		t.Errorf("the state: got %v, want nothing", err)
	}
	c, err := js.CreateConsumer(t.Context(), sessions, natsjs.ConsumerConfig{AckPolicy: natsjs.AckNonePolicy})
	if err != nil {
		t.Fatal(err)
	}
	var got [][2]uint64
	for range 2 {
		msg, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		m, err := msg.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, [2]uint64{m.Sequence.Stream, m.NumPending})
	}
	if diff := cmp.Diff([][2]uint64{{1, 2}, {3, 1}}, got); diff != "" {
		t.Errorf("sequences and what is pending after them (-want +got):\n%s", diff)
	}
}

// The server does not recover a stream whose settings it cannot read, so the
// stream is made again, in the same place.
func TestProvisioningFindsTheMessagesOfAStreamWithDamagedSettings(t *testing.T) {
	n, js := provisioned(t, jetstream.Layout{})
	publish(t, js, "session.0.0.s1", "body")
	js.Conn().Close()
	n.Stop()
	jetstreamtest.FlipBit(t, filepath.Join(n.StreamDir(sessions), "meta.inf"), 100)
	for round := range uint64(2) {
		n.Start()
		js = n.JetStream()
		created, err := jetstream.Provision(t.Context(), js, jetstream.Layout{})
		if diff := cmp.Diff([]string{sessions}, created); diff != "" || err != nil {
			t.Fatalf("created (-want +got), %v:\n%s", err, diff)
		}
		if ack := publish(t, js, "session.0.0.s1", "body"); ack.Sequence != round+2 {
			t.Errorf("got sequence %d, want %d", ack.Sequence, round+2)
		}
		n.Stop()
	}
}

func checkLoss(t *testing.T, js natsjs.JetStream) error {
	t.Helper()
	s, err := js.Stream(t.Context(), sessions)
	if err != nil {
		t.Fatal(err)
	}
	return jetstream.CheckLoss(sessions, s.CachedInfo().State)
}
