package lineage

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage/delegation"
)

// State is what lineage needs of a log, folded from its events: as a child its
// creation, as a parent its children. It grows with the children, with the
// descriptors and with the visible surface, not with the log. It is plain data: a
// snapshot is its JSON. The zero State is that of an empty log.
type State struct {
	Next events.Seq `json:"next"` // the seq of the next event
	// Inherited is how many events a fork took over from its parent.
	Inherited events.Seq `json:"inherited"`
	// LastTurn is the last turn that ended: a forked child begins behind it.
	LastTurn *TurnMark `json:"lastTurn,omitempty"`
	// Route is by which the agent's model is asked, by the last request/header.
	Route Route `json:"route"`
	// Surface is what is visible, in its order.
	Surface []events.Seq `json:"surface,omitempty"`
	// Creations are the descriptors, in log order, each with its prompt.
	Creations []Creation `json:"creations,omitempty"`
	// Children are the creation facts, in log order.
	Children []Entry `json:"children,omitempty"`
	// Calls are those of the open step, in log order.
	Calls []StepCall `json:"calls,omitempty"`
}

// TurnMark is where a turn ended.
type TurnMark struct {
	Turn int        `json:"turn"`
	Seq  events.Seq `json:"seq"`
}

// Route is by which an agent's model is asked.
type Route struct {
	Provider        string `json:"provider,omitempty"`
	Model           string `json:"model,omitempty"`
	ReasoningEffort string `json:"reasoningEffort,omitempty"`
}

// Creation is a descriptor and what the child was told first.
type Creation struct {
	Seq        events.Seq                `json:"seq"`
	Descriptor events.SubagentDescriptor `json:"descriptor"`
	// Prompt is the first message of kind user behind the descriptor and before the
	// next one: the creation prompt (reference 5.3, 8 item 3).
	Prompt *events.Seq `json:"prompt,omitempty"`
	// Told is the agent-message that stands in the prompt's place where no
	// dispatched call of the parent held the text. The child has no creation prompt
	// then, and a person who writes to it later is a person.
	Told *events.Seq `json:"told,omitempty"`
}

// Entry is a creation fact: what the log says of a child that it spawned.
type Entry struct {
	Seq        events.Seq       `json:"seq"`
	RecordHash string           `json:"recordHash"` // SHA-256 of the stored line, hex
	ChildID    events.SessionID `json:"childId"`
	HeaderHash string           `json:"headerHash"`       // SHA-256 of the child's header line, hex
	CallID     string           `json:"callId,omitempty"` // the dispatched call whose prompt it is
	Descriptor jsontext.Value   `json:"descriptor"`
	Spawn      SpawnFact        `json:"spawn"`
	// Before is the last turn that had ended: a forked child has the log up to there.
	Before *TurnMark `json:"before,omitempty"`
}

// SpawnFact is the part of a creation fact by which a spawn that was cut short is
// repeated with the same result. In the event it stands beside the members that
// the event has by itself.
type SpawnFact struct {
	SpawnID    string   `json:"spawnId"`
	PromptHash string   `json:"promptHash"` // SHA-256 of the text, hex
	CreatedAt  int64    `json:"createdAt"`  // the child's
	Captured   Captured `json:"captured"`
}

// StepCall is a call of the open step, a program's inner call included. Of its
// arguments nothing is kept but what it hands over to another session.
type StepCall struct {
	ID       string          `json:"id"`
	Kind     delegation.Kind `json:"kind,omitempty"`     // "" if it hands over nothing
	TextHash string          `json:"textHash,omitempty"` // SHA-256 of what it hands over, hex
	// Dispatched is the event that let it run, nil for none.
	Dispatched *events.Seq `json:"dispatched,omitempty"`
	// ByPreset says that it was let run because the preset reviewed no calls.
	ByPreset bool `json:"byPreset,omitempty"`
	// Void says that it proves nothing any more: it failed, was given back, or the
	// preset that let it run was changed.
	Void bool `json:"void,omitempty"`
	// Used is what it was named for already: one call is one child or one message.
	Used *Use `json:"used,omitempty"`
}

// Use is what a call was named for.
type Use struct {
	ChildID   events.SessionID `json:"childId"`
	MessageID string           `json:"messageId,omitempty"` // "" for the child itself
	TextHash  string           `json:"textHash,omitempty"`  // of the message
}

// Own reports whether an event is the session's own, not inherited from the
// parent of a fork (reference 1.1).
func (s *State) Own(seq events.Seq) bool { return seq >= s.Inherited && seq < s.Next }

// Visible reports whether an event is on the surface.
func (s *State) Visible(seq events.Seq) bool { return slices.Contains(s.Surface, seq) }

// Descriptor is the session's own creation: that of its own suffix alone, since
// an ancestor's descriptor in an inherited prefix is of another session
// (reference 6). ok is false if it has none.
func (s *State) Descriptor() (c Creation, ok bool) {
	i := slices.IndexFunc(s.Creations, func(c Creation) bool { return s.Own(c.Seq) })
	if i < 0 {
		return Creation{}, false
	}
	return s.Creations[i], true
}

// Child finds the creation fact of a child, among the session's own: what a fork
// inherited is about its parent's children.
func (s *State) Child(id events.SessionID) (Entry, bool) {
	return s.entry(func(e Entry) bool { return e.ChildID == id })
}

// Spawned finds the creation fact that a spawn id made.
func (s *State) Spawned(spawnID string) (Entry, bool) {
	return s.entry(func(e Entry) bool { return e.Spawn.SpawnID == spawnID })
}

func (s *State) entry(is func(Entry) bool) (Entry, bool) {
	i := slices.IndexFunc(s.Children, func(e Entry) bool { return s.Own(e.Seq) && is(e) })
	if i < 0 {
		return Entry{}, false
	}
	return s.Children[i], true
}

// OwnChildren counts the creation facts that are the session's own.
func (s *State) OwnChildren() (n int) {
	for _, e := range s.Children {
		if s.Own(e.Seq) {
			n++
		}
	}
	return n
}

// Apply folds an event that an [events.Validator] has accepted.
func (s *State) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) { // the events that lineage is about
	case events.TurnEnd:
		s.LastTurn = &TurnMark{Turn: ev.Turn, Seq: e.Seq}
	case events.EndSeed:
		if ev.Inherited {
			s.Inherited = e.Seq
		}
	case events.RequestHeader:
		c := ev.Header.Config
		s.Route = Route{Provider: c.Provider, Model: c.Model, ReasoningEffort: c.ReasoningEffort}
	case events.SubagentDescriptor:
		s.Creations = append(s.Creations, Creation{Seq: e.Seq, Descriptor: ev})
	case events.SubagentCatalog:
		s.use(ev)
		s.catalogue(e, ev)
	case events.UserMessage:
		if ev.Source.Kind == events.SourceUser {
			s.prompted(e.Seq)
		}
	case events.AgentMessage:
		s.told(e, ev)
	default:
		s.applyCall(e)
	}
	s.place(e)
	s.Next = e.Seq + 1
}

// prompted makes the message the prompt of the last descriptor, if it has none.
func (s *State) prompted(seq events.Seq) {
	if c := s.unprompted(); c != nil {
		c.Prompt = &seq
	}
}

// told takes a message without proof, where nothing was said before it, for what
// the child was told instead of a prompt. Logs of format 0 have no such children.
func (s *State) told(e events.Envelope, ev events.AgentMessage) {
	if c := s.unprompted(); c != nil && ev.Parent == nil && e.Format != events.Format0 {
		c.Told = new(e.Seq)
	}
}

func (s *State) unprompted() *Creation {
	if len(s.Creations) == 0 {
		return nil
	}
	c := &s.Creations[len(s.Creations)-1]
	if c.Prompt != nil || c.Told != nil {
		return nil
	}
	return c
}

// catalogue keeps a creation fact. The reference's own catalogue events hold
// none of its members, and verify nothing.
func (s *State) catalogue(e events.Envelope, ev events.SubagentCatalog) {
	stored, err := events.NewRecord(e)
	if ev.ChildID == "" || ev.ChildHeaderHash == "" || err != nil {
		return
	}
	entry := Entry{
		Seq: e.Seq, RecordHash: digest(stored.Line), ChildID: ev.ChildID, HeaderHash: ev.ChildHeaderHash,
		CallID: ev.CallID, Descriptor: ev.Descriptor, Before: s.LastTurn,
	}
	// What does not parse is another program's, and then no spawn of ours.
	_ = json.Unmarshal(ev.Unknown, &entry.Spawn)
	s.Children = append(s.Children, entry)
}

// place follows the surface (reference 1.5).
func (s *State) place(e events.Envelope) {
	if !e.Type().Surface() || e.Surface.None() {
		return
	}
	start, end, replaces := e.Surface.Replace()
	if !replaces {
		s.Surface = append(s.Surface, e.Seq)
		return
	}
	first, last := slices.Index(s.Surface, start), slices.Index(s.Surface, end)
	if first < 0 || last < first {
		return // no Validator accepts it
	}
	s.Surface = slices.Concat(s.Surface[:first], []events.Seq{e.Seq}, s.Surface[last+1:])
}

func digest(text []byte) string {
	d := sha256.Sum256(text)
	return hex.EncodeToString(d[:])
}
