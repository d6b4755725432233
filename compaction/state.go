package compaction

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// State is what compaction needs of a log, folded from its events. It grows with
// the visible surface and not with the log. It is plain data: a snapshot is its
// JSON. The zero State is that of an empty log. A copy shares what the State
// holds.
type State struct {
	Next events.Seq `json:"next"` // the seq of the next event
	Turn int        `json:"turn"` // the open turn, 0 between turns
	// Step says that a step is open.
	Step bool `json:"step,omitempty"`
	// Nodes is the visible surface, in its order.
	Nodes []Node `json:"nodes,omitempty"`
	// Pending are the calls that visible messages ask for and that have no visible
	// result, by their scope.
	Pending map[string]bool `json:"pending,omitempty"`
	// Generation counts the replacements so far, as [events.Surface] does.
	Generation int `json:"generation"`
	// Instructions are the project's that are visible, or that are to come back.
	Instructions []Instruction `json:"instructions,omitempty"`
	// ContextWindow is the route's by the last request/context, 0 where unknown.
	ContextWindow int64 `json:"contextWindow,omitempty"`
	// Lock is the compaction that has started and not ended, stale or not.
	Lock *Lock `json:"lock,omitempty"`
	// Last is how the last compaction ended.
	Last *Outcome `json:"last,omitempty"`
}

// Node is a visible event, as far as planning needs it.
type Node struct {
	Seq    events.Seq  `json:"seq"`
	Type   events.Type `json:"type"`
	Tokens int64       `json:"tokens"` // by [Tokens]
	// Checkpoint is set on messages that stand for what a compaction took away.
	// They have the role of a checkpoint and no other, whatever they quote.
	Checkpoint bool `json:"checkpoint,omitempty"`
	// Voice is whose words the message holds, by the log alone (see [State.Heard]);
	// Words is what those take of its tokens.
	Voice Voice `json:"voice,omitempty"`
	Words int64 `json:"words,omitempty"`
	// Sender is who an agent-message with a parent's proof says that it is from.
	Sender events.SessionID `json:"sender,omitempty"`
	// Unanswered counts the calls up to here, this event's included, whose results
	// are not visible up to here. A range may end here only if there are none.
	Unanswered int `json:"unanswered,omitempty"`

	Asks    []string `json:"asks,omitempty"`    // scopes of the calls that it asks for
	Answers string   `json:"answers,omitempty"` // scope of the call whose result it is
}

// Boundary reports whether every call up to the node has its result up to it.
func (n Node) Boundary() bool { return n.Unanswered == 0 }

// Lock is a compaction that has started and not ended: no other may start. One
// that a session/end-seed came after is stale, since whoever held it is gone; it
// holds nothing back (reference 1.4).
type Lock struct {
	CompactionID string     `json:"compactionId"`
	CommandID    string     `json:"sourceCommandId,omitempty"`
	Turn         int        `json:"turn"` // 0 for one between turns
	Seq          events.Seq `json:"seq"`  // of the compaction/start
	// Generation is the surface's at the start.
	Generation int  `json:"generation"`
	Stale      bool `json:"stale,omitempty"`
	// Checkpoint is the message that was put in the place of the range, if it is
	// there yet.
	Checkpoint *events.Seq `json:"checkpoint,omitempty"`
}

// Outcome is how a compaction ended.
type Outcome struct {
	CompactionID string     `json:"compactionId"`
	Seq          events.Seq `json:"seq"` // of the compaction/end
	// Checkpoint is the message that stands for the range; none after a failure.
	Checkpoint *events.Seq `json:"checkpoint,omitempty"`
	Failed     bool        `json:"failed,omitempty"`
	Error      string      `json:"error,omitempty"`
}

// Held is the lock that keeps another compaction from starting; nil without one,
// and for a stale one.
func (s *State) Held() *Lock {
	if s.Lock == nil || s.Lock.Stale {
		return nil
	}
	return s.Lock
}

// Visible reports whether the event is on the surface. What is not has no
// authority any more, whoever wrote it (reference 5.2, 5.3).
func (s *State) Visible(seq events.Seq) bool { return s.position(seq) >= 0 }

// Tokens is what the whole surface takes.
func (s *State) Tokens() int64 { return sum(s.Nodes) }

func sum(nodes []Node) (total int64) {
	for _, n := range nodes {
		total += n.Tokens
	}
	return total
}

// Apply folds an event that an [events.Validator] has accepted.
func (s *State) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) { // the events that compaction is about
	case events.TurnStart:
		s.Turn = ev.Turn
	case events.TurnEnd:
		s.Turn = 0
	case events.StepStart:
		s.Step = true
	case events.StepEnd:
		s.Step = false
	case events.AssistantMessage:
		s.letGo()
	case events.RequestContext:
		s.ContextWindow = 0
		if ev.ContextWindow != nil {
			s.ContextWindow = *ev.ContextWindow
		}
	case events.EndSeed:
		if s.Lock != nil {
			stale := *s.Lock
			stale.Stale = true
			s.Lock = &stale
		}
	case events.CompactionStart:
		s.Lock = &Lock{CompactionID: ev.CompactionID, CommandID: ev.SourceCommandID, Turn: turnOf(ev.Turn), Seq: e.Seq, Generation: s.Generation}
	case events.CompactionEnd:
		s.end(e.Seq, ev)
	case events.UserMessage:
		s.noteCheckpoint(e.Seq, ev)
	}
	if e.Type().Surface() && !e.Surface.None() {
		s.place(e)
	}
	s.Next = e.Seq + 1
}

// end folds the end of a compaction. That of another one than holds the lock, a
// stale one's that comes late, leaves the lock as it is.
func (s *State) end(seq events.Seq, ev events.CompactionEnd) {
	out := Outcome{CompactionID: ev.CompactionID, Seq: seq}
	if ev.Error != nil {
		out.Failed, out.Error = true, *ev.Error
	}
	if s.Lock != nil && s.Lock.CompactionID == ev.CompactionID {
		out.Checkpoint = s.Lock.Checkpoint
		s.Lock = nil
	}
	s.Last = &out
}

func (s *State) noteCheckpoint(seq events.Seq, ev events.UserMessage) {
	if ev.Source.Checkpoint() && s.Lock != nil && s.Lock.CompactionID == ev.Source.CompactionID {
		noted := *s.Lock
		noted.Checkpoint = &seq
		s.Lock = &noted
	}
}

// turnOf reads a turn as compaction events have it: a number, or null between
// turns.
func turnOf(v jsontext.Value) int {
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f < 1 || f > events.MaxSafeInteger {
		return 0
	}
	return int(f)
}

// turnValue is the inverse of turnOf.
func turnValue(turn int) jsontext.Value {
	if turn == 0 {
		return jsontext.Value("null")
	}
	return jsontext.Value(strconv.Itoa(turn))
}
