package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
)

// host is a host's installation.
func (y *yard) host(name string) *client.Host {
	y.t.Helper()
	h, err := y.dial(bus.Host, name).Host()
	must(y.t, err)
	return h
}

// ceiled is a host whose sessions never exceed a preset.
func (y *yard) ceiled(name, ceiling string) *client.Host {
	y.t.Helper()
	c, err := y.authority.Issue(bus.Request{Class: bus.Host, Name: name, Ceiling: ceiling})
	must(y.t, err)
	h, err := y.with(client.Config{URL: y.url(), Creds: c.Text}).Host()
	must(y.t, err)
	return h
}

func wantRefusal(t *testing.T, what string, err error, code api.Code) {
	t.Helper()
	if e, ok := errors.AsType[*api.Error](err); !ok || e.Code != code {
		t.Errorf("%s: got %v, want the code %s", what, err, code)
	}
}

// TestAHostRelaysItsPersonsWordsAndRunsTheirCalls: what it relays says that a host did.
func TestAHostRelaysItsPersonsWordsAndRunsTheirCalls(t *testing.T) {
	y := newYard(t)
	h := y.host("desk")
	made, err := h.Create(t.Context(), api.SessionCreate{CWD: "/srv/demo", Preset: presets.Auto})
	must(t, err)
	if made.Owner != "" || made.Preset != presets.Auto {
		t.Errorf("got %+v, want a session of nobody's on auto", made)
	}
	must(t, h.Relay(t.Context(), made.Session, "list what is there"))
	s, err := h.Session(made.Session)
	must(t, err)
	ran, err := s.Run(t.Context(), wants(t, s, "a")[0], done)
	if err != nil || ran.Result == nil {
		t.Fatalf("got %+v, %v, want the result", ran, err)
	}
	must(t, s.EndStep(t.Context()))
	must(t, s.EndTurn(t.Context()))
	must(t, h.Stop(t.Context(), made.Session))
	var sources []string
	for r, err := range s.Read(t.Context(), 0) {
		must(t, err)
		decoded, err := r.Decode()
		must(t, err)
		for _, d := range decoded {
			if spliced, ok := d.Event.(events.InboxSpliced); ok {
				for _, m := range spliced.Inserted {
					sources = append(sources, string(m.Source.Raw))
				}
			}
		}
	}
	if len(sources) != 1 || !strings.Contains(sources[0], `"kind":"user"`) || !strings.Contains(sources[0], `"via":"host"`) {
		t.Errorf("got the sources %q, want one person's by way of a host", sources)
	}
}

// TestAHostsSessionsAreItsOwners, whom its credential names and nothing else: they
// read them and answer their questions, and the host does not.
func TestAHostsSessionsAreItsOwners(t *testing.T) {
	y := newYard(t)
	y.judge.says(denies)
	c, err := y.authority.Issue(bus.Request{Class: bus.Host, Name: "desk", Ceiling: presets.Auto, Owner: "ana"})
	must(t, err)
	h, err := y.with(client.Config{URL: y.url(), Creds: c.Text}).Host()
	must(t, err)
	_, err = h.Create(t.Context(), api.SessionCreate{CWD: "/srv/demo", Owner: "eve"})
	wantRefusal(t, "another owner", err, api.CodeUnauthorized)
	made, err := h.Create(t.Context(), api.SessionCreate{CWD: "/srv/demo", Preset: presets.Auto})
	must(t, err)
	if made.Owner != "ana" {
		t.Errorf("got the owner %q", made.Owner)
	}
	s, err := h.Session(made.Session)
	must(t, err)
	ended := make(chan client.Ran, 1)
	call := wants(t, s, "a")[0]
	go func() {
		ran, err := s.Run(t.Context(), call, done)
		if err != nil {
			t.Error(err)
		}
		ended <- ran
	}()
	ana, eve := y.human("ana"), y.human("eve")
	_, err = eve.Show(t.Context(), made.Session)
	wantRefusal(t, "somebody else", err, api.CodeNotFound)
	waiting, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for q, err := range ana.Approvals(waiting) {
		must(t, err)
		must(t, q.Allow(t.Context(), "go on"))
		break
	}
	if ran := <-ended; ran.Result == nil {
		t.Errorf("got %+v, want the result that its owner allowed", ran)
	}
}

// TestAHostStaysBelowItsCeiling, also where it names no preset.
func TestAHostStaysBelowItsCeiling(t *testing.T) {
	y := newYard(t)
	h := y.ceiled("desk", presets.ReadOnly)
	for _, preset := range []string{presets.WorkspaceWrite, presets.DangerFullAccess, presets.Auto} {
		_, err := h.Create(t.Context(), api.SessionCreate{CWD: "/srv/demo", Preset: preset})
		wantRefusal(t, preset, err, api.CodeUnauthorized)
	}
	_, err := h.Create(t.Context(), api.SessionCreate{CWD: "/srv/demo", Owner: "ana"})
	wantRefusal(t, "an owner", err, api.CodeUnauthorized)
	made, err := h.Create(t.Context(), api.SessionCreate{CWD: "/srv/demo"})
	if err != nil || made.Preset != presets.ReadOnly {
		t.Errorf("got %+v, %v, want its ceiling", made, err)
	}
}

// TestAHostHasNothingOfAPersonsOrAnAgents: it reaches the sessions that it created and
// no others, and its client lets it claim no other role.
func TestAHostHasNothingOfAPersonsOrAnAgents(t *testing.T) {
	y := newYard(t)
	ctx := t.Context()
	ana := y.human("ana")
	theirs := y.session(ana, presets.Auto).ID()
	foreign, err := y.host("elsewhere").Create(ctx, api.SessionCreate{CWD: "/srv/demo", Preset: presets.Auto})
	must(t, err)
	c := y.dial(bus.Host, "desk")
	h, err := c.Host()
	must(t, err)
	for _, id := range []events.SessionID{theirs, foreign.Session, "there-is-none"} {
		wantRefusal(t, "relay", h.Relay(ctx, id, "go on"), api.CodeNotFound)
		wantRefusal(t, "stop", h.Stop(ctx, id), api.CodeNotFound)
		s, err := h.Session(id)
		must(t, err)
		_, err = s.State(ctx)
		wantRefusal(t, "state", err, api.CodeNotFound)
		wantRefusal(t, "turn", s.StartTurn(ctx), api.CodeNotFound)
		_, err = s.Run(ctx, client.Call{ID: "a", Name: "shell", Arguments: "{}"}, neverRuns(t))
		wantRefusal(t, "call", err, api.CodeNotFound)
		for _, err := range s.Read(ctx, 0) {
			wantRefusal(t, "read", err, api.CodeNotFound)
		}
	}
	own, err := h.Create(ctx, api.SessionCreate{CWD: "/srv/demo", Preset: presets.Auto})
	must(t, err)
	s, err := h.Session(own.Session)
	must(t, err)
	_, human := c.Human()
	_, spawner := c.Spawner()
	_, audit := c.Audit()
	_, spawn := s.Spawn(ctx, api.Spawn{Mode: "one-shot", Provider: "spawn", Prompt: "go"})
	_, compact := s.Compact(ctx, api.Compact{})
	for what, err := range map[string]error{
		"human": human, "spawner": spawner, "audit": audit, "spawn": spawn, "compact": compact, "send": s.Send(ctx, theirs, "x", ""),
	} {
		if !errors.Is(err, client.ErrRole) {
			t.Errorf("%s: got %v, want ErrRole", what, err)
		}
	}
	if _, err := ana.Show(ctx, own.Session); err == nil {
		t.Error("a person reads a host's session that nobody has shared")
	}
	for _, other := range []func() error{
		func() error { _, err := y.dial(bus.Human, "bob").Host(); return err },
		func() error { _, err := y.dial(bus.Agent, string(theirs)).Host(); return err },
		func() error { _, err := y.dial(bus.Spawner, "farm").Host(); return err },
	} {
		if err := other(); !errors.Is(err, client.ErrRole) {
			t.Errorf("got %v, want that it is no host's", err)
		}
	}
}

// TestAHostThatClaimsAnotherRoleIsNotPermitted: its credential is good for a host's
// subjects alone, whatever its client is told to say.
func TestAHostThatClaimsAnotherRoleIsNotPermitted(t *testing.T) {
	y := newYard(t)
	id := y.session(y.human("ana"), presets.Auto).ID()
	creds, err := y.credential(bus.Host, "ana")
	must(t, err)
	h, err := y.with(client.Config{URL: y.url(), Creds: creds, Role: api.RoleHuman}).Human()
	must(t, err)
	ctx := t.Context()
	for what, err := range map[string]error{
		"say": h.Say(ctx, id, "go on"), "preset": h.SetPreset(ctx, id, presets.DangerFullAccess), "policy": h.SetPolicy(ctx, id, events.PolicyNever),
		"tier": h.SetTier(ctx, id, "aggressive"), "share": h.Share(ctx, id, "ana"),
	} {
		if !errors.Is(err, client.ErrNotPermitted) {
			t.Errorf("%s: got %v, want ErrNotPermitted", what, err)
		}
	}
}

// TestAHostThatDoesNotConfineRunsNothingInANarrowerMode: what it says of itself does
// not count, but what is signed with its credential does.
func TestAHostThatDoesNotConfineRunsNothingInANarrowerMode(t *testing.T) {
	y := newYard(t)
	for _, confines := range []bool{false, true} {
		c, err := y.authority.Issue(bus.Request{Class: bus.Host, Name: "desk", Ceiling: presets.WorkspaceWrite, Confines: confines})
		must(t, err)
		h, err := y.with(client.Config{URL: y.url(), Creds: c.Text}).Host()
		must(t, err)
		made, err := h.Create(t.Context(), api.SessionCreate{CWD: "/srv/demo", Preset: presets.WorkspaceWrite})
		must(t, err)
		s, err := h.Session(made.Session)
		must(t, err)
		mode := ""
		ran, err := s.Run(t.Context(), wants(t, s, "a")[0], func(_ context.Context, p permit.Permit) client.Result {
			mode = p.Mode
			return client.Text("done")
		})
		must(t, err)
		switch {
		case confines && (ran.Result == nil || mode != events.ModeWorkspaceWrite):
			t.Errorf("got %+v in the mode %q, want a result", ran, mode)
		case !confines && !errors.Is(ran.Err(), client.ErrFailed):
			t.Errorf("got %+v, want a failure", ran)
		}
	}
}
