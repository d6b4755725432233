package engine

import (
	"context"
	"fmt"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

// Publish pins what holds in a session before it is used; see [Publish]. A session
// on a preset whose integration is not installed is refused, and its log left
// alone.
func (g *Gate) Publish(ctx context.Context, id events.SessionID, c Publish, m Meta) (Done, error) {
	c.Catalogue, c.Admit = g.cfg.Registry.Catalogue(), g.cfg.Registry.Admit
	done, err := g.engine.Do(ctx, id, c, m)
	if err != nil {
		return Done{}, err
	}
	return done, g.noteLive(ctx, id)
}

// SetPreset switches a session; see [SetPreset].
func (g *Gate) SetPreset(ctx context.Context, id events.SessionID, c SetPreset, m Meta) (Done, error) {
	c.Catalogue, c.Admit = g.cfg.Registry.Catalogue(), g.cfg.Registry.Admit
	done, err := g.engine.Do(ctx, id, c, m)
	if err != nil {
		return Done{}, err
	}
	return done, g.noteLive(ctx, id)
}

// Spawn makes a child; see [Engine.Spawn]. A child of a session under review is
// under the same one, each call by itself (reference 6).
func (g *Gate) Spawn(ctx context.Context, parent events.SessionID, req SpawnRequest) (Spawned, error) {
	req.Catalogue, req.Admit = g.cfg.Registry.Catalogue(), g.cfg.Registry.Admit
	child, err := g.engine.Spawn(ctx, parent, req)
	if err != nil {
		return Spawned{}, err
	}
	return child, g.noteLive(ctx, child.Header.ID)
}

// Fork makes a fork to be used; see [Engine.Fork].
func (g *Gate) Fork(ctx context.Context, req ForkRequest, m Meta) (ForkedOn, error) {
	made, err := g.engine.Fork(ctx, req, g.cfg.Registry.Catalogue(), g.cfg.Registry.Admit, m)
	if err != nil {
		return made, err
	}
	return made, g.noteLive(ctx, req.Child)
}

// noteLive remembers that a session is on an integration's preset, so that its
// removal can move it off. What its reviews are shown is kept from here on.
func (g *Gate) noteLive(ctx context.Context, id events.SessionID) error {
	err := g.engine.with(ctx, id, func(s *folded) error {
		if err := s.catchUp(ctx); err != nil {
			return err
		}
		c := g.cfg.Registry.Catalogue()
		p, ok := c.Find(c.Current(s.state.Presets))
		if ok && p.Reviews == presets.ReviewsCalls {
			s.keepShown()
		}
		if in := g.find(p.Integration); ok && in != nil {
			in.mu.Lock()
			defer in.mu.Unlock()
			in.live[id] = struct{}{}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("engine: session %s: %w", id, err)
	}
	return nil
}
