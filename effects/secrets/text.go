package secrets

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Text takes the secrets out of a text, and says where they were. A text that is
// undisclosable becomes one marker. To redact what was redacted changes nothing.
func Text(s string) (out string, spans []Span, undisclosable bool) {
	return Redact(s)
}

// Redact is [Text] for a text of which it is known besides where secrets stand: what a
// parser found, and [Position].
func Redact(s string, known ...Span) (out string, spans []Span, undisclosable bool) {
	spans, ok := Find(s)
	if len(known) > 0 && ok {
		spans = merge(append(spans, inside(known, len(s))...), s)
		ok = whole(s, spans)
	}
	for range maxRounds {
		if !ok {
			return Undisclosable.Marker(), nil, true
		}
		if len(spans) == 0 {
			return s, nil, false
		}
		out = render(s, spans)
		again, fine := Find(out)
		if fine && len(again) == 0 {
			return out, spans, false
		}
		// What was taken out lets something show that it hid before.
		spans, ok = merge(append(spans, back(again, spans)...), s), fine
	}
	return Undisclosable.Marker(), nil, true
}

// Find gives the places of the secrets in a text, in order, none within another. It
// is not ok if there is one that cannot be delimited.
func Find(s string) (spans []Span, ok bool) {
	if len(s) > maxText {
		return nil, false
	}
	x := scanner{s: s}
	x.scan()
	if x.open {
		return nil, false
	}
	if !x.escaped && !x.broken && len(x.aside) == 0 {
		return x.spans, len(x.spans) == 0 || whole(s, x.spans)
	}
	spans, ok = x.views()
	if !ok {
		return nil, false
	}
	spans = merge(spans, s)
	return spans, whole(s, spans)
}

// maxText is more than any argument holds; its places fit 32 bits.
const maxText = 1 << 30

// views looks at the text as others will read it.
func (x *scanner) views() (spans []Span, ok bool) {
	v := view{text: x.s}
	spans, broken := append(x.spans, x.aside...), x.broken
	for round := 0; x.escaped && round < maxRounds; round++ {
		v = decoded(v, round == maxRounds-1)
		x = &scanner{s: v.text}
		x.scan()
		if x.open {
			return nil, false
		}
		for _, s := range append(x.spans, x.aside...) {
			spans = append(spans, v.span(s))
		}
		broken = broken || x.broken
	}
	if broken {
		v = bare(v)
		x = &scanner{s: v.text, shapes: true}
		x.scan()
		if x.open {
			return nil, false
		}
		for _, s := range x.spans {
			spans = append(spans, v.span(s))
		}
	}
	return spans, true
}

// merge sorts spans and joins those that overlap. A piece that stands within a marker
// is none.
func merge(spans []Span, s string) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	out := spans[:0]
	for _, p := range spans {
		if p.End <= p.Start || isMarker(s[p.Start:p.End]) {
			continue
		}
		if last := len(out) - 1; last >= 0 && p.Start < out[last].End {
			out[last].End = max(out[last].End, p.End)
			continue
		}
		out = append(out, p)
	}
	return out
}

// whole reports whether spans are of letters that are whole, and end where letters do.
func whole(s string, spans []Span) bool {
	for _, p := range spans {
		if !utf8.ValidString(s[p.Start:p.End]) {
			return false
		}
		if r, n := utf8.DecodeRuneInString(s[p.End:]); r == utf8.RuneError && n == 1 {
			return false
		}
		if r, n := utf8.DecodeLastRuneInString(s[:p.Start]); r == utf8.RuneError && n == 1 {
			return false
		}
	}
	return true
}

// inside keeps known places within the text.
func inside(known []Span, length int) []Span {
	var out []Span
	for _, k := range known {
		k.Start, k.End = max(0, k.Start), min(length, k.End)
		if _, ok := kindNamed(string(k.Kind)); !ok {
			k.Kind = Credential
		}
		out = append(out, k)
	}
	return out
}

func render(s string, spans []Span) string {
	var b strings.Builder
	b.Grow(len(s) + 16*len(spans))
	at := 0
	for _, p := range spans {
		b.WriteString(s[at:p.Start])
		b.WriteString(p.Kind.Marker())
		at = p.End
	}
	b.WriteString(s[at:])
	return b.String()
}

// back gives the places in the text for those in what it was rendered to. Both are in
// order, so that one walk serves for all.
func back(again, spans []Span) []Span {
	w := walk{spans: spans}
	for i := range again {
		again[i].Start = w.original(again[i].Start, false)
		again[i].End = w.original(again[i].End, true)
	}
	return again
}

// walk goes along the spans that were rendered.
type walk struct {
	spans []Span
	shift int // rendered minus text, in front of the spans that are left
}

// original is the place in the text for one in what it was rendered to; within a
// marker it is the secret's beginning or its end.
func (w *walk) original(at int, end bool) int {
	for len(w.spans) > 0 {
		p := w.spans[0]
		from := p.Start + w.shift
		to := from + len(p.Kind.Marker())
		switch {
		case at < from || at == from && end:
			return at - w.shift
		case at <= to && end:
			return p.End
		case at < to:
			return p.Start
		}
		w.shift += len(p.Kind.Marker()) - (p.End - p.Start)
		w.spans = w.spans[1:]
	}
	return at - w.shift
}
