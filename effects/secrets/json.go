package secrets

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits bound what is left of a JSON value. A field that is 0 is the default of
// [DefaultLimits].
type Limits struct {
	String int // characters of a text
	Depth  int // arrays and objects within each other; the outermost is the first
	Array  int // items of an array
	Keys   int // members of an object
	// Bulk replaces texts under names that say that they are long, such as content,
	// diff and description, by how long they are.
	Bulk bool
}

// DefaultLimits are for arguments that go to a model.
func DefaultLimits() Limits { return Limits{String: 1000, Depth: 3, Array: 25, Keys: 50} }

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	for _, f := range [...]struct{ of, or *int }{{&l.String, &d.String}, {&l.Depth, &d.Depth}, {&l.Array, &d.Array}, {&l.Keys, &d.Keys}} {
		if *f.of <= 0 {
			*f.of = *f.or
		}
	}
	return l
}

// Unbounded is a limit that never cuts.
const Unbounded = 1 << 40

// Redaction says what was done to a JSON value.
type Redaction struct {
	Secrets int  // how many were taken out
	Cut     bool // something was left out because of the limits
	// Undisclosable says that there is a secret that cannot be taken out, or that this
	// is no JSON. The value is then one marker.
	Undisclosable bool
}

// JSON takes the secrets out of a JSON value and bounds it. What was left out, and how
// much, is said where it stood. With the same limits the outcome stays as it is.
func JSON(v jsontext.Value, limits Limits) (jsontext.Value, Redaction) {
	w := writer{in: jsontext.NewDecoder(bytes.NewReader(v)), limits: limits.withDefaults()}
	if err := w.value(1, spot{}); err != nil || !w.ended() || w.done.Undisclosable {
		text, _ := jsontext.AppendQuote(nil, Undisclosable.Marker()) // it is ASCII
		return text, Redaction{Undisclosable: true}
	}
	return w.out, w.done
}

// writer copies a value from one end to the other.
type writer struct {
	in     *jsontext.Decoder
	out    jsontext.Value
	limits Limits
	done   Redaction
}

// spot is where a value stands.
type spot struct {
	name string // of the member, or what an item is called
	rank rank
	bulk bool
	// known are the secrets of the text that is to come.
	known []Span
}

func (w *writer) ended() bool {
	_, err := w.in.ReadToken()
	return errors.Is(err, io.EOF)
}

// quote writes a text, which the decoder has checked.
func (w *writer) quote(s string) error {
	var err error
	w.out, err = jsontext.AppendQuote(w.out, s)
	return err
}

func (w *writer) value(depth int, at spot) error {
	switch w.in.PeekKind() {
	case '{', '[':
		return w.container(depth, at)
	case '"':
		t, err := w.in.ReadToken()
		if err != nil {
			return err
		}
		return w.quote(w.text(t.String(), at))
	default:
		v, err := w.in.ReadValue()
		if err != nil {
			return err
		}
		if v.Kind() == '0' && at.rank == strong {
			return w.secret(at.name)
		}
		w.out = append(w.out, v...)
		return nil
	}
}

func (w *writer) secret(name string) error {
	w.done.Secrets++
	return w.quote(kindOf(name).Marker())
}

// container copies an array or object, or says what it was.
func (w *writer) container(depth int, at spot) error {
	if at.rank < medium && depth <= w.limits.Depth {
		if w.in.PeekKind() == '[' {
			return w.array(depth, at)
		}
		return w.object(depth)
	}
	v, err := w.in.ReadValue()
	if err != nil {
		return err
	}
	n, unit := count(v)
	switch {
	case at.rank >= medium && holdsText(v):
		return w.secret(at.name)
	case n > 0 && (depth > w.limits.Depth || n > w.limits.Keys || n > w.limits.Array):
		w.done.Cut = true
		return w.quote(cutMarker(n, unit))
	}
	w.out = append(w.out, v...) // nothing, or numbers such as counts of tokens
	return nil
}

// count is the number of items or members.
func count(v jsontext.Value) (n int, unit string) {
	d := jsontext.NewDecoder(bytes.NewReader(v))
	if _, err := d.ReadToken(); err != nil {
		return 0, unitItems
	}
	for k := d.PeekKind(); k != ']' && k != '}'; k = d.PeekKind() {
		if d.SkipValue() != nil {
			break
		}
		n++
	}
	if v.Kind() == '{' {
		return n / 2, unitMembers
	}
	return n, unitItems
}

func holdsText(v jsontext.Value) bool { return bytes.IndexByte(v, '"') >= 0 }

// text redacts and bounds one text.
func (w *writer) text(s string, at spot) string {
	switch {
	case isMarker(s):
		return s
	case at.rank > none && underName(at.rank, s):
		w.done.Secrets++
		return kindOf(at.name).Marker()
	case at.bulk && utf8.RuneCountInString(s) > len(cutStart):
		if _, _, undisclosable := Text(s); undisclosable {
			w.done.Undisclosable = true
		}
		w.done.Cut = true
		return cutMarker(utf8.RuneCountInString(s), unitCharacters)
	}
	out, spans, undisclosable := Redact(s, at.known...)
	if undisclosable {
		w.done.Undisclosable = true
		return out
	}
	w.done.Secrets += len(spans)
	cut := shorten(out, w.limits.String)
	w.done.Cut = w.done.Cut || len(cut) != len(out)
	return cut
}

// underName judges a member's text. Here nothing has to be told from a program's text.
func underName(r rank, s string) bool {
	p := place{rank: r, quoted: true, strict: r >= medium && !strings.Contains(s, " ")}
	return p.secret(s) || r >= medium && len(s) > maxPlain || r == weak && strings.Contains(s, " ") && p.headerLike(s)
}

// headerLike is true of "Bearer abc123" under a name such as auth.
func (p place) headerLike(s string) bool {
	scheme, rest, _ := strings.Cut(s, " ")
	p.rank = strong
	return schemeName(scheme) && p.secret(rest)
}

// shorten keeps the beginning of a text, and says how much is missing. It never cuts
// through a marker, and what it leaves holds no more than what was there.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	total := utf8.RuneCountInString(s)
	if total <= limit {
		return s
	}
	keep := max(0, limit-len(cutMarker(total, unitCharacters)))
	end := 0
	for n := 0; n < keep; n++ {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	if open := strings.LastIndexByte(s[:end], '['); open >= 0 && open+markerLen(s[open:]) > end {
		keep -= utf8.RuneCountInString(s[open:end])
		end = open
	}
	out := s[:end] + cutMarker(total-keep, unitCharacters)
	if again, _, undisclosable := Text(out); undisclosable || again != out {
		return cutMarker(total, unitCharacters)
	}
	return out
}
