package projections_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// TestKeptWordsAreEntriesOfTheirCheckpoint: one a block, as the block is, with the
// role of a checkpoint and in their order; in an imported one they have no mark.
func TestKeptWordsAreEntriesOfTheirCheckpoint(t *testing.T) {
	s := eventstest.NewScript(t, eventstest.Header(t, "session", nil))
	s.StartTurn()
	s.StartStep()
	first := s.User("Do not change notes.txt.")
	s.EndStep()
	s.EndTurn(events.EndCompleted)
	s.Replace(events.UserMessage{
		ID: "k", Role: "user", Source: events.Source{Kind: events.SourceCheckpoint, CompactionID: "k"},
		Content: []events.Block{
			events.TextBlock("Said there:"), events.KeptBlock("Do not change notes.txt.", events.Kept{Seq: first, From: events.FromPerson}),
			events.KeptBlock("You may change it again.", events.Kept{Seq: first + 1, From: events.FromParent}),
		},
	}, first, first)
	for imported, want := range map[events.Seq][]string{
		0: {
			`checkpoint {"type":"text","text":"Said there:"}`,
			`checkpoint {"type":"text","text":"Do not change notes.txt.","kept":{"seq":2,"from":"person"}}`,
			`checkpoint {"type":"text","text":"You may change it again.","kept":{"seq":3,"from":"parent"}}`,
		},
		s.Next(): {
			`checkpoint {"type":"text","text":"Said there:"}`,
			`checkpoint {"type":"text","text":"Do not change notes.txt."}`,
			`checkpoint {"type":"text","text":"You may change it again."}`,
		},
	} {
		session, h := projections.NewSession(s.Header), projections.NewHistory()
		session.Imported = imported
		if err := session.Apply(s.Events...); err != nil {
			t.Fatal(err)
		}
		for _, e := range s.Events {
			h.Apply(session, e)
		}
		var got []string
		for e := range h.Entries(session, projections.CallRef{}) {
			got = append(got, string(e.Role)+" "+string(e.Block.Raw))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d events imported: got other entries (-want +got):\n%s", imported, diff)
		}
		text := h.Text(session, projections.CallRef{})
		if shown := strings.Count(string(text.Done)+string(text.Rest), `"kept"`); shown != 2 && imported == 0 || shown != 0 && imported > 0 {
			t.Errorf("%d events imported: a request shows %d marks", imported, shown)
		}
	}
}
