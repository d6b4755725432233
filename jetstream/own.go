package jetstream

import (
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/frame"
)

const (
	// ownFrames is how many frames may wait for a tail. One that misses some reads them.
	ownFrames = 64
	// ownGrace is how long a tail that is woken up waits for an append of its own Log
	// that is under way: the wake-up overtakes the acknowledgement.
	ownGrace = 2 * time.Millisecond
)

// own tells the tails of a Log what the Log itself has appended, as soon as the store
// has acknowledged it: that need not be read from the store again.
type own struct {
	mu       sync.Mutex // guards sessions; never held while calling out
	sessions map[events.SessionID]*ownSession
}

// ownSession is a session that somebody tails.
type ownSession struct {
	tails     map[chan ownFrame]bool
	appending int // appends under way
}

// ownFrame is an append that was acknowledged.
type ownFrame struct {
	from, end events.Seq
	records   []events.Record
}

// follow makes a tail hear of appends until it leaves.
func (o *own) follow(id events.SessionID) (frames chan ownFrame, leave func()) {
	frames = make(chan ownFrame, ownFrames)
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.sessions[id]
	if s == nil {
		if o.sessions == nil {
			o.sessions = map[events.SessionID]*ownSession{}
		}
		s = &ownSession{tails: map[chan ownFrame]bool{}}
		o.sessions[id] = s
	}
	s.tails[frames] = true
	return frames, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if delete(s.tails, frames); len(s.tails) == 0 && o.sessions[id] == s {
			delete(o.sessions, id)
		}
	}
}

// begin says that an append is under way. What it gives is called when it is over,
// with whether it is stored for certain.
func (o *own) begin(id events.SessionID, a events.Append) (over func(stored bool)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.sessions[id]
	if s == nil {
		return func(bool) {}
	}
	s.appending++
	return func(stored bool) {
		o.mu.Lock()
		defer o.mu.Unlock()
		s.appending--
		if !stored || len(s.tails) == 0 {
			return
		}
		f := ownFrame{from: a.Next, end: a.End(), records: make([]events.Record, len(a.Records))}
		for i, r := range a.Records {
			r.Append = a.ID // as who reads it is told
			f.records[i] = r
		}
		for frames := range s.tails {
			select {
			case frames <- f:
			default:
			}
		}
	}
}

// busy reports whether an append is under way.
func (o *own) busy(id events.SessionID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.sessions[id]
	return s != nil && s.appending > 0
}

// knows reports whether a wake-up is about nothing that comes behind a seq. It is no
// evidence: a false one costs no more than a wake-up that is lost.
func knows(m *nats.Msg, from events.Seq) bool {
	seq, err := strconv.ParseInt(m.Header.Get(frame.HeaderSeq), 10, 64)
	count, countErr := strconv.ParseInt(m.Header.Get(frame.HeaderCount), 10, 64)
	return err == nil && countErr == nil && count > 0 && events.Seq(seq)+events.Seq(count) <= from
}
