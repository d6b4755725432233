package client

import (
	"context"
	"fmt"
	"iter"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

// read yields a session's stored records, page by page.
func (c *Client) read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for {
			page, err := ask[api.Page](ctx, c, "read", api.Read{Query: api.Query{Session: id}, From: from})
			var records []events.Record
			if err == nil {
				records, err = pageRecords(page, from)
			}
			if err != nil {
				yield(events.Record{}, err)
				return
			}
			for _, r := range records {
				if !yield(r, nil) {
					return
				}
			}
			if page.Next >= page.Head || page.Next <= from {
				return
			}
			from = page.Next
		}
	}
}

// pageRecords are the records of a page, which has no gap before or in it.
func pageRecords(page api.Page, from events.Seq) ([]events.Record, error) {
	h, err := events.ParseHeader(page.Header)
	if err != nil {
		return nil, fmt.Errorf("client: read session %s: %w", page.Session, err)
	}
	records, next, err := parseRecords(h.Version, linesOf(page.Records), from)
	if err == nil && len(records) > 0 && next != page.Next {
		err = fmt.Errorf("the page says that it ends at %d and ends at %d", page.Next, next)
	}
	if err != nil {
		return nil, fmt.Errorf("client: read session %s: %w", page.Session, err)
	}
	return records, nil
}

func linesOf[T ~[]byte](values []T) [][]byte {
	lines := make([][]byte, len(values))
	for i, v := range values {
		lines[i] = v
	}
	return lines
}

// parseRecords takes lines for what they say they are. The first one holds from, or
// begins there, and each of the others follows the one before.
func parseRecords(format events.Format, lines [][]byte, from events.Seq) (records []events.Record, next events.Seq, err error) {
	next = from
	for i, line := range lines {
		r, err := events.ParseRecord(format, line)
		if err != nil {
			return nil, 0, err
		}
		if begins := r.Seq == next || i == 0 && r.Seq < next && next < r.End(); !begins {
			return nil, 0, fmt.Errorf("seq %d stands in the place of %d", r.Seq, next)
		}
		records, next = append(records, r), r.End()
	}
	return records, next, nil
}
