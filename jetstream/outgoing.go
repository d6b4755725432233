package jetstream

import (
	"strconv"
	"sync"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events/frame"
)

// outgoing is room for the message of a frame: what it takes to write one is used
// again for the next. One that may be published once more keeps it.
type outgoing struct {
	message nats.Msg
	fields  []frame.Field
	values  []string // of all headers, in one piece
	payload []byte   // that is signed
}

// room keeps what nobody writes in. The zero room is empty.
type room struct{ pool sync.Pool }

func (r *room) take() *outgoing {
	if o, ok := r.pool.Get().(*outgoing); ok {
		return o
	}
	return &outgoing{message: nats.Msg{Header: nats.Header{}}}
}

// give takes one back whose message is stored.
func (r *room) give(o *outgoing) {
	clear(o.message.Header)
	clear(o.fields)
	clear(o.values)
	o.message = nats.Msg{Header: o.message.Header}
	r.pool.Put(o)
}

// write encodes and signs a frame for its subject, to be stored only if the one
// before it there has this sequence: the guard is the last one of the very subject,
// which holds on replicated streams too, against writers that do not guard.
func (o *outgoing) write(f storedFrame, subject string, keys Keys, before uint64) error {
	o.fields = f.AppendFields(o.fields[:0])
	o.payload = frame.AppendSigned(o.payload[:0], subject, f.MsgID, o.fields)
	sig, err := keys.sign(o.payload)
	if err != nil {
		return err
	}
	o.fields = append(o.fields,
		frame.Field{Name: frame.HeaderMsgID, Value: f.MsgID}, frame.Field{Name: frame.HeaderSig, Value: sig},
		frame.Field{Name: natsjs.ExpectedLastSubjSeqHeader, Value: strconv.FormatUint(before, 10)})
	o.values = o.values[:0]
	for _, header := range o.fields {
		o.values = append(o.values, header.Value)
	}
	for i, header := range o.fields {
		o.message.Header[header.Name] = o.values[i : i+1 : i+1]
	}
	o.message.Subject, o.message.Data = subject, f.Body
	return nil
}
