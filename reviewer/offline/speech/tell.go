package speech

import (
	"unicode"
	"unicode/utf8"
)

// language tells which language some words are in, by their letters and by how many
// of them are known. foreign means: by all that is known, one without a table.
func language(ws []word) (t *table, foreign bool) {
	c := census(ws)
	switch {
	case c.kana > 0:
		return tableOf("ja"), false
	case c.han > 0:
		return tableOf("zh"), false
	case c.other > 2 && c.other >= c.latin && c.other >= c.cyrillic:
		return nil, true
	case c.strange: // Cyrillic letters that Russian has not
		return nil, true
	case c.cyrillic > 0:
		return scored(c.plain, "ru")
	case len(c.plain) == 0:
		return nil, false
	default:
		return scored(c.plain, "en", "de", "fr", "es", "pt")
	}
}

// counts are what letters a sentence has.
type counts struct {
	latin, cyrillic, han, kana, other int
	strange                           bool
	plain                             []string // its words of speech
}

func census(ws []word) counts {
	var c counts
	for _, w := range ws {
		if w.shown || w.kind != plainWord && w.kind != identifier {
			continue
		}
		letters := 0
		for _, r := range w.text {
			switch {
			case r < utf8.RuneSelf && unicode.IsLetter(r), unicode.Is(unicode.Latin, r):
				c.latin++
			case unicode.Is(unicode.Cyrillic, r):
				c.cyrillic++
				c.strange = c.strange || foreignCyrillic(r)
			case unicode.Is(unicode.Han, r):
				c.han++
			case unicode.In(r, unicode.Hiragana, unicode.Katakana):
				c.kana++
			case unicode.IsLetter(r):
				c.other++
			default:
				continue
			}
			letters++
		}
		if w.kind == plainWord && letters > 0 {
			c.plain = append(c.plain, w.lower)
		}
	}
	return c
}

// foreignCyrillic are letters of Ukrainian, Belarusian, Serbian, Macedonian, Kazakh.
func foreignCyrillic(r rune) bool {
	switch unicode.ToLower(r) {
	case 'і', 'ї', 'є', 'ґ', 'ў', 'ј', 'љ', 'њ', 'ћ', 'ђ', 'џ', 'ѓ', 'ќ', 'қ', 'ғ', 'ң', 'ү', 'ұ', 'һ', 'ә', 'ө':
		return true
	default:
		return false
	}
}

func tableOf(code string) *table {
	for _, t := range tables() {
		if t.Code == code {
			return t
		}
	}
	return nil
}

// ties are the other languages of the same letters that know as many of some words.
func ties(ws []word, t *table) []*table {
	if t.Traits.Joined || t.Code == "ru" {
		return nil
	}
	var out []*table
	plain := census(ws).plain
	if len(plain) == 0 || len(plain) > maxTied {
		return nil
	}
	known := t.knowsOf(plain)
	for _, other := range tables() {
		if other != t && !other.Traits.Joined && other.Code != "ru" && other.knowsOf(plain) >= known {
			out = append(out, other)
		}
	}
	return out
}

// maxTied is how many words a sentence has at most that may be of several languages.
const maxTied = 8

// knowsOf is how many of some words the language has. Where it has any, those that only
// look like its words count too.
func (t *table) knowsOf(plain []string) int {
	n, shaped := 0, 0
	for _, w := range plain {
		if t.knows(w) {
			n++
		} else if t.shaped(w) {
			shaped++
		}
	}
	if n == 0 {
		return 0
	}
	return n + shaped
}

// tellingOf is how many of some words orders and refusals are both made of.
func (t *table) tellingOf(plain []string) int {
	n := 0
	for _, w := range plain {
		if t.ordering.holds(w) && t.refusing.holds(w) {
			n++
		}
	}
	return n
}

// scored is the language that knows most of the words. Where none knows enough of
// them, and there are enough to be a sentence, it is a foreign one.
func scored(plain []string, codes ...string) (*table, bool) {
	var best *table
	most, told, strangers := -1, 0, 0
	for _, code := range codes {
		t := tableOf(code)
		known, telling := t.knowsOf(plain), t.tellingOf(plain)
		if known > most || known == most && telling > told {
			best, most, told = t, known, telling
		}
	}
	for _, w := range plain {
		if listed(foreignWords, w) && !best.common.holds(w) && !best.refusing.holds(w) {
			strangers++
		}
	}
	n := len(plain)
	switch {
	case most == 0 && n == 1, n == 0:
		return nil, strangers > 0
	case strangers > 0 && most*2 <= n && (strangers > 1 || most <= 1 || n <= 4), strangers > 2 && most*3 <= n*2, strangers > 1 && most*2 <= n+1 && n <= 6:
		return nil, true
	case strangers == 0 && (most == 0 && n > 2 || n >= 4 && most*6 < n), most == 0 && n == 2:
		return nil, true
	default:
		return best, false
	}
}
