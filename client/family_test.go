package client_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
)

func newWire(t *testing.T) *jetstreamtest.Wire { return jetstreamtest.NewWire(t) }

func TestBodiesThatOverlapRunTogetherAndTheirResultsKeepTheOrder(t *testing.T) {
	y := newYard(t)
	s := y.session(y.human("ana"), presets.Auto)
	calls := wants(t, s, "a", "b", "c")
	calls[0].Overlaps, calls[1].Overlaps = true, true
	var both sync.WaitGroup
	both.Add(2)
	var order []string
	ran, err := s.RunAll(t.Context(), calls, func(_ context.Context, p permit.Permit) client.Result {
		if p.CallID != "c" {
			both.Done()
			both.Wait() // until the other one runs
		} else {
			order = append(order, "c") // alone: nobody writes meanwhile
		}
		return client.Text(p.CallID)
	})
	must(t, err)
	for i, r := range ran {
		if r.Text() != calls[i].ID {
			t.Errorf("got %q of call %s", r.Text(), calls[i].ID)
		}
	}
	must(t, s.EndStep(t.Context()))
	var results []string
	for r, err := range s.Read(t.Context(), 0) {
		must(t, err)
		if decoded, err := r.Decode(); err == nil && r.Type() == events.TypeToolResult {
			results = append(results, decoded[0].Event.(events.ToolResult).CallID())
		}
	}
	if got := strings.Join(results, " "); got != "a b c" || len(order) != 1 {
		t.Errorf("got the results in the order %s", got)
	}
}

func TestEachCallOfAProgramGoesThroughTheGate(t *testing.T) {
	y := newYard(t)
	s := y.session(y.human("ana"), presets.Auto)
	call := wants(t, s, "a")[0]
	schema := request().Tools[0]
	ran, err := s.Run(t.Context(), call, func(ctx context.Context, p permit.Permit) client.Result {
		var started []*client.Running
		for i := range 3 {
			u, err := s.Start(ctx, client.Call{
				ID: fmt.Sprintf("a:ptc:%d", i+1), Name: "shell", Arguments: `{"command":"ls"}`, Overlaps: true,
				Inner: &api.InnerCall{RootCallID: "a", ParentCallID: "a", Schema: schema},
			}, func(_ context.Context, p permit.Permit) client.Result { return client.Text(p.CallID) })
			if err != nil {
				return client.Failure("INNER", err.Error())
			}
			started = append(started, u)
		}
		var text strings.Builder
		for _, u := range started {
			inner, err := u.Wait()
			if err != nil {
				return client.Failure("INNER", err.Error())
			}
			text.WriteString(inner.Text() + " ")
		}
		return client.Text(text.String())
	})
	must(t, err)
	if ran.Text() != "a:ptc:1 a:ptc:2 a:ptc:3 " {
		t.Errorf("got %q", ran.Text())
	}
	must(t, s.EndStep(t.Context()))
	if n := len(y.judge.asked()); n != 4 {
		t.Errorf("got %d reviews, want one of each call", n)
	}
}

// TestAChildWorksWithItsOwnCredential and tells its parent what it did.
func TestAChildWorksWithItsOwnCredential(t *testing.T) {
	y := newYard(t)
	parent := y.session(y.human("ana"), presets.Auto)
	call := client.Call{ID: "a", Name: "task", Arguments: `{"prompt":"echo a"}`}
	wantsCalls(t, parent, call)
	var child *client.Session
	_, err := parent.Run(t.Context(), call, func(ctx context.Context, p permit.Permit) client.Result {
		made, err := parent.Spawn(ctx, api.Spawn{Mode: "one-shot", Provider: "spawn", Prompt: "echo a", CallID: p.CallID, Credential: true})
		if err != nil || !made.Verified || made.Credential == nil {
			return client.Failure("SPAWN", fmt.Sprintf("%+v %v", made, err))
		}
		child, err = y.with(client.Config{URL: y.url(), Creds: []byte(made.Credential.Creds)}).Session("")
		if err != nil {
			return client.Failure("SPAWN", err.Error())
		}
		if err := child.Send(ctx, parent.ID(), "it is done", ""); err != nil {
			return client.Failure("SEND", err.Error())
		}
		return client.Text("spawned")
	})
	must(t, err)
	if child == nil {
		t.Fatal("there is no child")
	}
	state, err := child.State(t.Context())
	if err != nil || state.Parent != parent.ID() || state.Turn != 1 || state.Step != 1 {
		t.Errorf("got %+v, %v, want a child whose first step is open", state, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for r, err := range parent.Tail(ctx, 0) {
		must(t, err)
		if strings.Contains(string(r.Line), "it is done") {
			return
		}
	}
	t.Error("the parent did not hear of its child")
}

func TestASpawnerMakesSessionsForOthers(t *testing.T) {
	y := newYard(t)
	c := y.dial(bus.Spawner, "nightly")
	sp, err := c.Spawner()
	must(t, err)
	made, err := sp.Create(t.Context(), api.SessionCreate{CWD: "/srv/demo", Preset: presets.Auto, Owner: "ana"})
	must(t, err)
	credential, err := sp.Credential(t.Context(), made.Session)
	must(t, err)
	s, err := y.with(client.Config{URL: y.url(), Creds: []byte(credential.Creds)}).Session("")
	must(t, err)
	must(t, s.StartTurn(t.Context()))
	if state, err := y.human("ana").Show(t.Context(), made.Session); err != nil || state.Owner != "ana" || state.Turn != 1 {
		t.Errorf("got %+v, %v", state, err)
	}
	if _, err := c.Human(); err == nil {
		t.Error("a spawner is no person")
	}
}
