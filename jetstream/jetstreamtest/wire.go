package jetstreamtest

import (
	"bufio"
	"net"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
)

// Wire stands between a client and its server, and loses or changes what a test
// wants lost or changed: an acknowledgement, a publish, a message in the middle
// of a read. It works in process and over TCP, and in a synctest bubble.
type Wire struct {
	mu       sync.Mutex // guards what follows; never held while a hook runs
	sent     func(*Passing) bool
	received func(*Passing) bool
	ends     map[net.Conn]bool
	relays   sync.WaitGroup
}

// Passing is one message on its way. What it says a hook may change, but for the
// reply.
type Passing struct {
	Subject, Reply string
	Header         []byte // as it is on the wire; nil if there is none
	Data           []byte
}

// NewWire is a wire that passes everything on, until the test ends.
func NewWire(tb testing.TB) *Wire {
	w := &Wire{ends: map[net.Conn]bool{}}
	tb.Cleanup(func() {
		w.Cut()
		w.relays.Wait()
	})
	return w
}

// Option makes a connection go through the wire, and each reconnection too.
func (w *Wire) Option() nats.Option {
	return func(o *nats.Options) error {
		if o.InProcessServer != nil {
			o.InProcessServer = provider{w, o.InProcessServer}
			return nil
		}
		return nats.SetCustomDialer(dialer{w})(o)
	}
}

// Sent calls hook for each message that a client sends, which is lost if hook
// says false. What comes behind it waits for hook. A nil hook passes all.
func (w *Wire) Sent(hook func(*Passing) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = hook
}

// Received is Sent for what the server sends.
func (w *Wire) Received(hook func(*Passing) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.received = hook
}

// Answers calls hook for each answer to a message for which asked says true; the
// answer is lost if hook says false. It takes the place of both other hooks.
func (w *Wire) Answers(asked func(*Passing) bool, hook func(*Passing) bool) {
	var mu sync.Mutex
	inboxes := map[string]bool{}
	w.Received(func(p *Passing) bool {
		mu.Lock()
		concerned := inboxes[p.Subject]
		mu.Unlock()
		return !concerned || hook(p)
	})
	w.Sent(func(p *Passing) bool {
		if asked(p) {
			mu.Lock()
			inboxes[p.Reply] = true
			mu.Unlock()
		}
		return true
	})
}

// Pass takes both hooks away.
func (w *Wire) Pass() {
	w.Sent(nil)
	w.Received(nil)
}

// Cut breaks all connections. Clients may connect again.
func (w *Wire) Cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for end := range w.ends {
		_ = end.Close() // what is closed already is cut
	}
	clear(w.ends)
}

// provider puts the wire in front of a server in this process.
type provider struct {
	wire *Wire
	nats.InProcessConnProvider
}

// InProcessConn implements the client's provider of connections.
func (p provider) InProcessConn() (net.Conn, error) {
	return p.wire.through(p.InProcessConnProvider.InProcessConn())
}

// dialer puts the wire in front of a server that listens.
type dialer struct{ wire *Wire }

// Dial implements the client's dialer.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	return d.wire.through(net.DialTimeout(network, address, settleLimit))
}

// through gives the client's end of a new pair of relays to a server.
func (w *Wire) through(server net.Conn, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	client, near := net.Pipe()
	w.mu.Lock()
	w.ends[near], w.ends[server] = true, true
	w.mu.Unlock()
	w.relays.Go(func() { w.relay(near, server, func() func(*Passing) bool { return w.sent }) })
	w.relays.Go(func() { w.relay(server, near, func() func(*Passing) bool { return w.received }) })
	return client, nil
}

// relay passes one direction on until either end closes. It takes in what comes
// while a hook waits: for the sender, it is on its way.
func (w *Wire) relay(from, to net.Conn, hook func() func(*Passing) bool) {
	defer w.drop(from)
	defer w.drop(to)
	coming := make(chan operation, 4<<10)
	w.relays.Go(func() {
		defer close(coming)
		for in := bufio.NewReaderSize(from, 64<<10); ; {
			op, err := readOperation(in)
			if err != nil {
				return
			}
			coming <- op
		}
	})
	out := bufio.NewWriterSize(to, 64<<10)
	for op := range coming {
		w.mu.Lock()
		decide := hook()
		w.mu.Unlock()
		if decide != nil && op.message {
			// What went before is not held up by a hook that waits.
			if out.Flush() != nil {
				return
			}
			if !decide(&op.Passing) {
				continue
			}
		}
		op.write(out)
		if len(coming) == 0 && out.Flush() != nil {
			return
		}
	}
}

func (w *Wire) drop(end net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = end.Close() // the other relay may have closed it
	delete(w.ends, end)
}
