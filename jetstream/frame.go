package jetstream

import (
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/frame"
)

// storedFrame is a frame with its message's sequence in its stream, 0 before it is
// stored.
type storedFrame struct {
	frame.Frame
	stream uint64
}

// position is the place behind a frame.
func (f storedFrame) position() position {
	at := f.Position()
	return position{next: at.Next, chain: at.Chain, index: at.Index, stream: f.stream, trust: at.Trust}
}

// follow checks that the frame stands right behind a position, and gives its records.
func (f storedFrame) follow(at position) ([]events.Record, error) { return f.Follow(at.inLog()) }

// position is a place in a log between two frames.
type position struct {
	next   events.Seq
	chain  events.Chain
	index  int64        // of the frame before it
	stream uint64       // sequence of the frame before it
	trust  events.Trust // of the frame before it
}

// inLog is the place without the stream.
func (p position) inLog() frame.Position {
	return frame.Position{Next: p.next, Chain: p.chain, Index: p.index, Trust: p.trust}
}

// stored is a message as it is in the stream.
type stored struct {
	subject string
	stream  uint64
	header  nats.Header
	data    []byte
}

// parseFrame reads a message's headers.
func parseFrame(m stored) (storedFrame, error) {
	f, err := frame.Parse(m.header, m.data)
	return storedFrame{Frame: f, stream: m.stream}, err
}

// checkSignature reports whether the engine wrote the message's headers for its
// subject.
func checkSignature(m stored, keys Keys) error { return keys.trusted.CheckFrame(m.subject, m.header) }
