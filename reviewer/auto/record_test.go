package auto_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// ends are calls of one step, by how they end, with what the log has of that.
func ends(s *eventstest.Script) {
	dispatched := func(id string) {
		s.Add(events.ToolDispatched{CallID: id, PresetSeq: new(events.Seq), ArgumentHash: "aa", Mode: events.ModeDangerFullAccess, Nonce: "n", ExpiresAt: 1})
	}
	for _, c := range []struct {
		id         string
		dispatched bool
		code       string // of its error, "" for none
	}{
		{"succeeded", true, ""},
		{"failed", true, "NONZERO_EXIT"},
		{"returned", true, events.CodePermitReturned},
		{"never started", true, events.CodeBeforeDispatch},
		{"refused", false, "REJECTED"},
		{"unknown", true, events.CodeOutcomeUnknown},
		{"aborted", true, events.CodeAborted},
		{"elsewhere", false, ""},
	} {
		s.Call(c.id, "bash", `{}`)
		if c.dispatched {
			dispatched(c.id)
		}
		if c.code == "" {
			s.Result(c.id, "x")
		} else {
			s.Failed(c.id, c.code)
		}
	}
	s.Call("pending", "bash", `{}`)
}

// TestARecordSaysWhereEntriesComeFromAndHowCallsEnded, for models in the process alone:
// what is sent to others is what it was.
func TestARecordSaysWhereEntriesComeFromAndHowCallsEnded(t *testing.T) {
	h := eventstest.Header(t, "work", func(h *events.Header) { h.CWD = "/workspace/demo" })
	s := eventstest.NewScript(t, h)
	s.StartTurn()
	s.StartStep()
	s.User("please look")
	s.Add(requestHeader("builtin", "policy"))
	ids := []string{"succeeded", "failed", "returned", "never started", "refused", "unknown", "aborted", "elsewhere", "pending", "c1"}
	blocks := make([]events.Block, 0, len(ids))
	for _, id := range ids[:len(ids)-1] {
		blocks = append(blocks, events.ToolCallBlock(id, "bash", `{}`))
	}
	s.Assistant("", append(blocks, events.ToolCallBlock("c1", "bash", `{"command":"ls"}`))...)
	ends(s)
	s.Add(events.ArtifactObserved{CallID: "succeeded", Source: events.SourceEngine, Artifacts: []events.Artifact{
		{Path: "/workspace/demo/a", Device: 1, Inode: 2, BirthTime: 3, Kind: events.ArtifactFile, SHA256: "aa"},
	}})
	s.Call("c1", "bash", `{"command":"ls"}`)
	v := reviewer.View{Session: projections.NewSession(h), History: projections.NewHistory()}
	var call reviewer.Call
	for _, e := range s.Events {
		if err := v.Session.Apply(e); err != nil {
			t.Fatal(err)
		}
		v.History.Apply(v.Session, e)
		if c, err := auto.CallAt(v.Session, e, nil); err == nil {
			call = c
		}
	}
	model := &doubleModel{says: `{"risk":"low","decision":"allow"}`}
	builtin := reviewer.Routes{Listed: []reviewer.Route{reviewer.BuiltinRoute()}}
	review, err := auto.New(auto.Config{Model: model, Routes: builtin}).Prepare(v, call)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := review.Ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	record := model.asked[0].Record
	if record == nil || len(record.Entries) != strings.Count(model.asked[0].User, "\n    \"kind\": ") || len(record.Made) != 1 {
		t.Fatalf("got %+v, want an entry for each of the history", record)
	}
	var got []string
	for _, e := range record.Entries {
		if e.Time != s.Events[e.Seq].Time || e.Inherited || e.Foreign {
			t.Errorf("got %+v", e)
		}
		got = append(got, string(e.Ended))
	}
	want := []string{"", "succeeded", "failed", "returned", "returned", "refused", "unknown", "unknown", "succeeded", "pending"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if review.Digest() == "" {
		t.Error("got no digest")
	}
}
