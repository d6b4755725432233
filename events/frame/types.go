package frame

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/docket-engine/docket/events"
)

// typesLimit bounds the list of types: longer ones are cut, headers have 64 KiB in
// all.
const typesLimit = 16 << 10

// typesOf lists the distinct types of records as they are stored.
func typesOf(records []events.Record) string {
	if len(records) == 1 { // most frames
		if t := escapeType(string(records[0].Type())); len(t) <= typesLimit {
			return t
		}
		return ""
	}
	var b strings.Builder
	var seen []events.Type
	for _, r := range records {
		t := r.Type()
		if slices.Contains(seen, t) {
			continue
		}
		seen = append(seen, t)
		text := escapeType(string(t))
		if b.Len()+len(text) > typesLimit {
			break
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(text)
	}
	return b.String()
}

// escapeType makes a type fit for a list in a header, whatever it is: an imported
// line may call itself anything, and the client library changes what a header
// cannot hold, behind the signature's back.
func escapeType(t string) string {
	if strings.IndexFunc(t, mustEscape) < 0 {
		return t
	}
	var b strings.Builder
	for i := range len(t) {
		if mustEscape(rune(t[i])) {
			fmt.Fprintf(&b, "%%%02X", t[i])
		} else {
			b.WriteByte(t[i])
		}
	}
	return b.String()
}

func mustEscape(r rune) bool { return r <= ' ' || r >= 0x7f || r == ',' || r == '%' }

// FirstType is the type of the frame's first event, as its list says.
func (f Frame) FirstType() events.Type {
	first, _, _ := strings.Cut(f.Types, ",")
	if t, err := url.PathUnescape(first); err == nil {
		return events.Type(t)
	}
	return events.Type(first)
}
