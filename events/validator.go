package events

import (
	"fmt"
	"slices"
)

// Validator accepts a log event by event, or refuses it: it holds what the rules
// of reference section 1 need to know of the events so far. The zero value is
// not usable; see [NewValidator].
type Validator struct {
	header Header
	place
	asked   map[string]bool  // approvals without a decision
	tools   map[Seq][]string // the tools that each request/header defines
	surface Surface
}

// place is where a log is, as far as a copy keeps it.
type place struct {
	next               Seq
	turn, step         int  // the last that were opened
	turnOpen, stepOpen bool // whether they still are
	calls              map[string]Seq
	lastTools          []string // of the last request/header: equal lists are kept once
	inherited          Seq      // of the last session/end-seed {inherited:true}, -1 for none
}

// NewValidator begins with an empty log under the given header.
func NewValidator(h Header) *Validator {
	return &Validator{
		header: h, place: place{inherited: -1, calls: map[string]Seq{}},
		asked: map[string]bool{}, tools: map[Seq][]string{},
	}
}

// Next is the seq that the next event must have.
func (v *Validator) Next() Seq { return v.next }

// Surface is the surface behind the events so far.
func (v *Validator) Surface() *Surface { return &v.surface }

// OpenTurn is the open turn, and whether there is one.
func (v *Validator) OpenTurn() (turn int, open bool) { return v.turn, v.turnOpen }

// OpenStep is the open step, and whether there is one.
func (v *Validator) OpenStep() (turn, step int, open bool) { return v.turn, v.step, v.stepOpen }

// InheritedCount is the number of events that a fork took over from its parent:
// the seq of the last inherited end of a seed, 0 without one.
func (v *Validator) InheritedCount() Seq { return max(v.inherited, 0) }

// Record accepts a stored line and gives its events. On an error nothing has
// changed; it is a *[FieldError] or an *[UnknownTypeError].
func (v *Validator) Record(r Record) ([]Envelope, error) {
	decoded, err := r.Decode()
	if err != nil {
		return nil, err
	}
	if err := r.checkPosition(decoded); err != nil {
		return nil, err
	}
	return decoded, v.Apply(decoded...)
}

// Apply accepts events that follow the log so far, all or none.
func (v *Validator) Apply(es ...Envelope) error {
	if len(es) != 1 {
		_, err := v.Stage(es...)
		return err
	}
	change, err := v.check(es[0])
	if err == nil {
		v.commit(es[0], change, nil) // it is the last: nothing takes it back
	}
	return err
}

// Stage is Apply for events that may not be stored in the end: undo takes them
// back. It is called before anything else is applied, or never.
func (v *Validator) Stage(es ...Envelope) (undo func(), err error) {
	done := make(undoing, 0, 2*len(es)+1)
	for i, e := range es {
		change, err := v.check(e)
		if err != nil {
			done.undo()
			return nil, err
		}
		if i == 0 {
			v.keep(&done)
		}
		v.commit(e, change, &done)
	}
	return done.undo, nil
}

// undoing is what takes changes back, in the order in which they were made. A nil
// one is not asked for.
type undoing []func()

func (u *undoing) undo() {
	for _, f := range slices.Backward(*u) {
		f()
	}
}

// Finish reports whether the log may end here. An open tail is valid in every
// format; a seed that has not ended is not.
func (v *Validator) Finish() error {
	if v.header.Seeded() && v.inherited < 0 {
		return fmt.Errorf("the header says that the log is seeded, but no session/end-seed ends the inherited part: %w", ErrSeedIncomplete)
	}
	return nil
}

// check says whether the event may come next, and what it does to the surface.
func (v *Validator) check(e Envelope) (surfaceChange, error) {
	if e.Seq != v.next {
		return surfaceChange{}, fieldf("seq", "must be %d, is %d", v.next, e.Seq)
	}
	if err := v.checkMetadata(e); err != nil {
		return surfaceChange{}, err
	}
	if err := v.checkNesting(e); err != nil {
		return surfaceChange{}, err
	}
	if !e.Type().Surface() {
		return surfaceChange{}, nil
	}
	return v.surface.plan(e)
}

// checkMetadata holds the surface op and the sources against the type
// (reference 1.4 and 1.5).
func (v *Validator) checkMetadata(e Envelope) error {
	if _, opaque := e.Event.(Opaque); opaque && !Known(e.Type()) {
		return nil // ignorable: kept with whatever it carries, it never touches the surface
	}
	if !e.Type().Surface() {
		if !e.Surface.None() || e.Sources != nil {
			return fieldf("surfaceOp", "and sourceEventSeqs must not be on a log-only %s", e.Type())
		}
		return nil
	}
	if e.Surface.None() {
		return fieldf("surfaceOp", "is missing on a %s", e.Type())
	}
	if e.Type() == TypeAssistantMessage && e.Sources != nil {
		return fieldf("sourceEventSeqs", "must not be on an assistant/message")
	}
	if len(e.Sources) == 0 {
		return nil
	}
	seen := make(map[Seq]bool, len(e.Sources))
	for _, s := range e.Sources {
		if s < 0 || s >= e.Seq {
			return fieldf("sourceEventSeqs", "must be earlier events, %d is not", s)
		}
		if seen[s] {
			return fieldf("sourceEventSeqs", "must not repeat %d", s)
		}
		seen[s] = true
	}
	return nil
}

// commit makes a checked change.
func (v *Validator) commit(e Envelope, change surfaceChange, undo *undoing) {
	v.note(e, undo)
	if e.Type().Surface() && !e.Surface.None() {
		v.surface.apply(change, undo)
	}
	v.next++
}

// keep lets all that follows be taken back but the surface and what maps hold, which
// each change takes back itself.
func (v *Validator) keep(undo *undoing) {
	before := v.place
	*undo = append(*undo, func() { v.place = before })
}

// note keeps what later rules ask of the event.
func (v *Validator) note(e Envelope, undo *undoing) {
	switch ev := any(e.Event).(type) { // few events matter here: no complete switch
	case TurnStart:
		v.turn, v.turnOpen, v.step = ev.Turn, true, 0
	case TurnEnd:
		v.turnOpen = false
	case StepStart:
		v.step, v.stepOpen = ev.Step, true
		v.calls = map[string]Seq{}
	case StepEnd:
		v.stepOpen = false
	case ToolCall:
		put(v.calls, ev.CallID, e.Seq, undo)
	case ApprovalAsked:
		put(v.asked, ev.ID, true, undo)
	case ApprovalDecided:
		put(v.asked, ev.ID, false, undo) // so that it can be put back
		delete(v.asked, ev.ID)
	case RequestHeader:
		if names := ev.toolNames(); !slices.Equal(names, v.lastTools) {
			v.lastTools = names
		}
		put(v.tools, e.Seq, v.lastTools, undo)
	case EndSeed:
		if ev.Inherited {
			v.inherited = e.Seq
		}
	}
}

// put sets a key.
func put[K comparable, V any](m map[K]V, key K, val V, undo *undoing) {
	if undo != nil {
		old, had := m[key]
		*undo = append(*undo, func() {
			if had {
				m[key] = old
			} else {
				delete(m, key)
			}
		})
	}
	m[key] = val
}

func (e RequestHeader) toolNames() []string {
	names := make([]string, 0, len(e.Header.Tools))
	for _, t := range e.Header.Tools {
		names = append(names, t.Name)
	}
	return names
}
