package main

import (
	"context"
	"errors"
	"strconv"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// publisher is the raw baseline of an append: a publish with a message id, guarded
// by the sequence of the message before it on the same literal subject, and
// without anything else that Docket adds.
type publisher struct {
	js      natsjs.JetStream
	subject string
	last    uint64
	sent    int
	// sign, unless it is nil, makes a header for a body.
	sign func([]byte) string
}

func (p *publisher) publish(ctx context.Context, data []byte) error {
	p.sent++
	m := &nats.Msg{Subject: p.subject, Data: data}
	if p.sign != nil {
		m.Header = nats.Header{"Signature": {p.sign(data)}}
	}
	ack, err := p.js.PublishMsg(ctx, m,
		natsjs.WithMsgID(p.subject+"/"+strconv.Itoa(p.sent)), natsjs.WithExpectLastSequencePerSubject(p.last))
	if err != nil {
		return err
	}
	if ack.Duplicate {
		return errors.New("a message id came twice")
	}
	p.last = ack.Sequence
	return nil
}
