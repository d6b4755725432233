package jetstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// acks publishes messages and waits for the stream's answers. The inboxes are
// kept and used again, one publish at a time: what the client library offers
// needs a context, a timer and another goroutine for each publish, which is a
// fifth of an append.
type acks struct {
	nc *nats.Conn

	mu     sync.Mutex // guards what follows; never held while calling out
	idle   []*ackInbox
	closed bool
}

// ackInbox gives each publish a subject of its own for its answer: an answer that
// comes twice must not be taken for that of the next publish.
type ackInbox struct {
	*inbox
	used int
}

func openAckInbox(nc *nats.Conn) (*ackInbox, error) {
	in, err := openInbox(nc, nc.NewInbox()+".*", 16)
	return &ackInbox{inbox: in}, err
}

// next is the subject for the answer to the next publish.
func (in *ackInbox) next() string {
	in.used++
	return strings.TrimSuffix(in.sub.Subject, "*") + strconv.Itoa(in.used)
}

// answer waits for what comes on the subject.
func (in *ackInbox) answer(ctx context.Context, subject string) (*nats.Msg, error) {
	for {
		m, err := in.receive(ctx)
		if err != nil || m.Subject == subject {
			return m, err
		}
	}
}

// publish sends a message once and gives the stream's answer. sent, unless it is nil,
// is called while the answer is on its way.
func (a *acks) publish(ctx context.Context, msg *nats.Msg, sent func()) (natsjs.PubAck, error) {
	in, err := a.take()
	if err != nil {
		return natsjs.PubAck{}, err
	}
	msg.Reply = in.next()
	if err := a.nc.PublishMsg(msg); err != nil {
		in.close()
		return natsjs.PubAck{}, err
	}
	if sent != nil {
		sent()
	}
	m, err := in.answer(ctx, msg.Reply)
	if err != nil {
		in.close()
		return natsjs.PubAck{}, err
	}
	a.give(in)
	return parseAck(m)
}

func (a *acks) take() (*ackInbox, error) {
	a.mu.Lock()
	if n := len(a.idle); n > 0 {
		in := a.idle[n-1]
		a.idle = a.idle[:n-1]
		a.mu.Unlock()
		return in, nil
	}
	a.mu.Unlock()
	return openAckInbox(a.nc)
}

// give keeps an inbox for the next publish.
func (a *acks) give(in *ackInbox) {
	a.mu.Lock()
	keep := !a.closed
	if keep {
		a.idle = append(a.idle, in)
	}
	a.mu.Unlock()
	if !keep {
		in.close()
	}
}

// close gives up the inboxes. Publishing goes on to work, without keeping them.
func (a *acks) close() {
	a.mu.Lock()
	idle := a.idle
	a.idle, a.closed = nil, true
	a.mu.Unlock()
	for _, in := range idle {
		in.close()
	}
}

// parseAck reads a stream's answer to a publish.
func parseAck(m *nats.Msg) (natsjs.PubAck, error) {
	if ack, ok := plainAck(m.Data); ok {
		return ack, nil
	}
	if len(m.Data) == 0 && m.Header.Get("Status") == "503" {
		return natsjs.PubAck{}, natsjs.ErrNoStreamResponse
	}
	var answer struct {
		natsjs.PubAck
		Error *natsjs.APIError `json:"error"`
	}
	switch err := json.Unmarshal(m.Data, &answer); {
	case err != nil:
		return natsjs.PubAck{}, errors.Join(natsjs.ErrInvalidJSAck, err)
	case answer.Error != nil:
		return natsjs.PubAck{}, answer.Error
	case answer.Stream == "" || answer.Sequence == 0:
		return natsjs.PubAck{}, natsjs.ErrInvalidJSAck
	}
	return answer.PubAck, nil
}

// plainAck reads `{"stream":"S","seq":N}`, which nearly every answer is, without a
// JSON parser. Anything else is not for it.
func plainAck(data []byte) (ack natsjs.PubAck, ok bool) {
	rest, ok := bytes.CutPrefix(data, []byte(`{"stream":"`))
	if !ok {
		return ack, false
	}
	name, rest, ok := bytes.Cut(rest, []byte(`","seq":`))
	digits, end := bytes.CutSuffix(rest, []byte{'}'})
	if !ok || !end || len(digits) == 0 || digits[0] < '1' || digits[0] > '9' || bytes.ContainsAny(name, `"\`) {
		return ack, false
	}
	sequence, err := strconv.ParseUint(string(digits), 10, 64)
	return natsjs.PubAck{Stream: string(name), Sequence: sequence}, err == nil
}
