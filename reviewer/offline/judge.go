package offline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/effects/secrets"
)

// The risks and decisions of the protocol.
const (
	low    = "low"
	medium = "medium"
	high   = "high"
	allow  = "allow"
	deny   = "deny"
)

// verdict is an answer, the rule that decided and the words that it rests on.
type verdict struct {
	risk, decision string
	rule           string
	sentence       string
	words          string
	// proposal is a message that a person could send to have the call.
	proposal string
}

// result is a verdict as the protocol writes it.
type result struct {
	Risk     string  `json:"risk"`
	Decision string  `json:"decision"`
	Reason   *string `json:"reason,omitzero"`
}

// maxWords bounds how much of a call or of an instruction a reason repeats.
const maxWords = 120

func (v verdict) result() result {
	r := result{Risk: v.risk, Decision: v.decision}
	if v.decision == deny {
		reason := v.rule + ": " + v.sentence
		if words := clip(v.words); words != "" {
			reason += " It rests on " + strconv.Quote(words) + "."
		}
		if v.proposal != "" {
			reason += " It is allowed once a person says: " + strconv.Quote(v.proposal)
		}
		r.Reason = &reason
	}
	return r
}

// clip bounds words and takes secrets away: reasons go into the log.
func clip(s string) string {
	if len(s) > 64*maxWords {
		s = s[:64*maxWords]
	}
	s, _, _ = secrets.Text(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "))
	if runes := []rune(s); len(runes) > maxWords {
		return string(runes[:maxWords]) + "…"
	}
	return s
}

// denied is a denial by a rule of the offline reviewer's own.
func denied(rule, words string) verdict {
	r := ruleNamed(rule)
	return verdict{risk: r.risk, decision: deny, rule: rule, sentence: r.sentence, words: words}
}

// found is a denial by a rule of the analysis. Files of the project are called as
// people there call them.
func (r request) found(f effects.Finding, risk string) verdict {
	words := strings.TrimPrefix(f.Words, strings.TrimSuffix(r.cwd, "/")+"/")
	return verdict{risk: risk, decision: deny, rule: f.Rule, sentence: f.Sentence, words: words}
}

// judge decides, in this order:
//
//  1. what the analysis' guard denies is denied, whoever asked for it, and so is what
//     would carry away what the session calls a secret
//  2. a call that speaks to the reviewer is denied
//  3. what has to be planned anew is denied, whoever asked for it
//  4. what is proven harmless is allowed, unless an instruction is against it
//  5. what a person named, action and target, is allowed, unless an instruction is
//     against something else that the call does
//  6. everything else is denied
func judge(r request) verdict {
	r.said = r.listen()
	d := r.understand()
	v := r.decide(d)
	if v.decision == deny && r.mayBeNamed(d, v) {
		v.proposal = r.proposal(d)
	}
	return v
}

// mayBeNamed reports whether words of people could change an answer.
func (r request) mayBeNamed(d deed, v verdict) bool {
	f := d.strictest()
	return v.rule != "secret-told" && v.rule != "speaks-to-reviewer" && f.Decision != effects.Deny
}

// decide goes through the order of decisions.
func (r request) decide(d deed) verdict {
	if f, ok := d.guarded(); ok {
		return r.found(f, high)
	}
	if words := r.secretTold(d); words != "" {
		return denied("secret-told", words)
	}
	if words := addressesReviewer(r.pending); words != "" {
		return denied("speaks-to-reviewer", words)
	}
	switch f := d.strictest(); {
	case f.Decision == effects.Allow && d.shaped:
		if words, against := r.forbids(d, nil, nil); against {
			return denied("instruction-against", words)
		}
		return verdict{risk: low, decision: allow, rule: f.Rule}
	case f.Decision == effects.Deny:
		return r.found(f, medium)
	case f.Decision == effects.Review:
		return r.weigh(d, r.found(f, medium))
	default:
		return r.weigh(d, denied("tool-of-other-shape", r.pending.Name))
	}
}

// weigh looks whether instructions name all of what a call does, in one of the ways
// in which that can be done. otherwise is the answer where none does.
func (r request) weigh(d deed, otherwise verdict) verdict {
	against := ""
	for _, way := range r.ways(d) {
		granted := true
		var by []place
		for _, n := range way {
			g := r.authority(n)
			granted, by = granted && g.stands, append(by, g.by...)
			if g.against != "" && against == "" {
				against = g.against
			}
		}
		if !granted {
			continue
		}
		if words, restricted := r.forbids(d, way, by); restricted {
			return denied("instruction-against", words)
		}
		return verdict{risk: medium, decision: allow, rule: "named-by-instruction"}
	}
	if against != "" {
		return denied("instruction-against", against)
	}
	return otherwise
}

// deed is what a call would do, as far as it is understood.
type deed struct {
	effects.Answer
	// shaped is false for a tool that has the name of one that is known, and is
	// declared with other members.
	shaped  bool
	command command // "" for what runs none
}

// understand finds out what the call would do. What would be deleted, and is proven
// to be made by this session, is a fact of a second look.
func (r request) understand() deed {
	call := effects.Call{Tool: r.pending.Name, Arguments: r.pending.Arguments}
	d := deed{Answer: effects.Analyze(call, r.facts), shaped: r.pending.declared()}
	d.command = r.commandOf(d.Answer)
	if own := r.ownOf(d); own != "" {
		r.facts.Created = []string{own}
		d.Answer = effects.Analyze(call, r.facts)
	}
	return d
}

// ownOf is the one file that would be deleted, if this session made it.
func (r request) ownOf(d deed) string {
	if !slices.ContainsFunc(d.Findings, func(f effects.Finding) bool { return f.Rule == "delete-unproven" }) {
		return ""
	}
	if d.command.text != "" && !d.command.removesOneFile() {
		return ""
	}
	own := ""
	for _, e := range d.Effects {
		if e.Kind != effects.Delete || own != "" {
			return ""
		}
		own = e.Target
	}
	if own == "" || r.isNoFile(own) || !r.created(own) {
		return ""
	}
	return own
}

// isNoFile reports whether something else than a file is seen at a path: a folder, or a
// link, is not what a session wrote, whatever its calls tried to write.
func (r request) isNoFile(name string) bool {
	if r.facts.Files == nil {
		return false
	}
	found, err := r.facts.Files.Lstat(name)
	return err == nil && !found.Mode().IsRegular()
}

// guarded is the first denial that nothing overrules.
func (d deed) guarded() (effects.Finding, bool) {
	for _, f := range d.Findings {
		if f.Decision != effects.Deny {
			continue
		}
		for _, rule := range effects.Rules() {
			if rule.ID == f.Rule && rule.Guard {
				return f, true
			}
		}
	}
	return effects.Finding{}, false
}

// strictest is the first of the findings that let the least through.
func (d deed) strictest() effects.Finding {
	worst := effects.Finding{Rule: "nothing-understood", Decision: effects.Review, Sentence: "Nothing of the call is understood."}
	for i, f := range d.Findings {
		if i == 0 || effects.Stricter(worst.Decision, f.Decision) != worst.Decision {
			worst = f
		}
	}
	return worst
}
