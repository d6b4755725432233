package offline

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docket-engine/docket/reviewer/offline/speech"
)

const maxAlso = speech.MaxAlso

// naming is one thing that an instruction has to name: a path, a command word for
// word, a tool with its arguments.
type naming struct {
	class class
	forms []string // the spellings that count, each exact
	also  []string // what has to stand in the same order
	// path is from the root, and made says that nothing may be there yet.
	path string
	made bool
	// names are what a restriction may call it by, if it is no path.
	names []string
	// against are further classes of actions that it is made of: a restriction of one
	// of them is one of this.
	against []class
	// nouns are words by which a sentence may call what is named.
	nouns string
	// loose is an order that need not name its target: the current branch.
	loose, current bool
	// looks is a command that reads and does nothing else.
	looks bool
}

// pathNaming asks for a path in one of its spellings.
func pathNaming(cwd, p string, c class) naming {
	n := naming{class: c, path: p, forms: []string{p, p + "/"}}
	if within(cwd, p) {
		rel := strings.TrimPrefix(p, strings.TrimSuffix(cwd, "/")+"/")
		n.forms = append(n.forms, rel, "./"+rel, rel+"/")
	}
	return n
}

// acts are the classes of all that it is made of.
func (n naming) acts() speech.Acts {
	acts := speech.Of(n.class) | speech.Of(n.against...)
	if n.made && n.class == changing {
		acts |= speech.Of(speech.Creating)
	}
	return acts
}

// ask is what an order of it has to say.
func (n naming) ask() speech.Ask {
	return speech.Ask{Acts: speech.Of(n.class), Nouns: n.nouns, Also: len(n.also), Loose: n.loose, Current: n.current, InOrder: n.class == sending}
}

// spoken reports whether a text may order it: without one of the spellings none does.
func (n naming) spoken(text string) bool {
	return n.loose || slices.ContainsFunc(n.forms, func(form string) bool { return form != "" && strings.Contains(text, form) })
}

// orderedBy reads a message as an order of it.
func (n naming) orderedBy(text string) speech.Heard {
	if !n.spoken(text) {
		return speech.Heard{}
	}
	return speech.Read(n.mark(text)).Orders(n.ask())
}

// mark puts marks where the naming's spellings stand alone. A text that holds
// such characters already loses them.
func (n naming) mark(text string) string {
	text = strings.Map(func(r rune) rune {
		if speech.IsMark(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	forms := slices.Clone(n.forms)
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	for _, form := range forms {
		text = markAlone(text, form, speech.MarkTarget)
	}
	for i, also := range n.also {
		text = markAlone(text, also, speech.MarkAlso+rune(i))
	}
	return text
}

// markAlone replaces a spelling where it is not a part of a longer word, together
// with the quotes that are around just it.
func markAlone(text, form string, mark rune) string {
	var out strings.Builder
	done := 0
	for from := 0; form != ""; {
		i := strings.Index(text[from:], form)
		if i < 0 {
			break
		}
		i += from
		end := i + len(form)
		if !alone(text[:i], text[end:]) {
			_, size := utf8.DecodeRuneInString(text[i:])
			from = i + size
			continue
		}
		before, after := unquote(text[done:i], text[end:])
		out.WriteString(before)
		out.WriteRune(mark)
		done = len(text) - len(after)
		from = done
	}
	out.WriteString(text[done:])
	return out.String()
}

// alone reports whether what stands around a word does not belong to it.
func alone(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, size := utf8.DecodeRuneInString(after)
	if before != "" && partOfName(last) {
		return false
	}
	if after == "" || !partOfName(next) {
		return true
	}
	behind, _ := utf8.DecodeRuneInString(after[size:])
	return (next == '.' || next == ':' || next == '?') && (len(after) == size || !partOfName(behind)) // the end of a sentence
}

func partOfName(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`_./-~\*?$+@%=#&|<>:`, r))
}

func unquote(before, after string) (string, string) {
	for _, pair := range []string{"``", `""`, "''", "“”", "„“", "‘’", "「」", "『』", "《》", "«»"} {
		r := []rune(pair)
		b, opens := strings.CutSuffix(before, string(r[0]))
		a, closes := strings.CutPrefix(after, string(r[1]))
		if opens && closes {
			return b, a
		}
	}
	return before, after
}

// target reports whether a name in a sentence is that of the naming's path, of a folder
// that it is in, or of something that is in it.
func (n naming) target(cwd, said string) bool {
	said = strings.ToLower(strings.TrimRight(said, ".,:;"))
	p := strings.ToLower(n.path)
	if said == "" {
		return false
	}
	if n.path == "" {
		return n.called(said)
	}
	if strings.ContainsAny(said, "*?[") {
		rel := strings.TrimPrefix(p, strings.ToLower(strings.TrimSuffix(cwd, "/"))+"/")
		base, _ := path.Match(said, path.Base(p))
		whole, _ := path.Match(said, rel)
		folder, _, deep := strings.Cut(said, "*")
		return base || whole || deep && folder != "" && strings.HasPrefix(rel, strings.TrimPrefix(folder, "./"))
	}
	if !strings.Contains(p, path.Base(said)) && !strings.Contains(said, path.Base(p)) && !within(p, strings.ToLower(cwd)) && p != strings.ToLower(cwd) {
		return false // what is most often so, told fast
	}
	at := resolve(strings.ToLower(cwd), said)
	if at == p || within(at, p) || within(p, at) {
		return true
	}
	if !strings.Contains(strings.TrimSuffix(said, "/"), "/") {
		said = strings.TrimSuffix(said, "/")
		return slices.Contains(strings.Split(p, "/"), said) || strings.TrimSuffix(path.Base(p), path.Ext(p)) == said
	}
	return !strings.HasPrefix(said, "/") && strings.HasSuffix(p, "/"+strings.TrimPrefix(said, "./"))
}

// called reports whether a word in lower case is one of the naming's names.
func (n naming) called(word string) bool {
	return slices.ContainsFunc(n.names, func(name string) bool {
		name = strings.ToLower(name)
		return name == word || path.Base(name) == word || len(word) > 3 && strings.HasPrefix(word, name) && len(name) > 3 || len(word) > 4 && strings.HasPrefix(name, word)
	})
}
