package projections_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// saidIn folds a log with its history event by event, asks what was said at each, and
// gives what was said in the end: as it grew, and as a history says that sees it cold.
func saidIn(t *testing.T, s *eventstest.Script, imported events.Seq) (grown, cold projections.Said) {
	t.Helper()
	state, h := projections.NewSession(s.Header), projections.NewHistory()
	state.Imported = imported
	var before projections.Said
	for _, e := range s.Events {
		if err := state.Apply(e); err != nil {
			t.Fatal(err)
		}
		h.Apply(state, e)
		kept := string(before.Text)
		grown = h.Said(state)
		if string(before.Text) != kept {
			t.Fatalf("at seq %d: what was handed out before has changed", e.Seq)
		}
		before = grown
	}
	all := projections.NewHistory()
	for _, e := range s.Events[projections.HistoryFrom(state):] {
		all.Apply(state, e)
	}
	return grown, all.Said(state)
}

func textsOf(said projections.Said) []string {
	var out []string
	for _, w := range said.Words {
		out = append(out, string(w.From)+": "+w.Content[0].Text)
	}
	return out
}

// keptText is a block of a checkpoint that keeps words.
func keptText(t *testing.T, seq, from, text string) events.Block {
	t.Helper()
	var b events.Block
	raw := `{"type":"text","text":"` + text + `","kept":{"seq":` + seq + `,"from":"` + from + `"}}`
	if err := json.Unmarshal([]byte(raw), &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSaidIsWhatPeopleAndTheProjectSaid: no agent's words, no notice, no summary; what a
// checkpoint of ours keeps of people's, and what still waits.
func TestSaidIsWhatPeopleAndTheProjectSaid(t *testing.T) {
	for name, c := range map[string]struct {
		log      func(s *eventstest.Script)
		imported events.Seq
		want     []string
	}{
		"messages in the order of the log": {log: func(s *eventstest.Script) {
			s.User("Do not push.")
			s.UserFrom(events.Source{Kind: events.SourceAgentInstructions}, "Never rebase.")
			s.User("You may push now.")
			s.UserFrom(events.Source{Kind: "runtime"}, "It is Monday.")
			s.Assistant("I push.")
		}, want: []string{"person: Do not push.", "project: Never rebase.", "person: You may push now."}},
		"a summary is nobody's words": {log: func(s *eventstest.Script) {
			at := s.User("Do not push.")
			s.User("Go on.")
			s.Compact(at, at, "the user said that pushing is fine")
		}, want: []string{"person: Go on."}},
		"what a checkpoint keeps": {log: func(s *eventstest.Script) {
			at := s.User("Do not push.")
			s.Replace(checkpointOf(t), at, at)
			s.User("Go on.")
		}, want: []string{"person: Do not push.", "person: Go on."}},
		"what an imported checkpoint claims to keep": {log: func(s *eventstest.Script) {
			at := s.User("Do not push.")
			s.Replace(checkpointOf(t), at, at)
		}, imported: 100},
		"a mark in a message that is no checkpoint": {log: func(s *eventstest.Script) {
			m := checkpointOf(t)
			m.Source = events.Source{Kind: "runtime"}
			s.Add(m)
		}},
		"what waits, without what agents wrote": {log: func(s *eventstest.Script) {
			s.User("Go on.")
			s.Add(events.InboxSpliced{Target: events.InboxNextStep, Inserted: []events.UserMessage{
				{ID: "w1", Role: "user", Source: events.Source{Kind: events.SourceUser}, Content: []events.Block{events.TextBlock("Stop.")}},
				{ID: "w2", Role: "user", Source: events.Source{Kind: events.SourceAgentMessage}, Content: []events.Block{events.TextBlock("Delete it.")}},
			}})
		}, want: []string{"person: Go on.", "person: Stop."}},
	} {
		t.Run(name, func(t *testing.T) {
			s := eventstest.NewScript(t, eventstest.Header(t, "root", nil))
			s.StartTurn()
			s.StartStep()
			c.log(s)
			grown, cold := saidIn(t, s, c.imported)
			if diff := cmp.Diff(c.want, textsOf(grown)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(grown, cold); diff != "" {
				t.Errorf("a history that sees it cold says something else (-grown +cold)\n%s", diff)
			}
		})
	}
}

// checkpointOf keeps a person's words and a parent's beside its summary.
func checkpointOf(t *testing.T) events.UserMessage {
	t.Helper()
	return events.UserMessage{ID: "checkpoint", Role: "user", Source: events.Source{Kind: events.SourceCheckpoint}, Content: []events.Block{
		events.TextBlock("So far all went well."), keptText(t, "2", "person", "Do not push."), keptText(t, "3", "parent", "Push it."), keptText(t, "4", "nobody", "Push."),
	}}
}

// TestInstructionsUnderPutsTheFarthestFirst, in the shape of all entries, and leaves a
// session without ancestors as it is, byte for byte.
func TestInstructionsUnderPutsTheFarthestFirst(t *testing.T) {
	said := func(id events.SessionID, texts ...string) projections.Said {
		s := eventstest.NewScript(t, eventstest.Header(t, id, nil))
		s.StartTurn()
		s.StartStep()
		for _, text := range texts {
			s.User(text)
		}
		grown, _ := saidIn(t, s, 0)
		return grown
	}
	own := []byte("[\n  {\n    \"own\": true\n  }\n]")
	for _, ancestors := range [][]projections.Said{nil, {said("silent")}} {
		if got := projections.InstructionsUnder(ancestors, own); string(got) != string(own) {
			t.Errorf("got %s, want %s", got, own)
		}
	}
	near, far := said("near", "Go on."), said("far", "Do not push.", "Ask me.")
	const entry = `{"kind":"user-message","role":"constraint","source":{"kind":"ancestor","sessionId":"ID","seq":SEQ,"time":180000000000SEQ,"from":"person"},"content":[{"type":"text","text":"TEXT"}]}`
	one := func(id, seq, text string) string {
		return strings.NewReplacer("ID", id, "SEQ", seq, "TEXT", text).Replace(entry)
	}
	above := one("far", "2", "Do not push.") + "," + one("far", "3", "Ask me.") + "," + one("near", "2", "Go on.")
	for ownText, want := range map[string]string{string(own): "[" + above + `,{"own":true}]`, "[]": "[" + above + "]"} {
		got := jsontext.Value(projections.InstructionsUnder([]projections.Said{near, far}, []byte(ownText)))
		plain := got.Clone()
		if err := plain.Compact(); err != nil || string(plain) != want {
			t.Errorf("got %s, %v, want %s", plain, err, want)
		}
		indented := got.Clone()
		if err := indented.Indent(jsontext.WithIndent("  ")); err != nil || string(indented) != string(got) {
			t.Errorf("it is not indented as a request is: %v\n%s", err, got)
		}
	}
}
