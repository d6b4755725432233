package engine

import (
	"context"
	"fmt"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// Show gives a session as it is stored now, with what a reviewer is shown of it. The
// view is only read, and only until see returns.
func (e *Engine) Show(ctx context.Context, id events.SessionID, see func(reviewer.View) error) error {
	always := func(*projections.Session) bool { return true }
	err := e.withShown(ctx, id, always, func(s *folded) error {
		if err := s.catchUp(ctx); err != nil {
			return err
		}
		history, err := s.visible(ctx)
		if err != nil {
			return err
		}
		return see(reviewer.View{Session: s.state, History: history, Head: s.head})
	})
	if err != nil {
		return fmt.Errorf("engine: session %s: %w", id, err)
	}
	return nil
}
