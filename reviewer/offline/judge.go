package offline

import (
	"path"
	"slices"
	"strconv"
	"strings"
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
	words          string
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
		reason := v.rule + ": " + ruleNamed(v.rule).sentence
		if v.words != "" {
			reason += " It rests on " + strconv.Quote(clip(v.words)) + "."
		}
		r.Reason = &reason
	}
	return r
}

func clip(s string) string {
	s = redact(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "))
	if runes := []rune(s); len(runes) > maxWords {
		return string(runes[:maxWords]) + "…"
	}
	return s
}

func denied(rule, words string) verdict {
	return verdict{risk: ruleNamed(rule).risk, decision: deny, rule: rule, words: words}
}

// judge decides, in this order:
//
//  1. what sends secrets out is denied, whoever asked for it
//  2. a call that speaks to the reviewer is denied
//  3. what is proven harmless is allowed, unless an instruction is against it
//  4. what a person named, action and target, is allowed
//  5. everything else is denied
func judge(r request) verdict {
	if rule, words := hardDenied(r); rule != "" {
		return denied(rule, words)
	}
	if words := addressesReviewer(r.pending); words != "" {
		return denied("speaks-to-reviewer", words)
	}
	d := understand(r)
	if d.proven {
		if words, against := r.restrictsProven(d); against {
			return denied("instruction-against", words)
		}
		return verdict{risk: low, decision: allow, rule: d.rule}
	}
	if len(d.named) == 0 {
		return denied(d.rule, d.words)
	}
	for _, n := range d.named {
		switch granted, words := r.authority(n); {
		case granted:
		case words != "":
			return denied("instruction-against", words)
		default:
			return denied(d.rule, d.words)
		}
	}
	return verdict{risk: medium, decision: allow, rule: "named-by-instruction"}
}

// deed is what a call would do, as far as it is understood.
type deed struct {
	proven  bool   // to be harmless and within the project
	rule    string // that proves it, or that does not
	words   string
	class   class
	paths   []string // from the root
	names   []string // other words that an instruction may call it by
	changes bool     // a command that also makes or changes files
	named   []naming // what an instruction has to name, if it is not proven; none is never
}

// known reports whether a command is made of programs that are known: harmless
// ones, or a removal.
func (d deed) known() bool { return d.proven || d.class == deleting }

// understand finds out what the call would do.
func understand(r request) deed {
	a, ok := shippedArguments(r.pending.Name, r.pending.Arguments)
	if !ok || !r.pending.declared() {
		return unknownTool(r.pending)
	}
	switch r.pending.Name {
	case "read":
		return fileDeed(r.cwd, *a.Path, reading, "read-in-project")
	case "write", "edit":
		return fileDeed(r.cwd, *a.Path, changing, "write-in-project")
	case "delete":
		return r.deletion([]string{*a.Path}, false)
	default:
		return r.command(*a.Command)
	}
}

func fileDeed(cwd, name string, c class, proof string) deed {
	d := deed{rule: placeRule(cwd, resolve(cwd, name), c == changing), words: name, class: c, paths: []string{resolve(cwd, name)}}
	if name == "" || strings.HasPrefix(name, "~") {
		d.rule = "path-strange"
	}
	switch d.rule {
	case "":
		d.proven, d.rule = true, proof
	case "path-strange":
	default:
		d.named = []naming{pathNaming(cwd, d.paths[0], c)}
	}
	return d
}

// deletion is that of some paths, by whichever tool.
func (r request) deletion(names []string, recursive bool) deed {
	d := deed{rule: "delete-unproven", words: strings.Join(names, " "), class: deleting}
	for _, name := range names {
		p := resolve(r.cwd, name)
		rule := placeRule(r.cwd, p, false)
		if rule == "path-strange" || name == "" || strings.HasPrefix(name, "~") || p == r.cwd || within(p, r.cwd) {
			return deed{rule: "delete-too-much", words: name, class: deleting}
		}
		d.rule = firstOf(rule, d.rule)
		d.paths = append(d.paths, p)
		d.named = append(d.named, pathNaming(r.cwd, p, deleting))
	}
	if len(names) == 1 && !recursive && d.rule == "delete-unproven" && r.created(d.paths[0]) {
		d.proven, d.rule = true, "delete-own"
	}
	return d
}

// command is a shell command: a plain removal, a script that is proven harmless,
// or one that an instruction has to give word for word.
func (r request) command(text string) deed {
	s, err := parseShell(text)
	if err != nil {
		return deed{rule: "command-not-plain", words: err.Error() + ": " + text, class: running}
	}
	if names, recursive, ok := s.removal(); ok {
		return r.deletion(names, recursive)
	}
	d := deed{class: running, names: s.significant(), paths: s.paths(r.cwd)}
	if d.rule, d.words = s.harmless(r.cwd); d.rule == "" {
		d.proven, d.rule, d.changes = true, "command-harmless", s.changes()
		return d
	}
	d.named = []naming{{class: running, forms: []string{strings.TrimSpace(text)}, names: d.names}}
	return d
}

// removal reports whether a script is one rm of literal paths.
func (s script) removal() (names []string, recursive, ok bool) {
	if len(s.commands) != 1 || s.commands[0].program() != "rm" || len(s.commands[0].reads)+len(s.commands[0].writes) > 0 {
		return nil, false, false
	}
	words := s.commands[0].words[1:]
	rest, bad := program{flags: "frRv", long: []string{"--force", "--recursive"}}.options(words)
	if bad != "" || len(rest) == 0 {
		return nil, false, false
	}
	for _, w := range words {
		recursive = recursive || mayHold(w.text, "r") || mayHold(w.text, "R") || w.text == "--recursive"
	}
	for _, w := range rest {
		if w.glob || strings.HasPrefix(w.text, "-") {
			return nil, false, false
		}
		names = append(names, w.text)
	}
	return names, recursive, true
}

// paths are a script's words and redirections, taken as paths.
func (s script) paths(cwd string) []string {
	var out []string
	for _, c := range s.commands {
		for _, w := range c.words[1:] {
			if !strings.HasPrefix(w.text, "-") && path.Ext(w.text)+path.Base(w.text) != w.text {
				out = append(out, resolve(cwd, w.text))
			}
		}
		for _, name := range slices.Concat(c.reads, c.writes) {
			out = append(out, resolve(cwd, name))
		}
	}
	return out
}

// unknownTool is a call of which only its name and its arguments are known.
func unknownTool(a action) deed {
	d := deed{rule: "tool-unknown", words: a.Name, class: using, names: []string{a.Name}}
	texts, plain := leaves(a.Arguments)
	if plain && len(texts) <= maxAlso && !slices.Contains(texts, "") {
		d.named = []naming{{class: using, forms: []string{a.Name}, also: texts, names: d.names}}
	}
	return d
}
