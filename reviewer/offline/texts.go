package offline

import (
	"regexp"

	"github.com/docket-engine/docket/reviewer/offline/speech"
)

const markTarget = speech.MarkTarget

// sentences splits a text.
func sentences(text string) []string {
	var out []string
	for _, s := range speech.Read(text).Sentences {
		out = append(out, s.Text)
	}
	return out
}

func holdsWord(s string, words *regexp.Regexp) bool { return words.MatchString(s) }

// negated reports whether a text refuses or denies anything.
func negated(s string) bool { return negation.MatchString(s) }

var (
	negation  = regexp.MustCompile(`(?i)\b(not|never|no|nothing|none|without|except|avoid|keep|preserve|leave|stop)\b|n['’]t\b|不|别|勿|禁止|保留`)
	wentWrong = regexp.MustCompile(`(?i)\b(denied|refused|rejected|failed|fails|fail|error|exists|existed|already|overwr|existing|original|restored?|recovered|mine|backup)\b|拒绝|失败|已存在|覆盖|原有|恢复|错误`)
	toBeMade  = regexp.MustCompile(`(?i)\b(create|creates|creating|write|make|generate|new|add|save)\b|创建|新建|写入|生成|保存`)
)
