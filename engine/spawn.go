package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

// SpawnRequest asks for a child of a session.
type SpawnRequest struct {
	lineage.Delegation
	Catalogue presets.Catalogue
	// UserDefault and Admit are those of the child's publication; see [Publish].
	UserDefault string
	Admit       presets.Admit
	Meta        Meta // its ID names the spawn's appends
}

// Spawned is a child that is stored, with its first frame.
type Spawned struct {
	Header events.Header
	// Verified says that the prompt is the parent's instruction; else it is a fact.
	Verified bool
	// Already says that the whole of it was there.
	Already bool
}

// Spawn makes a child (reference 6): the creation fact on the parent's log, the
// child under its header, seeded for the fork provider, and its first frame with
// what it inherits, its descriptor and its prompt. The same spawn again goes on
// where it was cut short, with the same child.
func (e *Engine) Spawn(ctx context.Context, parent events.SessionID, req SpawnRequest) (Spawned, error) {
	birth, err := e.recordBirth(ctx, parent, req)
	if err != nil {
		return Spawned{}, err
	}
	if err := e.createChild(ctx, parent, req, birth); err != nil {
		return Spawned{}, fmt.Errorf("engine: spawn session %s: %w", birth.Header.ID, err)
	}
	done, err := e.Do(ctx, birth.Header.ID, firstFrame{birth: birth, req: req}, req.meta("child"))
	if err != nil {
		return Spawned{}, err
	}
	return Spawned{Header: birth.Header, Verified: birth.Verified, Already: len(done.Events) == 0}, nil
}

func (r SpawnRequest) meta(part string) Meta {
	m := r.Meta.part(part)
	if part != "parent" {
		m.Expect = nil
	}
	return m
}

// recordBirth puts the creation fact on the parent's log. What the child inherits
// is taken from the very state that the fact is appended to.
func (e *Engine) recordBirth(ctx context.Context, parent events.SessionID, req SpawnRequest) (lineage.Birth, error) {
	if err := req.meta("parent").check(); err != nil { // the longest one
		return lineage.Birth{}, fmt.Errorf("engine: session %s: %w", parent, err)
	}
	if err := e.rehearse(ctx, parent, req); err != nil {
		return lineage.Birth{}, err
	}
	if _, err := e.Do(ctx, parent, creationFact{req}, req.meta("parent")); err != nil {
		return lineage.Birth{}, err
	}
	var birth lineage.Birth
	err := e.View(ctx, parent, func(s *projections.Session) (err error) {
		birth, err = creationFact{req}.birth(s)
		if err == nil && len(birth.Catalogue) > 0 {
			err = events.Refuse(lineage.CodeSpawnReused, "id", "the command %s made something else than the spawn %s", req.Meta.ID, req.SpawnID)
		}
		return err
	})
	return birth, err
}

// rehearse refuses a spawn that could not be finished, before the parent's log
// says anything of it: the child's id is another session's, or its first frame
// would be refused. It finds a catalogue only where the spawn is new.
func (e *Engine) rehearse(ctx context.Context, parent events.SessionID, req SpawnRequest) error {
	isNew := false
	err := e.View(ctx, parent, func(s *projections.Session) error {
		if err := Adopted(s); err != nil {
			return err
		}
		birth, err := creationFact{req}.birth(s)
		if isNew = len(birth.Catalogue) > 0; err != nil || !isNew {
			return err
		}
		return firstFrame{birth: birth, req: req}.rehearse(s)
	})
	if err != nil || !isNew {
		return err
	}
	_, err = e.cfg.Log.Open(ctx, req.ChildID)
	switch {
	case err == nil:
		return fmt.Errorf("engine: session %s: %w", parent, events.Refuse(lineage.CodeSpawnReused, "childId", "there is a session %s already", req.ChildID))
	case errors.Is(err, events.ErrNotFound):
		return nil
	default:
		return fmt.Errorf("engine: session %s: %w", req.ChildID, err)
	}
}

// creationFact is the parent's part of a spawn.
type creationFact struct {
	req SpawnRequest
}

func (c creationFact) decide(s *projections.Session) ([]events.Draft, error) {
	if err := Adopted(s); err != nil {
		return nil, err
	}
	birth, err := c.birth(s)
	return birth.Catalogue, err
}

// birth gives the same child whenever it is asked for one spawn id: what was
// captured the first time is on the log. A session whose preset is not installed
// makes none, since nobody can say what review the child would take over.
func (c creationFact) birth(s *projections.Session) (lineage.Birth, error) {
	d := c.req.Delegation
	if _, known := s.Lineage.Spawned(d.SpawnID); !known {
		if err := c.req.Catalogue.Usable(s.Presets); err != nil {
			return lineage.Birth{}, err
		}
	}
	d.Captured = lineage.Capture(c.req.Catalogue, s.Presets, true)
	d.MustProve = c.mustProve(s)
	return lineage.Spawn(s.Kin(), d)
}

// hostClass is the class of actors whose programs run agents of their own. What these
// start by themselves has begun when it is told here, so that it is a child whose
// first prompt is a fact (reference 8, item 13).
const hostClass = "host"

// mustProve reports whether the child needs a dispatched call: the parent is on a
// preset that looks at calls.
func (c creationFact) mustProve(s *projections.Session) bool {
	p, ok := c.req.Catalogue.Find(c.req.Catalogue.Current(s.Presets))
	return ok && p.Reviewed() && c.req.Meta.Actor.Class != hostClass
}

// createChild stores the child's header, and for a fork its parent's events.
func (e *Engine) createChild(ctx context.Context, parent events.SessionID, req SpawnRequest, birth lineage.Birth) error {
	if birth.Prefix == 0 {
		return e.cfg.Log.Create(ctx, events.Creation{ID: "spawn", Actor: req.Meta.Actor, Header: birth.Header})
	}
	_, err := Fork(ctx, e.cfg.Log, ForkRequest{
		Source: parent, Child: birth.Header.ID, At: new(birth.Prefix - 1), Header: &birth.Header, Actor: req.Meta.Actor, Now: birth.Header.CreatedAt,
	})
	return err
}

// firstFrame is the child's part of a spawn, once.
type firstFrame struct {
	birth lineage.Birth
	req   SpawnRequest
}

func (c firstFrame) decide(s *projections.Session) ([]events.Draft, error) {
	if c.birth.Stored(&s.Lineage) {
		return nil, nil
	}
	facts := s.Presets
	for _, d := range c.birth.Setup() {
		e, err := d.At(s.Next(), 0) // only what it says of presets counts
		if err != nil {
			return nil, err
		}
		facts.Apply(e)
	}
	pins, err := presets.Pin(c.req.Catalogue, facts, c.req.UserDefault, c.req.Admit)
	if err != nil {
		return nil, err
	}
	return withInstructions(c.birth.Frame(pins), s.Compaction.Returning()), nil
}

// withInstructions puts project instructions that a compaction of the parent took off
// the surface at the front of the child's first step, behind its system message.
func withInstructions(frame []events.Draft, back []events.Event) []events.Draft {
	for i, d := range frame {
		if _, step := d.Event.(events.StepStart); !step {
			continue
		}
		if _, system := frame[i+1].Event.(events.SystemMessage); system {
			i++
		}
		return slices.Insert(frame, i+1, events.Drafts(back...)...)
	}
	return frame
}

// frameLimit is how many bytes a frame may take where the store says nothing else
// (design section 11).
const frameLimit = 960 << 10

// rehearse decides the frame on a child as the parent would make it now.
func (c firstFrame) rehearse(parent *projections.Session) error {
	child := projections.NewSession(c.birth.Header)
	if c.birth.Prefix > 0 {
		child.Presets = parent.Presets
		child.Presets.Seeded = true
	}
	drafts, err := c.decide(child)
	if err != nil {
		return err
	}
	size := 0
	if c.birth.Prefix > 0 { // of these some may come back
		for _, in := range parent.Compaction.Instructions {
			size += messageSize(in.Message)
		}
	}
	for i, d := range drafts {
		e, err := d.At(events.Seq(i), c.req.Meta.Now)
		if err != nil {
			return refused(err)
		}
		r, err := events.NewRecord(e)
		if err != nil {
			return refused(err)
		}
		size += len(r.Line) + 1
	}
	if size > frameLimit {
		return events.Refuse(CodeTooLarge, "prompt", "the child's first frame would take %d bytes, and %d are allowed", size, frameLimit)
	}
	return nil
}

// Send sends a message from a session to its direct parent or child, as the
// session that the caller was authenticated as. It waits in the receiver's inbox
// and enters its surface with the next step. What a call of the parent tells a child
// is put on the parent's log first, which uses the call up.
func (e *Engine) Send(ctx context.Context, from, to events.SessionID, l lineage.Letter, m Meta) (Done, error) {
	sender, err := e.kin(ctx, from)
	if err != nil {
		return Done{}, err
	}
	if l.CallID != "" {
		if sender, err = e.instruct(ctx, sender, to, l, m); err != nil {
			return Done{}, err
		}
	}
	return e.Do(ctx, to, receive{from: sender, letter: l}, m)
}

func (e *Engine) kin(ctx context.Context, id events.SessionID) (kin lineage.Kin, err error) {
	err = e.View(ctx, id, func(s *projections.Session) error {
		kin = copyKin(s)
		return Adopted(s)
	})
	return kin, err
}

// instruct is the sender's part of a message, and gives the sender behind it. Nothing
// is put on its log where the receiver would refuse the message, or has it.
func (e *Engine) instruct(ctx context.Context, sender lineage.Kin, to events.SessionID, l lineage.Letter, m Meta) (lineage.Kin, error) {
	part := m.part("call")
	part.Expect = nil
	if err := part.check(); err != nil {
		return sender, fmt.Errorf("engine: session %s: %w", to, err)
	}
	var receiver lineage.Kin
	known := false
	err := e.View(ctx, to, func(s *projections.Session) error {
		receiver = copyKin(s)
		if _, known = s.Commands.Find(m.ID); known {
			return nil
		}
		_, err := Decide(s, receive{from: sender, letter: l})
		return err
	})
	if err != nil || known {
		return sender, err
	}
	if _, err := e.Do(ctx, sender.Header.ID, instruction{to: receiver, letter: l}, part); err != nil {
		return sender, err
	}
	return e.kin(ctx, sender.Header.ID)
}

// instruction is the sender's part of a message: the fact that a call tells a child
// something.
type instruction struct {
	to     lineage.Kin
	letter lineage.Letter
}

func (c instruction) decide(s *projections.Session) ([]events.Draft, error) {
	if err := Adopted(s); err != nil {
		return nil, err
	}
	return lineage.Instruct(s.Kin(), c.to, c.letter)
}

// copyKin is a session as its relatives see it, which stays what it is when the
// session goes on.
func copyKin(s *projections.Session) lineage.Kin {
	state := s.Lineage
	state.Surface, state.Calls = slices.Clone(state.Surface), slices.Clone(state.Calls)
	state.Creations, state.Children = slices.Clone(state.Creations), slices.Clone(state.Children)
	return lineage.Kin{Header: s.Header(), State: &state, Imported: s.Imported}
}

// receive is the receiver's part of a message.
type receive struct {
	from   lineage.Kin
	letter lineage.Letter
}

func (c receive) decide(s *projections.Session) ([]events.Draft, error) {
	if err := Adopted(s); err != nil {
		return nil, err
	}
	if s.Inbox.Has(c.letter.ID) {
		return nil, events.Refuse(CodeDuplicate, "messageId", "a message of that id was sent already")
	}
	drafts, err := lineage.Message(c.from, s.Kin(), c.letter)
	if err != nil {
		return nil, err
	}
	m, ok := drafts[0].Event.(events.AgentMessage)
	if !ok {
		return nil, errors.New("engine: a message between sessions is an agent-message")
	}
	waiting, err := waitingLetter(m)
	if err == nil {
		err = checkWaiting(waiting)
	}
	if err != nil {
		return nil, err
	}
	target := events.InboxNextTurn
	if _, open := s.OpenTurn(); open {
		target = events.InboxNextStep
	}
	return events.Drafts(events.InboxSpliced{
		Target: target, Start: len(s.Inbox.Waiting(target)), Inserted: []events.UserMessage{waiting},
	}), nil
}
