package auto

import (
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Language is that of a person who is shown something.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// Display is a denial's reason as a person is shown it in one line: trimmed, with
// line breaks folded, or a text that says that none was given. Only what is shown
// is changed so; the log keeps the reason as it was written (seed 000).
func Display(reason jsontext.Value, l Language) string {
	if text := oneLine(plain(reason)); text != "" {
		return text
	}
	if l == Chinese {
		return "审查未说明理由"
	}
	return "The review gave no reason"
}

// DisplayQuestion is the question to a person that a denial became.
func DisplayQuestion(tool string, reason jsontext.Value, l Language) string {
	if l == Chinese {
		return "自动审查拒绝了工具“" + tool + "”:" + Display(reason, l)
	}
	return "Auto review denied tool “" + tool + "”: " + Display(reason, l)
}

// plain is the text of a JSON string literal. A surrogate without its other half,
// which no Go string holds, becomes the replacement character.
func plain(reason jsontext.Value) string {
	var text string
	if reason == nil || json.Unmarshal(reason, &text, jsontext.AllowInvalidUTF8(true)) != nil {
		return ""
	}
	return text
}

// oneLine folds each run of line separators, and the space around it, to a space.
func oneLine(text string) string {
	parts := strings.FieldsFunc(text, isBreak)
	kept := parts[:0]
	for _, p := range parts {
		if p = strings.TrimFunc(p, unicode.IsSpace); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}

func isBreak(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
		return true
	default:
		return false
	}
}
