package offline

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks stand in a text for what is looked for, so that its own dots and words
// are not read as the text's. They are of a range that no text has a use for.
const (
	markTarget = '\uE000'
	markAlso   = '\uE100' // and those behind it
	maxAlso    = 32
)

// mark puts marks where the naming's spellings stand alone. A text that holds
// such characters already loses them.
func (n naming) mark(text string) string {
	text = strings.Map(func(r rune) rune {
		if r >= markTarget && r <= markAlso+maxAlso {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	forms := slices.Clone(n.forms)
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	for _, form := range forms {
		text = markAlone(text, form, markTarget)
	}
	for i, also := range n.also {
		text = markAlone(text, also, markAlso+rune(i))
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
	return next == '.' && (len(after) == size || !partOfName(behind)) // the end of a sentence
}

func partOfName(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`_./-~\*?$+@%=#&|<>:`, r))
}

func unquote(before, after string) (string, string) {
	for _, pair := range []string{"``", `""`, "''", "“”", "‘’", "「」", "『』", "《》"} {
		r := []rune(pair)
		b, opens := strings.CutSuffix(before, string(r[0]))
		a, closes := strings.CutPrefix(after, string(r[1]))
		if opens && closes {
			return b, a
		}
	}
	return before, after
}

// sentenceEnd is a stop, a blank line, or the next point of a list. A new line
// alone is a space: texts are wrapped anywhere.
var sentenceEnd = regexp.MustCompile(`[.!?]+(\s|$)|[。！？；;]+|\n[ \t]*(\n|[-*#•]|[0-9]+[.)]\s)`)

// sentences splits a text. Each keeps what ends it, and has single spaces.
func sentences(text string) []string {
	var out []string
	for text != "" {
		at := sentenceEnd.FindStringIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		if s := strings.Join(strings.Fields(text[:at[1]]), " "); s != "" {
			out = append(out, s)
		}
		text = text[at[1]:]
	}
	return out
}

// message is a text that may instruct.
type message struct {
	sentences []string
	// text is the whole, for plain.
	text string
	// replaces says that it replaces what was said before.
	replaces bool
}

var (
	shown    = regexp.MustCompile("[`\"“”„«»「」『』<>|~]|^\\s*>|[:：]\\s*(\n|$)")
	quoted   = regexp.MustCompile(`(^|[^A-Za-z])['‘’]|['‘’]([^A-Za-z]|$)`)
	reported = regexp.MustCompile(`(?i)\b(said|says|say|wrote|writes|told|tells|asked|asks|claims?|reports?|reported|quotes?|quoted|quoting|e-?mails?|` +
		`forwarded|pasted|transcript|following|below|above|example|e\.g|instance|suppose|imagine|pretend|hypothetically)\b|` +
		`说|写道|邮件|转发|引用|例如|比如|假设|假如|以下|如下|上述|(^|[^数证凭占收])据`)
)

func readMessage(text string) message {
	m := message{sentences: sentences(text), text: text}
	m.replaces = slices.ContainsFunc(m.sentences, replaces)
	return m
}

// plain reports whether all of a message is the writer's own: nothing is quoted,
// reported, introduced or shown.
func (m message) plain() bool {
	return !slices.ContainsFunc(m.sentences[:max(len(m.sentences)-1, 0)], unended) && !shown.MatchString(m.text) && !quoted.MatchString(m.text) && !reported.MatchString(m.text) && !slices.ContainsFunc(m.sentences, casts)
}

var (
	replacing = regexp.MustCompile(`(?i)\b(replac(e|es|ed|ing)|revok(e|es|ed|ing)|withdraw(s|n)?|lift|override|supersedes?|changed my mind|` +
		`you (may|can) now|now (allow|authori[sz]e|permit))\b|撤销|收回|改为|替换|取代|现在可以|改变主意`)
	negation = regexp.MustCompile(`(?i)\b(not|never|no|nothing|none|nobody|without|except|avoid|keep|preserve|leave|dont|cannot|cant|wont|refrain|forbid|forbids|` +
		`forbidden|prohibit|prohibited|only|unless|protect|protected|off-limits|hands off|read-only|readonly|stop)\b|n['’]t\b|` +
		`不|别|勿|禁止|严禁|仅|只|保留|除了|除非|没有|无须|停止`)
	stopping = regexp.MustCompile(`(?i)\b(stop|wait|hold on|never ?mind|cancel|abort|undo|forget it|on second thought|actually)\b|停|等等|等一下|取消|算了|且慢`)
	inspect  = regexp.MustCompile(`\b(read-only|readonly)\b|\b(only|just) (read|inspect|look|review|analy[sz]e|report|explain)|\b(read|inspect|look|review) only\b|` +
		`\bno (changes|edits|modifications|writes)\b|只读|只看|仅查看|只查看|只检查|只分析|仅检查|仅分析`)
	pathLike = regexp.MustCompile(`[A-Za-z0-9_-]*[/.][A-Za-z0-9_-]+`)
)

// hints are what every sentence has that negates, stops, replaces or confines.
// Looking for them is many times faster than the patterns, and most sentences have
// none.
func hinted(lower string) bool {
	for _, h := range [...]string{
		"no", "nev", "n't", "n’t", "without", "except", "avoid", "keep", "preserve", "leave", "dont", "cant", "wont", "refrain", "forbid", "prohibit",
		"only", "unless", "protect", "off-limits", "hands off", "stop", "wait", "hold on", "cancel", "abort", "undo", "forget it", "on second thought",
		"actually", "replac", "revok", "withdraw", "lift", "override", "supersede", "changed my mind", "you may", "you can", "just", "不", "别", "勿", "禁",
		"仅", "只", "保留", "除", "没有", "停", "等", "取消", "算了", "且慢", "撤销", "收回", "改", "替换", "取代", "现在可以",
	} {
		if strings.Contains(lower, h) {
			return true
		}
	}
	return strings.Contains(lower, "严禁") || strings.Contains(lower, "无须") || strings.Contains(lower, "readonly") || strings.Contains(lower, "read-")
}

// replaces reports whether a sentence takes back what was said before. One that
// negates that does not.
func replaces(s string) bool {
	if !hinted(strings.ToLower(s)) {
		return false
	}
	at := replacing.FindStringIndex(s)
	return at != nil && !negated(s[:at[0]])
}

func negated(s string) bool { return negation.MatchString(s) }

func inspectOnly(lower string) bool { return inspect.MatchString(lower) }

// unended reports whether a sentence has no stop: a heading, or words that what
// comes next belongs to.
func unended(s string) bool {
	return !strings.ContainsAny(s[len(s)-1:], ".!?;") && !strings.HasSuffix(s, "。") && !strings.HasSuffix(s, "！") && !strings.HasSuffix(s, "；")
}

// casts reports whether a sentence could turn what stands beside it into its
// opposite: it negates, and neither speaks of something else nor replaces what was
// said before.
func casts(s string) bool {
	return (negated(s) && !onlyWord.MatchString(s) || stopping.MatchString(s)) && !namesOther(s) && !replaces(s) && !strings.ContainsRune(s, markTarget)
}

// namesOther reports whether a sentence is about a path that is not marked, and
// about it alone.
func namesOther(s string) bool {
	return otherPath.MatchString(s) && !general.MatchString(s) && !strings.ContainsRune(s, markTarget)
}

var (
	otherPath = regexp.MustCompile(`(^|[\s"'` + "`" + `“(])/[A-Za-z0-9_.-]+|[A-Za-z0-9_-]+\.[A-Za-z][A-Za-z0-9]{0,5}\b`)
	general   = regexp.MustCompile(`(?i)\b(any|anything|all|everything|files|folders|directories|whole|ever|e\.g|i\.e)\b|任何|所有|全部|一切`)
	onlyWord  = regexp.MustCompile(`(?i)\bonly\b|仅|只`)
	// refusing is negation without the words that as often say what to do.
	refusing = regexp.MustCompile(`(?i)\b(not|never|no|nothing|without|avoid|preserve|leave|dont|cannot|cant|refrain|forbid|forbids|forbidden|prohibit|prohibited|` +
		`protect|protected|off-limits|hands off|read-only|readonly)\b|n['’]t\b|不|别|勿|禁止|严禁|保留|停止`)
	clauseEnd = regexp.MustCompile(`(?i)[,，]|\b(but|without|though|however)\b|但`)
)

// stops reports whether a sentence is a short no to what was said: "Wait.", "不要".
func stops(s string) bool {
	if len(strings.Fields(s)) > 12 || len([]rune(s)) > 90 || replaces(s) {
		return false
	}
	return stopping.MatchString(s) || negated(s) && !namesOther(s)
}

// holdsName reports whether a name begins a word in a sentence, or is one if it is
// short: "push" is in "pushing", and "go" is not in "good".
func holdsName(lower, name string) bool {
	for from := 0; name != ""; {
		i := strings.Index(lower[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		begins := i == 0 || !letterOrDigit(lower[i-1]) || !letterOrDigit(name[0])
		ends := end == len(lower) || !letterOrDigit(lower[end])
		if begins && (ends || len(name) > 3) {
			return true
		}
		from = i + 1
	}
	return false
}

func letterOrDigit(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

func holdsStem(lower string, stems []string) bool {
	return slices.ContainsFunc(stems, func(stem string) bool {
		i := strings.Index(lower, stem)
		for i >= 0 {
			if before, _ := utf8.DecodeLastRuneInString(lower[:i]); i == 0 || before >= utf8.RuneSelf || !unicode.IsLetter(before) {
				return true
			}
			next := strings.Index(lower[i+1:], stem)
			if next < 0 {
				return false
			}
			i += 1 + next
		}
		return false
	})
}
