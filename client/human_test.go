package client_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
)

// asking takes a session to a call that waits for a person, and gives its question
// and what becomes of the call.
func (y *yard) asking(h *client.Human, arguments string, body client.Body) (*client.Question, <-chan client.Ran) {
	y.t.Helper()
	y.judge.says(denies)
	s := y.session(h, presets.Auto)
	ctx := y.t.Context()
	must(y.t, s.StartTurn(ctx))
	must(y.t, s.StartStep(ctx))
	must(y.t, s.SetRequest(ctx, request()))
	must(y.t, s.Say(ctx, api.AssistantMessage{Provider: "p", Model: "m", Content: []events.Block{events.ToolCallBlock("a", "shell", arguments)}}))
	ended := make(chan client.Ran, 1)
	go func() {
		ran, err := s.Run(ctx, client.Call{ID: "a", Name: "shell", Arguments: arguments}, body)
		if err != nil {
			y.t.Error(err)
		}
		ended <- ran
	}()
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for q, err := range h.Approvals(waiting) {
		must(y.t, err)
		return q, ended
	}
	y.t.Fatal("nobody was asked")
	return nil, nil
}

func done(context.Context, permit.Permit) client.Result { return client.Text("done") }

func TestAPersonAllowsWhatIsShown(t *testing.T) {
	for name, arguments := range map[string]string{
		"plain":                 `{"command":"ls"}`,
		"spelled in other ways": "{ \"b\":1.50, \"a\" : \"\\u0041<U+0041>\" }",
		"not to be seen":        `{"command":"rm \u202e x <0x41> <"}`,
		"none":                  "",
		"no JSON":               "rm -rf <U+0020>",
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			q, ended := y.asking(y.human("ana"), arguments, done)
			must(t, q.Verify(t.Context()))
			must(t, q.Allow(t.Context(), "fine"))
			if ran := <-ended; ran.Result == nil {
				t.Errorf("got %+v, want the result", ran)
			}
		})
	}
}

func TestAPersonRejectsAndSaysWhy(t *testing.T) {
	y := newYard(t)
	q, ended := y.asking(y.human("ana"), `{"command":"ls"}`, neverRuns(t))
	must(t, q.Reject(t.Context(), "not today"))
	if ran := <-ended; !errors.Is(ran.Err(), client.ErrDenied) {
		t.Errorf("got %+v, want a denial", ran)
	}
}

func TestWhatIsNotShownIsNotAllowed(t *testing.T) {
	y := newYard(t)
	q, ended := y.asking(y.human("ana"), `{"command":"rm -rf x"}`, neverRuns(t))
	for name, change := range map[string]func(*client.Question){
		"tool":      func(q *client.Question) { q.Tool = "read" },
		"arguments": func(q *client.Question) { q.Arguments = `{"command":"ls"}` },
		"folder":    func(q *client.Question) { q.CWD = "/tmp" },
		"mode":      func(q *client.Question) { q.Mode = events.ModeReadOnly },
		"hash":      func(q *client.Question) { q.Hash = "00" },
		"id":        func(q *client.Question) { q.ID = "another" },
		"a gap":     func(q *client.Question) { q.LeftOut = 1 },
		"an escape": func(q *client.Question) { q.Arguments += "<U+>" },
	} {
		t.Run(name, func(t *testing.T) {
			shown := *q
			change(&shown)
			if err := shown.Allow(t.Context(), ""); !errors.Is(err, client.ErrNotAsShown) {
				t.Errorf("got %v, want ErrNotAsShown", err)
			}
		})
	}
	must(t, q.Reject(t.Context(), ""))
	<-ended
}

func TestAPersonWorksWithSessions(t *testing.T) {
	y := newYard(t)
	ana, ctx := y.human("ana"), t.Context()
	made, err := ana.Create(ctx, api.SessionCreate{CWD: "/srv/demo", Preset: presets.Auto})
	must(t, err)
	must(t, ana.Say(ctx, made.Session, "hello"))
	must(t, ana.SetTier(ctx, made.Session, "passive"))
	must(t, ana.SetPolicy(ctx, made.Session, events.PolicyNever))
	must(t, ana.SetPreset(ctx, made.Session, presets.ReadOnly))
	must(t, ana.AllowRoute(ctx, made.Session, "p", "m"))
	must(t, ana.Share(ctx, made.Session, "bob"))
	state, err := ana.Show(ctx, made.Session)
	must(t, err)
	if state.Owner != "ana" || state.Preset != presets.ReadOnly || state.Tier != "passive" || !slices.Equal(state.Members, []string{"bob"}) || state.Waiting != 1 {
		t.Errorf("got %+v", state)
	}
	fork, err := ana.Fork(ctx, made.Session, nil)
	must(t, err)
	var listed []events.SessionID
	for s, err := range ana.List(ctx) {
		must(t, err)
		listed = append(listed, s.Session)
	}
	if want := []events.SessionID{made.Session, fork.Session}; !slices.Equal(listed, want) {
		t.Errorf("got %v, want %v", listed, want)
	}
	catalog, err := ana.Catalog(ctx)
	if err != nil || len(catalog.Options) < 4 {
		t.Errorf("got %+v, %v", catalog, err)
	}
	must(t, ana.Stop(ctx, made.Session))
	if _, err := ana.Adopt(ctx, made.Session); !refused(err) {
		t.Errorf("got %v, want a refusal: the session was not imported", err)
	}
	eve := y.human("eve")
	if _, err := eve.Show(ctx, made.Session); !isCode(err, api.CodeNotFound) {
		t.Errorf("got %v of another's session, want not-found", err)
	}
}

func refused(err error) bool {
	_, ok := errors.AsType[*api.Error](err)
	return ok
}

func isCode(err error, code api.Code) bool {
	e, ok := errors.AsType[*api.Error](err)
	return ok && e.Code == code
}

func TestATailHasNoGapWhileTheConnectionBreaks(t *testing.T) {
	y := newYard(t)
	s := y.session(y.human("ana"), presets.Auto)
	wire := newWire(t)
	h, err := y.dial(bus.Human, "ana", wire.Option()).Human()
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	next := events.Seq(0)
	turns := 0
	started := make(chan struct{})
	go func() {
		defer close(started)
		for range 5 {
			if err := errors.Join(s.StartTurn(ctx), s.EndTurn(ctx)); err != nil {
				t.Error(err)
			}
		}
	}()
	for r, err := range h.Tail(ctx, s.ID(), 0) {
		must(t, err)
		if r.Seq != next {
			t.Fatalf("got seq %d, want %d", r.Seq, next)
		}
		if next = r.End(); r.Type() == events.TypeTurnEnd {
			turns++
			wire.Cut()
		}
		if turns == 5 {
			break
		}
	}
	<-started
	if turns != 5 {
		t.Errorf("got %d turns, want 5", turns)
	}
}

func FuzzWhatIsShownIsReadBack(f *testing.F) {
	for _, seed := range []string{"", "ls", "<U+0041>", "<0x41>", "\xff\u202e<", "<<U+", "a\nb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := client.Unescape(approvals.Escape(text)); err != nil || got != text {
			t.Errorf("got %q, %v, want %q", got, err, text)
		}
	})
}

// FuzzTheClientsHashIsTheEngines: what a client makes of what is shown is what the
// engine asked about.
func FuzzTheClientsHashIsTheEngines(f *testing.F) {
	f.Add("shell", `{"b":1.0,"a":"<U+0041>\u202e"}`, "/srv/\u200bdemo")
	f.Fuzz(func(t *testing.T, tool, arguments, cwd string) {
		asked := approvals.Shown{Tool: tool, Arguments: jsontext.Value(arguments), CWD: cwd, Mode: events.ModeReadOnly, Chain: events.ChainStart()}
		want, err := asked.Hash()
		if err != nil {
			return // never asked
		}
		v := approvals.Render(approvals.Display{Arguments: asked.Arguments, Question: approvals.Question{Tool: tool}, CWD: cwd, Mode: asked.Mode}, true)
		got, err := client.ShownHash(api.Question{Tool: v.Tool, Arguments: v.Arguments, CWD: v.CWD, Mode: v.Mode}, asked.Chain)
		if err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	})
}

func FuzzUnescape(f *testing.F) {
	f.Add("<U+110000> <U+D800> <0x1FF> <U+")
	f.Fuzz(func(t *testing.T, shown string) {
		text, err := client.Unescape(shown)
		if err == nil && text != shown && !strings.Contains(shown, "<U+") && !strings.Contains(shown, "<0x") {
			t.Errorf("%q is read as %q", shown, text)
		}
	})
}
