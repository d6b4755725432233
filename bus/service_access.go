package bus

import (
	"context"
	"errors"
	"sync"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// accessCache remembers whose sessions are, as far as that never changes: not who
// the members are, and nothing of a session that can still be adopted.
type accessCache struct {
	mu sync.Mutex // guards by
	by map[events.SessionID]engine.Access
}

// accessKept is how many sessions are remembered before all are forgotten.
const accessKept = 1 << 16

func (c *accessCache) find(id events.SessionID) (engine.Access, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.by[id]
	return a, ok
}

func (c *accessCache) keep(id events.SessionID, a engine.Access) {
	if a.ReplayOnly {
		return
	}
	a.Members = nil
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil || len(c.by) >= accessKept {
		c.by = map[events.SessionID]engine.Access{}
	}
	c.by[id] = a
}

// accessTo finds out whose a session is. settled says whether what never changes is
// enough.
func (s *Service) accessTo(ctx context.Context, id events.SessionID, settled func(engine.Access) bool) (engine.Access, error) {
	if a, ok := s.access.find(id); ok && settled(a) {
		return a, nil
	}
	a, err := s.cfg.Engine.Access(ctx, id)
	if err == nil {
		s.access.keep(id, a)
	}
	return a, err
}

// permit settles which session a request is about, and whether its caller may make
// it there. Who may is decided here and nowhere else.
func (s *Service) permit(ctx context.Context, q *request, about events.SessionID) (err error) {
	switch api.Role(q.caller.Class) {
	case api.RoleAgent:
		err = s.permitAgent(ctx, q, about)
	case api.RoleHost, api.RoleSpawner:
		err = s.permitMaker(ctx, q, about)
	case api.RoleHuman:
		err = s.permitHuman(ctx, q, about)
	default:
		err = refusal(api.CodeUnauthorized, "", "nobody of your class sends commands")
	}
	if errors.Is(err, events.ErrNotFound) {
		return unknownSession()
	}
	return err
}

func (s *Service) permitAgent(ctx context.Context, q *request, about events.SessionID) error {
	own := events.SessionID(q.caller.Name)
	if about != "" && about != own {
		return refusal(api.CodeUnauthorized, "session", "an agent speaks for its own session alone")
	}
	q.session = own
	a, err := s.accessTo(ctx, own, func(engine.Access) bool { return true })
	if err != nil {
		return err
	}
	return replayed(q, a)
}

// permitMaker lets hosts and spawners work with the sessions that they created.
func (s *Service) permitMaker(ctx context.Context, q *request, about events.SessionID) error {
	if about == "" {
		return refusal(api.CodeInvalid, "session", "is missing")
	}
	q.session = about
	a, err := s.accessTo(ctx, about, func(engine.Access) bool { return true })
	if err != nil {
		return err
	}
	if a.Creator != q.actor() {
		return unknownSession()
	}
	return replayed(q, a)
}

// permitHuman lets people work with the sessions that they own or are members of. An
// import that nobody has adopted can be read by who imported it.
func (s *Service) permitHuman(ctx context.Context, q *request, about events.SessionID) error {
	if about == "" {
		return refusal(api.CodeInvalid, "session", "is missing")
	}
	q.session = about
	a, err := s.accessTo(ctx, about, func(a engine.Access) bool { return a.Owner == q.caller.Name })
	switch {
	case err != nil:
		return err
	case a.ReplayOnly && a.Creator == q.actor():
	case !a.Permits(q.caller.Name):
		return unknownSession()
	case q.endpoint.Command == "session.share" && a.Owner != q.caller.Name:
		return refusal(api.CodeUnauthorized, "session", "its owner alone says who else may work with it")
	}
	return replayed(q, a)
}

// CodeReplayOnly says that the session was imported and that nobody has adopted it.
const CodeReplayOnly api.Code = engine.CodeReplayOnly

// replayed refuses to change, or to copy, a session that can only be read.
func replayed(q *request, a engine.Access) error {
	if a.ReplayOnly && q.endpoint.Writes && q.endpoint.Command != "session.adopt" {
		return refusal(CodeReplayOnly, "session", "it was imported, and can only be read until a person adopts it")
	}
	return nil
}
