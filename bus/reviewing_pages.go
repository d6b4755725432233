package bus

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
)

// readCommand is the part of the read service's subject behind the reviewer's name;
// the last token is the engine that has the review open.
const readCommand = "read"

// What a reviewer asks of the read service. Each is about one open review.
const (
	wantAlive   = "alive" // is the review still open?
	wantHeader  = "header"
	wantRecords = "records"
)

// readAsked is a request to the read service.
type readAsked struct {
	Nonce string     `json:"nonce"`
	Want  string     `json:"want"`
	From  events.Seq `json:"from,omitzero"`
	// Session is the ancestor that is read; "" is the session under review.
	Session events.SessionID `json:"session,omitzero"`
}

func parseReadAsked(data []byte) (readAsked, error) {
	var q readAsked
	if err := json.Unmarshal(data, &q, json.RejectUnknownMembers(true)); err != nil {
		return readAsked{}, err
	}
	if q.From < 0 || q.Want != wantAlive && q.Want != wantHeader && q.Want != wantRecords {
		return readAsked{}, errors.New("it asks for nothing that there is")
	}
	if q.Session != "" && q.Session.Check() != nil {
		return readAsked{}, errors.New("it asks for a session that is none")
	}
	return q, nil
}

// readSaid is the first line of every answer; behind it stand the stored lines that it
// speaks of, byte for byte.
type readSaid struct {
	// Closed says that no such review is open; then there is nothing else.
	Closed bool `json:"closed,omitzero"`
	// Failed says that the log could not be read.
	Failed bool `json:"failed,omitzero"`

	Header  *headerSaid  `json:"header,omitzero"` // one line follows
	Records []recordSaid `json:"records,omitzero"`
}

// headerSaid is what is known of a session beside its header's line.
type headerSaid struct {
	Seed    string     `json:"seed,omitzero"`
	SeedTo  events.Seq `json:"seedTo,omitzero"`
	SeedEnd string     `json:"seedChain,omitzero"` // hex
	Foreign events.Seq `json:"imported,omitzero"`
	Class   string     `json:"creatorClass"`
	Creator string     `json:"creator"`
}

// recordSaid is what a log tells of a record beside its line.
type recordSaid struct {
	Format events.Format   `json:"format"`
	Append events.AppendID `json:"append,omitzero"`
}

// pageOf writes an answer of the read service.
func pageOf(s readSaid, lines ...[]byte) ([]byte, error) {
	first, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return bytes.Join(append([][]byte{first}, lines...), []byte("\n")), nil
}

// parsePage reads an answer of the read service.
func parsePage(data []byte) (s readSaid, lines [][]byte, err error) {
	parts := bytes.Split(data, []byte("\n"))
	if err := json.Unmarshal(parts[0], &s, json.RejectUnknownMembers(true)); err != nil {
		return readSaid{}, nil, err
	}
	want := len(s.Records)
	if s.Header != nil {
		want++
	}
	switch {
	case s.Header != nil && len(s.Records) > 0 || (s.Closed || s.Failed) && want > 0:
		return readSaid{}, nil, errors.New("the answer is more than one")
	case len(parts)-1 != want:
		return readSaid{}, nil, fmt.Errorf("the answer has %d lines, not %d", len(parts)-1, want)
	}
	return s, parts[1:], nil
}

// headerPage is the answer that has a session's header.
func headerPage(o events.Opened) ([]byte, error) {
	h := &headerSaid{Seed: string(o.Seed.Kind), SeedTo: o.Seed.Next, Foreign: o.Seed.Imported, Class: o.Creator.Class, Creator: o.Creator.Name}
	if o.Seed.Chain != (events.Chain{}) {
		h.SeedEnd = o.Seed.Chain.String()
	}
	return pageOf(readSaid{Header: h}, o.Header.Line)
}

// opened is what a log's Open would have given, where the log ends at a head.
func (h headerSaid) opened(line []byte, head events.Head) (events.Opened, error) {
	header, err := events.ParseHeader(line)
	if err != nil {
		return events.Opened{}, err
	}
	o := events.Opened{
		Header: header, Head: head, Creator: events.Actor{Class: h.Class, Name: h.Creator},
		Seed: events.Seed{Kind: events.SeedKind(h.Seed), Next: h.SeedTo, Imported: h.Foreign},
	}
	if h.SeedEnd != "" {
		o.Seed.Chain, err = events.ParseChain(h.SeedEnd)
	}
	return o, err
}
