package offline

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The words of a granting sentence. It has no other ones: what is not in these
// lists is not understood, and what is not understood grants nothing.
const (
	prefixWords = " you may can should must i authorize authorise allow permit hereby explicitly want to go ahead first finally next ok okay yes so kindly "
	// withdrawWords are of what takes back what was said before. Behind them comes a
	// comma or a colon: "I revoke my request to delete x" is the opposite of a grant.
	withdrawWords = " my earlier previous prior instruction instructions restriction restrictions request replace replacing revoke withdraw lift override " +
		"changed mind this "
	objectWords = " the file files directory folder path tool command exactly only just single named called and "
	freeWords   = " please now then too also immediately permanently instead "

	prefixChinese   = "请你 你 可以 授权 允许 同意 要求 帮我 麻烦 改为 现在可以 我 直接"
	withdrawChinese = "撤销 收回 替换 取代 之前 先前 限制 指示 的"
	objectChinese   = "文件夹 文件 目录 命令 工具 这个 该 和 以及"
	freeChinese     = "请 现在 然后 并 吧 立即"
	takesChinese    = "把 将"
)

// granting and grantingChinese are the two orders in which a grant is said: the
// verb and what it is done to, or the other way round. A sentence becomes a string
// of kinds first. What is withdrawn stands before it, with a comma or a colon.
var (
	granting        = regexp.MustCompile(`^([PFNW]*W[PFNW]*[CR])?[PFCN]*V[FCOTN]*T[FCOTN]*$`)
	grantingChinese = regexp.MustCompile(`^([PFNW]*W[PFNW]*[CR])?[PFCN]*B[FCO]*T[FCOT]*V[NC]*$`)
	// grantingInto is the Chinese order with where it goes to behind the verb.
	grantingInto = regexp.MustCompile(`^([PFNW]*W[PFNW]*[CR])?[PFCN]*B[FCO]*T[FCOT]*V[FCO]*[NC]*$|^([PFNW]*W[PFNW]*[CR])?[PFCN]*B[FCO]*O[FCO]*V[FC]*T[FC]*[NC]*$`)
	asks         = regexp.MustCompile(`(?i)^(can|could|should|would|may|must|is|are|do|does|did|will|why|how|what|which|who|when|where|if)\b|[?？吗呢]`)
	// leading is what may stand before an English verb, as a whole.
	leading = regexp.MustCompile(`^((ok|okay|yes|so|just|please|now|then|first|finally|next|also|instead|kindly|and)[\s,]+)*` +
		`((you (may|can|should|must)|go ahead and|i ((now|hereby|explicitly) )*(authori[sz]e|allow|permit|want) you to)\s+)?` +
		`((please|now|then|also|just|immediately|explicitly)[\s,]+)*$`)
	latin = regexp.MustCompile(`[a-z]`)
	// ofMine are what a person who says 我 may mean but their own doing.
	ofMine = regexp.MustCompile(`你|授权|允许|同意|要求|帮我|我的`)
)

// grants reports whether a marked sentence orders or allows what is named.
func (n naming) grants(s string) bool {
	if asks.MatchString(s) {
		return false
	}
	for i := range n.also {
		if !strings.ContainsRune(s, markAlso+rune(i)) {
			return false
		}
	}
	kinds, verb, ok := n.kinds(s)
	if !ok || !granting.MatchString(kinds) && !grantingChinese.MatchString(kinds) && !(n.class.links() != "" && grantingInto.MatchString(kinds)) {
		return false
	}
	return leads(strings.ToLower(s[:verb])) && n.inOrder(s)
}

// inOrder reports whether what is sent stands before where it is sent to.
func (n naming) inOrder(s string) bool {
	if n.class != sending {
		return true
	}
	target := strings.IndexRune(s, markTarget)
	for i := range n.also {
		if strings.IndexRune(s, markAlso+rune(i)) > target {
			return false
		}
	}
	return true
}

// leads reports whether what stands before the verb speaks to the agent, and
// withdraws what it names as said before.
func leads(prefix string) bool {
	if at := strings.LastIndexAny(prefix, ",:，："); at >= 0 && withdraws.MatchString(prefix[:at]) {
		if !replaces(prefix[:at]) {
			return false
		}
		_, size := utf8.DecodeRuneInString(prefix[at:])
		prefix = prefix[at+size:]
	}
	if strings.ContainsRune(prefix, '我') && !ofMine.MatchString(prefix) {
		return false // "I delete x"
	}
	prefix = strings.TrimLeft(prefix, " \t")
	return !latin.MatchString(prefix) || leading.MatchString(prefix)
}

var withdraws = regexp.MustCompile(`\b(my|earlier|previous|prior|instructions?|restrictions?|request|replac|revoke|withdraw|lift|override|mind|this)|撤销|收回|替换|取代|之前|先前|限制|指示`)

// kinds tells each word's kind, in order. ok is false at the first that has none.
// verb is where the first verb begins.
func (n naming) kinds(s string) (kinds string, verb int, ok bool) {
	var out strings.Builder
	spoken := n.class.words()
	verb = -1
	for whole := s; s != ""; {
		kind, size := nextKind(s, spoken.english, spoken.chinese)
		if size := n.aside(s); size > 0 && kind != 'V' {
			out.WriteByte('F')
			s = s[size:]
			continue
		}
		if size == 0 || kind == 0 {
			return "", 0, false
		}
		if kind == 'V' && verb < 0 || kind == 'B' && verb < 0 {
			verb = len(whole) - len(s)
		}
		if kind == 'O' && spoken.links != "" && n.class != using && !isMark(s) {
			return "", 0, false // where else to
		}
		if kind != ' ' {
			out.WriteByte(kind)
		}
		s = s[size:]
	}
	return out.String(), max(verb, 0), true
}

// isMark reports whether a text begins with a mark.
func isMark(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= markTarget && r < markAlso+maxAlso
}

// aside is the length of a word that says how, or what kind of thing it is done to,
// and that the naming's class has a use for.
func (n naming) aside(s string) int {
	links := n.class.links()
	if w := englishWord.FindString(s); w != "" {
		if listed(links, strings.ToLower(w)) || listed(n.nouns, strings.ToLower(w)) {
			return len(w)
		}
		return 0
	}
	for _, list := range [...]string{links, n.nouns} {
		for w := range strings.FieldsSeq(list) {
			if w[0] >= utf8.RuneSelf && strings.HasPrefix(s, w) {
				return len(w)
			}
		}
	}
	return 0
}

func nextKind(s, english, chinese string) (kind byte, size int) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == markTarget:
		return 'T', n
	case r >= markAlso && r < markAlso+maxAlso:
		return 'O', n
	case unicode.IsSpace(r):
		return ' ', n
	case strings.ContainsRune(",，、", r):
		return 'C', n
	case strings.ContainsRune(".!。！；;", r):
		return ' ', n
	case r == ':' || r == '：':
		return 'R', n
	case r < utf8.RuneSelf:
		return englishKind(s, english)
	default:
		return chineseKind(s, chinese)
	}
}

var englishWord = regexp.MustCompile(`^[A-Za-z0-9_./-]*[A-Za-z0-9_/-]`)

func englishKind(s, verbs string) (kind byte, size int) {
	w := englishWord.FindString(s)
	word := " " + strings.ToLower(w) + " "
	switch {
	case w == "":
		return 0, 0
	case strings.Contains(" "+verbs+" ", word):
		return 'V', len(w)
	case strings.Contains(freeWords, word):
		return 'N', len(w)
	case strings.Contains(objectWords, word):
		return 'F', len(w)
	case strings.Contains(prefixWords, word):
		return 'P', len(w)
	case strings.Contains(withdrawWords, word):
		return 'W', len(w)
	case pathLike.MatchString(w):
		return 'O', len(w)
	default:
		return 0, 0
	}
}

func chineseKind(s, verbs string) (kind byte, size int) {
	for _, list := range []struct {
		kind  byte
		words string
	}{{'V', verbs}, {'P', prefixChinese}, {'W', withdrawChinese}, {'F', objectChinese}, {'N', freeChinese}, {'B', takesChinese}} {
		for w := range strings.FieldsSeq(list.words) {
			if strings.HasPrefix(s, w) {
				return list.kind, len(w)
			}
		}
	}
	return 0, 0
}
