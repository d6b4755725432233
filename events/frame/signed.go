package frame

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/docket-engine/docket/events"
)

// signedPrefix is what all headers of ours begin with.
const signedPrefix = "Docket-"

// Field is one header.
type Field struct{ Name, Value string }

// AppendFields adds the headers of a frame that are signed, in the order of their
// names.
func (f Frame) AppendFields(fields []Field) []Field {
	fields = append(fields,
		Field{HeaderActor, formatActor(f.Actor)},
		Field{HeaderChain, f.Chain.String()},
		Field{HeaderCount, strconv.Itoa(f.Count)},
		Field{HeaderFormat, strconv.Itoa(int(f.Format))},
		Field{HeaderFrame, strconv.FormatInt(f.Index, 10)},
	)
	if f.HeaderHash != "" {
		fields = append(fields, Field{HeaderHash, f.HeaderHash})
	}
	if f.Seed != (events.Seed{}) {
		fields = append(fields, Field{HeaderSeed, formatSeed(f.Seed)})
	}
	fields = append(fields, Field{HeaderSeq, strconv.FormatInt(int64(f.Seq), 10)})
	if f.Trust != "" {
		fields = append(fields, Field{HeaderTrust, string(f.Trust)})
	}
	return append(fields, Field{HeaderTypes, f.Types})
}

// AppendSigned adds what a signature is over: the subject, the message id and all
// our headers but the signature, by name. The chain among them stands for the
// records. Header values cannot hold line breaks.
func AppendSigned(b []byte, subject, msgID string, fields []Field) []byte {
	b = append(b, "docket frame 1\n"...)
	b = append(append(b, subject...), '\n')
	b = append(b, msgID...)
	for _, header := range fields {
		b = append(append(b, '\n'), header.Name...)
		b = append(append(b, ": "...), header.Value...)
	}
	return b
}

// SignedText is what the signature of a stored message has to be over. A message
// that has one of our headers, or the message id, more than once has no such text,
// and neither has one with a header that only looks like ours.
func SignedText(subject string, headers map[string][]string) ([]byte, error) {
	fields := make([]Field, 0, len(headers))
	for name, values := range headers {
		switch ours := strings.HasPrefix(name, signedPrefix); {
		case !ours && !looksOurs(name) && name != HeaderMsgID:
			continue
		case !ours && name != HeaderMsgID:
			return nil, fmt.Errorf("its header %.80q is none of ours, and looks like one", name)
		case len(values) != 1:
			return nil, fmt.Errorf("its header %.80s is there %d times", name, len(values))
		case ours && name != HeaderSig:
			fields = append(fields, Field{name, values[0]})
		}
	}
	slices.SortFunc(fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return AppendSigned(make([]byte, 0, 512), subject, only(headers, HeaderMsgID), fields), nil
}

// looksOurs reports whether a name is one of ours but for its case: some stores and
// libraries take the two for one header.
func looksOurs(name string) bool {
	return len(name) >= len(signedPrefix) && strings.EqualFold(name[:len(signedPrefix)], signedPrefix) || strings.EqualFold(name, HeaderMsgID)
}

// only is the value of a header that is there once, else nothing.
func only(headers map[string][]string, name string) string {
	if v := headers[name]; len(v) == 1 {
		return v[0]
	}
	return ""
}

func formatActor(a events.Actor) string {
	return url.PathEscape(a.Class) + "/" + url.PathEscape(a.Name)
}

// noKind is how a seed of no kind is written.
const noKind = "none"

func formatSeed(s events.Seed) string {
	text := cmp.Or(string(s.Kind), noKind) + " " + strconv.FormatInt(int64(s.Next), 10) + " " + s.Chain.String()
	if s.Imported != 0 {
		text += " " + strconv.FormatInt(int64(s.Imported), 10)
	}
	return text
}
