package client_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
)

// TestOfTwoExecutorsOfOneCallOneRunsItsBody: two programs have the session's
// credential and make the same call, beside one another and once more behind it.
func TestOfTwoExecutorsOfOneCallOneRunsItsBody(t *testing.T) {
	y := newYard(t)
	one := y.session(y.human("ana"), presets.Auto)
	two, err := y.dial(bus.Agent, string(one.ID())).Session("")
	must(t, err)
	call := wants(t, one, "a")[0]
	var bodies atomic.Int64
	body := func(context.Context, permit.Permit) client.Result {
		bodies.Add(1)
		return client.Text("done")
	}
	var both sync.WaitGroup
	for _, s := range []*client.Session{one, two} {
		both.Go(func() {
			if ran, err := s.Run(t.Context(), call, body); ran.Result == nil && ran.Refused == nil && err == nil {
				t.Error("got neither an end nor an error")
			}
		})
	}
	both.Wait()
	for _, s := range []*client.Session{one, two} {
		if ran, err := s.Run(t.Context(), call, body); ran.Result != nil || err == nil && ran.Refused == nil {
			t.Errorf("made again: got %+v, %v, want a refusal", ran, err)
		}
	}
	if n := bodies.Load(); n != 1 {
		t.Errorf("got %d bodies, want one", n)
	}
	if n := len(y.judge.asked()); n != 1 {
		t.Errorf("got %d reviews, want one", n)
	}
	must(t, one.EndStep(t.Context()))
	if got := types(t, one, events.TypeToolCall); got != "tool/call review/requested review/verdict tool/dispatched tool/result step/end" {
		t.Errorf("got %s", got)
	}
}

// TestAPermitThatIsChangedOnItsWayRunsNothing: whoever can change what the server
// sends gains nothing by it.
func TestAPermitThatIsChangedOnItsWayRunsNothing(t *testing.T) {
	for name, change := range map[string][2]string{
		"its arguments": {`echo a`, `echo b`},
		"its mode":      {`danger-full-access`, `danger-full-accesz`},
		"its call":      {`"callId":"a"`, `"callId":"b"`},
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			wire := jetstreamtest.NewWire(t)
			s := y.session(y.human("ana"), presets.Auto, wire.Option())
			call := wants(t, s, "a")[0]
			var changed atomic.Bool
			wire.Received(func(p *jetstreamtest.Passing) bool {
				if bytes.Contains(p.Data, []byte(`"signature"`)) {
					after := bytes.ReplaceAll(p.Data, []byte(change[0]), []byte(change[1]))
					changed.Store(!bytes.Equal(after, p.Data))
					p.Data = after
				}
				return true
			})
			ran, err := s.Run(t.Context(), call, neverRuns(t))
			if !changed.Load() || err == nil && !errors.Is(ran.Err(), permit.ErrSignature) {
				t.Errorf("changed: %v; got %+v, %v, want a refusal for the signature", changed.Load(), ran, err)
			}
		})
	}
}

// TestAnAgentHasNothingOfAPersons, also where its program asks the client for it.
func TestAnAgentHasNothingOfAPersons(t *testing.T) {
	y := newYard(t)
	s := y.session(y.human("ana"), presets.Auto)
	other := y.session(y.human("eve"), presets.Auto)
	c := y.dial(bus.Agent, string(s.ID()))
	if _, err := c.Human(); !errors.Is(err, client.ErrRole) {
		t.Errorf("a person: got %v", err)
	}
	if _, err := c.Spawner(); !errors.Is(err, client.ErrRole) {
		t.Errorf("a spawner: got %v", err)
	}
	if _, err := c.Audit(y.public()); !errors.Is(err, client.ErrRole) {
		t.Errorf("an auditor: got %v", err)
	}
	foreign, err := c.Session(other.ID())
	must(t, err)
	for r, err := range foreign.Read(t.Context(), 0) {
		if e, is := errors.AsType[*api.Error](err); !is || e.Code != api.CodeUnauthorized {
			t.Errorf("another's log: got %+v, %v", r, err)
		}
	}
	if err := foreign.StartTurn(t.Context()); err == nil || !strings.Contains(err.Error(), "its own session alone") {
		t.Errorf("another's turn: got %v", err)
	}
	// Saying that it is a person's credential helps nobody: the server knows whose it is.
	creds, err := y.credential(bus.Agent, string(s.ID()))
	must(t, err)
	as, err := client.Dial(t.Context(), client.Config{URL: y.url(), Creds: creds, Role: api.RoleHuman})
	if err == nil {
		h, personErr := as.Human()
		must(t, personErr)
		err = h.SetPreset(t.Context(), s.ID(), presets.DangerFullAccess)
		must(t, as.Close(t.Context()))
	}
	if err == nil {
		t.Error("an agent changed its own preset")
	}
	if state, err := s.State(t.Context()); err != nil || state.Preset != presets.Auto {
		t.Errorf("got %+v, %v, want the preset as it was", state, err)
	}
}
