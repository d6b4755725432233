package client_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
)

// TestTheConnectionMayBreakAtEachMessageOfACall cuts it at the first message of a
// call's way, then at the second, and so on to the last, once with the message
// lost and once behind it.
func TestTheConnectionMayBreakAtEachMessageOfACall(t *testing.T) {
	y := newYard(t)
	h := y.human("ana")
	for _, lost := range []bool{true, false} {
		cuts := 0
		for at := int64(1); ; at++ {
			if !y.cutAt(t, h, at, lost) {
				break // there is no such message
			}
			cuts++
		}
		if cuts < 5 { // call, accepted, permit, result, its reply
			t.Errorf("lost %t: got %d points of a call, want at least 5", lost, cuts)
		}
	}
}

// cutAt makes a call and cuts the connection at one message; it reports whether there
// was one.
func (y *yard) cutAt(t *testing.T, h *client.Human, at int64, lost bool) bool {
	t.Helper()
	wire := jetstreamtest.NewWire(t)
	s := y.session(h, presets.Auto, wire.Option())
	call := wants(t, s, "a")[0]
	var passed, bodies atomic.Int64
	hook := func(*jetstreamtest.Passing) bool {
		if passed.Add(1) != at {
			return true
		}
		if lost {
			wire.Cut()
			return false
		}
		go wire.Cut()
		return true
	}
	wire.Sent(hook)
	wire.Received(hook)
	ran, err := s.Run(t.Context(), call, func(_ context.Context, p permit.Permit) client.Result {
		bodies.Add(1)
		if string(p.Arguments) != call.Arguments {
			t.Errorf("at %d: got the arguments %s", at, p.Arguments)
		}
		return client.Text("done")
	})
	wire.Pass()
	if err != nil || ran.Result == nil || bodies.Load() != 1 {
		t.Errorf("cut at message %d, lost %t: got %+v, %v, and %d bodies; want one", at, lost, ran, err, bodies.Load())
	}
	must(t, s.EndStep(t.Context()))
	must(t, s.EndTurn(t.Context()))
	want := "tool/call review/requested review/verdict tool/dispatched tool/result step/end turn/end"
	if got := types(t, s, events.TypeToolCall); got != want {
		t.Errorf("cut at message %d, lost %t: got %s, want %s", at, lost, got, want)
	}
	return passed.Load() >= at
}

func TestAServerMayRestartWhileACallIsReviewedOrItsBodyRuns(t *testing.T) {
	for _, when := range []string{"reviewed", "running"} {
		t.Run(when, func(t *testing.T) {
			y := newYard(t)
			s := y.session(y.human("ana"), presets.Auto)
			call := wants(t, s, "a")[0]
			if when == "reviewed" {
				y.waitAsked(t, "a", func() { y.restart(t) })
			}
			bodies := 0
			ran, err := s.Run(t.Context(), call, func(context.Context, permit.Permit) client.Result {
				bodies++
				if when == "running" {
					y.restart(t)
				}
				return client.Text("done")
			})
			if err != nil || ran.Result == nil || bodies != 1 {
				t.Errorf("got %+v, %v, %d bodies", ran, err, bodies)
			}
			must(t, s.EndStep(t.Context()))
			if got := types(t, s, events.TypeToolDispatched); got != "tool/dispatched tool/result step/end" {
				t.Errorf("got %s", got)
			}
		})
	}
}

// restart stops the server and starts it again at the same port.
func (y *yard) restart(t *testing.T) {
	if err := y.server.Close(); err != nil {
		t.Error(err)
	}
	if err := y.startServer(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
}

// TestAResultIsNotLostWhileTheServerIsAway: Run says that it is not recorded yet, and
// it is when the client is closed.
func TestAResultIsNotLostWhileTheServerIsAway(t *testing.T) {
	y := newYard(t)
	h := y.human("ana")
	id := y.session(h, presets.Auto).ID()
	creds, err := y.credential(bus.Agent, string(id))
	must(t, err)
	c, err := client.Dial(t.Context(), client.Config{URL: y.url(), Creds: creds, RecordWait: 200 * time.Millisecond})
	must(t, err)
	s, err := c.Session("")
	must(t, err)
	ran, err := s.Run(t.Context(), wants(t, s, "a")[0], func(context.Context, permit.Permit) client.Result {
		must(t, y.server.Close())
		return client.Text("done")
	})
	if !errors.Is(err, client.ErrUnrecorded) || ran.Result == nil {
		t.Errorf("got %+v, %v, want the result and ErrUnrecorded", ran, err)
	}
	must(t, y.startServer(t.Context()))
	must(t, c.Close(t.Context()))
	var got []string
	for r, err := range h.Read(t.Context(), id, 0) {
		must(t, err)
		got = append(got, string(r.Type()))
	}
	if last := got[len(got)-1]; last != string(events.TypeToolResult) {
		t.Errorf("got %s as the last event, want the result", last)
	}
}

// TestAnEngineMayDieInMidCall: another one answers for it, and asks no model again.
func TestAnEngineMayDieInMidCall(t *testing.T) {
	y := newYard(t)
	y.judge.says(waits)
	s := y.session(y.human("ana"), presets.Auto)
	call := wants(t, s, "a")[0]
	first := y.engines[0]
	y.waitAsked(t, "a", func() {
		first.nc.Close() // without a word
		if _, err := y.serve(); err != nil {
			t.Error(err)
		}
	})
	ran, err := s.Run(t.Context(), call, neverRuns(t))
	must(t, err)
	if !errors.Is(ran.Err(), client.ErrFailed) || !strings.Contains(ran.Text(), "REVIEWER_LOST") {
		t.Errorf("got %v, want the failure REVIEWER_LOST", ran.Err())
	}
	if n := len(y.judge.asked()); n != 1 {
		t.Errorf("got %d reviews, want 1", n)
	}
	must(t, s.EndStep(t.Context()))
}

func TestPermitsOfAnotherKeyAreRefused(t *testing.T) {
	y := newYard(t)
	h := y.human("ana")
	s := y.session(h, presets.Auto)
	must(t, y.engines[0].stop())
	pinned := y.dispatch.Public().(ed25519.PublicKey)
	var err error
	_, y.dispatch, err = ed25519.GenerateKey(nil)
	must(t, err)
	_, err = y.serve()
	must(t, err)

	ran, err := s.Run(t.Context(), wants(t, s, "a")[0], neverRuns(t))
	must(t, err)
	if !errors.Is(ran.Err(), client.ErrFailed) || !errors.Is(ran.Err(), permit.ErrSignature) {
		t.Errorf("got %v, want a failure for the signature", ran.Err())
	}
	must(t, s.EndStep(t.Context()))

	creds, err := y.credential(bus.Agent, string(s.ID()))
	must(t, err)
	if _, err := client.Dial(t.Context(), client.Config{URL: y.url(), Creds: creds, DispatchKey: pinned}); !errors.Is(err, client.ErrKeyChanged) {
		t.Errorf("got %v, want ErrKeyChanged", err)
	}
}

func TestALatePermitIsReturned(t *testing.T) {
	y := newYard(t)
	wire := jetstreamtest.NewWire(t)
	s := y.session(y.human("ana"), presets.Auto, wire.Option())
	call := wants(t, s, "a")[0]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wire.Received(func(p *jetstreamtest.Passing) bool {
		if strings.Contains(string(p.Data), `"signature"`) {
			cancel() // the permit comes when nobody waits for it any more
		}
		return true
	})
	ran, err := s.Run(ctx, call, neverRuns(t))
	must(t, err)
	if !errors.Is(ran.Err(), client.ErrCancelled) {
		t.Errorf("got %v, want a cancellation", ran.Err())
	}
	must(t, s.EndStep(t.Context()))
	if got := types(t, s, events.TypeToolDispatched); got != "tool/dispatched tool/result step/end" {
		t.Errorf("got %s", got)
	}
}

func TestManyCallsOfOneSessionWhileTheConnectionBreaksAgainAndAgain(t *testing.T) {
	y := newYard(t)
	wire := jetstreamtest.NewWire(t)
	s := y.session(y.human("ana"), presets.Auto, wire.Option())
	ids := make([]string, 12)
	for i := range ids {
		ids[i] = fmt.Sprint("call-", i)
	}
	calls := wants(t, s, ids...)
	var passed atomic.Int64
	hook := func(*jetstreamtest.Passing) bool {
		if passed.Add(1)%7 == 0 {
			go wire.Cut()
		}
		return true
	}
	wire.Received(hook)
	var bodies atomic.Int64
	for i := range calls {
		calls[i].Overlaps = i%2 == 0
	}
	ran, err := s.RunAll(t.Context(), calls, func(context.Context, permit.Permit) client.Result {
		bodies.Add(1)
		return client.Text("done")
	})
	wire.Pass()
	must(t, err)
	if len(ran) != len(calls) || bodies.Load() != int64(len(calls)) {
		t.Errorf("got %d ends and %d bodies, want %d", len(ran), bodies.Load(), len(calls))
	}
	must(t, s.EndStep(t.Context()))
	if got := strings.Count(types(t, s, events.TypeToolCall), "tool/result"); got != len(calls) {
		t.Errorf("got %d results, want %d", got, len(calls))
	}
}
