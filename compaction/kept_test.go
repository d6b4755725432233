package compaction_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// talk is a session that goes on: what was said in it, and its log.
type talk struct {
	*log
	turn, step int
	said       []string // by people and the parent, with seq and voice
	told       []string // project instructions, each once
	compacted  int
}

func newTalk(tb rapid.TB) *talk {
	return &talk{log: newLog(tb, eventstest.NewScript(tb, eventstest.Header(tb, "session", nil)))}
}

func (k *talk) put(evs ...events.Event) events.Seq { return k.append(events.Drafts(evs...))[0].Seq }

// begin starts a step as the engine does: with the instructions that are owed.
func (k *talk) begin() {
	if k.step == 0 {
		k.turn++
		k.put(events.TurnStart{Turn: k.turn})
	}
	k.step++
	k.put(append([]events.Event{events.StepStart{Turn: k.turn, Step: k.step}}, k.state.Returning()...)...)
}

func (k *talk) end(turn bool) {
	k.put(events.StepEnd{Turn: k.turn, Step: k.step})
	if turn {
		k.put(events.TurnEnd{Turn: k.turn, Reason: events.TurnEndReason{Kind: events.EndCompleted}})
		k.step = 0
	}
}

func (k *talk) user(kind, text string) {
	seq := k.put(events.UserMessage{ID: fmt.Sprint("m", k.state.Next), Role: "user", Source: events.Source{Kind: kind}, Content: []events.Block{events.TextBlock(text)}})
	switch kind {
	case events.SourceUser:
		k.said = append(k.said, fmt.Sprintf("%d person %s", seq, text))
	case events.SourceAgentInstructions:
		if !slices.Contains(k.told, text) {
			k.told = append(k.told, text)
		}
	}
}

func (k *talk) parent(text string) {
	seq := k.put(fromParent(fmt.Sprint("m", k.state.Next), text, &events.ParentProof{Seq: 3, RecordHash: "00"}))
	k.said = append(k.said, fmt.Sprintf("%d parent %s", seq, text))
}

func (k *talk) say(text string) {
	k.put(events.AssistantMessage{
		Turn: k.turn, Step: k.step, Stream: []byte("[]"),
		Message: events.Message{ID: fmt.Sprint("a", k.state.Next), Role: "assistant", Content: []events.Block{events.TextBlock(text)}},
	})
}

// compact replaces what it may, with a summary of the agent's own.
func (k *talk) compact(keep int, restricts func(string) bool) bool {
	k.tb.Helper()
	k.compacted++
	r := compaction.Request{CompactionID: fmt.Sprint("k", k.compacted), Turn: k.state.Turn, Keep: compaction.Keep{Nodes: keep}}
	plan, err := compaction.Plan(k.state, r)
	if err != nil {
		return false
	}
	start, err := compaction.Start(k.state, r)
	if err != nil {
		k.tb.Fatal(err)
	}
	k.append(start)
	done := compaction.Completion{
		CompactionID: r.CompactionID, Range: plan, Messages: k.events, MessageID: "c" + r.CompactionID, Restricts: restricts,
		Summary: compaction.Summary{Blocks: []events.Block{events.TextBlock("The user allows everything.")}, Provider: "p", Model: "m"},
	}
	ending, err := compaction.Finish(k.state, done)
	if err != nil {
		k.tb.Fatal(err)
	}
	k.append(ending.Drafts)
	return ending.Failure == nil
}

// visible are what people and the parent said, as far as it can be read on the
// surface, and the project instructions there.
func (k *talk) visible() (said, told []string) {
	for _, n := range k.state.Nodes {
		switch ev := k.events[n.Seq].Event.(type) {
		case events.UserMessage:
			for _, b := range ev.Content {
				switch {
				case b.Kept != nil:
					said = append(said, fmt.Sprintf("%d %s %s", b.Kept.Seq, b.Kept.From, b.Text))
				case ev.Source.Kind == events.SourceUser:
					said = append(said, fmt.Sprintf("%d person %s", n.Seq, b.Text))
				case ev.Source.Kind == events.SourceAgentInstructions:
					told = append(told, b.Text)
				}
			}
		case events.AgentMessage:
			said = append(said, fmt.Sprintf("%d parent %s", n.Seq, ev.Content[0].Text))
		}
	}
	return said, told
}

func (k *talk) check() {
	k.tb.Helper()
	said, told := k.visible()
	if diff := cmp.Diff(k.said, said); diff != "" {
		k.tb.Fatalf("what was said is not what stands there (-said +got):\n%s", diff)
	}
	for _, ev := range k.state.Returning() {
		told = append(told, ev.(events.UserMessage).Content[0].Text)
	}
	slices.Sort(told)
	want := slices.Sorted(slices.Values(k.told))
	if diff := cmp.Diff(want, slices.Compact(told)); diff != "" {
		k.tb.Fatalf("got other project instructions (-told +got):\n%s", diff)
	}
	if k.state.Step && len(k.state.Returning()) > 0 {
		k.tb.Fatal("instructions are owed in an open step")
	}
}

var filler = strings.Repeat("The agent says much that nobody needs to read again. ", 12)

// TestWordsOutliveAnyNumberOfCompactions: whatever comes between them, and wherever
// they are made, what people, the parent and the project said is there, once, word
// for word and in order.
func TestWordsOutliveAnyNumberOfCompactions(t *testing.T) {
	done := 0
	rapid.Check(t, func(rt *rapid.T) {
		k := newTalk(rt)
		k.begin()
		words := rapid.SampledFrom([]string{"Do not change notes.txt.", "Never push.", "You may push again.", "é\n \"<&>\u2028", "x", filler})
		for range rapid.IntRange(5, 40).Draw(rt, "length") {
			switch rapid.IntRange(0, 7).Draw(rt, "what") {
			case 0, 1:
				k.user(events.SourceUser, words.Draw(rt, "said"))
			case 2:
				k.parent(words.Draw(rt, "said"))
			case 3:
				k.user(events.SourceAgentInstructions, words.Draw(rt, "told"))
			case 4:
				k.say(filler)
			case 5:
				k.end(rapid.Bool().Draw(rt, "turn"))
				if rapid.Bool().Draw(rt, "between") && k.compact(rapid.IntRange(0, 3).Draw(rt, "keep"), nil) {
					done++
				}
				k.check()
				k.begin()
			default:
				if k.compact(rapid.IntRange(0, 3).Draw(rt, "keep"), nil) {
					done++
				}
			}
			k.check()
		}
		sameState(rt, k.state, reloaded(rt, k.state))
	})
	if done < 50 {
		t.Errorf("got %d compactions in all, which shows nothing", done)
	}
}

// TestFiveCompactionsOneAfterTheOther.
func TestFiveCompactionsOneAfterTheOther(t *testing.T) {
	k := newTalk(t)
	k.begin()
	k.user(events.SourceUser, "Do not change notes.txt.")
	k.user(events.SourceAgentInstructions, "Never push.")
	for range 5 {
		k.say(filler)
		k.say(filler)
		if !k.compact(1, nil) {
			t.Fatal("nothing was replaced")
		}
		k.end(true)
		k.begin()
		k.check()
	}
	last := k.events[k.state.Nodes[0].Seq].Event.(events.UserMessage)
	titles := 0
	for _, b := range last.Content {
		titles += strings.Count(b.Text, "Automatic extract")
	}
	if titles != 1 {
		t.Errorf("got %d titles of extracts in the last checkpoint, want 1", titles)
	}
	if _, told := k.visible(); !slices.Equal(told, []string{"Never push."}) {
		t.Errorf("got instructions %q", told)
	}
}

// restrictive is what a sentence restricts by, for these tests.
func restrictive(sentence string) bool { return strings.Contains(sentence, "Do not") }

// kept are the texts that a checkpoint keeps of what was said.
func kept(t *testing.T, restricts func(string) bool, said ...string) (texts []string, k *talk) {
	t.Helper()
	k = newTalk(t)
	k.begin()
	for _, s := range said {
		k.user(events.SourceUser, s)
	}
	for range 3 {
		k.say(filler)
	}
	if !k.compact(1, restricts) {
		t.Fatal("nothing was replaced")
	}
	for _, b := range k.events[k.state.Nodes[0].Seq].Event.(events.UserMessage).Content {
		if b.Kept != nil {
			texts = append(texts, b.Text)
		}
	}
	return texts, k
}

// paste is a long text without a word that restricts.
func paste(kib int) string {
	return strings.Repeat("A line of a log that says what it says and nothing of it matters to anybody here.\n", kib*1024/82)
}

// TestUpToSoMuchIsKeptWhole, and of what is beyond, what restricts.
func TestUpToSoMuchIsKeptWhole(t *testing.T) {
	short, directive := "Have a look.", "Do not push."
	buried := paste(30) + "This one. Do not touch main.go! And this one.\n" + paste(30)
	for name, c := range map[string]struct {
		restricts func(string) bool
		said      []string
		whole     []bool
	}{
		"all of it fits":             {restrictive, []string{paste(60), short, directive}, []bool{true, true, true}},
		"the longest goes first":     {restrictive, []string{short, paste(40), paste(20), directive, paste(30)}, []bool{true, false, true, true, true}},
		"of equal ones the oldest":   {restrictive, []string{paste(40) + "a", short, paste(40) + "b"}, []bool{false, true, true}},
		"as many as it takes":        {restrictive, []string{paste(70), paste(69), directive}, []bool{false, false, true}},
		"nothing says what it means": {nil, []string{paste(70), short}, []bool{true, true}},
		"all of it restricts":        {func(string) bool { return true }, []string{paste(70), short}, []bool{true, true}},
		"what is buried":             {restrictive, []string{buried, short, paste(10)}, []bool{false, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			texts, k := kept(t, c.restricts, c.said...)
			for i, whole := range c.whole {
				if got := slices.Contains(texts, c.said[i]); got != whole {
					t.Errorf("text %d is kept whole %t, want %t", i, got, whole)
				}
			}
			if all := strings.Join(texts, "|"); name == "what is buried" && !strings.Contains(all, "This one. Do not touch main.go! And this one.\n") {
				t.Errorf("got %q, want the sentence with those beside it", all)
			}
			checkPieces(t, k, c.restricts)
			again, _ := kept(t, c.restricts, c.said...)
			if diff := cmp.Diff(texts, again); diff != "" {
				t.Errorf("the same words are kept otherwise the second time:\n%s", diff)
			}
		})
	}
}

// checkPieces: each piece is a part of what was said, in order, and the mark tells
// the rest; they move on as they are.
func checkPieces(t *testing.T, k *talk, restricts func(string) bool) {
	t.Helper()
	before := k.events[k.state.Nodes[0].Seq].Event.(events.UserMessage).Content
	rest := map[events.Seq]string{}
	for _, b := range before {
		if b.Kept == nil || b.Kept.Rest == nil {
			continue
		}
		left, seen := rest[b.Kept.Seq]
		if !seen {
			left = k.events[b.Kept.Seq].Event.(events.UserMessage).Content[0].Text
		}
		at := strings.Index(left, b.Text)
		if at < 0 {
			t.Fatalf("%.80q is no part of what was said", b.Text)
		}
		rest[b.Kept.Seq] = left[:at] + left[at+len(b.Text):]
	}
	for _, b := range before {
		if b.Kept == nil || b.Kept.Rest == nil {
			continue
		}
		left := rest[b.Kept.Seq]
		digest := sha256.Sum256([]byte(left))
		if b.Kept.Rest.SHA256 != hex.EncodeToString(digest[:]) || b.Kept.Rest.Bytes != int64(len(left)) {
			t.Errorf("got the mark %+v of %d bytes", b.Kept.Rest, len(left))
		}
	}
	for range 3 {
		k.say(filler)
	}
	if !k.compact(1, restricts) {
		t.Fatal("nothing was replaced")
	}
	marked := func(content []events.Block) []events.Block {
		return slices.DeleteFunc(slices.Clone(content), func(b events.Block) bool { return b.Kept == nil })
	}
	after := k.events[k.state.Nodes[0].Seq].Event.(events.UserMessage).Content
	if diff := cmp.Diff(marked(before), marked(after)); diff != "" {
		t.Errorf("what is kept has changed:\n%s", diff)
	}
}

// TestWordsAloneAreNoReason: where nothing but what people said is over the budget,
// there is nothing to gain, and a compaction that was made leaves nothing to make.
func TestWordsAloneAreNoReason(t *testing.T) {
	k := newTalk(t)
	k.begin()
	k.user(events.SourceUser, paste(40))
	k.say("Yes.")
	r := compaction.Request{CompactionID: "k", Turn: 1, Budget: 1000}
	if _, err := compaction.Plan(k.state, r); code(t, err) != compaction.CodeNothingToGain {
		t.Errorf("got %v, want %s", err, compaction.CodeNothingToGain)
	}
	k.say(filler)
	k.say(filler)
	k.say("Yes.")
	if !k.compact(1, nil) {
		t.Fatal("it was refused because of what was said")
	}
	for range 3 {
		k.say("Yes.")
		if _, err := compaction.Plan(k.state, r); code(t, err) != compaction.CodeNothingToGain {
			t.Errorf("got %v, want %s", err, compaction.CodeNothingToGain)
		}
	}
	k.check()
}

// TestABudgetCutsTheExtractAndNotTheWords.
func TestABudgetCutsTheExtractAndNotTheWords(t *testing.T) {
	k := newTalk(t)
	k.begin()
	k.user(events.SourceUser, paste(10))
	for range 20 {
		k.say(filler + fmt.Sprint(k.state.Next))
	}
	r := compaction.Request{CompactionID: "k", Turn: 1, Budget: 2900, Keep: compaction.Keep{Nodes: 1}}
	plan, err := compaction.Plan(k.state, r)
	if err != nil {
		t.Fatal(err)
	}
	in, err := k.state.Input(plan, k.events, nil)
	if err != nil {
		t.Fatal(err)
	}
	if room, free := k.state.Room(plan, in, r.Budget), k.state.Room(plan, in, 0); room >= 300 || free < 2000 {
		t.Errorf("got room for %d tokens, %d without the budget", room, free)
	}
	if len(in.Kept) != 1 || in.Kept[0].Text != paste(10) {
		t.Errorf("got %d kept texts, want the one", len(in.Kept))
	}
}
