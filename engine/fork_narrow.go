package engine

import (
	"cmp"
	"context"
	"fmt"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

// ForkedOn is a fork and what holds in it.
type ForkedOn struct {
	Forked
	Preset string     // derived; presets.Custom for none
	Next   events.Seq // the seq behind its last event
}

// Fork makes a fork that keeps what has tightened in its source since the boundary
// (design section 5). Whoever makes a fork to be used makes it so: [Fork] alone copies.
// A fork that was cut short before it was narrowed is narrowed by the same fork again.
// A source that nobody has adopted gives a fork to look at.
func (e *Engine) Fork(ctx context.Context, req ForkRequest, c presets.Catalogue, admit presets.Admit, m Meta) (ForkedOn, error) {
	m = m.part("narrow")
	if err := m.check(); err != nil {
		return ForkedOn{}, fmt.Errorf("engine: fork session %s: %w", req.Source, err)
	}
	keep := keepTight{catalogue: c, admit: admit}
	if err := e.View(ctx, req.Source, func(s *projections.Session) error {
		keep.now, keep.tier = s.Presets, s.Approvals.Tier
		return nil
	}); err != nil {
		return ForkedOn{}, err
	}
	made, err := Fork(ctx, e.cfg.Log, req)
	if err != nil {
		return ForkedOn{}, err
	}
	on := ForkedOn{Forked: made}
	if _, err := e.Do(ctx, req.Child, keep, m); err != nil {
		return on, fmt.Errorf("engine: what holds in the fork %s could not be set, and the same fork again does: %w", req.Child, err)
	}
	err = e.View(ctx, req.Child, func(s *projections.Session) error {
		on.Preset, on.Next = c.Current(s.Presets), s.Next()
		return nil
	})
	return on, err
}

// keepTight puts a fork, once, on the narrower of what it inherits and what its source
// is on now.
type keepTight struct {
	now       presets.State // the source's
	tier      string        // the source's
	catalogue presets.Catalogue
	admit     presets.Admit
}

func (c keepTight) decide(s *projections.Session) ([]events.Draft, error) {
	// What somebody has chosen in the fork since is theirs.
	if s.ReplayOnly() || s.Presets.At != nil && s.Own(*s.Presets.At) {
		return nil, nil
	}
	drafts, err := presets.Fork(c.catalogue, s.Presets, c.now, c.admit)
	if err != nil || !stricter(c.tier, s.Approvals.Tier) {
		return drafts, err
	}
	tier, err := approvals.SetTier(&s.Approvals, c.tier)
	return append(drafts, tier...), err
}

// stricter reports whether a tier lets less be answered without a person than another.
func stricter(a, b string) bool {
	order := map[string]int{approvals.TierAggressive: 1, approvals.TierStandard: 2, approvals.TierPassive: 3}
	return order[cmp.Or(a, approvals.TierStandard)] > order[cmp.Or(b, approvals.TierStandard)]
}
