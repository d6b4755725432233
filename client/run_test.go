package client_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

func TestABodyRunsOnceWithWhatItsPermitSays(t *testing.T) {
	y := newYard(t)
	s := y.session(y.human("ana"), presets.Auto)
	calls := wants(t, s, "a")
	var bodies []permit.Permit
	ran, err := s.Run(t.Context(), calls[0], func(_ context.Context, p permit.Permit) client.Result {
		bodies = append(bodies, p)
		return client.Text("done")
	})
	must(t, err)
	if len(bodies) != 1 || string(bodies[0].Arguments) != calls[0].Arguments || bodies[0].Mode != events.ModeDangerFullAccess || bodies[0].CallID != "a" {
		t.Errorf("got the bodies %+v, want one of call a", bodies)
	}
	if ran.Err() != nil || ran.Text() != "done" {
		t.Errorf("got %+v, %v", ran, ran.Err())
	}
	must(t, s.EndStep(t.Context()))
	must(t, s.EndTurn(t.Context()))
	want := "tool/call review/requested review/verdict tool/dispatched tool/result step/end turn/end"
	if got := types(t, s, events.TypeToolCall); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTheFourEndsAreToldApart(t *testing.T) {
	ends := []error{client.ErrDenied, client.ErrFailed, client.ErrCancelled, client.ErrUnavailable}
	for name, c := range map[string]struct {
		set  func(*yard, *client.Human, events.SessionID)
		want error
	}{
		"denied": {func(y *yard, h *client.Human, id events.SessionID) {
			must(y.t, h.SetPolicy(y.t.Context(), id, events.PolicyNever))
			y.judge.says(denies)
		}, client.ErrDenied},
		"cancelled": {func(y *yard, h *client.Human, id events.SessionID) {
			y.judge.says(func(ctx context.Context, c reviewer.Call) (reviewer.Verdict, error) {
				if err := h.Stop(ctx, id); err != nil {
					y.t.Error(err)
				}
				return allows(ctx, c) // too late
			})
		}, client.ErrCancelled},
		"unavailable": {func(y *yard, _ *client.Human, _ events.SessionID) { y.judge.says(denies) }, client.ErrUnavailable},
		"failed":      {func(y *yard, _ *client.Human, _ events.SessionID) { y.judge.says(fails) }, client.ErrFailed},
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t, func(w *world) { w.wait = 100 * time.Millisecond })
			h := y.human("ana")
			s := y.session(h, presets.Auto)
			c.set(y, h, s.ID())
			ran, err := s.Run(t.Context(), wants(t, s, "a")[0], neverRuns(t))
			must(t, err)
			for _, end := range ends {
				if errors.Is(ran.Err(), end) != (end == c.want) {
					t.Errorf("got %v, which is %v: %t", ran.Err(), end, errors.Is(ran.Err(), end))
				}
			}
			if !strings.HasPrefix(ran.Text(), "Error: ") {
				t.Errorf("got %+v, want a refusal", ran.Refused)
			}
		})
	}
}

// neverRuns is the body of a call that is not dispatched.
func neverRuns(t *testing.T) client.Body {
	return func(context.Context, permit.Permit) client.Result {
		t.Error("a body ran")
		return client.Text("ran")
	}
}

func TestACallIsCancelledWhenItsContextEnds(t *testing.T) {
	y := newYard(t)
	y.judge.says(waits)
	s := y.session(y.human("ana"), presets.Auto)
	call := wants(t, s, "a")[0]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	y.waitAsked(t, "a", cancel)
	ran, err := s.Run(ctx, call, neverRuns(t))
	must(t, err)
	if !errors.Is(ran.Err(), client.ErrCancelled) || errors.Is(ran.Err(), client.ErrDenied) {
		t.Errorf("got %v, want a cancellation", ran.Err())
	}
	must(t, s.EndStep(t.Context()))
	if got := types(t, s, events.TypeToolCall); got != "tool/call review/requested review/verdict tool/result step/end" {
		t.Errorf("got %s", got)
	}
}

func TestACallWhoseContextHasEndedIsOnTheLogAsCancelled(t *testing.T) {
	y := newYard(t)
	s := y.session(y.human("ana"), presets.Auto)
	call := wants(t, s, "a")[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ran, err := s.Run(ctx, call, neverRuns(t))
	must(t, err)
	if !errors.Is(ran.Err(), client.ErrCancelled) {
		t.Errorf("got %v, want a cancellation", ran.Err())
	}
	must(t, s.EndStep(t.Context())) // every call has its result
}

func TestABodyIsWaitedForWhenItsCallerIsGone(t *testing.T) {
	for name, c := range map[string]struct {
		result client.Result
		want   string
	}{
		"success becomes ABORTED": {client.Text("done"), engine.CodeAborted},
		"its own error stays":     {client.Failure("NO_SUCH_FILE", "there is none"), "NO_SUCH_FILE"},
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			s := y.session(y.human("ana"), presets.Auto)
			ctx, cancel := context.WithCancel(t.Context())
			var ended atomic.Bool
			ran, err := s.Run(ctx, wants(t, s, "a")[0], func(ctx context.Context, _ permit.Permit) client.Result {
				cancel()
				<-ctx.Done()
				ended.Store(true)
				return c.result
			})
			must(t, err)
			if !ended.Load() || ran.Result == nil || ran.Result.Error == nil || ran.Result.Error.Code != c.want {
				t.Errorf("got %+v, want %s", ran.Result, c.want)
			}
			must(t, s.EndStep(t.Context()))
		})
	}
}

func TestABodyThatEndsInAnotherWayIsAnError(t *testing.T) {
	for name, body := range map[string]client.Body{
		"a panic":             func(context.Context, permit.Permit) client.Result { panic("no") },
		"the goroutine's end": func(context.Context, permit.Permit) client.Result { runtime.Goexit(); return client.Result{} },
		"a result that is large": func(context.Context, permit.Permit) client.Result {
			return client.Text(strings.Repeat("x", api.MaxRequest))
		},
		"a result that is none": func(context.Context, permit.Permit) client.Result { return client.Text("\xff") },
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			s := y.session(y.human("ana"), presets.Auto)
			_, err := s.Run(t.Context(), wants(t, s, "a")[0], body)
			if _, large := errors.AsType[*api.Error](err); err != nil && !large {
				t.Error(err)
			}
			must(t, s.EndStep(t.Context()))
			if got := types(t, s, events.TypeToolDispatched); got != "tool/dispatched tool/result step/end" {
				t.Errorf("got %s, want a result", got)
			}
		})
	}
}
