package bus_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

// TestWhenTheStoreIsAlmostFullPeopleCanStillTighten: agents' commands are refused,
// what is under way can be settled, and a person's command is done.
func TestWhenTheStoreIsAlmostFullPeopleCanStillTighten(t *testing.T) {
	used, failed := 0.5, error(nil)
	y := newYard(t)
	r := y.serve(allows, func(cfg *bus.ServiceConfig) {
		cfg.Room = func(context.Context) (float64, error) { return used, failed }
		cfg.Limits.RoomKept = 1 // ns: each request asks
	})
	ada, agent, x := y.client(api.RoleHuman, "ada"), y.begun("c1", "c2"), y.executor()
	a := agent.call(x, "work", "c1").answer()
	for _, now := range []struct {
		used   float64
		failed error
	}{{0.9, nil}, {1.2, nil}, {0, errors.New("the store is away")}} {
		used, failed = now.used, now.failed
		next := r.next("work")
		wantCode(t, agent.try("message.context", api.ContextMessage{Command: agent.command(""), MessageID: "m", Source: []byte(`{"kind":"x"}`), Content: []events.Block{events.TextBlock("x")}}), api.CodeUnavailable)
		wantCode(t, agent.try("call", api.Call{Command: agent.command(""), CallID: "c2", Name: "shell", Arguments: arguments("c2"), Nonce: "n"}), api.CodeUnavailable)
		if got := r.next("work"); got != next {
			t.Errorf("%+v: something was stored", now)
		}
		do[api.State](agent, "state", api.StateQuery{})
	}
	used = 0.95
	do[api.Done](ada, "preset.set", api.PresetSet{Command: ada.command("work"), Preset: "read-only"})
	do[api.Done](agent, "settle", api.Settle{Command: agent.command(""), CallID: "c1", Nonce: a.Permit.Permit.Nonce, Content: []events.Block{events.TextBlock("done")}})
	do[api.Done](ada, "session.stop", api.SessionStop{Command: ada.command("work")})
}

func TestACallerHasARateAndNobodyElseIsKeptOut(t *testing.T) {
	y := newYard(t)
	y.serve(allows, func(cfg *bus.ServiceConfig) { cfg.Limits.Rate, cfg.Limits.Bytes = 5, 1<<20 })
	ada, eve := y.client(api.RoleHuman, "ada"), y.client(api.RoleHuman, "eve")
	refused := 0
	for range 30 {
		if failed := ada.try("preset.catalog", api.PresetCatalog{}); failed != nil {
			wantCode(t, failed, api.CodeUnavailable)
			refused++
		}
	}
	if refused < 10 {
		t.Errorf("got %d refusals of 30 requests", refused)
	}
	do[api.Catalog](eve, "preset.catalog", api.PresetCatalog{})
	for range 10 {
		_, failed := eve.request("preset.catalog", bytes.Repeat([]byte(" "), 900<<10), nil)
		if failed != nil && failed.Code == api.CodeUnavailable {
			return
		}
	}
	t.Error("nine megabytes were taken at once")
}

// TestAPanicIsOneErrorAndTheServiceGoesOn, and neither the answer nor the log says
// what the panic was about.
func TestAPanicIsOneErrorAndTheServiceGoesOn(t *testing.T) {
	var logs bytes.Buffer
	y := newYard(t)
	r := y.serve(func(context.Context, reviewer.Call) (reviewer.Verdict, error) { return reviewer.Verdict{}, nil }, func(cfg *bus.ServiceConfig) {
		cfg.Logger = slog.New(slog.NewJSONHandler(&logs, nil))
		cfg.Issue = func(context.Context, events.SessionID) (api.Credential, error) { panic("sk-secret") }
	})
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", presets.Auto)
	failed := ada.try("session.credential", api.SessionCredential{Query: api.Query{Session: "work"}})
	wantCode(t, failed, api.CodeInternal)
	do[api.Catalog](ada, "preset.catalog", api.PresetCatalog{})
	r.stop()
	if text := logs.String() + failed.Error(); strings.Contains(text, "sk-secret") || !strings.Contains(text, "a request panicked") {
		t.Errorf("got %s", text)
	}
}

// TestAnErrorOfTheEnginesOwnSaysNothing over the wire.
func TestAnErrorOfTheEnginesOwnSaysNothing(t *testing.T) {
	y := newYard(t)
	y.serve(allows, func(cfg *bus.ServiceConfig) {
		cfg.Issue = func(context.Context, events.SessionID) (api.Credential, error) {
			return api.Credential{}, errors.New("open /var/state/bus/agent.nk: sk-secret")
		}
	})
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", "")
	failed := ada.try("session.credential", api.SessionCredential{Query: api.Query{Session: "work"}})
	wantCode(t, failed, api.CodeInternal)
	if strings.Contains(failed.Message, "sk-secret") || strings.Contains(failed.Message, "/var") {
		t.Errorf("got %q", failed.Message)
	}
}
