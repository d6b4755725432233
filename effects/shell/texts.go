package shell

import (
	"strings"
)

// shellText runs the text that a wrapper gives to another shell: bash -c TEXT.
func (r *reader) shellText(u *unwrapped, outer, c Command, f frame, sc *scope) {
	if len(c.Redirects) > 0 {
		r.add(Command{Redirects: c.Redirects, Span: c.Span}, f, sc)
	}
	inner := sc.child(u, c.Env, c.Via)
	if len(u.params) > 0 {
		inner.name, _ = u.params[0].Value()
		inner.params = u.params[1:]
	}
	inner.known = true
	before := f
	f.env = append(append([]Assign(nil), f.env...), c.Env...)
	f.stdin, f.via = c.Stdin, c.Via
	if !r.text(*u.text, f, &inner) && !u.keeps {
		r.add(outer, before, sc)
	}
}

// text runs the text that a word is. It reports false if that is not known; then what
// is in it is run with the unknown left as it stands, so that its known part is seen.
func (r *reader) text(w Word, f frame, sc *scope) bool {
	f.depth++
	f.nested, f.output = true, false
	text, known := w.Value()
	if !known {
		r.problem(DynamicCode, rough(w), w.Span)
		r.attemptWord(w, f, sc)
		return false
	}
	r.source(r.locate(text, w.Span), f, sc)
	return true
}

// attempt runs a text of which parts are not known, without a word about what cannot
// be read in it: that it is not known has been said.
func (r *reader) attempt(text string, at Span, f frame, sc *scope) {
	if text == "" || tooDeep(text) {
		return
	}
	file, _ := parse(text)
	if file == nil {
		return
	}
	before := len(r.script.Problems)
	f.certain = false
	r.source(r.locate(text, at), f, sc)
	kept := r.script.Problems[:before]
	for _, p := range r.script.Problems[before:] {
		if p.Kind == TooComplex || p.Kind == DynamicProgram {
			kept = append(kept, p)
		}
	}
	r.script.Problems = kept
}

// attemptWord runs what is known of a text. If that is nothing, the program that it
// names is not known either.
func (r *reader) attemptWord(w Word, f frame, sc *scope) {
	if len(w.Parts) == 1 && w.Parts[0].Kind == Unknown {
		r.problem(DynamicProgram, rough(w), w.Span)
		return
	}
	r.attempt(rough(w), w.Span, f, sc)
}

// shellInput runs what a shell reads.
func (r *reader) shellInput(u *unwrapped, outer, c Command, f frame, sc *scope) {
	inner := sc.child(u, c.Env, c.Via)
	inner.params, inner.known = u.params, true
	switch c.Stdin.Kind {
	case StdinText:
		if len(c.Redirects) > 0 {
			r.add(Command{Redirects: c.Redirects, Span: c.Span}, f, sc)
		}
		f.depth++
		f.nested, f.output = true, false
		f.env = append(append([]Assign(nil), f.env...), c.Env...)
		f.via, f.stdin = c.Via, Stdin{}
		r.source(r.locate(c.Stdin.Text, c.Stdin.Span), f, &inner)
		return
	case StdinUnknown:
		r.problem(DynamicCode, c.Stdin.Text, c.Stdin.Span)
		nested := f
		nested.depth++
		nested.nested, nested.output = true, false
		nested.via, nested.stdin = c.Via, Stdin{}
		r.attempt(c.Stdin.Text, c.Stdin.Span, nested, &inner)
	}
	if !u.keeps {
		r.add(outer, f, sc)
	}
}

// scriptFile is for a shell that runs a file. If that is what another command prints,
// its text may be known.
func (r *reader) scriptFile(u *unwrapped, outer Command, f frame, sc *scope) {
	r.add(outer, f, sc)
	if isPrinted(outer.Args) {
		r.printed(*u.script, f, sc)
	}
}

// isPrinted reports whether a shell reads its script from a process substitution.
func isPrinted(args []Word) bool {
	return len(args) > 1 && len(args[1].Parts) == 1 && args[1].Parts[0].Kind == Unknown && strings.HasPrefix(args[1].Parts[0].Text, "<(")
}

// printed runs the text that a process substitution prints, if that is known.
func (r *reader) printed(w Word, f frame, sc *scope) {
	for _, p := range r.produced {
		if p.span != w.Span {
			continue
		}
		f.depth++
		f.nested, f.output = true, false
		inner := sc.child(&unwrapped{}, nil, f.via)
		r.source(r.locate(p.text, w.Span), f, &inner)
		return
	}
	r.problem(DynamicCode, rough(w), w.Span)
}

// produced is what a process substitution is known to print.
type produced struct {
	span Span
	text string
}

// child is what a shell knows that this one starts: variables that are exported.
func (sc *scope) child(u *unwrapped, env []Assign, via []Wrapper) scope {
	inner := scope{dirs: sc.dirs}
	others := u.remote != ""
	for _, w := range via {
		others = others || elsewhere(w.Name)
	}
	seen := 0
	for b := sc.vars; b != nil && seen < 1024; b = b.next {
		seen++
		if _, ok := inner.lookup(b.name); ok {
			continue
		}
		v := b.val
		if !b.exported || others {
			v = anything
		}
		inner.set(b.name, v)
	}
	if others {
		inner.set("HOME", anything)
	}
	for _, a := range env {
		inner.set(a.Name, value{parts: a.Value.Parts})
	}
	inner.export(env)
	return inner
}

// elsewhere reports whether a wrapper starts what is behind it as somebody else, or on
// another machine: the variables there are others.
func elsewhere(wrapper string) bool {
	switch wrapper {
	case "sudo", "su", "doas", "runuser", "pkexec", "ssh", "docker", "podman", "kubectl", "chroot":
		return true
	}
	return false
}

func (sc *scope) export(env []Assign) {
	for _, a := range env {
		sc.exportName(a.Name)
	}
}

// exportName makes a variable one that programs are given.
func (sc *scope) exportName(name string) {
	if v, ok := sc.lookup(name); ok {
		sc.vars = &binding{name: name, val: v, exported: true, next: sc.vars, depth: sc.vars.depth + 1}
	}
}

// given are the words of a command to which those are added that its wrapper reads.
func (r *reader) given(u *unwrapped, stdin Stdin) []Word {
	var words []Word
	if u.fromStdin && stdin.Kind == StdinText && u.name == "xargs" && !strings.ContainsAny(stdin.Text, `'"\`) {
		for w := range strings.FieldsSeq(stdin.Text) {
			if len(words) == maxWords {
				r.tooComplex(stdin.Span)
				break
			}
			words = append(words, Word{Parts: r.one(Part{Text: w}), Quoted: true, Span: stdin.Span})
		}
	} else {
		words = []Word{{Parts: r.one(Part{Unknown, "{}"}), Many: true}}
	}
	out := make([]Word, 0, len(u.args)+len(words))
	if u.placeholder == "" {
		return append(append(out, u.args...), words...)
	}
	one := Part{Unknown, u.placeholder}
	if lines := strings.Split(strings.TrimRight(stdin.Text, "\n"), "\n"); u.fromStdin && stdin.Kind == StdinText && len(lines) == 1 {
		one = Part{Text: strings.TrimSpace(lines[0])}
	}
	for _, w := range u.args {
		out = append(out, put(w, u.placeholder, []Part{one}))
	}
	if u.fromStdin && u.name != "xargs" && u.name != "parallel" {
		out = append(out, words...)
	}
	return out
}

// put puts parts in the places of a text in a word.
func put(w Word, placeholder string, parts []Part) Word {
	var out []Part
	found := false
	for _, p := range w.Parts {
		if p.Kind != Literal || !strings.Contains(p.Text, placeholder) {
			out = append(out, p)
			continue
		}
		found = true
		pieces := strings.Split(p.Text, placeholder)
		for i, piece := range pieces {
			if i > 0 {
				out = append(out, parts...)
			}
			if piece != "" {
				out = append(out, Part{Text: piece})
			}
		}
	}
	if !found {
		return w
	}
	w.Parts = merged(out)
	return w
}

// foundBy runs the commands that a find starts for what it finds.
func (r *reader) foundBy(args []Word, u *unwrapped, c Command, f frame, sc *scope) {
	parts := []Part{{Unknown, "{}"}}
	if root, ok := findRoot(args[1:]); ok {
		parts = []Part{{Literal, strings.TrimSuffix(root, "/") + "/"}, {Glob, "*"}}
	}
	rest, words := args[1:], u.args
	for range maxWrappers {
		c.Args = make([]Word, len(words))
		for i, w := range words {
			c.Args[i] = put(w, "{}", parts)
		}
		f.output = false
		inner := *sc
		r.launch(c, f, &inner)
		if rest = moreFind(rest); rest == nil {
			return
		}
		next, kind := unwrap(append([]Word{args[0]}, rest...))
		if kind != isWrapper {
			return
		}
		words = next.args
	}
	r.tooComplex(c.Span)
}

// findRoot is the folder that a find looks in, if it is one and known.
func findRoot(args []Word) (string, bool) {
	root, n := ".", 0
	for _, w := range args {
		text, ok := w.Value()
		if !ok && (w.Prefix() == "" || w.Prefix()[0] != '-') {
			return "", false
		}
		if text == "-L" || text == "-H" || text == "-P" {
			continue
		}
		if text != "" && strings.IndexByte("-(!,)", text[0]) >= 0 {
			break
		}
		root, n = text, n+1
	}
	return root, n <= 1
}
