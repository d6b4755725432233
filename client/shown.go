package client

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
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
	arguments, err := canonical(texts[1])
	if err != nil {
		return "", err
	}
	text, err := json.Marshal([]any{"docket approval", texts[0], arguments, texts[2], texts[3], chain.String()})
	if err != nil {
		return "", errors.New("what is shown is no text")
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// canonical is the value that a call's arguments are, with sorted members and one
// spelling: none are an empty object, and what is no JSON is a string.
func canonical(arguments string) (jsontext.Value, error) {
	v := jsontext.Value(arguments)
	switch {
	case arguments == "":
		return jsontext.Value("{}"), nil
	case !v.IsValid():
		return json.Marshal(arguments)
	}
	return v, v.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
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
