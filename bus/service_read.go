package bus

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

const (
	readDefault = 256
	// pageSize is what the records of one answer take in bytes, unless one alone takes
	// more.
	pageSize = 512 << 10
)

// read gives a page of a session's log, as it is stored.
func (s *Service) read(ctx context.Context, q *request, r api.Read) (any, error) {
	if r.Limit == 0 {
		r.Limit = readDefault
	}
	o, err := s.cfg.Log.Open(ctx, q.session)
	if err != nil {
		return nil, err
	}
	p := api.Page{Session: q.session, Header: o.Header.Line, Records: []jsontext.Value{}, Next: r.From, Head: o.Head.Next}
	if r.From > o.Head.Next {
		return nil, refusal(api.CodeInvalid, "from", "is behind the log's end")
	}
	size := 0
	for record, err := range s.cfg.Log.Read(ctx, q.session, r.From) {
		if err != nil {
			return nil, err
		}
		if size += len(record.Line); size > pageSize && len(p.Records) > 0 || len(p.Records) >= r.Limit {
			break
		}
		p.Records = append(p.Records, jsontext.Value(record.Line))
		p.Next = record.End()
	}
	p.Head = max(p.Head, p.Next)
	return p, nil
}

// batch is a part of a log on its way to a follower.
type batch struct {
	from, next events.Seq
	records    []jsontext.Value
	size       int
}
