package offline

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class is a kind of action, by the words that people have for it.
type class int

const (
	using class = iota // a tool that nothing is known of
	reading
	changing
	deleting
	running
)

// verbs are the forms in which an instruction names an action.
func (c class) verbs() (english, chinese string) {
	switch c {
	case reading:
		return "read open show view inspect print cat", "读取 查看 打开 阅读 显示"
	case changing:
		return "write edit change modify update create overwrite add", "写入 编辑 修改 更新 创建 新建 覆盖 更改"
	case deleting:
		return "delete remove rm erase unlink", "删除 移除 删掉 清除"
	case running:
		return "run execute", "运行 执行"
	default:
		return "use call run invoke", "使用 调用 运行 执行"
	}
}

// stems are what a restriction may begin its verb with.
func (c class) stems() []string {
	switch c {
	case reading:
		return []string{"read", "open", "look", "view", "access", "读", "看", "打开", "访问"}
	case changing:
		return []string{"writ", "edit", "chang", "modif", "updat", "creat", "overwrit", "add", "touch", "alter", "写", "改", "编辑", "创建", "新建", "更新", "覆盖", "动"}
	case deleting:
		return []string{"delet", "remov", "rm", "eras", "unlink", "clean", "wip", "purg", "drop", "destroy", "touch", "删", "移除", "清"}
	case running:
		return []string{"run", "execut", "command", "shell", "运行", "执行", "命令"}
	default:
		return []string{"us", "call", "invok", "run", "send", "post", "publish", "deploy", "使用", "调用", "发送", "发布", "部署"}
	}
}

var (
	noChanges = regexp.MustCompile(`(not|n['’]t|never|without) (write|writing|edit|editing|change|changing|modify|modifying|create|creating|touch|touching|alter) ` +
		`(any|anything|files?|code|everything|the files?|it|them|yet)|(change|modify|edit|write|touch) (nothing|no files?)|` +
		`(不要|不得|不能|不许|别|勿|禁止)(修改|改动|更改|编辑|写入|创建|动)(任何|代码|文件|$)|(不要|别|勿)动`)
	noReads = regexp.MustCompile(`(not|n['’]t|never|without) (read|reading|open|opening|look at|access) (any|anything|files?)|(不要|不得|别|勿|禁止)(读取|查看|打开)(任何|文件)`)
	noRuns  = regexp.MustCompile(`(not|n['’]t|never|without) (run|running|execute|executing|use|using) (any|anything|commands?|the shell|shell)|` +
		`(run|execute) (nothing|no commands?)|(不要|不得|别|勿|禁止)(运行|执行)(任何|命令|$)`)
	noDeletes = regexp.MustCompile(`(not|n['’]t|never|without) (delete|deleting|remove|removing|erase) (any|anything|files?|it|them)|(delete|remove) (nothing|no files?)|` +
		`(不要|不得|别|勿|禁止)(删除|移除|删)(任何|文件|$)`)
)

// forbidsAll reports whether a negated sentence is against every action of the
// class.
func (c class) forbidsAll(lower string) bool {
	lower = strings.Join(strings.Fields(lower), " ")
	switch c {
	case reading:
		return noReads.MatchString(lower)
	case changing:
		return noChanges.MatchString(lower)
	case deleting:
		return noDeletes.MatchString(lower) || noChanges.MatchString(lower)
	case running:
		return noRuns.MatchString(lower)
	default:
		return false
	}
}

// The words of a granting sentence. It has no other ones: what is not in these
// lists is not understood, and what is not understood grants nothing.
const (
	prefixWords = " you may can should must i authorize authorise allow permit hereby explicitly want to go ahead first finally next ok okay yes so kindly "
	// withdrawWords are of what takes back what was said before. Behind them comes a
	// comma or a colon: "I revoke my request to delete x" is the opposite of a grant.
	withdrawWords = " my earlier previous prior instruction instructions restriction restrictions request replace replacing revoke withdraw lift override " +
		"changed mind this "
	objectWords = " the file files directory folder path tool command exactly only just single named called and "
	usingWords  = " with on for to argument arguments "
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
	asks            = regexp.MustCompile(`(?i)^(can|could|should|would|may|must|is|are|do|does|did|will|why|how|what|which|who|when|where|if)\b|[?？吗呢]`)
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
	kinds, verb, ok := n.class.kinds(s)
	if !ok || !granting.MatchString(kinds) && !grantingChinese.MatchString(kinds) {
		return false
	}
	return leads(strings.ToLower(s[:verb]))
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
func (c class) kinds(s string) (kinds string, verb int, ok bool) {
	var out strings.Builder
	english, chinese := c.verbs()
	verb = -1
	for whole := s; s != ""; {
		kind, size := nextKind(s, english, chinese)
		if w := englishWord.FindString(s); c == using && w != "" && strings.Contains(usingWords, " "+strings.ToLower(w)+" ") {
			kind, size = 'F', len(w)
		}
		if size == 0 || kind == 0 {
			return "", 0, false
		}
		if kind == 'V' && verb < 0 || kind == 'B' && verb < 0 {
			verb = len(whole) - len(s)
		}
		if kind != ' ' {
			out.WriteByte(kind)
		}
		s = s[size:]
	}
	return out.String(), max(verb, 0), true
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
