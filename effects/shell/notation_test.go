package shell

import (
	"strings"
	"testing"
)

var testEnv = Env{Home: "/home/user", Dir: "/src"}

// notation writes a script in short: commands behind "; ", each with its wrappers, its
// host and where it runs, if that is not /src, and problems in front in brackets. What
// is not known is ?, a pattern stands in <>.
func notation(s Script) string {
	var out []string
	for _, p := range s.Problems {
		out = append(out, "["+string(p.Kind)+"]")
	}
	for _, c := range s.Commands {
		out = append(out, brief(c))
	}
	return strings.Join(out, "; ")
}

func brief(c Command) string {
	var b strings.Builder
	if c.Remote != "" {
		b.WriteString("@" + c.Remote + " ")
	}
	if c.Dirs != nil && (len(c.Dirs) != 1 || c.Dirs[0] != "/src") || c.DirUnknown && c.Remote == "" {
		b.WriteString("(" + strings.Join(c.Dirs, "|"))
		if c.DirUnknown {
			b.WriteString("|?")
		}
		b.WriteString(") ")
	}
	for i, v := range c.Via {
		b.WriteString(v.Name)
		if i < len(c.Via)-1 {
			b.WriteString("+")
		} else {
			b.WriteString(": ")
		}
	}
	var words []string
	for _, a := range c.Env {
		words = append(words, a.Name+"="+short(a.Value))
	}
	for _, w := range c.Args {
		words = append(words, short(w))
	}
	for _, rd := range c.Redirects {
		words = append(words, [...]string{"<", ">", ">>", "<>"}[rd.Op]+short(rd.Target))
	}
	b.WriteString(strings.Join(words, " "))
	return b.String()
}

func short(w Word) string {
	if len(w.Parts) == 0 || len(w.Parts) == 1 && w.Parts[0] == (Part{}) {
		return "''"
	}
	var b strings.Builder
	for _, p := range w.Parts {
		switch p.Kind {
		case Literal:
			b.WriteString(p.Text)
		case Glob:
			b.WriteString("<" + p.Text + ">")
		default:
			b.WriteString("?")
		}
	}
	if w.Many {
		b.WriteString("…")
	}
	return b.String()
}

type reading struct{ text, want string }

func check(t *testing.T, cases []reading) {
	t.Helper()
	for _, c := range cases {
		if got := notation(Read(c.text, testEnv)); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.text, got, c.want)
		}
	}
}
