package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
)

const (
	reviewPrefix   = auditPrefix + "review."
	reviewAttempts = 3
)

// RecordReview signs how a review came about and stores it outside of the log's
// stream.
func (l *Log) RecordReview(ctx context.Context, r events.ReviewRecord) error {
	if err := l.recordReview(ctx, r); err != nil {
		return fmt.Errorf("jetstream: record a review in session %.140q: %w", r.Session, err)
	}
	return nil
}

func (l *Log) recordReview(ctx context.Context, r events.ReviewRecord) error {
	if err := r.Check(); err != nil {
		return err
	}
	text, err := l.signReview(r)
	if err != nil {
		return err
	}
	if limit := int(l.nc.MaxPayload()) - frameReserve; len(text) > limit {
		return fmt.Errorf("%d bytes do not fit into %d: %w", len(text), limit, events.ErrTooLarge)
	}
	for attempt := 1; ; attempt++ {
		err := l.storeReview(ctx, r.Session, text)
		if err == nil || attempt == reviewAttempts || ctx.Err() != nil {
			return err
		}
	}
}

func (l *Log) signReview(r events.ReviewRecord) ([]byte, error) {
	payload, err := reviewPayload(r)
	if err != nil {
		return nil, err
	}
	if r.Sig, err = l.keys.sign(payload); err != nil {
		return nil, err
	}
	return encodeReview(r)
}

// encodeReview keeps a schema's strings as they were written, so that a request
// can be made of it again byte for byte.
func encodeReview(r events.ReviewRecord) ([]byte, error) {
	return json.Marshal(r, jsontext.PreserveRawStrings(true))
}

// storeReview publishes once. What was stored although its acknowledgement got
// lost has the same id, so that it is not stored again.
func (l *Log) storeReview(ctx context.Context, id events.SessionID, text []byte) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	sum := sha256.Sum256(text)
	_, err := l.js.PublishMsg(ctx, &nats.Msg{
		Subject: reviewPrefix + string(id),
		Header:  nats.Header{natsjs.MsgIDHeader: {"review/" + hex.EncodeToString(sum[:])}},
		Data:    text,
	})
	return err
}

// reviewPayload is what a review record's signature is over.
func reviewPayload(r events.ReviewRecord) ([]byte, error) {
	r.Sig = ""
	text, err := encodeReview(r)
	return append([]byte("docket review 1\n"), text...), err
}

// Reviews yields a session's review records in the order in which they were
// stored.
func (l *Log) Reviews(ctx context.Context, id events.SessionID) iter.Seq2[events.ReviewRecord, error] {
	return func(yield func(events.ReviewRecord, error) bool) {
		if err := id.Check(); err != nil {
			yield(events.ReviewRecord{}, fmt.Errorf("jetstream: reviews: %w", err))
			return
		}
		a := address{id: id, stream: AuditStream, subject: reviewPrefix + string(id)}
		last, err := l.last(ctx, a)
		if errors.Is(err, errNoMessage) {
			return
		}
		if err != nil {
			yield(events.ReviewRecord{}, fmt.Errorf("jetstream: reviews of session %s: %w", id, err))
			return
		}
		for m, err := range l.messages(ctx, a, position{}, position{stream: last.stream, index: manyFrames}) {
			r, err := l.readReview(a, m, err)
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

func (l *Log) readReview(a address, m stored, err error) (events.ReviewRecord, error) {
	if err != nil {
		return events.ReviewRecord{}, fmt.Errorf("jetstream: reviews of session %s: %w", a.id, err)
	}
	var r events.ReviewRecord
	err = json.Unmarshal(m.data, &r, json.RejectUnknownMembers(true))
	if err == nil {
		err = l.verifyReview(a.id, r)
	}
	if err != nil {
		return events.ReviewRecord{}, corrupt(a, r.AsOfSeq, fmt.Errorf("review record at stream sequence %d: %w", m.stream, err))
	}
	return r, nil
}

func (l *Log) verifyReview(id events.SessionID, r events.ReviewRecord) error {
	payload, err := reviewPayload(r)
	if err != nil {
		return err
	}
	if err := l.keys.verify(payload, r.Sig); err != nil {
		return err
	}
	if r.Session != id {
		return fmt.Errorf("it is of session %s", r.Session)
	}
	return r.Check()
}
