package secrets

import (
	"path"
	"strings"
)

// Range is a secret's place in a program's arguments: the number of the argument,
// counted from 0 behind the program, and the bytes in it.
type Range struct {
	Argument int
	Span
}

// Position gives the places where a program's arguments hold secrets because of where
// they stand: --password X of any program, -p X of sshpass, -u user:pass of curl. What
// only refers to a secret has no place.
func Position(program string, args []string) []Range {
	p := command{args: args, options: optionsOf(strings.TrimSuffix(path.Base(program), ".exe"), args)}
	for i := 0; i < len(args); i++ {
		i = p.argument(i)
	}
	return p.found
}

// Assigned reports whether a variable that a command is given holds a secret:
// PGPASSWORD=…. It is the whole value then.
func Assigned(variable, value string) (Kind, bool) {
	r := rankOf(variable)
	if r == none || working(variable, value, 0) || !(place{rank: r, strict: true, quoted: true}).secret(value) {
		return "", false
	}
	return kindOf(variable), true
}

// command is one whose arguments are looked at.
type command struct {
	args    []string
	options []option
	found   []Range
}

func (c *command) add(argument, start, end int, kind Kind) {
	v := c.args[argument][start:end]
	if start < end && (place{rank: strong, strict: true, quoted: true}).secret(v) {
		c.found = append(c.found, Range{Argument: argument, Span: Span{Start: start, End: end, Kind: kind}})
	}
}

// argument looks at one argument and, if that is an option, at its value; it gives the
// number of the last one that it took.
func (c *command) argument(i int) int {
	arg := c.args[i]
	for _, o := range c.options {
		switch {
		case o.name == "":
			if o.at(i, c.args) {
				c.take(o.form, i, 0)
				return i
			}
		case arg == o.name:
			if i+1 < len(c.args) && !o.attached {
				c.take(o.form, i+1, 0)
				return i + 1
			}
		case strings.HasPrefix(arg, o.name) && len(o.name) == 2 && o.name[0] == '-' && !strings.HasPrefix(arg, "--"):
			c.take(o.form, i, len(o.name))
			return i
		case strings.HasPrefix(arg, o.name) && (arg[len(o.name)] == '=' || o.name[len(o.name)-1] == ':'):
			c.take(o.form, i, run(arg, len(o.name), func(c byte) bool { return c == '=' }))
			return i
		}
	}
	return c.named(i)
}

// named finds --password X, --password=X and password=X.
func (c *command) named(i int) int {
	arg := c.args[i]
	name, _, has := strings.Cut(arg, "=")
	r := rankOf(name)
	dashed := strings.HasPrefix(arg, "-")
	switch {
	case r < medium || strings.ContainsAny(name, " /"):
	case has:
		c.add(i, len(name)+1, len(arg), kindOf(name))
	case strings.HasPrefix(arg, "--") && i+1 < len(c.args) && dashed && !strings.HasPrefix(c.args[i+1], "-"):
		if v := c.args[i+1]; r == strong || !number(v) && !pathLike(v) && !strings.Contains(v, "=") {
			c.add(i+1, 0, len(v), kindOf(name))
		}
		return i + 1
	}
	return i
}

// take adds what is secret in an argument from a byte on.
func (c *command) take(f form, i, from int) {
	arg := c.args[i]
	v := arg[from:]
	switch f {
	case plain:
		c.add(i, from, len(arg), Password)
	case pair: // user:password
		if colon := strings.IndexByte(v, ':'); colon >= 0 {
			c.add(i, from+colon+1, len(arg), Password)
		}
	case percent: // user%password
		if sign := strings.IndexByte(v, '%'); sign >= 0 {
			c.add(i, from+sign+1, len(arg), Password)
		}
	case comma: // user,password
		if sign := strings.IndexByte(v, ','); sign >= 0 {
			c.add(i, from+sign+1, len(arg), Password)
		}
	case header:
		c.header(i, from)
	case cookies: // a file's name has no sign
		if strings.Contains(v, "=") {
			c.add(i, from, len(arg), Cookie)
		}
	case source: // pass:word, env:NAME, file:path
		if at, ok := strings.CutPrefix(v, "pass:"); ok {
			c.add(i, len(arg)-len(at), len(arg), Password)
		}
	case member: // name=value, or name and value
		if sign := strings.LastIndexByte(v, '='); sign >= 0 && sign+1 < len(v) {
			c.add(i, from+sign+1, len(arg), Credential)
		}
	}
}

// header is Name: value.
func (c *command) header(i, from int) {
	arg := c.args[i]
	name, _, ok := strings.Cut(arg[from:], ":")
	if !ok || rankOf(name) < medium {
		return
	}
	at := from + len(name) + 1
	at = run(arg, at, blank)
	if scheme := run(arg, at, word); scheme < len(arg) && blank(arg[scheme]) && schemeName(arg[at:scheme]) {
		at = run(arg, scheme, blank)
	}
	c.add(i, at, len(arg), kindOf(name))
}
