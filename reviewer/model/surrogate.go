package model

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A character beyond U+FFFF is two escapes in JSON, and servers that count in UTF-16
// cut between them: half of it ends one piece, the other half begins the next. Here half
// a pair is three bytes, as UTF-8 would write it if it could, so that the halves can be
// joined. No valid UTF-8 has these bytes.

// halfSize is how many bytes half a pair has.
const halfSize = 3

// isHalf reports whether text begins with half a pair, and which.
func isHalf(text string) (high, low bool) {
	if len(text) < halfSize || text[0] != 0xED {
		return false, false
	}
	return text[1] >= 0xA0 && text[1] < 0xB0, text[1] >= 0xB0
}

// halfRune is the surrogate that text begins with.
func halfRune(text string) rune {
	return 0xD000 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F)
}

func appendHalf(b []byte, r rune) []byte {
	return append(b, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

// unquoted is the text of a JSON string, with halves of pairs as they are. The value is
// one that a decoder has read.
func unquoted(value jsontext.Value) string {
	raw := value[1 : len(value)-1]
	if !bytes.Contains(raw, []byte(`\u`)) {
		text, err := jsontext.AppendUnquote(nil, value)
		if err == nil {
			return string(text)
		}
	}
	text := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		switch {
		case raw[0] != '\\':
			text, raw = append(text, raw[0]), raw[1:]
		case raw[1] != 'u':
			one, err := jsontext.AppendUnquote(nil, `"`+string(raw[:2])+`"`)
			if err == nil {
				text = append(text, one...)
			}
			raw = raw[2:]
		default:
			code, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
			if r := rune(code); err == nil && utf16.IsSurrogate(r) {
				text = appendHalf(text, r)
			} else if err == nil {
				text = utf8.AppendRune(text, r)
			}
			raw = raw[6:]
		}
	}
	return joined(string(text))
}

// joined makes one character of two halves that stand side by side.
func joined(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if high, _ := isHalf(text[i:]); high {
			if _, low := isHalf(text[i+halfSize:]); low {
				b.WriteRune(utf16.DecodeRune(halfRune(text[i:]), halfRune(text[i+halfSize:])))
				i += 2 * halfSize
				continue
			}
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// cutHalf takes the first half of a pair from the end of a text.
func cutHalf(text string) (rest, half string) {
	at := max(0, len(text)-halfSize)
	if high, _ := isHalf(text[at:]); high {
		return text[:at], text[at:]
	}
	return text, ""
}
