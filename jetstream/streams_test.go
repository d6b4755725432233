package jetstream_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

func TestALayoutNamesItsStreams(t *testing.T) {
	tests := map[string]struct {
		layout jetstream.Layout
		want   []string
	}{
		"zero": {want: []string{"SESSIONS_0_0 session.0.0.*"}},
		"two epochs": {
			layout: jetstream.Layout{Epochs: []jetstream.Epoch{jetstream.DefaultEpoch(), {Name: "2026-08", Shards: 2}}},
			want: []string{
				"SESSIONS_0_0 session.0.0.*",
				"SESSIONS_2026-08_0 session.2026-08.0.*",
				"SESSIONS_2026-08_1 session.2026-08.1.*",
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			streams, err := tt.layout.Streams()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range streams {
				got = append(got, s.Name+" "+s.Subjects[0])
			}
			want := append(tt.want, "PROJECTS project.*", "AUDIT audit.>", "SNAPSHOTS snapshot.*")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("streams (-want +got):\n%s", diff)
			}
		})
	}
}

func TestALayoutThatCannotBeIsRefused(t *testing.T) {
	epochs := func(es ...jetstream.Epoch) jetstream.Layout { return jetstream.Layout{Epochs: es} }
	tests := map[string]struct {
		layout jetstream.Layout
		want   string
	}{
		"negative replicas":   {jetstream.Layout{Replicas: -1}, "Replicas is -1"},
		"six replicas":        {jetstream.Layout{Replicas: 6}, "Replicas is 6"},
		"negative size":       {jetstream.Layout{MaxBytes: -1}, "MaxBytes is negative"},
		"empty epoch name":    {epochs(jetstream.Epoch{Shards: 1}), `epoch name ""`},
		"dotted epoch name":   {epochs(jetstream.Epoch{Name: "a.b", Shards: 1}), `epoch name "a.b"`},
		"wildcard epoch name": {epochs(jetstream.Epoch{Name: "*", Shards: 1}), `epoch name "*"`},
		"no shards":           {epochs(jetstream.Epoch{Name: "a"}), "epoch a has 0 shards"},
		"too many shards":     {epochs(jetstream.Epoch{Name: "a", Shards: 1025}), "epoch a has 1025 shards"},
		"an epoch twice":      {epochs(jetstream.DefaultEpoch(), jetstream.DefaultEpoch()), "epoch 0 twice"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := tt.layout.Streams(); !sameError(err, tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// provisioned is a server with the streams of the layout.
func provisioned(t *testing.T, layout jetstream.Layout) (*jetstreamtest.Node, natsjs.JetStream) {
	t.Helper()
	n := jetstreamtest.Server(t)
	js := n.JetStream()
	if _, err := jetstream.Provision(t.Context(), js, layout); err != nil {
		t.Fatal(err)
	}
	return n, js
}

func TestAStoredMessageIsRepublishedWithoutItsBody(t *testing.T) {
	for stream, subject := range map[string]string{
		"SESSIONS_0_0": "session.0.0.s1",
		"PROJECTS":     "project.p1",
		"AUDIT":        "audit.seal.s1",
	} {
		t.Run(stream, func(t *testing.T) {
			_, js := provisioned(t, jetstream.Layout{})
			sub, err := js.Conn().SubscribeSync(jetstream.LiveSubject(subject))
			if err != nil {
				t.Fatal(err)
			}
			ack := publish(t, js, subject, "body")
			live, err := sub.NextMsgWithContext(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(ack.Stream, live.Header.Get(nats.JSStream), live.Header.Get(nats.JSSequence), string(live.Data))
			if want := fmt.Sprint(stream, stream, "1", ""); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestALogNeverForgets(t *testing.T) {
	_, js := provisioned(t, jetstream.Layout{})
	publish(t, js, "session.0.0.s1", "body")
	s, err := js.Stream(t.Context(), "SESSIONS_0_0")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(t.Context()); err == nil {
		t.Error("a purge is accepted")
	}
	if err := s.DeleteMsg(t.Context(), 1); err == nil {
		t.Error("a deletion is accepted")
	}
	for name, header := range map[string]nats.Header{
		"roll-up":  {natsjs.MsgRollup: {natsjs.MsgRollupSubject}},
		"lifetime": {natsjs.MsgTTLHeader: {"1s"}},
		"schedule": {"Nats-Schedule": {"@at 2030-01-01T00:00:00Z"}, "Nats-Schedule-Target": {"session.0.0.s2"}},
		"counter":  {"Nats-Incr": {"1"}},
		"batch":    {"Nats-Batch-Id": {"b1"}, "Nats-Batch-Sequence": {"1"}, "Nats-Batch-Commit": {"1"}},
	} {
		if _, err := js.PublishMsg(t.Context(), &nats.Msg{Subject: "session.0.0.s1", Header: header}); err == nil {
			t.Errorf("a message with the headers of a %s is stored", name)
		}
	}
	info, err := s.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := jetstream.CheckLoss("SESSIONS_0_0", info.State); err != nil {
		t.Error(err)
	}
}

func TestAFullLogRefusesTheNewAndKeepsTheOld(t *testing.T) {
	_, js := provisioned(t, jetstream.Layout{MaxBytes: 1000})
	publish(t, js, "session.0.0.s1", "old")
	m := &nats.Msg{Subject: "session.0.0.s1", Data: make([]byte, 2000)}
	if _, err := js.PublishMsg(t.Context(), m); err == nil {
		t.Error("a message over the limit is stored")
	}
	s, err := js.Stream(t.Context(), "SESSIONS_0_0")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.GetMsg(t.Context(), 1); err != nil || string(got.Data) != "old" {
		t.Errorf("got %v, %v, want the old message", got, err)
	}
}

func TestOnlyTheNewestSnapshotOfASessionIsKept(t *testing.T) {
	_, js := provisioned(t, jetstream.Layout{MaxBytes: 1000})
	for i := range 3 {
		publish(t, js, jetstream.SnapshotSubject("s1"), fmt.Sprint("v", i))
		publish(t, js, jetstream.SnapshotSubject("s2"), fmt.Sprint("v", i))
	}
	s, err := js.Stream(t.Context(), jetstream.SnapshotsStream)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.CachedInfo().State.Msgs; n != 2 {
		t.Errorf("got %d snapshots, want 2", n)
	}
	if got, err := s.GetLastMsgForSubject(t.Context(), "snapshot.s1"); err != nil || string(got.Data) != "v2" {
		t.Errorf("got %v, %v, want v2", got, err)
	}
}

func TestDuplicatesAreForgottenAfterTwoMinutes(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		_, js := provisioned(t, jetstream.Layout{})
		again := func() bool {
			ack, err := js.Publish(t.Context(), "session.0.0.s1", nil, natsjs.WithMsgID("a1"))
			return err == nil && ack.Duplicate
		}
		got := fmt.Sprint(again(), again())
		time.Sleep(3 * time.Minute)
		if got += fmt.Sprint(again()); got != "false true"+"false" {
			t.Errorf("duplicate: got %s", got)
		}
	})
}

func publish(t *testing.T, js natsjs.JetStream, subject, body string) *natsjs.PubAck {
	t.Helper()
	ack, err := js.Publish(t.Context(), subject, []byte(body))
	if err != nil {
		t.Fatalf("publish on %s: %v", subject, err)
	}
	return ack
}
