package code

import "strings"

type valueKind uint8

const (
	data   valueKind = iota // what is computed, read or passed; nothing with an effect
	lit                     // text is known letter by letter
	part                    // text is how it begins
	list                    // of values
	ref                     // a module, class or function: name
	object                  // made by a class: name; text is what it is made with
	member                  // name of a value that is not known
	truth                   // true
)

// value is what is known of an expression.
type value struct {
	kind  valueKind
	known bool // of an object: text is its whole argument
	name  string
	text  string
	list  []value
	start int
}

func literal(s string) value { return value{kind: lit, text: s, known: true} }

// beginning is how a value's text begins, and whether that is all of it.
func (v value) beginning() (string, bool) {
	switch v.kind {
	case lit:
		return v.text, true
	case part:
		return v.text, false
	case object:
		return v.text, v.known
	default:
		return "", false
	}
}

// concat is v with r behind it.
func concat(v, r value) value {
	vt, vk := v.beginning()
	rt, rk := r.beginning()
	switch {
	case len(vt)+len(rt) > maxFolded || len(v.list)+len(r.list) > maxList:
		return value{}
	case v.kind == list && r.kind == list:
		return value{kind: list, list: append(v.list[:len(v.list):len(v.list)], r.list...)}
	case v.kind != lit && v.kind != part && v.kind != object:
		return value{}
	case vk && rk && v.kind == lit && r.kind == lit:
		return literal(vt + rt)
	case vk:
		return value{kind: part, text: vt + rt}
	}
	return value{kind: part, text: vt}
}

// joined is a path with a name below it.
func joined(v, r value) value {
	vt, vk := v.beginning()
	rt, rk := r.beginning()
	if strings.HasPrefix(rt, "/") { // an absolute path replaces what is in front of it
		vt, vk = "", true
	} else if vt != "" && vk && !strings.HasSuffix(vt, "/") {
		vt += "/"
	}
	if !vk || len(vt)+len(rt) > maxFolded {
		rt, rk = "", false
	}
	return value{kind: object, name: v.name, text: vt + rt, known: vk && rk}
}

// argument is one of a call's: its key is "" where its place says what it is.
type argument struct {
	key   string
	value value
}

type arguments struct {
	all    []argument
	first  int // the tokens of the arguments
	behind int
}

// at is the argument at a place.
func (a arguments) at(i int) (value, bool) {
	for _, arg := range a.all {
		if arg.key != "" {
			continue
		}
		if i == 0 {
			return arg.value, true
		}
		i--
	}
	return value{}, false
}

// keyed is the argument with a key.
func (a arguments) keyed(key string) (value, bool) {
	for _, arg := range a.all {
		if arg.key == key {
			return arg.value, true
		}
	}
	return value{}, false
}

func (a arguments) count() int {
	n := 0
	for _, arg := range a.all {
		if arg.key == "" {
			n++
		}
	}
	return n
}

// action is what a function does: one or two effects on arguments.
type action struct {
	does []effect
	// makes is the class of its result, whose text is that of an argument.
	makes     string
	makesWith int8
	arg       int8 // of what is special
	// pure says that it only computes.
	pure bool
	// special names what is done in code and not by a table.
	special string
}

type effect struct {
	kind      Kind
	arg       int8 // -1: the object itself, or nothing that is known
	key       string
	recursive bool
}

// actions reads a table: a name a line, then what it does: kind:argument, kind*:argument for
// whole trees, kind:argument/key, kind:self, new:Class:argument, pure, or the name of
// something special with its argument.
func actions(table string) map[string]action {
	m := map[string]action{}
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		var a action
		for _, f := range fields[1:] {
			a.read(f)
		}
		for n := range strings.SplitSeq(fields[0], ",") {
			m[n] = a
		}
	}
	return m
}

func (a *action) read(field string) {
	verb, rest, _ := strings.Cut(field, ":")
	switch verb {
	case "pure":
		a.pure = true
	case "new":
		class, arg, _ := strings.Cut(rest, ":")
		a.makes, a.makesWith = class, place(arg)
	case "reads", "writes", "creates", "deletes", "sends", "receives", "kills", "privilege", "database",
		"environment", "loads", "loads-native", "cloud", "evaluates", "executes", "deletes*", "writes*", "reads*", "privilege*":
		where, key, _ := strings.Cut(rest, "/")
		plain, recursive := strings.CutSuffix(verb, "*")
		a.does = append(a.does, effect{Kind(plain), place(where), key, recursive})
	default:
		a.special, a.arg = verb, place(rest)
	}
}

func place(s string) int8 {
	if s == "" || s == "self" {
		return -1
	}
	return int8(s[0] - '0')
}
