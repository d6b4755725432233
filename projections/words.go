package projections

import (
	"cmp"
	"slices"

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
	// Checkpoint is the seq of the checkpoint that keeps them, nil where the message is
	// visible itself.
	Checkpoint *events.Seq
	// Waiting says that the session's agent has not heard them yet.
	Waiting bool
	// Inherited says that they were said to the session that this one is a fork of.
	Inherited bool
}

// Said are what people and the project have said in a session, in the order of the log,
// as far as it still counts: visible messages of people and of the project, what
// checkpoints keep of people's word for word (reference 8, item 12), and what people
// have said that still waits. What agents said is not among them. Nobody changes it, and
// it stays what it is when the session goes on.
type Said struct {
	Words []Words
	// Text has them as elements of PROJECT_INSTRUCTIONS, nil for none.
	Text []byte
}

// saidText is what of that is on the surface, as far as it was asked for. It only grows
// behind what was handed out.
type saidText struct {
	stamp historyStamp
	taken int // how many nodes of the surface it has
	said  Said
}

// Said gives what people and the project have said. It costs what came since it was
// asked for the last time.
func (h *History) Said(s *Session) Said {
	h.sync(s)
	if stamp := stampOf(s); h.said.stamp != stamp {
		h.said = saidText{stamp: stamp}
	}
	a := s.Authority()
	nodes := s.Surface().Nodes()
	for ; h.said.taken < len(nodes); h.said.taken++ {
		n := h.nodes[nodes[h.said.taken]]
		if n == nil || n.step != nil {
			continue // no message of a person, nor ever one
		}
		for _, w := range n.words(s, a) {
			h.said.said.add(s.header.ID, w)
		}
	}
	said := h.said.said
	said.Words, said.Text = slices.Clip(said.Words), slices.Clip(said.Text)
	for _, w := range waitingWords(s) {
		said.add(s.header.ID, w)
	}
	return said
}

func (s *Said) add(id events.SessionID, w Words) {
	s.Words = append(s.Words, w)
	if len(s.Text) > 0 {
		s.Text = append(s.Text, between...)
	}
	s.Text = appendWords(s.Text, id, w)
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
					out = append(out, Words{Seq: w.Seq, From: WordsOfPerson, Content: []events.Block{b}, Waiting: true, Inherited: !s.Lineage.Own(w.Seq)})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(x, y Words) int { return cmp.Compare(x.Seq, y.Seq) })
	return out
}

// words are those of a message.
func (n *historyNode) words(s *Session, a lineage.Authority) []Words {
	if n.instruction {
		return []Words{{Seq: n.seq, Time: n.entries[0].Time, From: WordsOfProject, Content: n.told().Content}}
	}
	var out []Words
	for _, e := range n.show(a, CallRef{}) {
		w := Words{Seq: n.seq, Time: e.Time, From: WordsOfPerson, Content: []events.Block{e.Block}, Inherited: !s.Lineage.Own(n.seq)}
		switch {
		case e.Block.Type != "text":
		case e.Role == lineage.RoleHuman:
			out = append(out, w)
		case e.Role == RoleCheckpoint && n.seq >= s.Imported:
			if seq, kept := keptOfPerson(e.Block); kept {
				w.Seq, w.Time, w.Checkpoint, w.Inherited = seq, 0, &n.seq, !s.Lineage.Own(seq)
				out = append(out, w)
			}
		}
	}
	return out
}

// keptOfPerson reads the mark of what a checkpoint of ours keeps of a person's words:
// the seq of the message that said it.
func keptOfPerson(b events.Block) (seq events.Seq, kept bool) {
	if !b.Kept.Valid() || b.Kept.From != events.FromPerson {
		return 0, false
	}
	return b.Kept.Seq, true
}

// SourceAncestor is the kind of the source of an ancestor's words in a request.
const SourceAncestor = "ancestor"

// InstructionsUnder puts what was said in ancestors, the nearest first, in front of a
// session's own PROJECT_INSTRUCTIONS, as constraints: the farthest ancestor's first. own
// is what [History.Text] gives, and is not changed.
func InstructionsUnder(ancestors []Said, own []byte) []byte {
	told := array{empty: true}
	for i := len(ancestors) - 1; i >= 0; i-- {
		if text := ancestors[i].Text; len(text) > 0 {
			told.next()
			told.bytes = append(told.bytes, text...)
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

// between stands between two elements of an array.
const between = ",\n  "

// appendWords writes an ancestor's words as an element of PROJECT_INSTRUCTIONS.
func appendWords(b []byte, id events.SessionID, w Words) []byte {
	source := marshalled(struct {
		Kind       string           `json:"kind"`
		SessionID  events.SessionID `json:"sessionId"`
		Seq        events.Seq       `json:"seq"`
		Time       int64            `json:"time,omitzero"`
		From       WordsOf          `json:"from"`
		Checkpoint *events.Seq      `json:"checkpoint,omitzero"`
		Waiting    bool             `json:"waiting,omitzero"`
		Inherited  bool             `json:"inherited,omitzero"`
	}{SourceAncestor, id, w.Seq, w.Time, w.From, w.Checkpoint, w.Waiting, w.Inherited})
	b = message(b, EntryUser, RoleConstraint, source)
	for i, block := range w.Content {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n      "...)
		b = indented(b, rawBlock(&Entry{Block: block}), "      ")
	}
	return append(b, "\n    ]\n  }"...)
}
