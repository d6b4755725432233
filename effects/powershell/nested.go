package powershell

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"

	"github.com/docket-engine/docket/effects/shell"
)

func (r *reader) invokeExpression(c shell.Command, start int) bool {
	code, ok := value(c.Args[1:], "Command")
	if !ok {
		if rest := positional(c.Args[1:], ""); len(rest) > 0 {
			code, ok = rest[0], true
		}
	}
	if !ok && c.Stdin.Kind == shell.StdinText {
		code, ok = text(c.Stdin.Text, c.Span), true
	}
	if t, known := code.Value(); ok && known {
		r.nestedText(t, "invoke-expression", start)
		return true
	}
	r.problem(shell.DynamicCode, r.since(start), start)
	return false
}

// nestedText reads a text that is run here.
func (r *reader) nestedText(t, by string, start int) {
	at := r.span(start, r.pos)
	inner := &reader{
		text: t, home: r.home, script: r.script, shared: r.shared, nested: r.nested + 1, at: &at, loose: r.loose, remote: r.remote,
		via: append(append([]shell.Wrapper(nil), r.via...), shell.Wrapper{Name: by, Span: at}),
	}
	inner.check()
	r.shared.volatile = true // what it sets is not counted
	inner.all()
}

// powershell is another one: its text, encoded or not, its file or its input.
func (r *reader) powershell(c shell.Command, start int) bool {
	args := c.Args[1:]
	for i := 0; i < len(args); i++ {
		p := strings.ToLower(args[i].Prefix())
		if p == "" || p[0] != '-' && p[0] != '/' {
			return r.powershellRest(args[i:], c, start)
		}
		p = p[1:]
		switch {
		case p == "":
			r.problem(shell.DynamicCode, "-", start)
			return false
		case strings.HasPrefix("encodedcommand", p) || p == "ec":
			return r.encoded(args[i+1:], start)
		case strings.HasPrefix("command", p) || p == "commandwithargs" || p == "cwa":
			return r.powershellText(args[i+1:], start)
		case strings.HasPrefix("file", p):
			return false
		case strings.Contains(" noprofile nop nologo noninteractive noni noexit sta mta login l i interactive ", " "+p+" "):
		default: // it takes an argument: -ExecutionPolicy Bypass
			i++
		}
	}
	if c.Stdin.Kind == shell.StdinText {
		r.nestedText(c.Stdin.Text, "powershell", start)
		return true
	}
	if c.Stdin.Kind == shell.StdinPipe {
		r.problem(shell.DynamicCode, "powershell", start)
	}
	return false
}

// powershellRest is what stands behind all options: a file for pwsh, a text before.
func (r *reader) powershellRest(rest []shell.Word, c shell.Command, start int) bool {
	first, _ := rest[0].Value()
	if strings.HasSuffix(strings.ToLower(first), ".ps1") {
		return false
	}
	if name, _ := c.Args[0].Value(); name == "pwsh" {
		return false
	}
	return r.powershellText(rest, start)
}

func (r *reader) powershellText(rest []shell.Word, start int) bool {
	var all []string
	for _, a := range rest {
		t, ok := a.Value()
		if !ok {
			if strings.HasPrefix(a.Parts[0].Text, "{") {
				continue // a block, which was read where it stands
			}
			r.problem(shell.DynamicCode, a.Prefix(), start)
			return false
		}
		all = append(all, t)
	}
	if t := strings.Join(all, " "); t == "-" {
		r.problem(shell.DynamicCode, "-", start)
	} else {
		r.nestedText(t, "powershell", start)
	}
	return true
}

// encoded is base64 of UTF-16.
func (r *reader) encoded(rest []shell.Word, start int) bool {
	if len(rest) == 0 {
		return false
	}
	t, ok := rest[0].Value()
	if ok {
		if s, err := decode(t); err == nil {
			r.nestedText(s, "powershell", start)
			return true
		}
	}
	r.problem(shell.DynamicCode, "-EncodedCommand", start)
	return false
}

var errOdd = errors.New("no text of two bytes a letter")

func decode(t string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(t)
	if err != nil {
		raw, err = base64.RawStdEncoding.DecodeString(t)
	}
	if err != nil {
		return "", err
	}
	if len(raw) == 0 || len(raw)%2 != 0 {
		return "", errOdd
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(raw[2*i:])
	}
	return string(utf16.Decode(units)), nil
}
