package bus_test

import (
	"testing"
	"time"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/jetstream"
)

// TestAnOpenServerIsFoundOut: where everything is allowed, each attempt says so, and
// none of them leaves anything behind.
func TestAnOpenServerIsFoundOut(t *testing.T) {
	s, err := jetstream.StartServer(t.Context(), jetstream.ServerConfig{Dir: t.TempDir(), Fsync: jetstream.Fsync(time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	nc, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js := streams(t, nc)
	if _, err := jetstream.Provision(t.Context(), js, jetstream.Layout{}); err != nil {
		t.Fatal(err)
	}
	attempts, err := bus.Attempts(bus.Agent, "s-1")
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, a := range attempts {
		allowed, err := a.Try(nc, 10*time.Second)
		if err != nil || !allowed {
			t.Errorf("%s on %s: got %v, %v, want it allowed", a.What, a.Subject, allowed, err)
		}
		if !a.Allowed {
			wrong++
		}
	}
	if wrong < 40 || wrong == len(attempts) {
		t.Errorf("%d of %d attempts are not an agent's", wrong, len(attempts))
	}
	account, err := js.AccountInfo(t.Context())
	if err != nil || account.Streams != 4 || account.Store != 0 || account.Consumers != 0 {
		t.Errorf("got %+v, %v, want four empty streams", account, err)
	}
}

func TestAttemptsAreOfAKnownClassAndAName(t *testing.T) {
	for class, name := range map[string]string{"root": "x", bus.Agent: "*"} {
		if a, err := bus.Attempts(class, name); err == nil || a != nil {
			t.Errorf("%s %s: got %v, %v, want an error", class, name, a, err)
		}
	}
}

// TestWhatEachClassMayDo is what a reader of the table of classes should find.
func TestWhatEachClassMayDo(t *testing.T) {
	count := map[string]int{}
	for _, class := range bus.Classes() {
		attempts, err := bus.Attempts(class.Name, "x")
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range attempts {
			if a.Allowed {
				count[class.Name]++
			}
		}
	}
	// A command under its own name, and the answers; a reviewer is asked as well.
	for class, want := range map[string]int{bus.Human: 2, bus.Agent: 2, bus.Host: 2, bus.Spawner: 2, bus.Reviewer: 3} {
		if count[class] != want {
			t.Errorf("%s: got %d things that it may do, want %d", class, count[class], want)
		}
	}
}
