package jetstream

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
)

// How a log is read depends on its length and on how much else lies between its
// frames (measured by internal/bench). A batched direct get needs no consumer,
// which takes 0.15 ms to make and to delete, but twice the time for each frame:
// both take the same for some 30 frames. It holds the stream's lock over all the
// blocks that it touches, so that a few frames far from each other, too, go
// through a consumer, which does not stall writers.
const (
	directFrames = 32       // at most as many frames are read by direct gets
	directSpan   = 16 << 10 // and at most as many messages may lie from the first to the last
	directBytes  = 1 << 20
	readAttempts = 3
)

var errIncomplete = errors.New("the store gave fewer frames than it has")

// messages yields the messages behind a position up to the head. Its
// completeness is checked: direct gets can end early without an error, and any
// replica may answer them.
func (l *Log) messages(ctx context.Context, a address, at, head position) iter.Seq2[stored, error] {
	if l.files != nil {
		return l.files.between(ctx, a, at.stream, head.stream)
	}
	return func(yield func(stored, error) bool) {
		read := l.consume
		if direct(at, head) {
			read = l.direct
		}
		for attempt := 1; at.stream < head.stream; attempt++ {
			stop, err := false, error(nil)
			at, stop, err = forward(read(ctx, a, at, head), at, yield)
			if stop || err == nil && at.stream >= head.stream {
				return
			}
			if err == nil {
				err = errIncomplete
			}
			if attempt == readAttempts || pause(ctx, backoffStart) != nil {
				yield(stored{}, errors.Join(err, context.Cause(ctx)))
				return
			}
			read = l.consume
		}
	}
}

// manyFrames is the index of a head whose number of frames is not known.
const manyFrames = events.MaxSafeInteger

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

// Sessions yields the ids of all sessions, or of all projects.
func (l *Log) Sessions(ctx context.Context) iter.Seq2[events.SessionID, error] {
	return func(yield func(events.SessionID, error) bool) {
		for _, p := range l.places() {
			if l.files != nil {
				if !l.files.ids(p, yield) {
					return
				}
				continue
			}
			stream, err := l.js.Stream(ctx, p.stream)
			if err != nil {
				yield("", fmt.Errorf("jetstream: list sessions: %w", err))
				return
			}
			info, err := stream.Info(ctx, natsjs.WithSubjectFilter(p.prefix+"*"))
			if err != nil {
				yield("", fmt.Errorf("jetstream: list sessions: %w", err))
				return
			}
			for subject := range info.State.Subjects {
				if id, ok := strings.CutPrefix(subject, p.prefix); ok && !yield(events.SessionID(id), nil) {
					return
				}
			}
		}
	}
}

// place is a stream, and what stands before the id in its subjects.
type place struct{ stream, prefix string }

func (l *Log) places() []place {
	if l.projects {
		return []place{{ProjectsStream, projectPrefix}}
	}
	var all []place
	for _, p := range l.epoch.Placements() {
		all = append(all, place{p.Stream(), p.prefix()})
	}
	return all
}
