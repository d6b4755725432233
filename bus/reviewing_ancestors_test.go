package bus_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer/auto"
)

const aboveChild = "Nobody touches the ledger."

// childUnderReview is the agent of a child whose calls are reviewed, under a session
// whose owner has said something.
func childUnderReview(a *yard, calls ...string) (ada, child *client) {
	a.t.Helper()
	ada = a.client(api.RoleHuman, "ada")
	ada.session("work", presets.ReadOnly)
	ada.session("other", presets.ReadOnly)
	for _, id := range []events.SessionID{"work", "other"} {
		do[api.Done](ada, "message.send", api.MessageSend{Command: ada.command(id), MessageID: "m-" + string(id), Content: []events.Block{events.TextBlock(aboveChild)}})
	}
	parent := a.client(api.RoleAgent, "work")
	do[api.Spawned](parent, "spawn", api.Spawn{Command: parent.command(""), SpawnID: "s", Child: "child", Mode: "continuable", Label: "l", Provider: "spawn", Prompt: "go", PromptID: "p"})
	do[api.Done](ada, "preset.set", api.PresetSet{Command: ada.command("child"), Preset: presets.Auto})
	do[api.Done](ada, "policy.set", api.PolicySet{Command: ada.command("child"), Policy: events.PolicyNever})
	child = a.client(api.RoleAgent, "child")
	// It begins in a step, with its prompt.
	do[api.Done](child, "step.end", api.StepEnd{Command: child.command("")})
	do[api.Done](child, "turn.end", api.TurnEnd{Command: child.command(""), Reason: api.EndReason{Kind: events.EndCompleted}})
	child.wants("", calls...)
	return ada, child
}

// TestAReviewerApartIsShownTheAncestors as one beside the engine would be, also what was
// said since its last review.
func TestAReviewerApartIsShownTheAncestors(t *testing.T) {
	a := newApart(t, 0)
	r := a.serve(allows)
	m := answering(modelAllows)
	a.join(m)
	ada, child := childUnderReview(a.yard, "c1", "c2")
	x, digests := a.executor(), map[string]bool{}
	for _, call := range []string{"c1", "c2"} {
		settled(t, child, call, child.call(x, "child", call))
		record := r.recorded("child", call)
		if local, _ := a.locals.Load(call); record.Digest != local {
			t.Errorf("%s: the reviewer apart was asked something else than one beside the engine", call)
		}
		if v := r.verdict("child", call); v.Route != "builtin/policy" {
			t.Errorf("%s: the verdict names the judge %q", call, v.Route)
		}
		digests[record.Digest] = true
		do[api.Done](ada, "message.send", api.MessageSend{Command: ada.command("work"), MessageID: "later-" + call, Content: []events.Block{events.TextBlock("Nor the books.")}})
	}
	if len(digests) != 2 {
		t.Error("what was said in between is in no request")
	}
}

// TestAReviewReadsItsAncestorsAndNobodyElse: up to their pins, and while it is open.
func TestAReviewReadsItsAncestorsAndNobodyElse(t *testing.T) {
	a := newApart(t, 0)
	a.serve(allows)
	asked := make(chan *nats.Msg, 1)
	a.raw(func(m *nats.Msg) { asked <- m })
	ada, child := childUnderReview(a.yard, "c1")
	k := child.call(a.executor(), "child", "c1")
	m := <-asked
	do[api.Done](ada, "message.send", api.MessageSend{Command: ada.command("work"), MessageID: "behind", Content: []events.Block{events.TextBlock("Said behind the pin.")}})
	mine := a.bus.Connect(bus.Reviewer, auto.Name)
	reads := func(want, session string) string {
		t.Helper()
		got, err := mine.Request(readOf(m, auto.Name), fmt.Appendf(nil, `{"nonce":%q,"want":%q,"session":%q}`, nonceOf(m), want, session), 5*time.Second)
		must(t, err)
		return string(got.Data)
	}
	const closed = `{"closed":true}`
	for _, want := range []string{"header", "records"} {
		if got := reads(want, "work"); !strings.Contains(got, "\n") {
			t.Errorf("the %s of the parent: got %s", want, got)
		}
		for _, other := range []string{"other", "nobody"} {
			if got := reads(want, other); got != closed {
				t.Errorf("the %s of %s: got %s", want, other, got)
			}
		}
	}
	if got := reads("records", "work"); !strings.Contains(got, aboveChild) || strings.Contains(got, "behind the pin") {
		t.Errorf("got %s, want what was said up to the pin, and no more", got)
	}
	must(t, m.Respond(said(nonceOf(m), auto.Name, "answered", rawDeny)))
	k.answer()
	if got := reads("records", "work"); got != closed {
		t.Errorf("when the review was over: got %s", got)
	}
}

// TestAChildsCredentialDoesNotReadItsAncestors by any command that reads, and what was
// said above is nowhere on its own log.
func TestAChildsCredentialDoesNotReadItsAncestors(t *testing.T) {
	a := newApart(t, 0)
	r := a.serve(allows)
	a.join(answering(modelDenies))
	_, child := childUnderReview(a.yard, "c1")
	child.call(a.executor(), "child", "c1").answer()
	for command, request := range map[string]any{
		"state": api.StateQuery{Query: api.Query{Session: "work"}},
		"read":  api.Read{Query: api.Query{Session: "work"}},
		"tail":  api.Tail{Query: api.Query{Session: "work"}, TailID: "t1"},
	} {
		wantCode(t, child.try(command, request), api.CodeUnauthorized)
	}
	pinned := false
	for record, err := range r.log.Read(t.Context(), "child", 0) {
		must(t, err)
		if strings.Contains(string(record.Line), aboveChild) {
			t.Errorf("its log has what was said above: %s", record.Line)
		}
		pinned = pinned || strings.Contains(string(record.Line), `"ancestors":[{"session":"work"`)
	}
	if !pinned {
		t.Error("its log does not say up to where its ancestors were shown")
	}
}
