package jetstream_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

const sessions = "SESSIONS_0_0"

func TestProvisioningMakesWhatIsMissingOnce(t *testing.T) {
	n := jetstreamtest.Server(t)
	js := n.JetStream()
	provision := func(layout jetstream.Layout, want ...string) {
		t.Helper()
		created, err := jetstream.Provision(t.Context(), js, layout)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, created); diff != "" {
			t.Errorf("created (-want +got):\n%s", diff)
		}
	}
	provision(jetstream.Layout{}, sessions, "PROJECTS", "AUDIT", "SNAPSHOTS")
	provision(jetstream.Layout{})
	august := jetstream.Epoch{Name: "2026-08", Shards: 2}
	wider := jetstream.Layout{Epochs: []jetstream.Epoch{jetstream.DefaultEpoch(), august}}
	provision(wider, "SESSIONS_2026-08_0", "SESSIONS_2026-08_1")
	n.Stop()
	n.Start()
	js = n.JetStream()
	provision(wider)
}

func TestAnInvalidLayoutIsNotProvisioned(t *testing.T) {
	js := jetstreamtest.Server(t).JetStream()
	if _, err := jetstream.Provision(t.Context(), js, jetstream.Layout{Replicas: 9}); !sameError(err, "Replicas is 9") {
		t.Errorf("got %v", err)
	}
}

func TestEnginesCanProvisionAtOnce(t *testing.T) {
	n := jetstreamtest.Server(t)
	var wg sync.WaitGroup
	for range 4 {
		js := n.JetStream()
		wg.Go(func() {
			if _, err := jetstream.Provision(t.Context(), js, jetstream.Layout{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestAClusterHoldsThreeReplicas(t *testing.T) {
	g := jetstreamtest.Cluster(t, 3)
	js := g.JetStream()
	layout := jetstream.Layout{Replicas: 3}
	for round, want := range []int{4, 0} {
		created, err := jetstream.Provision(t.Context(), js, layout)
		if err != nil || len(created) != want {
			t.Fatalf("round %d: created %v, %v, want %d streams", round, created, err, want)
		}
	}
	publish(t, js, "session.0.0.s1", "body")
	g.Leader(sessions).Stop()
	g.Leader(sessions) // another one takes over
	s, err := js.Stream(t.Context(), sessions)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.CachedInfo(); got.Config.Replicas != 3 || got.State.Msgs != 1 {
		t.Errorf("got %d replicas, %d messages, want 3 and 1", got.Config.Replicas, got.State.Msgs)
	}
}

func TestAStreamThatBreaksAPromiseIsRefusedInWords(t *testing.T) {
	js := jetstreamtest.Server(t).JetStream()
	// Removing the last stream of a server removes its directory as well, in the
	// background: one stream stays.
	if _, err := js.CreateStream(t.Context(), natsjs.StreamConfig{Name: "KEEP"}); err != nil {
		t.Fatal(err)
	}
	for want, alter := range incompatible() {
		t.Run(want, func(t *testing.T) {
			cfg := sessionStream(t)
			alter(&cfg)
			if _, err := js.CreateStream(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
			defer remove(t, js)
			_, err := jetstream.Provision(t.Context(), js, jetstream.Layout{})
			refused, ok := errors.AsType[*jetstream.IncompatibleError](err)
			if !ok {
				t.Fatalf("got %v, want an IncompatibleError", err)
			}
			if got := "stream " + sessions + " is incompatible: " + want; refused.Error() != got {
				t.Errorf("got %q, want %q", refused, got)
			}
			if _, err := js.Stream(t.Context(), "PROJECTS"); !errors.Is(err, natsjs.ErrStreamNotFound) {
				t.Errorf("another stream is made nonetheless: %v", err)
			}
		})
	}
}

// incompatible has an alteration for each setting that a server lets a stream
// have, by the words in which it is refused.
func incompatible() map[string]func(*natsjs.StreamConfig) {
	type cfg = *natsjs.StreamConfig
	return map[string]func(cfg){
		"subjects is session.>, want session.0.0.*":                           func(c cfg) { c.Subjects = []string{"session.>"} },
		"storage is memory, want file":                                        func(c cfg) { c.Storage = natsjs.MemoryStorage },
		"retention policy is workqueue, want limits":                          func(c cfg) { c.Retention = natsjs.WorkQueuePolicy },
		"retention policy is interest, want limits":                           func(c cfg) { c.Retention = natsjs.InterestPolicy },
		"discard policy is old, want new":                                     func(c cfg) { c.Discard = natsjs.DiscardOld },
		"max_consumers is 5, want 1000":                                       func(c cfg) { c.MaxConsumers = 5 },
		"max_msgs is 5, want unlimited":                                       func(c cfg) { c.MaxMsgs = 5 },
		"max_age is 1h0m0s, want unlimited":                                   func(c cfg) { c.MaxAge = time.Hour },
		"max_msgs_per_subject is 5, want unlimited":                           func(c cfg) { c.MaxMsgsPerSubject = 5 },
		"max_msg_size is 500, want unlimited":                                 func(c cfg) { c.MaxMsgSize = 500 },
		"duplicate_window is 1s, want 2m0s":                                   func(c cfg) { c.Duplicates = time.Second },
		"first sequence is 7, want 1":                                         func(c cfg) { c.FirstSeq = 7 },
		"republish is off, want > to live.>, headers only":                    func(c cfg) { c.RePublish = nil },
		"republish is > to x.>, headers only, want > to live.>, headers only": func(c cfg) { c.RePublish.Destination = "x.>" },
		"republish is > to live.>, want > to live.>, headers only":            func(c cfg) { c.RePublish.HeadersOnly = false },
		"subject transform is session.0.0.* to session.0.0.x, want off": func(c cfg) {
			c.SubjectTransform = &natsjs.SubjectTransformConfig{Source: "session.0.0.*", Destination: "session.0.0.x"}
		},
		"subjects is , want session.0.0.*; duplicate_window is 0s, want 2m0s; mirror is stream X, want off": func(c cfg) {
			c.Subjects, c.Duplicates, c.Mirror = nil, 0, &natsjs.StreamSource{Name: "X"}
		},
		"sources is streams X, Y, want off": func(c cfg) { c.Sources = []*natsjs.StreamSource{{Name: "X"}, {Name: "Y"}} },
		"consumer limits is 1h0m0s inactive, 5 unacknowledged, want off": func(c cfg) {
			c.ConsumerLimits = natsjs.StreamConsumerLimits{InactiveThreshold: time.Hour, MaxAckPending: 5}
		},
		"delete markers is on, want off; deny_purge is off, want on; roll-up headers is on, want off; message TTL is on, want off": func(c cfg) {
			c.SubjectDeleteMarkerTTL = time.Hour
		},
		"persist mode is async, want default": func(c cfg) { c.PersistMode = natsjs.AsyncPersistMode },
		"allow_direct is off, want on":        func(c cfg) { c.AllowDirect = false },
		"deny_delete is off, want on":         func(c cfg) { c.DenyDelete = false },
		"deny_purge is off, want on":          func(c cfg) { c.DenyPurge = false },
		"no_ack is on, want off":              func(c cfg) { c.NoAck = true },
		"max_msgs_per_subject is 5, want unlimited; discard_new_per_subject is on, want off": func(c cfg) {
			c.DiscardNewPerSubject, c.MaxMsgsPerSubject = true, 5
		},
		"deny_purge is off, want on; roll-up headers is on, want off": func(c cfg) { c.AllowRollup, c.DenyPurge = true, false },
		"message TTL is on, want off":                                 func(c cfg) { c.AllowMsgTTL = true },
		"discard policy is old, want new; message counters is on, want off": func(c cfg) {
			c.Discard, c.AllowMsgCounter = natsjs.DiscardOld, true
		},
		"discard policy is old, want new; deny_purge is off, want on; roll-up headers is on, want off; message schedules is on, want off": func(c cfg) {
			c.Discard, c.AllowMsgSchedules = natsjs.DiscardOld, true
		},
		"atomic batches is on, want off":     func(c cfg) { c.AllowAtomicPublish = true },
		"batched publishing is on, want off": func(c cfg) { c.AllowBatchPublish = true },
	}
}

// A field that a newer client adds to the configuration must be thought about:
// it is a promise, which incompatible has an alteration for, or no concern.
func TestNoFieldOfAStreamIsForgotten(t *testing.T) {
	known := map[string]bool{
		"Name": true, "Description": true, "Metadata": true, "Placement": true, "Compression": true, // no concern
		"Template": true,                                   // not supported by any server
		"Replicas": true, "MaxBytes": true, "Sealed": true, // tests of their own
		"MirrorDirect": true, // only together with Mirror
	}
	plain := reflect.ValueOf(sessionStream(t))
	for _, alter := range incompatible() {
		cfg := sessionStream(t)
		alter(&cfg)
		altered := reflect.ValueOf(cfg)
		for i := range altered.NumField() {
			if !reflect.DeepEqual(plain.Field(i).Interface(), altered.Field(i).Interface()) {
				known[altered.Type().Field(i).Name] = true
			}
		}
	}
	for i := range plain.NumField() {
		if name := plain.Type().Field(i).Name; !known[name] {
			t.Errorf("no test alters the field %s", name)
		}
	}
}

func sessionStream(t *testing.T) natsjs.StreamConfig {
	t.Helper()
	streams, err := jetstream.Layout{}.Streams()
	if err != nil {
		t.Fatal(err)
	}
	return streams[0]
}

func remove(t *testing.T, js natsjs.JetStream) {
	t.Helper()
	if err := js.DeleteStream(t.Context(), sessions); err != nil {
		t.Error(err)
	}
}

func TestASealedStreamIsRefused(t *testing.T) {
	_, js := provisioned(t, jetstream.Layout{})
	cfg := sessionStream(t)
	cfg.Sealed = true
	if _, err := js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := jetstream.Provision(t.Context(), js, jetstream.Layout{}); !sameError(err, "sealed is on, want off") {
		t.Errorf("got %v", err)
	}
}

func TestTheLayoutsOwnChoicesAreComparedToo(t *testing.T) {
	_, js := provisioned(t, jetstream.Layout{MaxBytes: 1000})
	for name, tt := range map[string]struct {
		layout jetstream.Layout
		want   string
	}{
		"same":          {jetstream.Layout{MaxBytes: 1000}, ""},
		"no opinion":    {jetstream.Layout{}, ""},
		"another limit": {jetstream.Layout{MaxBytes: 2000}, "max_bytes is 1000, want 2000"},
		"replicas":      {jetstream.Layout{Replicas: 3}, "replicas is 1, want 3"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := jetstream.Provision(t.Context(), js, tt.layout); !sameError(err, tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestEveryIncompatibleStreamIsNamed(t *testing.T) {
	_, js := provisioned(t, jetstream.Layout{})
	_, err := jetstream.Provision(t.Context(), js, jetstream.Layout{Replicas: 3})
	for _, name := range []string{sessions, "PROJECTS", "AUDIT", "SNAPSHOTS"} {
		if !sameError(err, "stream "+name+" is incompatible") {
			t.Errorf("%s is not named in %v", name, err)
		}
	}
}

func TestAnOperatorMayDescribePlaceAndCompressAStream(t *testing.T) {
	_, js := provisioned(t, jetstream.Layout{})
	cfg := sessionStream(t)
	cfg.Description, cfg.Metadata, cfg.Compression = "logs", map[string]string{"team": "x"}, natsjs.S2Compression
	if _, err := js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := jetstream.Provision(t.Context(), js, jetstream.Layout{}); err != nil {
		t.Error(err)
	}
}

// A flaky server fails the first attempts to create a stream.
type flaky struct {
	natsjs.StreamManager
	failures int
	err      error
}

func (f *flaky) CreateStream(ctx context.Context, cfg natsjs.StreamConfig) (natsjs.Stream, error) {
	if f.failures > 0 {
		f.failures--
		return nil, f.err
	}
	return f.StreamManager.CreateStream(ctx, cfg)
}

func TestACreationThatFailsForNowIsTriedAgain(t *testing.T) {
	createFailed := &natsjs.APIError{Code: 500, ErrorCode: 10049, Description: "directory not empty"}
	for name, tt := range map[string]struct {
		failures int
		err      error
		want     string
	}{
		"for now":            {5, createFailed, ""},
		"for good":           {6, createFailed, "create stream SESSIONS_0_0: nats: API error: code=500 err_code=10049"},
		"for another reason": {1, &natsjs.APIError{Code: 400, ErrorCode: 10052}, "err_code=10052"},
		"without an answer":  {1, context.DeadlineExceeded, "deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				js := &flaky{jetstreamtest.Server(t).JetStream(), tt.failures, tt.err}
				if _, err := jetstream.Provision(t.Context(), js, jetstream.Layout{}); !sameError(err, tt.want) {
					t.Errorf("got %v, want %q", err, tt.want)
				}
			})
		})
	}
	t.Run("until the context ends", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Millisecond)
			defer cancel()
			js := &flaky{jetstreamtest.Server(t).JetStream(), 99, createFailed}
			if _, err := jetstream.Provision(ctx, js, jetstream.Layout{}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want the deadline", err)
			}
		})
	})
}
