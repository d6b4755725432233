package bus

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
)

// askedLog is the log of a session as far as a review was asked about it, read from
// the engine that asks. Which review it is, each call's context says.
type askedLog struct {
	nc   *nats.Conn
	name string // the reviewer's
}

var _ events.Log = askedLog{}

type askedKey struct{}

// about lets a context's reads of an [askedLog] be those of a review.
func about(ctx context.Context, q reviewAsked) context.Context {
	return context.WithValue(ctx, askedKey{}, q)
}

var (
	// errReviewOver says that the engine waits for the review no more.
	errReviewOver = errors.New("the review is over")
	errLogFailed  = errors.New("the engine cannot read the log")
	errAskedAbout = errors.New("a reviewer reads the log that it was asked about, and writes none")
)

// Open gives the session as the review saw it: its log ends where the review's does.
func (l askedLog) Open(ctx context.Context, id events.SessionID) (events.Opened, error) {
	q, _ := ctx.Value(askedKey{}).(reviewAsked)
	end, ok := q.end(id)
	if !ok {
		return events.Opened{}, errAskedAbout
	}
	s, lines, err := l.ask(ctx, q, readAsked{Want: wantHeader, Session: q.other(id)})
	switch {
	case err != nil:
		return events.Opened{}, err
	case s.Header == nil:
		return events.Opened{}, fmt.Errorf("%w: it does not give the header", errLogFailed)
	}
	chain, err := events.ParseChain(end.Chain)
	if err != nil {
		return events.Opened{}, err
	}
	o, err := s.Header.opened(lines[0], events.Head{Next: end.Next, Chain: chain})
	if err != nil || o.Header.ID != id {
		return events.Opened{}, &events.CorruptError{Session: id, Err: fmt.Errorf("its header is not that of the session: %w", err)}
	}
	return o, nil
}

// Read yields the records up to where the review's log ends.
func (l askedLog) Read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		q, _ := ctx.Value(askedKey{}).(reviewAsked)
		end, ok := q.end(id)
		if !ok {
			yield(events.Record{}, errAskedAbout)
			return
		}
		for from < end.Next {
			records, err := l.page(ctx, q, end, from)
			if err != nil {
				yield(events.Record{}, err)
				return
			}
			for _, r := range records {
				if !yield(r, nil) {
					return
				}
				from = r.End()
			}
		}
	}
}

// page reads some records, at least one, each further than from.
func (l askedLog) page(ctx context.Context, q reviewAsked, end headAsked, from events.Seq) ([]events.Record, error) {
	s, lines, err := l.ask(ctx, q, readAsked{Want: wantRecords, From: from, Session: q.other(end.Session)})
	if err != nil {
		return nil, err
	}
	corrupt := func(err error) error { return &events.CorruptError{Session: end.Session, Seq: from, Err: err} }
	if len(s.Records) == 0 {
		return nil, corrupt(fmt.Errorf("the log ends here, the review was asked about it up to %d", end.Next))
	}
	records := make([]events.Record, len(lines))
	for i, line := range lines {
		r, err := events.ParseRecord(s.Records[i].Format, line)
		if err == nil && (r.End() <= from || r.End() > end.Next) {
			err = fmt.Errorf("seq %d stands in its place", r.Seq)
		}
		if err != nil {
			return nil, corrupt(err)
		}
		r.Append = s.Records[i].Append
		records[i], from = r, r.End()
	}
	return records, nil
}

// other names a session to the read service where it is not the one under review.
func (q reviewAsked) other(id events.SessionID) events.SessionID {
	if id == q.Session {
		return ""
	}
	return id
}

// ask asks the read service of the engine that has the review open.
func (l askedLog) ask(ctx context.Context, q reviewAsked, want readAsked) (readSaid, [][]byte, error) {
	want.Nonce = q.Nonce
	data, err := json.Marshal(want)
	if err != nil {
		return readSaid{}, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	m, err := l.nc.RequestWithContext(ctx, readSubject(l.name, q.Engine), data)
	if errors.Is(err, nats.ErrNoResponders) {
		return readSaid{}, nil, errReviewOver // the engine is gone
	}
	if err != nil {
		return readSaid{}, nil, fmt.Errorf("%w: %w", errLogFailed, err)
	}
	s, lines, err := parsePage(m.Data)
	switch {
	case err != nil:
		return readSaid{}, nil, fmt.Errorf("%w: %w", errLogFailed, err)
	case s.Closed:
		return readSaid{}, nil, errReviewOver
	case s.Failed:
		return readSaid{}, nil, errLogFailed
	}
	return s, lines, nil
}

// Create is refused: a reviewer writes nothing.
func (askedLog) Create(context.Context, events.Creation) error { return errAskedAbout }

// Append is refused: a reviewer writes nothing.
func (askedLog) Append(context.Context, events.SessionID, events.Append) (events.Seq, error) {
	return 0, errAskedAbout
}

// Sessions is refused: a reviewer knows of what it is asked about.
func (askedLog) Sessions(context.Context) iter.Seq2[events.SessionID, error] {
	return func(yield func(events.SessionID, error) bool) { yield("", errAskedAbout) }
}
