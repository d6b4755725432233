package jetstream

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/docket-engine/docket/events"
)

// Read yields a session's records from the store, each checked against its
// frame's headers and the chain. The head is read from the leader and its
// signature checked, and the chain has to end in it: so what is read is what
// the engine wrote, and all of it.
func (l *Log) Read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		a, err := l.address(id)
		if err != nil {
			yield(events.Record{}, err)
			return
		}
		s, err := l.load(ctx, a)
		if err != nil {
			yield(events.Record{}, err)
			return
		}
		for f, err := range l.frames(ctx, a, s, from) {
			if err != nil {
				yield(events.Record{}, err)
				return
			}
			if !f.yield(from, yield) {
				return
			}
		}
	}
}

// yield gives the records of a frame that have events at or behind from.
func (f readFrame) yield(from events.Seq, yield func(events.Record, error) bool) bool {
	for _, r := range f.lines {
		if r.End() > from && !yield(r, nil) {
			return false
		}
	}
	return true
}

// readFrame is a frame whose body was checked.
type readFrame struct {
	storedFrame
	lines   []events.Record
	message stored
}

// frames yields the frames up to the session's head that end behind from. All
// of them, or an error.
func (l *Log) frames(ctx context.Context, a address, s session, from events.Seq) iter.Seq2[readFrame, error] {
	return func(yield func(readFrame, error) bool) {
		at := s.before(from)
		if from >= s.head.next || at.stream >= s.head.stream {
			return
		}
		for m, err := range l.messages(ctx, a, at, s.head) {
			if err != nil {
				yield(readFrame{}, fmt.Errorf("jetstream: read session %s: %w", a.id, err))
				return
			}
			f, err := next(a, at, m, s.header)
			if err == nil && f.stream == s.head.stream && f.position() != s.head {
				err = corruptFrame(a, f.Seq, f.storedFrame, errors.New("the last frame is not the one that was signed"))
			}
			if err != nil {
				yield(readFrame{}, err)
				return
			}
			at = f.position()
			if f.End() > from && !yield(f, nil) {
				return
			}
		}
	}
}

// next takes a message for the frame behind a position, or finds it corrupt.
func next(a address, at position, m stored, header events.Header) (readFrame, error) {
	f, err := parseFrame(m)
	var lines []events.Record
	if err == nil {
		lines, err = f.follow(at)
	}
	if err == nil {
		err = f.Behind(header.Line)
	}
	if err != nil {
		return readFrame{}, corruptFrame(a, at.next, f, err)
	}
	return readFrame{storedFrame: f, lines: lines, message: m}, nil
}
