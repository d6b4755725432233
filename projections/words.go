package projections

import (
	"cmp"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
)

// WordsOf says whose words somebody's are.
type WordsOf string

// Whose words restrict a session's children: the people's, and the project's.
const (
	WordsOfPerson  WordsOf = "person"
	WordsOfProject WordsOf = "project"
)

// Words is a text of a session by which its children are restricted.
type Words struct {
	Seq     events.Seq // of the message that it was said in
	Time    int64      // of that message, Unix ms; 0 where that is not known any more
	From    WordsOf
	Content []events.Block
}

// Words are what people and the project have said in the session, in the order of the
// log, as far as it still counts: visible messages of people and of the project, and
// what checkpoints keep of people's word for word (reference 8, item 12), and what
// people have said that still waits. What agents said is not among them.
func (h *History) Words(s *Session) iter.Seq[Words] {
	return func(yield func(Words) bool) {
		a := s.Authority()
		for _, seq := range s.Surface().Nodes() {
			n := h.nodes[seq]
			if n == nil || n.step != nil {
				continue
			}
			for _, w := range n.words(a) {
				if !yield(w) {
					return
				}
			}
		}
		for _, w := range waitingWords(s) {
			if !yield(w) {
				return
			}
		}
	}
}

// waitingWords are what people have said while a step was open: it enters the surface
// with the next step, and a child may be at work until then.
func waitingWords(s *Session) []Words {
	var out []Words
	for _, target := range []string{events.InboxNextStep, events.InboxNextTurn} {
		for _, w := range s.Inbox.Waiting(target) {
			if w.Message.Source.Kind != events.SourceUser {
				continue
			}
			for _, b := range w.Message.Content {
				if b.Type == "text" {
					out = append(out, Words{Seq: w.Seq, From: WordsOfPerson, Content: []events.Block{b}})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(x, y Words) int { return cmp.Compare(x.Seq, y.Seq) })
	return out
}

// words are those of a message.
func (n *historyNode) words(a lineage.Authority) []Words {
	if n.instruction {
		return []Words{{Seq: n.seq, Time: n.entries[0].Time, From: WordsOfProject, Content: n.told().Content}}
	}
	var out []Words
	for _, e := range n.show(a, CallRef{}) {
		switch kept := e.Block.Kept; {
		case e.Block.Type == "text" && e.Role == lineage.RoleHuman:
			out = append(out, Words{Seq: n.seq, Time: e.Time, From: WordsOfPerson, Content: []events.Block{e.Block}})
		case e.Role == RoleCheckpoint && kept.Valid() && kept.From == events.FromPerson:
			out = append(out, Words{Seq: kept.Seq, From: WordsOfPerson, Content: []events.Block{e.Block}})
		}
	}
	return out
}

// SourceAncestor is the kind of the source of an ancestor's words in a request.
const SourceAncestor = "ancestor"

// AncestorWords are the words of one of a child's ancestors.
type AncestorWords struct {
	Session events.SessionID
	Words   []Words
}

// InstructionsUnder puts the words of ancestors in front of a session's own
// PROJECT_INSTRUCTIONS, as constraints: the farthest ancestor's first. own is what
// [History.Text] gives, and is not changed.
func InstructionsUnder(ancestors []AncestorWords, own []byte) []byte {
	told := array{empty: true}
	for i := len(ancestors) - 1; i >= 0; i-- {
		for _, w := range ancestors[i].Words {
			told.words(ancestors[i].Session, w)
		}
	}
	if told.empty {
		return own
	}
	if string(own) == "[]" {
		return told.close()
	}
	return append(append(told.bytes, ','), own[1:]...)
}

// words writes an ancestor's words as an element of PROJECT_INSTRUCTIONS.
func (a *array) words(id events.SessionID, w Words) {
	a.next()
	source := marshalled(struct {
		Kind      string           `json:"kind"`
		SessionID events.SessionID `json:"sessionId"`
		Seq       events.Seq       `json:"seq"`
		Time      int64            `json:"time"`
		From      WordsOf          `json:"from"`
	}{SourceAncestor, id, w.Seq, w.Time, w.From})
	b := message(a.bytes, EntryUser, RoleConstraint, source)
	for i, block := range w.Content {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n      "...)
		b = indented(b, jsontext.Value(rawBlock(&Entry{Block: block})), "      ")
	}
	a.bytes = append(b, "\n    ]\n  }"...)
}
