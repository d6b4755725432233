package jetstream

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/synadia-io/orbit.go/jetstreamext"

	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
)

// How a log is read depends on its length and on how much else lies between its
// frames (measured: docs/storage.md). A batched direct get is the fastest for a
// few frames that lie close together; it holds the stream's lock over all the
// blocks that it touches, so that everything else goes through a consumer, which
// does not stall writers.
const (
	directFrames = 64       // at most as many frames are read by direct gets
	directSpan   = 16 << 10 // and at most as many messages may lie from the first to the last
	directBytes  = 1 << 20
	consumerPage = 1000
	// consumerBytes bounds what is on its way: without it, large frames overrun the
	// connection, which the server then drops.
	consumerBytes = 4 << 20
	readAttempts  = 3
	consumerWait  = requestTimeout // for the next message
)

var errIncomplete = errors.New("the store gave fewer frames than it has")

// messages yields the messages behind a position up to the head. Its
// completeness is checked: direct gets can end early without an error, and any
// replica may answer them.
func (l *Log) messages(ctx context.Context, a address, at, head position) iter.Seq2[stored, error] {
	return func(yield func(stored, error) bool) {
		read := l.consume
		if direct(at, head) {
			read = l.direct
		}
		for attempt := 1; at.stream < head.stream; attempt++ {
			stop, err := false, error(nil)
			at, stop, err = forward(read(ctx, a, at, head), at, yield)
			if stop {
				return
			}
			if err == nil && at.stream < head.stream {
				err = errIncomplete
			}
			if err != nil && attempt == readAttempts || ctx.Err() != nil {
				yield(stored{}, errors.Join(err, context.Cause(ctx)))
				return
			}
			read = l.consume
		}
	}
}

func direct(at, head position) bool {
	frames := head.index - at.index
	return frames <= directFrames && head.stream-at.stream <= directSpan
}

// forward passes messages on and counts how far they came. Its error is that of
// the reading.
func forward(from iter.Seq2[stored, error], at position, yield func(stored, error) bool) (reached position, stop bool, err error) {
	for m, err := range from {
		if err != nil {
			return at, false, err
		}
		at.stream, at.index = m.stream, at.index+1
		if !yield(m, nil) {
			return at, true, nil
		}
	}
	return at, false, nil
}

// direct reads pages of batched direct gets, each of exactly what is left:
// asking for more makes the server search to the end of the stream.
func (l *Log) direct(ctx context.Context, a address, at, head position) iter.Seq2[stored, error] {
	return func(yield func(stored, error) bool) {
		for at.stream < head.stream {
			page := int(min(directFrames, max(1, head.index-at.index)))
			got, err := jetstreamext.GetBatch(ctx, l.js, a.stream, page,
				jetstreamext.GetBatchSeq(at.stream+1), jetstreamext.GetBatchSubject(a.subject), jetstreamext.GetBatchMaxBytes(directBytes))
			if err != nil {
				yield(stored{}, err)
				return
			}
			before := at.stream
			for m, err := range got {
				if err != nil {
					yield(stored{}, err)
					return
				}
				if m.Sequence > head.stream {
					return
				}
				at.stream, at.index = m.Sequence, at.index+1
				if !yield(stored{subject: m.Subject, stream: m.Sequence, header: m.Header, data: m.Data}, nil) {
					return
				}
			}
			if at.stream == before {
				return // the page ended early: the caller sees that it is incomplete
			}
		}
	}
}

// consume reads through a consumer of its own, which it deletes: one that is
// left behind would linger and count against the stream's limit.
func (l *Log) consume(ctx context.Context, a address, at, head position) iter.Seq2[stored, error] {
	return func(yield func(stored, error) bool) {
		cons, err := l.js.CreateConsumer(ctx, a.stream, natsjs.ConsumerConfig{
			FilterSubject: a.subject, DeliverPolicy: natsjs.DeliverByStartSequencePolicy, OptStartSeq: at.stream + 1,
			AckPolicy: natsjs.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: 2 * requestTimeout,
		})
		if err != nil {
			yield(stored{}, fmt.Errorf("make a consumer: %w", err))
			return
		}
		defer l.deleteConsumer(ctx, a.stream, cons.CachedInfo().Name)
		err = pull(ctx, cons, l.pullBytes(), head, func(m stored) bool { return yield(m, nil) })
		if err != nil {
			yield(stored{}, err)
		}
	}
}

// pullBytes is above the largest message that the server takes: a smaller limit
// would wait for it for ever.
func (l *Log) pullBytes() int { return max(consumerBytes, int(l.nc.MaxPayload())+frameReserve) }

// pull receives messages until the head, or until the receiver has enough.
func pull(ctx context.Context, cons natsjs.Consumer, limit int, head position, receive func(stored) bool) error {
	it, err := cons.Messages(natsjs.PullMaxMessagesWithBytesLimit(consumerPage, limit))
	if err != nil {
		return fmt.Errorf("read from a consumer: %w", err)
	}
	defer it.Stop()
	defer context.AfterFunc(ctx, it.Stop)()
	for {
		msg, err := it.Next(natsjs.NextMaxWait(consumerWait))
		if err != nil {
			return fmt.Errorf("read from a consumer: %w", errors.Join(context.Cause(ctx), err))
		}
		meta, err := msg.Metadata()
		if err != nil {
			return fmt.Errorf("read from a consumer: %w", err)
		}
		if meta.Sequence.Stream > head.stream {
			return errIncomplete
		}
		m := stored{subject: msg.Subject(), stream: meta.Sequence.Stream, header: msg.Headers(), data: msg.Data()}
		if !receive(m) || m.stream == head.stream {
			return nil
		}
	}
}

// deleteConsumer does not wait for a reader whose context has ended.
func (l *Log) deleteConsumer(ctx context.Context, stream, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
	defer cancel()
	if err := l.js.DeleteConsumer(ctx, stream, name); err != nil && !errors.Is(err, natsjs.ErrConsumerNotFound) {
		l.log.WarnContext(ctx, "a consumer was left behind; the server removes it by itself", "stream", stream, "error", err)
	}
}

// Sessions yields the ids of all sessions.
func (l *Log) Sessions(ctx context.Context) iter.Seq2[events.SessionID, error] {
	return func(yield func(events.SessionID, error) bool) {
		for _, p := range l.epoch.Placements() {
			stream, err := l.js.Stream(ctx, p.Stream())
			if err != nil {
				yield("", fmt.Errorf("jetstream: list sessions: %w", err))
				return
			}
			info, err := stream.Info(ctx, natsjs.WithSubjectFilter(p.Subjects()))
			if err != nil {
				yield("", fmt.Errorf("jetstream: list sessions: %w", err))
				return
			}
			for subject := range info.State.Subjects {
				if id, ok := p.ID(subject); ok && !yield(events.SessionID(id), nil) {
					return
				}
			}
		}
	}
}
