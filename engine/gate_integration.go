package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// Installation is a review system as it is installed.
type Installation struct {
	presets.Integration
	Reviewer reviewer.Reviewer
	Words    reviewer.Words
}

// installed is an integration with its one lifecycle: one controller that its
// removal aborts, and one set of active reviews (reference 5.7).
type installed struct {
	reviewer reviewer.Reviewer
	words    reviewer.Words
	ctx      context.Context // ends when the integration is removed or the process ends
	abort    context.CancelCauseFunc

	mu      sync.Mutex // guards what follows; never held while calling out
	closing bool
	active  int
	drained chan struct{} // closed when closing and nothing is active
	live    map[events.SessionID]struct{}
}

// errRemoved is why reviews end when their integration goes.
var errRemoved = errors.New("the integration is being removed")

// Install adds an integration: its reviewer first, then its presets, so that no
// session is on a preset that nobody reviews (reference 5.7).
func (g *Gate) Install(i Installation) error {
	for _, p := range i.Presets {
		if p.Guard {
			return fmt.Errorf("engine: install %s: preset %s has a guard, and the integration none", i.Name, p.Name)
		}
	}
	if i.Reviewer == nil || i.Words.Denied == nil || i.Words.Failed == nil || i.Words.Question == nil {
		return fmt.Errorf("engine: install %s: its reviewer or its words are missing", i.Name)
	}
	in := &installed{reviewer: i.Reviewer, words: i.Words, drained: make(chan struct{}), live: map[events.SessionID]struct{}{}}
	in.ctx, in.abort = context.WithCancelCause(context.Background())
	g.mu.Lock()
	_, taken := g.installed[i.Name]
	if !taken && !g.closing {
		g.installed[i.Name] = in
	}
	closing := g.closing
	g.mu.Unlock()
	switch {
	case closing:
		return fmt.Errorf("engine: install %s: %w", i.Name, ErrShutdown)
	case taken:
		return events.Refuse(presets.CodeInstalled, "integration", "%s is installed already", i.Name)
	}
	if err := g.cfg.Registry.Install(i.Integration, nil); err != nil {
		g.forget(i.Name)
		return err
	}
	return nil
}

func (g *Gate) forget(integration string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.installed, integration)
}

// Uninstall removes an integration while the process goes on (reference 5.7 and 8,
// item 5): its admission closes, what it reviews is cancelled and drained, its
// live sessions are moved to a preset without it, and then it leaves the
// catalogue. ctx bounds the drain alone; where it ends first the integration stays
// closed, and Uninstall can be called again.
func (g *Gate) Uninstall(ctx context.Context, integration string, by events.Actor) error {
	in := g.find(integration)
	if in == nil {
		return events.Refuse(presets.CodeNotInstalled, "integration", "%q is not installed", integration)
	}
	if err := g.cfg.Registry.Close(integration); err != nil {
		return err
	}
	in.close()
	if err := in.drain(ctx); err != nil {
		return fmt.Errorf("engine: uninstall %s: its reviews are not drained: %w", integration, err)
	}
	if err := g.migrate(ctx, integration, in, by); err != nil {
		return err
	}
	g.forget(integration)
	return g.cfg.Registry.Remove(integration)
}

// Shutdown ends the gate with its process: no call is admitted any more, what is
// under way is cancelled and drained, and the sessions stay on their presets, as
// their logs say, until they are opened again.
func (g *Gate) Shutdown(ctx context.Context) error {
	g.mu.Lock()
	g.closing = true
	var all []*installed
	for _, in := range g.installed {
		all = append(all, in)
	}
	var waiting []*operation
	for _, op := range g.active {
		waiting = append(waiting, op)
	}
	g.mu.Unlock()
	for _, in := range all {
		in.close()
	}
	for _, op := range waiting {
		op.cancel(ErrShutdown)
	}
	done := make(chan struct{})
	go func() {
		g.work.Wait()
		g.records.writeNow()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("engine: shut down: calls are still under way: %w", ctx.Err())
	}
}

func (g *Gate) find(integration string) *installed {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.installed[integration]
}

// enrol takes a session's call into the integration's active set, unless it
// closes.
func (g *Gate) enrol(integration string, id events.SessionID) (in *installed, closing bool, err error) {
	in = g.find(integration)
	if in == nil {
		return nil, false, events.Refuse(presets.CodePresetAbsent, "preset", "the integration %s has no reviewer here", integration)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closing {
		return nil, true, nil
	}
	in.active++
	in.live[id] = struct{}{}
	return in, false, nil
}

// leave ends a call's part in the active set.
func (in *installed) leave() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.active--; in.active == 0 && in.closing {
		close(in.drained)
	}
}

func (in *installed) close() {
	in.mu.Lock()
	if !in.closing {
		in.closing = true
		if in.active == 0 {
			close(in.drained)
		}
	}
	in.mu.Unlock()
	in.abort(errRemoved)
}

func (in *installed) drain(ctx context.Context) error {
	select {
	case <-in.drained:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (in *installed) aborted() bool { return in.ctx.Err() != nil }

// during gives a context that ends with the caller's or with the integration.
func (in *installed) during(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(in.ctx, func() { cancel(errRemoved) })
	return ctx, func() { stop(); cancel(nil) }
}

// migrate moves the live sessions off the presets of an integration. One that
// cannot be moved does not keep the others: it stays on a preset that is not
// installed, and is refused until a person switches it.
func (g *Gate) migrate(ctx context.Context, integration string, in *installed, by events.Actor) error {
	in.mu.Lock()
	live := in.live
	in.live = map[events.SessionID]struct{}{}
	in.mu.Unlock()
	var errs []error
	for id := range live {
		m, err := newMeta("migrate", by)
		if err == nil {
			_, err = g.engine.Do(recording(ctx), id, migrateSession{g.cfg.Registry.Catalogue(), integration}, m)
		}
		if err != nil && !errors.Is(err, events.ErrNotFound) {
			errs = append(errs, fmt.Errorf("engine: uninstall %s: %w", integration, err))
		}
	}
	return errors.Join(errs...)
}

// migrateSession is presets.Migrate as a command.
type migrateSession struct {
	catalogue   presets.Catalogue
	integration string
}

func (c migrateSession) decide(s *projections.Session) ([]events.Draft, error) {
	return presets.Migrate(c.catalogue, s.Presets, c.integration)
}

// newMeta is the meta of a command of the engine's own.
func newMeta(what string, by events.Actor) (Meta, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Meta{}, fmt.Errorf("engine: make a command id: %w", err)
	}
	return Meta{ID: events.AppendID(what + "-" + id.String()), Actor: by, Now: time.Now().UnixMilli()}, nil
}
