package effects

import (
	"maps"
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// makefileNames are those that make looks for, in its order.
var makefileNames = []string{"GNUmakefile", "makefile", "Makefile"}

func explainMake(in *invocation) bool {
	o := spec{short: "bmBC:deE:f:hiI:j::kl:L::no:O::pqrRsStvwW:", long: "always-make directory= debug=? environment-overrides eval= file= makefile= help ignore-errors include-dir= jobs=? keep-going load-average=? max-load=? just-print dry-run recon assume-old= old-file= output-sync=? print-data-base question no-builtin-rules no-builtin-variables silent quiet no-silent no-keep-going stop touch trace version print-directory no-print-directory what-if= warn-undefined-variables shuffle=?", numbers: true}.read(in.args)
	if o.has("eval", "E") {
		in.say("runs-hidden", in.span(in.Span), "make --eval")
	}
	if opt, ok := o.get("C", "directory"); ok {
		in.changeDir(opt.value)
	}
	var targets []string
	vars := map[string]string{}
	for _, w := range o.operands {
		text, ok := w.Value()
		switch name, value, assigns := strings.Cut(text, "="); {
		case !ok:
			return false
		case assigns:
			vars[strings.TrimRight(name, ":?+")] = value
			if listed(makePrograms, strings.TrimRight(name, ":?+")) && strings.ContainsAny(value, "/ ") || name == "SHELL" || name == "MAKEFLAGS" || strings.ContainsAny(value, "`$;|&") {
				in.say("runs-hidden", in.span(w.Span), name)
			}
		default:
			targets = append(targets, text)
		}
	}
	in.make(&o, targets, vars)
	return o.strange == nil
}

// makePrograms are variables that name a program by custom.
const makePrograms = "CC CXX CPP LD AR AS FC GO PYTHON NODE NPM CARGO RUSTC MAKE INSTALL RM CP MV SH BASH PERL RUBY JAVA MVN GRADLE DOCKER PYTEST YARN PNPM"

// make reads the recipes that would run. Where there is no file to read, the names of
// the targets have to do.
func (in *invocation) make(o *options, targets []string, vars map[string]string) {
	names := makefileNames
	if opt, ok := o.get("f", "file", "makefile"); ok {
		text, known := opt.value.Value()
		if !known || text == "-" || in.leaves(opt.value) {
			in.say("script-unknown", in.span(opt.span), in.name)
			return
		}
		names = []string{text}
	}
	for _, name := range names {
		w := shell.Word{Parts: []shell.Part{{Text: name}}, Span: in.Span}
		for _, p := range in.places(w) {
			origin, text := in.origin(p.path)
			ok := origin == writtenHere
			if origin == untouched {
				text, ok = in.load(p.path)
			}
			if ok {
				dir := path.Dir(p.path)
				in.inside(p.path+"\x00"+strings.Join(targets, " "), dir, in.Span, func() {
					in.source = p.path
					in.recipes(text, targets, vars)
				})
				return
			}
			if origin != untouched || in.exists(name) {
				in.say("script-unknown", in.span(in.Span), p.path)
				return
			}
		}
	}
	in.makeByName(targets)
}

// makeByName judges targets whose recipes nobody can read here.
func (in *invocation) makeByName(targets []string) {
	for _, t := range targets {
		if !buildsByName(t) {
			in.say("script-unknown", in.span(in.Span), "make "+t)
			return
		}
	}
	in.builds("project-build", in.span(in.Span), "make")
}

// recipes analyses what make would run for its targets.
func (in *invocation) recipes(text string, targets []string, given map[string]string) {
	m := readMakefile(text)
	maps.Copy(m.vars, given)
	for _, file := range m.includes {
		in.include(&m, file)
	}
	if len(targets) == 0 && m.first != "" {
		targets = []string{m.first}
	}
	done := map[string]bool{}
	for _, t := range targets {
		in.target(&m, t, done)
	}
	for i := 0; i < len(m.calls) && i < maxRecipes; i++ { // there may be more by then
		in.recipe(&m, "", m.calls[i:i+1])
	}
	if m.strange || len(m.calls) > maxRecipes {
		in.say("script-not-understood", in.span(shell.Span{}), in.source)
	}
	in.builds("project-build", in.span(shell.Span{End: len(text)}), "make")
}

// include reads a file that a makefile names.
func (in *invocation) include(m *makefile, name string) {
	place := in.place(shell.Word{Parts: []shell.Part{{Text: m.expand(name, "", nil)}}}, "")
	text, ok := in.load(place.path)
	if !ok || strings.Contains(name, "$") || m.included > maxScripts {
		m.strange = m.strange || ok || in.exists(name) || strings.Contains(name, "$")
		return
	}
	m.included++
	m.add(text)
}

// target analyses the recipe of one, and of those that it rests on.
func (in *invocation) target(m *makefile, name string, done map[string]bool) {
	if done[name] || len(done) > 256 {
		return
	}
	done[name] = true
	r, ok := m.find(name)
	if !ok {
		return // a file, or nothing to be done
	}
	for _, p := range r.needs {
		in.target(m, p, done)
	}
	in.recipe(m, name, r.recipe, r.needs...)
}

// maxRecipes bounds the lines of a makefile that are analysed.
const maxRecipes = 512

// recipe analyses lines of a recipe, each of which a shell of its own runs.
func (in *invocation) recipe(m *makefile, target string, recipe []string, needs ...string) {
	for _, line := range recipe {
		line = strings.TrimLeft(strings.ReplaceAll(line, "\\\n", " "), "@-+ \t")
		line = m.expand(line, target, needs)
		if m.recipes++; m.recipes > maxRecipes || line == unknownMake {
			m.strange = true
			return
		}
		if strings.TrimSpace(line) != "" {
			in.commandAt(line, shell.Span{})
		}
	}
}

// commandAt analyses a text that stands nowhere as it is, but comes from a place.
func (in *invocation) commandAt(text string, at shell.Span) {
	fixed := in.fixed
	if fixed == nil {
		place := in.span(at)
		in.fixed = &place
	}
	in.command(text)
	in.fixed = fixed
}
