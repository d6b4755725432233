package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/docket-engine/docket/events"
)

// demoWatch shows what happens as the logs tell it, and knows nothing of who
// makes it happen. What it shows of files it has seen in the folder.
type demoWatch struct {
	tail   events.Tail
	folder *folderWatch
	// show is asked for one moment at a time, and may take its time.
	show func(context.Context, moment) error
	// asked gets each question once it was shown.
	asked chan moment
	fail  context.CancelCauseFunc

	following sync.WaitGroup
	showing   sync.Mutex // held while a moment is shown; guards seen and folder
	seen      []moment

	mu       sync.Mutex // guards what follows
	shown    map[events.SessionID]events.Seq
	progress chan struct{} // closed when shown changes
}

func newDemoWatch(tail events.Tail, folder *folderWatch, show func(context.Context, moment) error, fail context.CancelCauseFunc) *demoWatch {
	return &demoWatch{
		tail: tail, folder: folder, show: show, fail: fail, asked: make(chan moment),
		shown: map[events.SessionID]events.Seq{}, progress: make(chan struct{}),
	}
}

// tell shows a moment that is on no log.
func (w *demoWatch) tell(ctx context.Context, m moment) error {
	w.showing.Lock()
	defer w.showing.Unlock()
	return w.show(ctx, m)
}

// follow begins to show a session. It ends with ctx.
func (w *demoWatch) follow(ctx context.Context, id events.SessionID, child bool) {
	w.following.Go(func() {
		if err := w.tailed(ctx, &story{session: id, child: child}); err != nil {
			w.fail(fmt.Errorf("show session %s: %w", id, err))
		}
	})
}

func (w *demoWatch) tailed(ctx context.Context, s *story) error {
	for e, err := range envelopes(w.tail.Tail(ctx, s.session, 0)) {
		if err != nil {
			return err
		}
		if m, ok := s.moment(e); ok {
			if err := w.see(ctx, m); err != nil {
				return err
			}
		}
		w.passed(s.session, e.Seq+1)
	}
	return nil
}

// see shows a moment of a log. An end of a call comes with what has become of the
// files since the last one.
func (w *demoWatch) see(ctx context.Context, m moment) error {
	w.showing.Lock()
	defer w.showing.Unlock()
	if m.Moment == momentEnd {
		changes, err := w.folder.changes()
		if err != nil {
			return err
		}
		m.Files = &changes
	}
	w.seen = append(w.seen, m)
	if err := w.show(ctx, m); err != nil || m.Moment != momentQuestion {
		return err
	}
	select {
	case w.asked <- m:
	case <-ctx.Done():
	}
	return nil
}

func (w *demoWatch) passed(id events.SessionID, next events.Seq) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown[id] = next
	close(w.progress)
	w.progress = make(chan struct{})
}

// caughtUp waits until a session is shown up to a seq.
func (w *demoWatch) caughtUp(ctx context.Context, id events.SessionID, next events.Seq) error {
	for {
		w.mu.Lock()
		there, progress := w.shown[id] >= next, w.progress
		w.mu.Unlock()
		if there {
			return nil
		}
		select {
		case <-progress:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// all are the moments of the logs that were shown.
func (w *demoWatch) all() []moment {
	w.showing.Lock()
	defer w.showing.Unlock()
	return w.seen
}
