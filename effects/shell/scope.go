package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// scope is what a shell knows while it runs. A subshell has a copy: what is behind the
// pointers never changes.
type scope struct {
	vars    *binding
	funcs   *function
	aliases *alias
	params  []Word // $1 and so on
	known   bool   // whether params are all of them
	name    string // $0, if a text was given one
	dirs    dirset
	errexit bool
	stack   *dirset // of the innermost pushd; popd goes there
}

type binding struct {
	name     string
	val      value
	next     *binding
	exported bool
	depth    int // of bindings behind it
}

type function struct {
	name string
	body *syntax.Stmt
	src  *source
	next *function
}

type alias struct {
	name string
	text Word
	next *alias
}

// value is what is known of a variable.
type value struct {
	parts []Part
	elems [][]Part // of an array
	array bool
	unset bool
	maybe bool // it may be anything, also unset
}

var anything = value{maybe: true}

func (sc *scope) set(name string, v value) {
	depth := 0
	if sc.vars != nil {
		depth = sc.vars.depth + 1
	}
	sc.vars = &binding{name: name, val: v, next: sc.vars, exported: sc.exported(name), depth: depth}
}

// exported reports whether programs are given a variable.
func (sc *scope) exported(name string) bool {
	for b := sc.vars; b != nil; b = b.next {
		if b.name == name {
			return b.exported
		}
	}
	return false
}

// lookup finds a variable that the text has set.
func (sc *scope) lookup(name string) (value, bool) {
	for b := sc.vars; b != nil; b = b.next {
		if b.name == name {
			return b.val, true
		}
	}
	return value{}, false
}

// since makes all variables that were set after a moment ones that may be anything:
// it is not known whether they were set.
func (sc *scope) since(before *binding) {
	after := sc.vars
	sc.vars = before
	for b := after; b != before && b != nil; b = b.next {
		if old, ok := sc.lookup(b.name); !ok || !old.maybe {
			sc.set(b.name, anything)
		}
	}
}

func (sc *scope) function(name string) *function {
	for fn := sc.funcs; fn != nil; fn = fn.next {
		if fn.name == name {
			return fn
		}
	}
	return nil
}

// result is how a statement ends: in which folders the shell is if it succeeded, and
// if it failed, and what it printed if that was wanted and is known.
type result struct {
	ok, fail dirset
	out      string
	known    bool
}

// dirset are the folders that a shell may be in.
type dirset struct {
	list    []string
	unknown bool
	none    bool // it is not there any more
}

var nowhere = dirset{none: true}

// ends is the result of what leaves the folder as it is.
func (sc *scope) ends() result { return result{ok: sc.dirs, fail: sc.dirs} }

// succeeds is the result of what cannot fail.
func (sc *scope) succeeds() result { return result{ok: sc.dirs, fail: nowhere} }

const (
	maxDirs     = 8
	maxBindings = 4096 // of variables
)

// or are the folders of two ways.
func (d dirset) or(e dirset) dirset {
	switch {
	case d.none:
		return e
	case e.none:
		return d
	case d.unknown == e.unknown && len(d.list) == len(e.list) && (len(d.list) == 0 || &d.list[0] == &e.list[0]):
		return d
	}
	out := dirset{unknown: d.unknown || e.unknown, list: append([]string(nil), d.list...)}
	for _, dir := range e.list {
		if contains(out.list, dir) {
			continue
		}
		if len(out.list) == maxDirs {
			out.unknown = true
			break
		}
		out.list = append(out.list, dir)
	}
	return out
}

func contains(list []string, s string) bool {
	return slices.Contains(list, s)
}

// to are the folders after a change to another one.
func (d dirset) to(name string) dirset {
	if path.IsAbs(name) {
		return dirset{list: []string{path.Clean(name)}}
	}
	if name == "" || name == "." {
		return d
	}
	out := dirset{unknown: d.unknown}
	for _, dir := range d.list {
		dir = under(dir, name)
		if !contains(out.list, dir) {
			out.list = append(out.list, dir)
		}
	}
	return out
}

func under(dir, name string) string {
	if dir == "." || strings.HasPrefix(dir, "..") || !path.IsAbs(dir) {
		return path.Clean(dir + "/" + name)
	}
	return path.Join(dir, name)
}
