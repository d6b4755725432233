package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// maxPast bounds the calls of the history that are analysed for one judgement. What a
// longer history did is not known, and may have used a grant up.
const maxPast = 256

// past is what the calls of the history did, as far as it was asked for.
type past struct {
	answers map[int]effects.Answer
	pending *effects.Answer // what the call under review would do
}

// expired is what still stands of what was granted when a person, or the parent, speaks
// anew: a grant of a deletion or an overwriting until it is used, of a reading always,
// and all else no longer.
func (r request) expired(n naming, i int, st standing) standing {
	h := r.said[i]
	if !h.instructs() || n.class == reading || r.sameMessage(i) || len(r.spends(n)) > 0 {
		return st
	}
	st.parent = false
	if h.role != roleParent {
		st.human = false
	}
	return st
}

// sameMessage reports whether a text is a further block of the message before it.
func (r request) sameMessage(i int) bool {
	if i == 0 || r.said[i].list != r.said[i-1].list {
		return false
	}
	at, before := r.said[i].entry, r.said[i-1].entry
	if at < 0 {
		return before < 0 && r.said[i].seq == r.said[i-1].seq
	}
	return r.record != nil && before >= 0 && at < len(r.history) && before == at-1 && r.record.Entries[at].Seq == r.record.Entries[before].Seq
}

// kept is what stands behind a message: what it grants only if that may still be used.
func (r request) kept(n naming, h heard, before, after standing) standing {
	gained := after.human && !before.human || after.parent && !before.parent
	if !gained || r.usable(n, h) {
		return after
	}
	after.human, after.parent = before.human, before.parent
	if after.restricted == "" {
		after.restricted, after.byHuman = before.restricted, before.byHuman
	}
	return after
}

// usable reports whether what a message grants may be used now. What was said to the
// session that this one is a fork of, or in an import, grants nothing here. A deletion
// or an overwriting is for what was there when it was said, once.
func (r request) usable(n naming, h heard) bool {
	said := reviewer.RecordEntry{Time: h.time, Inherited: h.inherited}
	if h.entry >= len(r.history) {
		return true // it would be said now
	}
	if r.record != nil && h.entry >= 0 {
		said = r.record.Entries[h.entry]
	}
	if said.Inherited || said.Foreign {
		return false
	}
	for _, s := range r.spends(n) {
		if h.list != "" && !r.unusedSince(s, said.Time) {
			return false
		}
		if s.path != "" && r.record != nil && r.identity != nil {
			if born, _, known := r.identity.Times(s.path); known && born/1e6 > said.Time {
				return false
			}
		}
		for j := h.entry + 1; j < len(r.history); j++ {
			if r.mayHaveRun(j) && r.did(j, s) {
				return false
			}
		}
	}
	return true
}

// unusedSince reports whether nothing can have used up since a time what was granted in
// an ancestor: its own calls, and those of other children, are in no history here, so
// that the files themselves have to say it. What is no file's cannot be proven.
func (r request) unusedSince(s spend, ms int64) bool {
	if s.path == "" || r.identity == nil {
		return false
	}
	born, changed, known := r.identity.Times(s.path)
	switch {
	case !known:
		return r.facts.Files != nil && r.absent(s.path) // and nothing is lost
	case s.class == deleting:
		return born/1e6 <= ms
	default:
		return changed/1e6 <= ms
	}
}

// spend is what uses a grant up: a path that is deleted or overwritten, or a call just
// like the one under review.
type spend struct {
	class class
	path  string // "" for the call itself
}

// spends are what uses a grant of a naming up; none for what lasts.
func (r request) spends(n naming) []spend {
	switch n.class {
	case reading:
		return nil
	case deleting, changing:
		return []spend{{n.class, n.forms[0]}}
	case removing, truncating:
		return []spend{{class: n.class}}
	}
	a := r.pendingAnswer()
	var out []spend
	for _, f := range a.Findings {
		if strings.HasSuffix(f.Rule, "-destroys") {
			out = append(out, spend{class: n.class})
		}
	}
	for _, e := range a.Effects {
		switch {
		case e.Kind == effects.Delete && e.Target != "":
			out = append(out, spend{deleting, e.Target})
		case e.Target != "" && kindOf(changing, e.Kind) && askedFor(a, e):
			out = append(out, spend{changing, e.Target})
		}
	}
	return out
}

// askedFor reports whether a rule asks for a review of what an effect overwrites.
func askedFor(a effects.Answer, e effects.Effect) bool {
	return slices.ContainsFunc(a.Findings, func(f effects.Finding) bool {
		c, ok := byPath(f.Rule)
		return ok && c == changing && f.Decision != effects.Allow && f.Span == e.Span
	})
}

// mayHaveRun reports whether an entry is a call whose body may have done its work. A
// program's outer call does nothing that its inner ones do not.
func (r request) mayHaveRun(i int) bool {
	if r.history[i].Kind != kindCall || r.history[i].Name == "run_code" {
		return false
	}
	if r.record == nil {
		return true
	}
	switch r.record.Entries[i].Ended {
	case projections.EndFailed, projections.EndReturned, projections.EndRefused:
		return false
	default:
		return true
	}
}

// did reports whether a call of the history did what uses a grant up.
func (r request) did(i int, s spend) bool {
	e := r.history[i]
	if s.path == "" {
		return e.Name == r.pending.Name && sameArguments(*e.Arguments, r.pending.Arguments)
	}
	a, known := r.pastAnswer(i)
	if !known {
		return true
	}
	return slices.ContainsFunc(a.Effects, func(did effects.Effect) bool { return s.by(did) })
}

// by reports whether an effect is the deletion or the overwriting, or may be.
func (s spend) by(did effects.Effect) bool {
	if s.class == changing {
		return kindOf(changing, did.Kind) && did.Target == s.path
	}
	if did.Kind != effects.Delete {
		return false
	}
	matches, err := path.Match(did.Target, s.path)
	return did.Target == "" || matches || err != nil || within(did.Target, s.path)
}

// sameArguments reports whether two calls are given the same, however it is written.
func sameArguments(raw string, pending jsontext.Value) bool {
	was, now := jsontext.Value(raw), slices.Clone(pending)
	if was.Canonicalize() != nil || now.Canonicalize() != nil {
		return true // who knows
	}
	return string(was) == string(now)
}

// pastAnswer is what a call of the history did, analysed once.
func (r request) pastAnswer(i int) (a effects.Answer, known bool) {
	if r.past == nil {
		return r.analysed(r.history[i].Name, jsontext.Value(*r.history[i].Arguments)), true
	}
	a, known = r.past.answers[i]
	if !known && len(r.past.answers) < maxPast {
		a, known = r.analysed(r.history[i].Name, jsontext.Value(*r.history[i].Arguments)), true
		r.past.answers[i] = a
	}
	return a, known
}

func (r request) pendingAnswer() effects.Answer {
	if r.past == nil {
		return r.analysed(r.pending.Name, r.pending.Arguments)
	}
	if r.past.pending == nil {
		a := r.analysed(r.pending.Name, r.pending.Arguments)
		r.past.pending = &a
	}
	return *r.past.pending
}

// analysed looks at a call by its text alone: what scripts hold now is not what they
// held when it ran.
func (r request) analysed(tool string, arguments jsontext.Value) effects.Answer {
	facts := r.facts
	facts.Created = nil
	return effects.Analyze(effects.Call{Tool: tool, Arguments: arguments}, facts)
}
