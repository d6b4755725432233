package compaction_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// TestRecordedCompactionsAreWhatThePlanSays folds the reference's own logs. At
// each summary, the recorded range is one that may be replaced, has the recorded
// events and takes about the recorded number of tokens.
func TestRecordedCompactionsAreWhatThePlanSays(t *testing.T) {
	for name, want := range map[string]int{"compact.jsonl": 2, "auto-compact.jsonl": 1} {
		t.Run(name, func(t *testing.T) {
			s, found := &compaction.State{}, 0
			for _, e := range recorded(t, name) {
				if summary, ok := e.Event.(events.CompactionSummary); ok {
					found++
					checkSummary(t, s, summary)
				}
				s.Apply(e)
			}
			if found != want {
				t.Errorf("got %d summaries, want %d", found, want)
			}
		})
	}
}

func checkSummary(t *testing.T, s *compaction.State, summary events.CompactionSummary) {
	t.Helper()
	cover, err := s.Cover(summary.ShadowedRange.Start, summary.ShadowedRange.End)
	if err != nil {
		t.Fatalf("the recorded range is refused: %v", err)
	}
	if diff := cmp.Diff(summary.ShadowedSeqs, cover.Seqs); diff != "" {
		t.Errorf("got another range (-recorded +got):\n%s", diff)
	}
	if got, want := s.Lock.CompactionID, summary.CompactionID; got != want {
		t.Errorf("got the lock of %s, want %s", got, want)
	}
	// Folder names were changed after the recording, which is worth a token or two.
	if got, want := cover.Tokens, number(t, summary.ShadowedTokenCount); max(got-want, want-got) > want/100 {
		t.Errorf("got %d tokens, recorded are %d", got, want)
	}
	// The plan at the start of that compaction, with what the reference kept.
	before := *s
	before.Lock = nil
	keep := compaction.Keep{Nodes: len(s.Nodes) - slices.Index(seqs(s), cover.End) - 1}
	plan, err := compaction.Plan(&before, compaction.Request{CompactionID: "x", Turn: s.Turn, Keep: keep})
	if err != nil || plan.Start != cover.Start || plan.End != cover.End {
		t.Errorf("got plan %v, %v, recorded is %v", plan, err, cover)
	}
}

// TestAManualCompactionKeepsTheNewestMessage: with nothing asked for, the plan is
// the reference's for its command.
func TestAManualCompactionKeepsTheNewestMessage(t *testing.T) {
	for name, at := range map[string]events.Seq{"compact.jsonl": 104, "auto-compact.jsonl": 72} {
		t.Run(name, func(t *testing.T) {
			es := recorded(t, name)
			plan, err := compaction.Plan(fold(es[:at]), compaction.Request{CompactionID: "x"})
			if err != nil {
				t.Fatal(err)
			}
			if want := es[at+1].Event.(events.CompactionSummary); !slices.Equal(plan.Seqs, want.ShadowedSeqs) {
				t.Errorf("got %v, recorded are %v", plan.Seqs, want.ShadowedSeqs)
			}
		})
	}
}

func TestRecordedFailuresAreFailures(t *testing.T) {
	es := recorded(t, "compact.jsonl")
	for _, at := range []events.Seq{605, 621} {
		before, after := fold(es[:at]), fold(es[:at+1])
		if before.Lock == nil || after.Lock != nil {
			t.Errorf("seq %d: got locks %v, %v, want one before its end alone", at, before.Lock, after.Lock)
		}
		want := *es[at].Event.(events.CompactionEnd).Error
		if l := after.Last; !l.Failed || l.Error != want || l.Checkpoint != nil {
			t.Errorf("seq %d: got %+v, want the failure %q", at, l, want)
		}
		if diff := cmp.Diff(seqs(before), seqs(after)); diff != "" {
			t.Errorf("seq %d: a failure changed the surface:\n%s", at, diff)
		}
	}
	// What failed there was a checkpoint told again: we do not start that at all.
	// (The reference kept what follows the checkpoint.)
	s := fold(es[:604])
	_, err := compaction.Plan(s, compaction.Request{CompactionID: "x", Turn: 5, Keep: compaction.Keep{Nodes: len(s.Nodes) - 1}})
	if got := code(t, err); got != compaction.CodeNothingToGain {
		t.Errorf("got %q, want %q", got, compaction.CodeNothingToGain)
	}
}

func TestTheRecordedPruningIsOneThatWeWouldDecide(t *testing.T) {
	es := recorded(t, "compact.jsonl")
	s := fold(es[:598])
	pruned := es[599].Event.(events.ToolResult)
	drafts, err := compaction.Prune(s, compaction.Pruning{Seq: 596, Result: es[596].Event.(events.ToolResult), Content: pruned.Message.Content})
	if err != nil {
		t.Fatal(err)
	}
	prune, want := drafts[0].Event.(events.CompactionPrune), es[598].Event.(events.CompactionPrune)
	if diff := cmp.Diff(want, prune); diff != "" {
		t.Errorf("got another pruning (-recorded +got):\n%s", diff)
	}
	if drafts[1].Surface != es[599].Surface || !slices.Equal(drafts[1].Sources, es[599].Sources) {
		t.Errorf("got %v citing %v, recorded is %v citing %v", drafts[1].Surface, drafts[1].Sources, es[599].Surface, es[599].Sources)
	}
}

// TestShadowedHumanTextIsNotVisible is the fact that readers need: in the recorded
// session the human's "never delete" left the surface, and nothing of it has an
// instruction's place any more.
func TestShadowedHumanTextIsNotVisible(t *testing.T) {
	es := recorded(t, "compact.jsonl")
	s := fold(es)
	for _, e := range es {
		m, ok := e.Event.(events.UserMessage)
		if !ok || m.Source.Kind != events.SourceUser {
			continue
		}
		if s.Visible(e.Seq) {
			t.Errorf("the human's message at %d is visible, but a checkpoint stands for it", e.Seq)
		}
	}
	last := s.Nodes[0]
	if m := es[last.Seq].Event.(events.UserMessage); !last.Checkpoint || !strings.Contains(m.Content[1].Text, "never wants") {
		t.Errorf("got %+v at the front, want the checkpoint that tells of it", last)
	}
}

func TestARecordedRangeSummarizedByExtract(t *testing.T) {
	es := recorded(t, "compact.jsonl")
	l := &log{tb: t, validator: events.NewValidator(eventstest.Header0(t, "session-1a9910f9")), state: &compaction.State{}}
	l.add(es[:104]...)
	plan, err := compaction.Plan(l.state, compaction.Request{CompactionID: "x"})
	if err != nil {
		t.Fatal(err)
	}
	in, err := compaction.NewInput(plan, es)
	if err != nil {
		t.Fatal(err)
	}
	summary, err := compaction.Extractive{}.Summarize(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if _, end := l.run(compaction.Request{CompactionID: "x"}, summary); end.Failure != nil {
		t.Errorf("got failure %v, want a replacement", end.Failure)
	}
	if want := "- Start notes.txt with one line. Never delete data/old.csv.\n"; !strings.Contains(summary.Blocks[0].Text, want) {
		t.Errorf("got %q, want it to quote %q", summary.Blocks[0].Text, want)
	}
}
