package speech

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks stand in a text for what a reader looks for, so that its own dots and words
// are not read as the text's. They are of a range that no text has a use for.
const (
	MarkTarget = '\uE000'
	MarkAlso   = '\uE100' // and those behind it
	MaxAlso    = 32
)

// IsMark reports whether a rune is a mark.
func IsMark(r rune) bool { return r >= MarkTarget && r < MarkAlso+MaxAlso }

type wordKind int

const (
	plainWord  wordKind = iota // letters alone
	identifier                 // letters as a program has them: camelCase, snake_case, CAPITALS
	number
	name   // of a file, an option, an address; or one word in quotes
	code   // several words between backquotes
	quoted // several words between quotes
	stop   // ends a sentence
	punctuation
	mark
)

// word is one of a sentence.
type word struct {
	kind     wordKind
	text     string // as it stands, without the quotes around it
	lower    string // of a plain word, and of an identifier
	from, to int    // where it is, quotes and all
	shown    bool   // there are quotes around it
}

// words splits a text.
func words(text string) []word {
	var out []word
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff':
			at += size
		case IsMark(r):
			out = append(out, word{kind: mark, text: text[at : at+size], from: at, to: at + size})
			at += size
		case opensQuote(text, at, r):
			w := quote(text, at, r)
			out, at = append(out, w), w.to
		case wide(r):
			out = append(out, word{kind: plainWord, text: text[at : at+size], lower: text[at : at+size], from: at, to: at + size})
			at += size
		case !begins(r):
			kind := punctuation
			if strings.ContainsRune("。！？；.!?…;¡¿", r) && r != '¡' && r != '¿' {
				kind = stop
			}
			out = append(out, word{kind: kind, text: text[at : at+size], from: at, to: at + size})
			at += size
		default:
			var found []word
			found, at = run(text, at)
			out = append(out, found...)
		}
	}
	return out
}

// wide reports whether a letter is of a script whose words have no spaces.
func wide(r rune) bool {
	return r >= 0x2E80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー' || r == '々')
}

// begins reports whether a word or name may begin with a rune.
func begins(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r < utf8.RuneSelf && strings.ContainsRune(`_./-~*@\$#`, r)
}

// quotes are the pairs that are known, opening rune first.
var quotes = map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '「': '」', '『': '』', '《': '》', '‘': '’', '\'': '\'', '`': '`'}

// maxQuote bounds how far the end of a quotation is looked for, in bytes.
const maxQuote = 2000

// opensQuote reports whether a quotation begins, and has an end.
func opensQuote(text string, at int, r rune) bool {
	if _, ok := quotes[r]; !ok {
		return false
	}
	if r == '\'' || r == '‘' {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if at > 0 && unicode.IsLetter(before) {
			return false
		}
	}
	_, end := closing(text, at, r)
	return end > 0
}

// closing finds the end of a quotation: what is in it, and what is behind it.
func closing(text string, at int, r rune) (inside string, end int) {
	open := utf8.RuneLen(r)
	if r == '`' && strings.HasPrefix(text[at:], "``") {
		open = 2
	}
	closer := strings.Repeat(string(quotes[r]), open/utf8.RuneLen(r))
	rest := text[at+open:]
	if len(rest) > maxQuote {
		rest = rest[:maxQuote]
	}
	i := strings.Index(rest, closer)
	if r == '„' { // may end in either
		if j := strings.IndexAny(rest, "“”\""); j >= 0 {
			_, size := utf8.DecodeRuneInString(rest[j:])
			return rest[:j], at + open + j + size
		}
	}
	if r == '\'' || r == '‘' {
		for i >= 0 {
			next, _ := utf8.DecodeRuneInString(rest[i+len(closer):])
			if !unicode.IsLetter(next) {
				break
			}
			j := strings.Index(rest[i+len(closer):], closer)
			if j < 0 {
				return "", 0
			}
			i += len(closer) + j
		}
	}
	if i <= 0 || strings.Contains(rest[:i], "\n\n") {
		return "", 0
	}
	return rest[:i], at + open + i + len(closer)
}

func quote(text string, at int, r rune) word {
	inside, end := closing(text, at, r)
	w := word{kind: quoted, text: strings.TrimSpace(inside), from: at, to: end, shown: true}
	only, _ := utf8.DecodeRuneInString(w.text)
	switch {
	case IsMark(only) && utf8.RuneCountInString(w.text) == 1:
		w.kind = mark
	case !strings.ContainsFunc(w.text, unicode.IsSpace):
		w.kind = name
	case r == '`':
		w.kind = code
	}
	return w
}

// run reads what stands together without spaces.
func run(text string, at int) ([]word, int) {
	end := at
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		inside := begins(r) || r < utf8.RuneSelf && strings.ContainsRune("'+%=&:", r) || r == '’' || r == '-' || r == '\u00AD'
		if wide(r) || !inside {
			break
		}
		end += size
	}
	whole := text[at:end]
	trimmed := strings.TrimRight(whole, ".'’:=&+%")
	if trimmed == "" || strings.Trim(trimmed, "-*#$~/.@\\") == "" {
		_, size := utf8.DecodeRuneInString(text[at:])
		kind := punctuation
		switch text[at] {
		case '.':
			kind = stop
		case '~', '*', '/':
			if trimmed == "~" || trimmed == "*" || trimmed == "*." || trimmed == "./" || trimmed == "~/" || trimmed == "/" || trimmed == ".." {
				return []word{{kind: name, text: trimmed, from: at, to: at + len(trimmed)}}, at + len(trimmed)
			}
		}
		return []word{{kind: kind, text: text[at : at+size], from: at, to: at + size}}, at + size
	}
	return classify(trimmed, at), at + len(trimmed)
}

// classify tells words from names.
func classify(s string, at int) []word {
	one := func(kind wordKind) []word {
		return []word{{kind: kind, text: s, lower: fold(s), from: at, to: at + len(s)}}
	}
	letters, digits, others, capitals := 0, 0, 0, 0
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters++
			if unicode.IsUpper(r) && i > 0 {
				capitals++
			}
		case unicode.IsDigit(r):
			digits++
		case r != '-' && r != '\'' && r != '’':
			others++
		}
	}
	switch {
	case others > 0 && slashed(s):
		return split(s, at)
	case others > 0 || strings.HasPrefix(s, "-"):
		if abbreviation(s) {
			return one(plainWord)
		}
		return one(name)
	case letters == 0:
		return one(number)
	case digits > 0:
		return one(identifier)
	case fileNames(s):
		return one(name)
	case capitals > 0 && !strings.ContainsAny(s, "-'’"):
		return one(identifier)
	default:
		return split(s, at)
	}
}

// split takes hyphens and slashes for spaces.
func split(s string, at int) []word {
	var out []word
	begin := 0
	add := func(end int) {
		if part := s[begin:end]; part != "" {
			out = append(out, word{kind: plainWord, text: part, lower: fold(part), from: at + begin, to: at + end})
		}
	}
	for i, r := range s {
		switch {
		case r == '-' || r == '/':
			add(i)
			begin = i + 1
		case (r == '\'' || r == '’') && elided(s[begin:i], s[i+utf8.RuneLen(r):]):
			add(i + utf8.RuneLen(r))
			begin = i + utf8.RuneLen(r)
		}
	}
	add(len(s))
	return out
}

// elided reports whether an apostrophe stands for the end of a short word: l'API.
func elided(before, after string) bool {
	next, _ := utf8.DecodeRuneInString(strings.ToLower(after))
	return listed("l|d|n|j|c|s|m|t|qu|jusqu|lorsqu|puisqu|quelqu|aujourd", strings.ToLower(before)) && strings.ContainsRune("aeéèêiîouyhœAà", next)
}

// slashed reports whether a slash stands for "or" between two words of speech.
func slashed(s string) bool {
	a, b, ok := strings.Cut(s, "/")
	either := func(w string) bool {
		return listed("and|or|und|oder|et|ou|y|o|e|и|или|yes|no|on|off|true|false|he|she|his|her|read|write|add|edit|change|remove|delete|create|update|commit|push|input|output|client|server|push", strings.ToLower(w))
	}
	return ok && !strings.ContainsAny(b, "/.") && (either(a) && either(b))
}

func abbreviation(s string) bool {
	return listed("e.g|i.e|z.b|d.h|p.ej|p.ex|т.е|т.к|a.k.a|u.a|n.b|ex", strings.ToLower(s))
}

// fileNames are names of files without a dot.
func fileNames(s string) bool {
	return listed("Makefile|Dockerfile|LICENSE|README|CHANGELOG|Gemfile|Rakefile|Procfile|Jenkinsfile|Vagrantfile|AUTHORS|CONTRIBUTING|NOTICE|CODEOWNERS", s)
}

// fold makes forms of one word equal.
func fold(s string) string {
	s = strings.ToLower(s)
	if strings.ContainsAny(s, "’ё\u00AD") {
		s = strings.NewReplacer("’", "'", "ё", "е", "\u00AD", "").Replace(s)
	}
	return s
}

// listed reports whether a list has a word.
func listed(list, w string) bool {
	for len(list) >= len(w) {
		var item string
		item, list, _ = strings.Cut(list, "|")
		if item == w {
			return true
		}
	}
	return false
}
