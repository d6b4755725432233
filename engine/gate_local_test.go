package engine_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

func allowing(t *testing.T, ids ...string) *yard {
	t.Helper()
	return asks(t, &judge{answer: always(reviewer.Allow, "")}, "", ids...)
}

func scopeOf(r engine.CallRequest) permit.Scope {
	return permit.Scope{Session: r.Session, CallID: r.CallID, Tool: r.Name}
}

func TestTheGatesOwnExecutorRunsABody(t *testing.T) {
	y := allowing(t, "c1")
	y.executor = y.gate.Executor()
	if ran := y.ran(t.Context(), "c1"); ran.Result == nil {
		t.Fatalf("got %+v, want a result", ran.Refused)
	}
	want := []string{`c1 {"command":"echo c1"} ` + events.ModeDangerFullAccess}
	if !slices.Equal(y.bodies, want) {
		t.Errorf("got bodies %q, want %q", y.bodies, want)
	}
}

// TestAnotherGatesExecutorRunsNothing: the permit is signed for it as for anybody,
// which an executor of a gate's own does not take. It is given back unused.
func TestAnotherGatesExecutorRunsNothing(t *testing.T) {
	y := allowing(t, "c1")
	first := y.gate
	y.open()
	ran, err := first.Run(t.Context(), y.gate.Executor(), y.request("c1"), y.meta(), y.body)
	if err != nil || ran.Refused == nil || ran.Refused.Error == nil || ran.Refused.Error.Code != engine.CodePermitReturned {
		t.Errorf("got %+v, %v, want the permit given back", ran, err)
	}
	if len(y.bodies) > 0 {
		t.Errorf("got bodies %q", y.bodies)
	}
}

// TestACallFromElsewhereGetsASignedPermit: also one with the nonce of the gate's own
// executor, which then burns nothing.
func TestACallFromElsewhereGetsASignedPermit(t *testing.T) {
	y := allowing(t, "c1")
	local := y.gate.Executor()
	r := y.request("c1")
	r.Nonce = local.Expect(scopeOf(r))
	a, err := y.gate.Call(t.Context(), r, y.meta())
	if err != nil || a.Permit == nil {
		t.Fatalf("got %+v, %v, want a permit", a, err)
	}
	if _, err := local.Burn(a.Permit.Signed, nowOf(a)); !errors.Is(err, permit.ErrSignature) {
		t.Errorf("got %v, want ErrSignature", err)
	}
	if _, err := y.executor.Burn(a.Permit.Signed, nowOf(a)); !errors.Is(err, permit.ErrNonce) {
		t.Errorf("got %v from an executor elsewhere, want ErrNonce: the signature is the engine's", err)
	}
}

// holding holds the frame of a dispatch back, and says which nonce it is for.
type holding struct {
	events.Log
	nonce   chan string
	release chan struct{}
}

func (l holding) Append(ctx context.Context, id events.SessionID, a events.Append) (events.Seq, error) {
	for _, r := range a.Records {
		decoded, err := r.Decode()
		if err != nil {
			return 0, err
		}
		if d, ok := decoded[0].Event.(events.ToolDispatched); ok {
			l.nonce <- d.Nonce
			<-l.release
		}
	}
	return l.Log.Append(ctx, id, a)
}

// TestNobodyElseGetsThePermitOfAnExecutorOfThisProcess: not with its nonce either,
// while the call is under way.
func TestNobodyElseGetsThePermitOfAnExecutorOfThisProcess(t *testing.T) {
	log := holding{nonce: make(chan string), release: make(chan struct{})}
	y := newYard(t, &judge{answer: always(reviewer.Allow, "")}, onLog(func(l events.Log) events.Log {
		log.Log = l
		return log
	}))
	y.on(presets.Auto, "")
	y.wants("c1")
	y.executor = y.gate.Executor()
	done := make(chan engine.Ran, 1)
	go func() { done <- y.ran(t.Context(), "c1") }()
	r := y.request("c1")
	r.Nonce = <-log.nonce
	_, err := y.gate.Call(t.Context(), r, y.meta())
	wantRefusal(t, err, engine.CodeCallRunning, "nonce")
	close(log.release)
	if ran := <-done; ran.Result == nil {
		t.Errorf("got %+v, want a result", ran.Refused)
	}
}
