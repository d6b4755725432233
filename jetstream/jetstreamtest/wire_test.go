package jetstreamtest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// echo answers what comes on "ask" with the same again.
func echo(t *testing.T, nc *nats.Conn) {
	t.Helper()
	_, err := nc.Subscribe("ask", func(m *nats.Msg) {
		if err := m.RespondMsg(&nats.Msg{Header: m.Header, Data: m.Data}); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func ask(t *testing.T, nc *nats.Conn, header nats.Header, body string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	m, err := nc.RequestMsgWithContext(ctx, &nats.Msg{Subject: "ask", Header: header, Data: []byte(body)})
	if err != nil {
		return "", err
	}
	return m.Header.Get("X") + string(m.Data), nil
}

func TestAWirePassesOnWhatNobodyHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := jetstreamtest.Server(t)
		echo(t, n.Connect())
		nc := n.Connect(jetstreamtest.NewWire(t).Option())
		long := strings.Repeat("long ", 30_000)
		for _, body := range []string{"", "short", "with\r\nlines\r\n", long} {
			for _, h := range []nats.Header{nil, {"X": {"h"}}} {
				if got, err := ask(t, nc, h, body); err != nil || got != h.Get("X")+body {
					t.Errorf("%.20q with %v: got %.20q, %v", body, h, got, err)
				}
			}
		}
	})
}

func TestAWireLosesAndChangesWhatATestWants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := jetstreamtest.Server(t)
		echo(t, n.Connect())
		synctest.Wait() // the server knows of it
		w := jetstreamtest.NewWire(t)
		nc := n.Connect(w.Option())
		var seen []string
		w.Answers(func(p *jetstreamtest.Passing) bool { return p.Subject == "ask" }, func(p *jetstreamtest.Passing) bool {
			seen = append(seen, string(p.Data))
			p.Data = append([]byte("not "), p.Data...)
			return string(seen[len(seen)-1]) != "lose"
		})
		if got, err := ask(t, nc, nil, "keep"); err != nil || got != "not keep" {
			t.Errorf("got %q, %v, want the answer changed", got, err)
		}
		if got, err := ask(t, nc, nil, "lose"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %q, %v, want no answer", got, err)
		}
		w.Pass()
		w.Sent(func(p *jetstreamtest.Passing) bool { return p.Subject != "ask" })
		if got, err := ask(t, nc, nil, "unheard"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %q, %v, want no answer", got, err)
		}
		w.Pass()
		if got, err := ask(t, nc, nil, "again"); err != nil || got != "again" {
			t.Errorf("got %q, %v, want the answer", got, err)
		}
		if diff := cmp.Diff([]string{"keep", "lose"}, seen); diff != "" {
			t.Errorf("answers (-want +got):\n%s", diff)
		}
	})
}

// The client library connects again in real time only.
func TestAClientConnectsAgainThroughAWireThatWasCut(t *testing.T) {
	n := jetstreamtest.Server(t)
	echo(t, n.Connect())
	w := jetstreamtest.NewWire(t)
	again := make(chan bool, 1)
	nc := n.Connect(w.Option(), nats.ReconnectHandler(func(*nats.Conn) { again <- true }))
	w.Cut()
	<-again
	if got, err := ask(t, nc, nil, "hello"); err != nil || got != "hello" {
		t.Errorf("got %q, %v, want the answer", got, err)
	}
}
