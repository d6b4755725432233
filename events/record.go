package events

import (
	"bytes"
	"strconv"

	"github.com/tidwall/gjson"
)

// Record is one stored line of a session's log, byte for byte as it came: one
// event, or a packed row of format 0 that stands for several.
type Record struct {
	Format Format
	Seq    Seq // of the first event
	Count  int // events; 1 but for packed rows
	// Line is the JSON text without a newline. Nobody changes it.
	Line []byte
	// Append is the append that stored the record, as a log tells it that was read:
	// a command that may have been stored finds itself by it. It is no part of the
	// record, and empty in one that was not read.
	Append AppendID

	// in is the body that the record was split from, and part which of its lines it
	// is: nil if it was made in another way.
	in   *split
	part int
}

// End is the seq behind the record's last event.
func (r Record) End() Seq { return r.Seq + Seq(r.Count) }

// NewRecord encodes an envelope as a stored line of the current format. It
// fails on what a reader would refuse.
func NewRecord(e Envelope) (Record, error) {
	line, err := e.encode()
	if err != nil {
		return Record{}, err
	}
	if _, err := decodeEnvelope(Format4, line); err != nil {
		return Record{}, err
	}
	return Record{Format: Format4, Seq: e.Seq, Count: 1, Line: line}, nil
}

// ParseRecord takes a stored line for what it says it is: it finds the seq and
// the number of events without decoding the rest, which [Record.Decode] does.
func ParseRecord(format Format, line []byte) (Record, error) {
	if bytes.IndexByte(line, '\n') >= 0 {
		return Record{}, fieldf("line", "must not hold a newline")
	}
	_, seq, count, err := peek(format, line)
	if err != nil {
		return Record{}, err
	}
	return Record{Format: format, Seq: seq, Count: count, Line: line}, nil
}

// Decode gives the record's events, lifted to the current format. An error is a
// *[FieldError] or an *[UnknownTypeError].
func (r Record) Decode() ([]Envelope, error) {
	if r.Format == Format0 && isPacked(r.Type()) {
		return unpack(r.Line)
	}
	e, err := decodeEnvelope(r.Format, r.Line)
	if err != nil {
		return nil, err
	}
	return []Envelope{e}, nil
}

// Type is the name that the stored line has, which an older format may have
// called differently; empty if the line has none.
func (r Record) Type() Type {
	if p := r.known(); p != nil {
		return p.name
	}
	t, _, _, err := peek(r.Format, r.Line)
	if err != nil {
		return Type(gjson.GetBytes(r.Line, "type").String())
	}
	return t
}

// Cut gives the part of the record before the given seq: itself if it ends
// there, else the events before it, unpacked. It is for forks inside a packed row.
func (r Record) Cut(before Seq) ([]Record, error) {
	if r.End() <= before {
		return []Record{r}, nil
	}
	if r.Seq >= before {
		return nil, nil
	}
	rows, err := unpackLines(r.Line)
	if err != nil {
		return nil, err
	}
	cut := make([]Record, 0, before-r.Seq)
	for i, line := range rows[:before-r.Seq] {
		cut = append(cut, Record{Format: r.Format, Seq: r.Seq + Seq(i), Count: 1, Line: line})
	}
	return cut, nil
}

// peek finds type, seq and count. Lines that the reference or we wrote begin
// with type and seq, which needs no search.
func peek(format Format, line []byte) (t Type, seq Seq, count int, err error) {
	if t, seq, ok := peekFront(line); ok {
		return t, seq, 1, nil
	}
	if !gjson.ValidBytes(line) {
		return "", 0, 0, fieldf("value", "is not strict JSON: it does not parse")
	}
	found := gjson.GetManyBytes(line, "type", "seq", "seq0", "data.dt.#")
	t = Type(found[0].String())
	if format == Format0 && isPacked(t) {
		seq, err := seqText("seq0", found[2].Raw)
		return t, seq, int(found[3].Int()) + 1, err
	}
	seq, err = seqText("seq", found[1].Raw)
	return t, seq, 1, err
}

// seqText reads a seq from its JSON text, empty where the member is missing.
func seqText(field, raw string) (Seq, error) {
	n, err := strconv.ParseUint(raw, 10, 53)
	if err != nil {
		return 0, fieldf(field, "must be a whole number from 0 to 2^53-1")
	}
	return Seq(n), nil
}

// peekFront reads `{"type":"T","seq":N,` where a line begins so.
func peekFront(line []byte) (t Type, seq Seq, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"type":"`))
	if !ok {
		return "", 0, false
	}
	quote := bytes.IndexByte(rest, '"')
	if quote < 0 || bytes.IndexByte(rest[:quote], '\\') >= 0 {
		return "", 0, false
	}
	name := rest[:quote]
	rest, ok = bytes.CutPrefix(rest[quote:], []byte(`","seq":`))
	if !ok {
		return "", 0, false
	}
	const short = 15 // digits that are a seq for certain
	n := 0
	for ; n < len(rest) && n < short && rest[n] >= '0' && rest[n] <= '9'; n++ {
		seq = seq*10 + Seq(rest[n]-'0')
	}
	if n == 0 || n == len(rest) || rest[n] != ',' {
		return "", 0, false
	}
	return typeOf(name), seq, true
}

// typeOf gives the type of a name, without a copy of one that is known.
func typeOf(name []byte) Type {
	if t, ok := typesByName[string(name)]; ok {
		return t
	}
	return Type(name)
}

var typesByName = byName()

func byName() map[string]Type {
	m := make(map[string]Type, len(decoders)+len(knownByName))
	for t := range decoders {
		m[string(t)] = t
	}
	for _, t := range knownByName {
		m[string(t)] = t
	}
	return m
}

// checkPosition reports whether decoded events stand where their record says.
func (r Record) checkPosition(decoded []Envelope) error {
	if len(decoded) != r.Count {
		return fieldf("data.dt", "must stand for %d events, does for %d", r.Count, len(decoded))
	}
	for i, e := range decoded {
		if e.Seq != r.Seq+Seq(i) {
			return fieldf("seq", "must be %d, is %d", r.Seq+Seq(i), e.Seq)
		}
	}
	return nil
}
