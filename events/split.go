package events

import "bytes"

// Split takes the body of a frame, one record a line, for what its lines say they
// are, as [ParseRecord] does. It works out the chain behind each line, from the
// chain behind what stands before them. The records remember what was found, so
// that who checks, folds or copies them need not look at their lines or hash them
// again.
func Split(format Format, body []byte, before Chain) ([]Record, error) {
	n := bytes.Count(body, newline) + 1
	s := &split{format: format, body: body, before: before, parts: make([]part, 0, n)}
	records := make([]Record, 0, n)
	chain := before
	for begin := 0; begin <= len(body); {
		end := len(body)
		if i := bytes.IndexByte(body[begin:], '\n'); i >= 0 {
			end = begin + i
		}
		line := body[begin:end:end]
		t, seq, count, err := peek(format, line)
		if err != nil {
			return nil, err
		}
		chain = chain.Next(line)
		records = append(records, Record{Format: format, Seq: seq, Count: count, Line: line, in: s, part: len(s.parts)})
		s.parts = append(s.parts, part{name: t, seq: seq, count: count, begin: begin, chain: chain})
		begin = end + 1
	}
	return records, nil
}

var newline = []byte{'\n'}

// split is what is known of a body's lines. Nobody changes it.
type split struct {
	format Format
	body   []byte
	before Chain
	parts  []part
}

// part is one line of a body.
type part struct {
	name  Type
	seq   Seq
	count int
	begin int   // in the body
	chain Chain // behind the line
}

// chainBefore is the chain that a part's own one follows.
func (s *split) chainBefore(i int) Chain {
	if i == 0 {
		return s.before
	}
	return s.parts[i-1].chain
}

// known gives what is remembered of the record, or nil. A record that was changed
// in any way since is not the one that is remembered.
func (r Record) known() *part {
	if r.in == nil || len(r.Line) == 0 {
		return nil
	}
	p := &r.in.parts[r.part]
	if &r.Line[0] != &r.in.body[p.begin] || len(r.Line) != r.in.size(r.part) {
		return nil
	}
	if r.Format != r.in.format || r.Seq != p.seq || r.Count != p.count {
		return nil
	}
	return p
}

// size is the length of a part's line.
func (s *split) size(i int) int {
	if i == len(s.parts)-1 {
		return len(s.body) - s.parts[i].begin
	}
	return s.parts[i+1].begin - 1 - s.parts[i].begin
}

// Join is the body of a frame that holds the records, one a line. Nobody changes
// it: where the records stand in one body already, in this order, it is that one.
func Join(records []Record) []byte {
	if body, ok := joined(records); ok {
		return body
	}
	size := len(records) - 1
	for _, r := range records {
		size += len(r.Line)
	}
	body := make([]byte, 0, size)
	for i, r := range records {
		if i > 0 {
			body = append(body, '\n')
		}
		body = append(body, r.Line...)
	}
	return body
}

// joined gives the part of a body that the records were split from.
func joined(records []Record) ([]byte, bool) {
	if len(records) == 1 {
		return records[0].Line, true
	}
	if len(records) == 0 || records[0].known() == nil {
		return nil, false
	}
	first := records[0]
	for i, r := range records {
		if r.in != first.in || r.part != first.part+i || r.known() == nil {
			return nil, false
		}
	}
	last := first.part + len(records) - 1
	begin := first.in.parts[first.part].begin
	end := first.in.parts[last].begin + first.in.size(last)
	return first.in.body[begin:end:end], true
}
