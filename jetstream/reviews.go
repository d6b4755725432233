package jetstream

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
)

const (
	reviewPrefix   = auditPrefix + "review."
	reviewDomain   = "docket review 1\n"
	reviewAttempts = 3
	reviewPause    = 250 * time.Millisecond // between two of them
	signatureRoom  = 128                    // for the member that is added behind what is signed
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
		if err == nil || attempt == reviewAttempts || pause(ctx, reviewPause) != nil {
			return err
		}
	}
}

// signReview encodes a record. Its last member is the signature over all the others.
func (l *Log) signReview(r events.ReviewRecord) ([]byte, error) {
	payload, err := reviewPayload(r)
	if err != nil {
		return nil, err
	}
	sig, err := l.keys.sign(payload)
	if err != nil {
		return nil, err
	}
	unsigned := bytes.TrimSuffix(payload[len(reviewDomain):], []byte{'}'})
	return append(append(append(unsigned, `,"sig":"`...), sig...), `"}`...), nil // Base64 needs no escapes
}

// encodeReview keeps a schema's strings as they were written, so that a request
// can be made of it again byte for byte.
func encodeReview(r events.ReviewRecord) ([]byte, error) {
	return json.Marshal(r, jsontext.PreserveRawStrings(true))
}

// storeReview publishes once. What was stored although its acknowledgement got
// lost has the same id, so that it is not stored again.
func (l *Log) storeReview(ctx context.Context, id events.SessionID, text []byte) error {
	sum := sha256.Sum256(text)
	_, err := l.acks.publish(ctx, &nats.Msg{
		Subject: reviewPrefix + string(id),
		Header:  nats.Header{natsjs.MsgIDHeader: {"review/" + hex.EncodeToString(sum[:])}},
		Data:    text,
	}, nil)
	return err
}

// reviewPayload is what a review record's signature is over.
func reviewPayload(r events.ReviewRecord) ([]byte, error) {
	r.Sig = ""
	text, err := encodeReview(r)
	payload := make([]byte, 0, len(reviewDomain)+len(text)+signatureRoom)
	return append(append(payload, reviewDomain...), text...), err
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
