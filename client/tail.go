package client

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

// tailInbox is how many parts of a tail may wait to be taken. The engine sends no more
// than it is told that the follower has; what is lost is asked for again.
const tailInbox = 1024

// tailUnsaid is how many bytes may come before the engine is told how far the tail is,
// if nothing else has it told: it waits only when the tail is megabytes behind.
const tailUnsaid = 32 << 10

// tail yields a session's records from a seq on, those that are stored and those that
// come, until ctx ends. It asks again, from where it is, whenever the tail breaks.
func (c *Client) tail(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		format, err := c.format(ctx, id)
		f := &following{c: c, session: id, next: from, format: format}
		for err == nil && ctx.Err() == nil {
			var more bool
			if more, err = f.follow(ctx, yield); !more {
				return
			}
			if err == nil {
				err = c.link.pause(ctx, f.back.next())
			}
		}
		if err != nil && ctx.Err() == nil {
			yield(events.Record{}, fmt.Errorf("client: tail of session %s: %w", id, err))
		}
	}
}

// format is the one that a session's records have.
func (c *Client) format(ctx context.Context, id events.SessionID) (events.Format, error) {
	page, err := ask[api.Page](ctx, c, "read", api.Read{Query: api.Query{Session: id}, Limit: 1})
	if err != nil {
		return 0, err
	}
	h, err := events.ParseHeader(page.Header)
	return h.Version, err
}

// following is a tail over all its tries.
type following struct {
	c       *Client
	session events.SessionID
	next    events.Seq
	format  events.Format
	back    backOff
}

// try is one request for a tail.
type try struct {
	*following
	id      string
	inbox   string
	in      chan *nats.Msg
	silence *time.Timer
	alive   *time.Timer
	every   time.Duration
	gone    time.Duration
	unsaid  int // bytes that came since the engine was told how far the tail is
}

// follow asks once and takes what comes until the tail breaks: then there is more to
// be asked for, unless there is an error, or nobody takes it any more.
func (f *following) follow(ctx context.Context, yield func(events.Record, error) bool) (more bool, err error) {
	t := &try{following: f, id: newID(), inbox: f.c.nc.NewInbox(), in: make(chan *nats.Msg, tailInbox), gone: acceptTimeout}
	body, err := encode("tail", api.Tail{Query: api.Query{Session: f.session}, TailID: t.id, From: f.next})
	if err != nil {
		return true, err
	}
	sub, err := f.c.nc.ChanSubscribe(t.inbox+".*", t.in)
	if err != nil {
		return true, err
	}
	defer func() { _ = sub.Unsubscribe() }() // a closed connection has none
	epoch, refusals := f.c.link.now()
	if f.c.nc.PublishRequest(f.c.caller.subject("tail"), t.inbox+".tail", body) != nil {
		return true, nil // nobody is connected
	}
	defer t.stop()
	t.silence, t.alive = time.NewTimer(t.gone), time.NewTimer(time.Hour)
	defer t.silence.Stop()
	defer t.alive.Stop()
	for {
		select {
		case m := <-t.in:
			if more, over, err := t.take(m, yield); over {
				return more, err
			}
		case <-t.alive.C:
			t.sayAlive()
		case <-t.silence.C:
			return true, nil
		case <-epoch.Done():
			if refused := f.c.link.refused(refusals); refused != nil {
				return true, refused
			}
			return true, nil
		case <-ctx.Done():
			return false, nil
		}
	}
}

// take reads one reply; over says that the try has ended, and more that the tail has
// not.
func (t *try) take(m *nats.Msg, yield func(events.Record, error) bool) (more, over bool, err error) {
	if m.Subject != t.inbox+".tail" {
		return true, t.lost(m), nil
	}
	if len(m.Data) == 0 && m.Header.Get("Status") == "503" {
		return true, true, nil
	}
	if err := refusalIn(m); err != nil {
		if final(err, 0, patience) {
			return true, true, err
		}
		return true, true, nil
	}
	t.silence.Reset(t.gone)
	switch m.Header.Get(api.StateHeader) {
	case api.StateAccepted:
		t.accept(m.Data)
		return true, false, nil
	case api.StateEvents:
		return t.part(m.Data, yield)
	default:
		return true, true, nil // the end of this try
	}
}

func (t *try) accept(data []byte) {
	var a api.Accepted
	if json.Unmarshal(data, &a) == nil && a.AliveMs > 0 && a.GoneMs > 0 {
		t.every, t.gone = time.Duration(a.AliveMs)*time.Millisecond, 2*time.Duration(a.GoneMs)*time.Millisecond
		t.back = backOff{}
		t.alive.Reset(t.every)
		t.silence.Reset(t.gone)
	}
}

// part yields what is new in a part. One that does not begin where the last ended is
// asked for again.
func (t *try) part(data []byte, yield func(events.Record, error) bool) (more, over bool, err error) {
	var e api.Events
	if err := json.Unmarshal(data, &e); err != nil {
		return true, true, fmt.Errorf("a part is not what the interface says: %w", err)
	}
	if len(e.Records) == 0 {
		return true, e.Next != t.next, nil
	}
	records, next, err := parseRecords(t.format, linesOf(e.Records), t.next)
	if err != nil {
		return true, true, nil
	}
	for _, r := range records {
		if !yield(r, nil) {
			return false, true, nil
		}
		t.next = r.End()
	}
	t.next = next
	if t.unsaid += len(data); t.unsaid >= tailUnsaid {
		t.sayAlive()
	}
	return true, false, nil
}

func (t *try) sayAlive() {
	t.unsaid = 0
	if t.every > 0 {
		t.alive.Reset(t.every)
	}
	t.send("tail.alive", api.TailAlive{TailID: t.id, Next: t.next})
}

func (t *try) stop() { t.send("tail.stop", api.TailStop{TailID: t.id}) }

// lost reports whether an engine says that nobody has the tail under way.
func (t *try) lost(m *nats.Msg) bool {
	var u api.UnderWay
	return refusalIn(m) == nil && json.Unmarshal(m.Data, &u) == nil && !u.Known
}

// send says something about the tail; what is lost is said again.
func (t *try) send(command string, request any) {
	if body, err := encode(command, request); err == nil {
		_ = t.c.nc.PublishRequest(t.c.caller.subject(command), t.inbox+".about", body) // nobody is connected: the try ends
	}
}
