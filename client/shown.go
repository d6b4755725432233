package client

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

// shownHash is what an answer to a question must carry: the SHA-256 (hex) of what the
// question shows, with the chain of the log that it was asked on.
func shownHash(q api.Question, chain events.Chain) (string, error) {
	var texts [4]string
	for i, shown := range []string{q.Tool, q.Arguments, q.CWD, q.Mode} {
		text, err := unescape(shown)
		if err != nil {
			return "", err
		}
		texts[i] = text
	}
	arguments, err := parsed(texts[1])
	if err != nil {
		return "", err
	}
	return permit.Shown{Tool: texts[0], Arguments: arguments, CWD: texts[2], Mode: texts[3], Chain: chain}.Hash()
}

// parsed is the value that a call's arguments are: none are an empty object, and what
// is no JSON is a string.
func parsed(arguments string) (jsontext.Value, error) {
	v := jsontext.Value(arguments)
	switch {
	case arguments == "":
		return jsontext.Value("{}"), nil
	case !v.IsValid():
		return json.Marshal(arguments)
	}
	return v, nil
}

// unescape gives the text that is shown: whatever is not seen as itself is shown as
// <U+202E>, a byte that is no text as <0xFF>, and nothing else looks like these.
func unescape(shown string) (string, error) {
	var b strings.Builder
	for {
		at := strings.IndexByte(shown, '<')
		if at < 0 {
			b.WriteString(shown)
			return b.String(), nil
		}
		b.WriteString(shown[:at])
		shown = shown[at:]
		kind := shown[1:min(3, len(shown))]
		if kind != "U+" && kind != "0x" {
			b.WriteByte('<')
			shown = shown[1:]
			continue
		}
		digits, rest, closed := strings.Cut(shown[3:], ">")
		n, err := strconv.ParseUint(digits, 16, 32)
		switch {
		case !closed || err != nil:
			return "", fmt.Errorf("what is shown holds an escape that is none: %.12q", shown)
		case kind == "0x" && n <= 0xff && len(digits) == 2:
			b.WriteByte(byte(n))
		case kind == "U+" && n <= utf8.MaxRune && utf8.ValidRune(rune(n)):
			b.WriteRune(rune(n))
		default:
			return "", fmt.Errorf("what is shown holds an escape that is none: %.12q", shown)
		}
		shown = rest
	}
}
