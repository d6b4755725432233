package jetstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

const (
	consumerPage = 1000 // at most as many messages are on their way
	// consumerBytes bounds what is on its way: without it, large frames overrun the
	// connection, which the server then drops.
	consumerBytes = 4 << 20
	againFrames   = 16                         // at most as many are read again so as to begin at the start
	consumerWait  = requestTimeout             // for the next message
	answerWait    = consumerWait + time.Second // a server that is there says so itself
)

// consume reads through a consumer of its own, which it deletes: one that is
// left behind would linger and count against the stream's limit.
func (l *Log) consume(ctx context.Context, a address, at, head position) iter.Seq2[stored, error] {
	return func(yield func(stored, error) bool) {
		cfg, again := consumerFrom(at)
		cfg.FilterSubject = a.subject
		_, err := l.js.CreateConsumer(ctx, a.stream, cfg)
		// If the answer was lost, or not waited for, it may be there all the same.
		defer l.deleteConsumer(ctx, a.stream, cfg.Name)
		if err != nil {
			yield(stored{}, fmt.Errorf("make a consumer: %w", err))
			return
		}
		p, err := l.openPull(a.stream, cfg.Name)
		if err != nil {
			yield(stored{}, fmt.Errorf("read from a consumer: %w", err))
			return
		}
		defer p.close()
		for at.stream < head.stream {
			m, err := p.next(ctx, head.index-at.index+again)
			if err == nil && m.stream <= at.stream {
				again--
				continue
			}
			if err == nil && m.stream > head.stream {
				err = errIncomplete
			}
			if err != nil {
				yield(stored{}, fmt.Errorf("read from a consumer: %w", err))
				return
			}
			at.stream, at.index = m.stream, at.index+1
			if !yield(m, nil) {
				return
			}
		}
	}
}

// consumerFrom is a consumer of what stands behind a position. Near the start of a
// log it begins at the first frame, and gives so many frames again: the server
// knows how many messages a subject has, but counts those from the middle of the
// stream on, block by block.
func consumerFrom(at position) (cfg natsjs.ConsumerConfig, again int64) {
	cfg = natsjs.ConsumerConfig{
		Name: rand.Text(), AckPolicy: natsjs.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: 2 * requestTimeout,
	}
	switch {
	case at.stream == 0:
		return cfg, 0
	case at.index < againFrames:
		return cfg, at.index + 1
	default:
		cfg.DeliverPolicy, cfg.OptStartSeq = natsjs.DeliverByStartSequencePolicy, at.stream+1
		return cfg, 0
	}
}

// deleteConsumer deletes it also for a reader whose context has ended before. A
// context that ends meanwhile ends the waiting: the question has been sent. Where
// the server cannot be reached there is nothing to wait for: it removes a consumer
// that nobody reads from by itself.
func (l *Log) deleteConsumer(ctx context.Context, stream, name string) {
	if !l.nc.IsConnected() {
		return
	}
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	waiting, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	err := l.js.DeleteConsumer(waiting, stream, name)
	if err != nil && ctx.Err() == nil && !errors.Is(err, natsjs.ErrConsumerNotFound) {
		l.log.WarnContext(ctx, "a consumer was left behind; the server removes it by itself", "stream", stream, "error", err)
	}
}

// pull asks a consumer for messages, a page at a time, and for no more than are
// left: the server would search the stream to its end for more. What the client
// library offers for it starts two timers for each message.
type pull struct {
	*inbox
	requests string // their subject
	limit    int    // bytes of a page

	due  int64  // messages that were asked for and have not arrived
	seen uint64 // messages that the consumer has sent in all
	idle bool   // nothing has arrived since due was 0
	// since is when it became so.
	since time.Time
}

func (l *Log) openPull(stream, consumer string) (*pull, error) {
	in, err := openInbox(l.nc, l.nc.NewInbox(), 2*consumerPage)
	// A limit below the largest message would wait for it for ever.
	limit := max(consumerBytes, int(l.nc.MaxPayload())+frameReserve)
	return &pull{inbox: in, requests: l.api + "CONSUMER.MSG.NEXT." + stream + "." + consumer, limit: limit}, err
}

// next gives the next message of those that are left. A gap in what the consumer
// sent is an error: something was lost on the way.
func (p *pull) next(ctx context.Context, left int64) (stored, error) {
	for {
		if err := p.request(left); err != nil {
			return stored{}, err
		}
		m, err := p.receive(ctx)
		if err != nil {
			return stored{}, err
		}
		if m.Reply == "" { // it is no message of the stream
			if err := p.ended(ctx, m.Header); err != nil {
				return stored{}, err
			}
			continue
		}
		meta, err := m.Metadata()
		if err != nil {
			return stored{}, err
		}
		if p.seen++; meta.Sequence.Consumer != p.seen {
			return stored{}, errIncomplete
		}
		p.due, p.idle = p.due-1, false
		return stored{subject: m.Subject, stream: meta.Sequence.Stream, header: m.Header, data: m.Data}, nil
	}
}

// request asks for a page before the one before it is used up.
func (p *pull) request(left int64) error {
	if p.due > 0 && (p.due > consumerPage/2 || p.due >= left) {
		return nil
	}
	if p.due == 0 && !p.idle {
		p.idle, p.since = true, time.Now()
	}
	n := max(1, min(consumerPage, left)-p.due)
	p.due += n
	body := fmt.Appendf(nil, `{"batch":%d,"max_bytes":%d,"expires":%d}`, n, p.limit, consumerWait)
	return p.ask(p.requests, body)
}

// ended takes note of a request that ended before its messages were all sent: it
// was full by its bytes, or there are none. In a cluster, a server may not know
// yet that there is such a consumer.
func (p *pull) ended(ctx context.Context, h nats.Header) error {
	if h.Get("Status") == "503" && p.idle && time.Since(p.since) < consumerWait {
		p.due = 0
		return pause(ctx, backoffStart)
	}
	unsent, err := strconv.ParseInt(h.Get("Nats-Pending-Messages"), 10, 64)
	p.due -= max(0, unsent)
	if err != nil || p.due <= 0 && p.idle {
		return fmt.Errorf("%w: %s %s", errIncomplete, h.Get("Status"), h.Get("Description"))
	}
	return nil
}
