package auto_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// doubleModel stands for a model's judgement: it says what it was told to say, and
// keeps what it was asked with. It is no model.
type doubleModel struct {
	says  string
	asked []reviewer.Prompt
}

func (m *doubleModel) Stream(_ context.Context, p reviewer.Prompt) iter.Seq2[reviewer.Chunk, error] {
	m.asked = append(m.asked, p)
	return func(yield func(reviewer.Chunk, error) bool) {
		if yield(reviewer.Delta{Kind: reviewer.BlockText, Text: m.says}, nil) {
			yield(reviewer.Finish{Kind: reviewer.FinishStop}, nil)
		}
	}
}

// oneCall is a session with one call under review, on p/m unless the log goes on.
func oneCall(t *testing.T, more ...events.Event) (reviewer.View, reviewer.Call) {
	t.Helper()
	h := eventstest.Header(t, "work", func(h *events.Header) { h.CWD = "/workspace/demo" })
	script := eventstest.NewScript(t, h)
	script.StartTurn()
	script.StartStep()
	script.User("please look")
	script.Add(requestHeader("p", "m"))
	for _, ev := range more {
		script.Add(ev)
	}
	script.Assistant("", events.ToolCallBlock("c1", "bash", `{"command":"ls"}`))
	script.Call("c1", "bash", `{"command":"ls"}`)
	v := reviewer.View{Session: projections.NewSession(h), History: projections.NewHistory()}
	var call reviewer.Call
	for _, e := range script.Events {
		if err := v.Session.Apply(e); err != nil {
			t.Fatal(err)
		}
		v.History.Apply(v.Session, e)
		if c, err := auto.CallAt(v.Session, e, nil); err == nil {
			call = c
		}
	}
	return v, call
}

func requestHeader(provider, model string) events.RequestHeader {
	return events.RequestHeader{Reason: "initial", Header: events.RequestConfiguration{
		Config: events.RequestConfig{Provider: provider, Model: model}, Tools: []events.ToolDefinition{tool("bash")},
	}}
}

func routes(names ...string) reviewer.Routes {
	var r reviewer.Routes
	for _, name := range names {
		n, _ := reviewer.ParseRouteName(name)
		r.Listed = append(r.Listed, reviewer.Route{Provider: n.Provider, Model: n.Model, API: reviewer.APICompletions, Reviews: true})
	}
	return r
}

func TestAReviewAsksTheSessionsRouteOnceWithPolicyAndRequest(t *testing.T) {
	model := &doubleModel{says: `{"risk":"medium","decision":"deny","reason":"no leave"}`}
	v, c := oneCall(t)
	review, err := auto.New(auto.Config{Model: model, Routes: routes("p/m", "q/m")}).Prepare(v, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(model.asked) != 0 {
		t.Fatalf("got %d questions from preparing, want none", len(model.asked))
	}
	got, err := review.Ask(t.Context())
	want := reviewer.Verdict{Outcome: reviewer.Deny, Reason: jsontext.Value(`"no leave"`)}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("got %v and another verdict than want:\n%s", err, diff)
	}
	request, err := auto.NewRequest(v, c)
	if err != nil {
		t.Fatal(err)
	}
	asked := []reviewer.Prompt{{Route: routes("p/m").Listed[0], System: auto.Policy(), User: request.User}}
	if diff := cmp.Diff(asked, model.asked); diff != "" {
		t.Errorf("got another question than want:\n%s", diff)
	}
	if review.Digest() != request.Digest() || len(review.Digest()) != 64 || review.Route() != "p/m" {
		t.Errorf("got digest %s and route %s", review.Digest(), review.Route())
	}
	if _, err := review.Ask(t.Context()); !errors.Is(err, auto.ErrAskedTwice) || len(model.asked) != 1 {
		t.Errorf("got %v and %d questions for the second one, want a failure and one question", err, len(model.asked))
	}
}

// TestTheReviewedRouteIsPinnedAndListed: the agent, who writes the header, does not
// choose its judge.
func TestTheReviewedRouteIsPinnedAndListed(t *testing.T) {
	later := requestHeader("q", "m")
	leave := events.ReviewRoute{Provider: "q", Model: "m", By: "ada"}
	for name, tc := range map[string]struct {
		more   []events.Event
		routes reviewer.Routes
		want   string
	}{
		"the first route, listed":                         {routes: routes("p/m"), want: "p/m"},
		"the first route, not listed":                     {routes: routes("q/m")},
		"a later route, listed and not allowed":           {more: []events.Event{later}, routes: routes("p/m", "q/m")},
		"a later route that a human allowed":              {more: []events.Event{leave, later}, routes: routes("p/m", "q/m"), want: "q/m"},
		"a later route, allowed afterwards":               {more: []events.Event{later, leave}, routes: routes("p/m", "q/m"), want: "q/m"},
		"a route that a human allowed, not listed":        {more: []events.Event{leave, later}, routes: routes("p/m")},
		"the allowed route is not asked for":              {more: []events.Event{leave}, routes: routes("p/m", "q/m"), want: "p/m"},
		"back on the first route":                         {more: []events.Event{later, requestHeader("p", "m")}, routes: routes("p/m", "q/m"), want: "p/m"},
		"no route serves reviews, so rules do":            {more: []events.Event{later}, want: "builtin/policy"},
		"listed, but not for reviews, beside one that is": {routes: reviewer.Routes{Listed: []reviewer.Route{{Provider: "p", Model: "m"}, routes("q/m").Listed[0]}}},
	} {
		t.Run(name, func(t *testing.T) {
			model := &doubleModel{}
			v, c := oneCall(t, tc.more...)
			review, err := auto.New(auto.Config{Model: model, Routes: tc.routes}).Prepare(v, c)
			switch {
			case tc.want == "" && !errors.Is(err, reviewer.ErrRouteNotAllowed):
				t.Errorf("got %v, want %s", err, reviewer.ErrRouteNotAllowed.Code)
			case tc.want != "" && err != nil:
				t.Errorf("got %v, want %s", err, tc.want)
			case tc.want != "" && review.Route() != tc.want:
				t.Errorf("got %s, want %s", review.Route(), tc.want)
			}
		})
	}
}

func TestARequestThatDoesNotFitIsRefusedBeforeItIsSent(t *testing.T) {
	context := func(provider string, window int64) events.RequestContext {
		return events.RequestContext{Provider: provider, Model: "m", ContextWindow: &window}
	}
	with := func(window int64) reviewer.Routes {
		r := routes("p/m")
		r.Listed[0].ContextWindow = window
		return r
	}
	for name, tc := range map[string]struct {
		more   []events.Event
		routes reviewer.Routes
		fits   bool
	}{
		"nobody knows the window":              {routes: with(0), fits: true},
		"the settings' window":                 {routes: with(100)},
		"the settings' window, large":          {routes: with(100_000), fits: true},
		"the log's window":                     {more: []events.Event{context("p", 100)}, routes: with(0)},
		"the settings win over the log":        {more: []events.Event{context("p", 100)}, routes: with(100_000), fits: true},
		"the log's window of another route":    {more: []events.Event{context("q", 100)}, routes: with(0), fits: true},
		"rules have no window":                 {more: []events.Event{context("p", 100)}, fits: true},
		"room for the answer is a part of it":  {routes: with(int64(len(auto.Policy())/3 + 800))},
		"a window that holds all with its end": {routes: with(int64(len(auto.Policy())/3 + 1500)), fits: true},
	} {
		t.Run(name, func(t *testing.T) {
			v, c := oneCall(t, tc.more...)
			_, err := auto.New(auto.Config{Model: &doubleModel{}, Routes: tc.routes}).Prepare(v, c)
			if tc.fits != (err == nil) || err != nil && !errors.Is(err, auto.ErrRequestTooLarge) {
				t.Errorf("got %v, want that it fits: %v", err, tc.fits)
			}
		})
	}
}

func TestAHistoryThatIsNotTheSessionsIsNoGround(t *testing.T) {
	v, c := oneCall(t)
	for name, view := range map[string]reviewer.View{
		"no history":     {Session: v.Session},
		"no session":     {History: v.History},
		"an empty one":   {Session: v.Session, History: projections.NewHistory()},
		"one left short": {Session: v.Session, History: short(t, v.Session)},
	} {
		if _, err := auto.NewRequest(view, c); !errors.Is(err, auto.ErrHistoryIncomplete) {
			t.Errorf("%s: got %v, want %s", name, err, auto.ErrHistoryIncomplete.Code)
		}
	}
}

// short is a history that saw the last event alone.
func short(t *testing.T, s *projections.Session) *projections.History {
	t.Helper()
	h := projections.NewHistory()
	h.Apply(s, eventstest.Envelope(t, s.Next()-1, events.ToolCall{Turn: 1, Step: 1, CallID: "c1", Name: "bash", Arguments: new(`{"command":"ls"}`)}))
	return h
}

func TestARequestHoldsNoIdsNorParametersOfTheAgentsRequests(t *testing.T) {
	v, c := oneCall(t)
	r, err := auto.NewRequest(v, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"session-", "work", "message-", "c1", "\"seq\"", "maxTokens", "temperature", "\"tools\"", "provider"} {
		if strings.Contains(strings.ReplaceAll(r.User, "/workspace/demo", ""), word) {
			t.Errorf("got a request with %s in it:\n%s", word, r.User)
		}
	}
	whole, err := r.JSON(true)
	if err != nil || !strings.HasPrefix(string(whole), `{"REVIEW_POLICY":"# Review of one tool call\n`) {
		t.Errorf("got %v and no JSON with the policy: %.80s", err, whole)
	}
}

func TestEventsThatStartNoCallAreNoCalls(t *testing.T) {
	v, _ := oneCall(t)
	e := eventstest.Envelope(t, 7, events.StepEnd{Turn: 1, Step: 1})
	if _, err := auto.CallAt(v.Session, e, nil); err == nil || !strings.Contains(err.Error(), "step/end") {
		t.Errorf("got %v, want that a step/end starts no call", err)
	}
}
