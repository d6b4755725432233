package effects

import (
	"path"
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects/secrets"
	"github.com/docket-engine/docket/effects/shell"
)

// Bounds of one analysis. What goes beyond them is too complex, and needs review.
const (
	maxEffects  = 2048
	maxFindings = 256
	maxWords    = 160 // of a text that a finding repeats, in runes
)

// Analyze finds out what a call would do. It never fails: what is not understood is a
// finding that needs review.
func Analyze(call Call, facts Facts) Answer {
	a := newAnalysis(facts, programs)
	a.call(call)
	a.disclosure(call.Arguments)
	return a.answer()
}

// analysis is one call on its way.
type analysis struct {
	facts Facts
	paths paths
	// programs are those that are known: the table, which recognisers that analyse
	// what a program would run cannot name themselves.
	programs map[string]program

	effects  []noted
	findings []Finding
	files    []File

	argument string // that is being read, for spans
	source   string // the script that is being read, "" for the call itself
	within   Span   // where the call names that script
	full     bool   // a bound was met

	undisclosable bool   // see Answer
	nesting       int    // of commands in the texts of other programs
	made          []link // by the call itself
	crossed       bool   // the path resolved last goes through one of them
	reading       reading
	fixed         *Span // the place of all that is in a text which stands nowhere as it is
}

func newAnalysis(facts Facts, known map[string]program) *analysis {
	if facts.Dir == "" {
		facts.Dir = facts.Workspace
	}
	if facts.Platform == "" {
		facts.Platform = "linux"
	}
	a := &analysis{facts: facts, programs: known}
	a.paths = newPaths(a)
	return a
}

// answer puts together what was found. An analysis without a finding has understood
// nothing.
func (a *analysis) answer() Answer {
	for _, e := range a.effects {
		a.judge(e)
	}
	if a.full {
		a.say("too-complex", Span{Source: a.source, Argument: a.argument}, "")
	}
	if len(a.findings) == 0 {
		a.say("nothing-understood", Span{Argument: a.argument}, "")
	}
	slices.SortStableFunc(a.findings, func(x, y Finding) int { return x.Span.Start - y.Span.Start })
	out := Answer{Decision: Allow, Effects: make([]Effect, 0, len(a.effects)), Findings: a.findings, Files: a.files, Undisclosable: a.undisclosable}
	for _, e := range a.effects {
		out.Effects = append(out.Effects, e.Effect)
	}
	for _, f := range a.findings {
		out.Decision = Stricter(out.Decision, f.Decision)
	}
	return out
}

// Stricter is the one of two decisions that lets less through. A decision that is
// none counts as [Deny].
func Stricter(a, b Decision) Decision {
	if strictness(a) >= strictness(b) {
		return a
	}
	return b
}

func strictness(d Decision) int {
	switch d {
	case Allow:
		return 0
	case Review:
		return 1
	default:
		return 2
	}
}

// noted is an effect with what its rules have to know besides.
type noted struct {
	Effect
	pattern   bool // the target is the folder of a pattern's files
	recursive bool // with all that is in it
	nested    bool // in another program's text
	names     bool // a read that shows nothing of what is in a file
	broad     bool // may be of files that nobody has named, and that matter
	rights    bool // a write of who may do what, and of nothing in the file
	empty     bool // a deletion of a folder only if nothing is in it
	moved     bool // the target is there under another name afterwards
	piped     bool // the target comes out of a pipe
	unsure    bool // the target depends on whether a change of folder succeeded
	device    bool // the target is no name of a file
	folder    bool // an empty folder is made

	// rule speaks about it, if its kind does not say which one does.
	rule string
}

// note notes what the call would do.
func (a *analysis) note(e noted) {
	if len(a.effects) >= maxEffects {
		a.full = true
		a.judge(e) // what is never done is not done beyond a bound either
		return
	}
	a.effects = append(a.effects, e)
	if (e.Kind == Write || e.Kind == Create) && !e.rights && !e.folder && a.configures(e.Target) {
		e.Kind = Configure
		a.effects = append(a.effects, e)
	}
}

// configures reports whether to write a file is to say what executes later.
func (a *analysis) configures(name string) bool {
	return name != "" && runsLater(a.paths.within(name)) && (!inTemporary(name) || a.paths.inProject(name))
}

// say notes that a rule speaks, once about each place.
func (a *analysis) say(rule string, at Span, words string) {
	if at.Source != "" && listed(notUnderstood, rule) {
		rule, at.Start, at.End = "script-not-understood", 0, 0
	}
	beyond := len(a.findings) >= maxFindings
	for i := range a.findings {
		if f := &a.findings[i]; f.Rule == rule && (beyond || f.Span == at || f.Decision == Allow) {
			a.full = a.full || beyond
			return
		}
	}
	a.full = a.full || beyond // then each rule speaks once at most
	r := ruleNamed(rule)
	a.findings = append(a.findings, Finding{Rule: r.ID, Decision: r.Decision, Sentence: r.Sentence, Words: shown(words), Span: at})
}

// shown are the words that a finding repeats, without secrets, and not too many.
func shown(words string) string {
	if len(words) > 16*maxWords {
		words = words[:16*maxWords] // a secret that this cuts off is found by how it begins, or cut off below
	}
	words, _, _ = secrets.Text(words)
	return clip(words)
}

// notUnderstood are rules about what is not understood: of a script that would run,
// all of it is one finding.
const notUnderstood = "nothing-understood unparsable program-computed code-computed control-bytes look-alike program-unknown arguments-unknown read-computed write-computed code-unknown"

// clip bounds the words that a finding repeats.
func clip(s string) string {
	if len(s) <= maxWords {
		return s
	}
	runes := []rune(s[:min(len(s), maxWords*4)])
	return string(runes[:min(len(runes), maxWords)]) + "…"
}

// span is a place in what is being read. A place in a script that would run is
// shown where the call names the script as well, by its Source.
func (a *analysis) span(s shell.Span) Span {
	if a.fixed != nil {
		return *a.fixed
	}
	return Span{Source: a.source, Argument: a.argument, Start: s.Start, End: s.End}
}

// base is a program's name without its folder and the ending that Windows gives
// programs, as it is looked up.
func base(program string) string {
	if i := strings.LastIndexByte(program, '/'); i >= 0 && len(program) > 1 {
		program = path.Base(program)
	}
	if n := len(program) - len(".exe"); n > 0 && strings.EqualFold(program[n:], ".exe") {
		return program[:n]
	}
	return program
}
