package presets

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Fork decides what a fork writes when it is made, behind what it inherits: the facts
// that its log does not have, and the narrower of what it inherits and what its source
// is on now (design section 5), so that a fork from before a tightening does not undo
// it. A fork on a preset that is not installed is not usable, and is only narrowed.
func Fork(c Catalogue, then, now State, admit Admit) ([]events.Draft, error) {
	var drafts []events.Draft
	inherited := c.On(then)
	if c.Usable(then) == nil {
		pins, err := Pin(c, then, "", admit)
		if err != nil {
			return nil, err
		}
		if then, err = then.with(pins); err != nil {
			return nil, err
		}
		drafts = pins
	}
	wanted := Narrower(inherited, c.On(now))
	if wanted == inherited || c.absent(then) != "" && !WiderMode(inherited.Sandbox, wanted.Sandbox) {
		return drafts, nil
	}
	name := wanted.Name
	if name == "" { // custom, which cannot be chosen: what is no wider
		name = c.narrowest(wanted).Name
	}
	set, err := Set(c, then, name, admit)
	if err != nil {
		return nil, err
	}
	return append(drafts, c.asked(set, then, wanted.Approval)...), nil
}

// with is the state behind what is to be written.
func (s State) with(drafts []events.Draft) (State, error) {
	for _, d := range drafts {
		e, err := d.At(0, 0) // only what it says of presets counts
		if err != nil {
			return s, err
		}
		s.Apply(e)
	}
	return s, nil
}

// asked keeps a policy under which nothing is asked where the preset alone would ask.
func (c Catalogue) asked(set []events.Draft, s State, policy string) []events.Draft {
	if policy != events.PolicyNever {
		return set
	}
	set = slices.DeleteFunc(set, func(d events.Draft) bool { return d.Event.Type() == events.TypeApprovalPolicy })
	if c.Effective(s).Approval != policy {
		set = append(set, events.Drafts(events.ApprovalPolicy{Policy: policy})...)
	}
	return set
}

// On is the preset that a session is on, with what is effective in it; one that is
// custom has no name.
func (c Catalogue) On(s State) Preset {
	p, _ := c.Find(c.Current(s))
	p.Bundle = c.Effective(s)
	return p
}

// narrowest is the widest entry of the table that is not wider than a preset; where
// there is none, the narrowest that there is.
func (c Catalogue) narrowest(than Preset) Preset {
	found := Preset{}
	least := c.DefaultOptions[0]
	for _, p := range c.DefaultOptions {
		least = Narrower(least, p)
		fits := Narrower(p, than) == p
		if fits && (found.Name == "" || Narrower(found, p) == found) {
			found = p
		}
	}
	if found.Name == "" {
		return least
	}
	return found
}
