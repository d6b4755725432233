package bus

import (
	"context"
	"errors"
	"slices"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

const (
	listDefault = 100
	// looked is how many sessions one list looks at: where few of many are the
	// caller's, it says from where to go on.
	looked = 1000
)

// list gives the sessions that a person may work with.
func (s *Service) list(ctx context.Context, q *request, r api.SessionList) (any, error) {
	if r.Limit == 0 {
		r.Limit = listDefault
	}
	ids, err := s.sessions(ctx, r.After)
	if err != nil {
		return nil, err
	}
	page := api.Sessions{Sessions: []api.Listed{}}
	for i, id := range ids {
		if len(page.Sessions) >= r.Limit || i >= looked {
			page.More = ids[i-1]
			break
		}
		l, mine, err := s.listed(ctx, q, id)
		if err != nil {
			return nil, err
		}
		if mine {
			page.Sessions = append(page.Sessions, l)
		}
	}
	return page, nil
}

// sessions are the ids of all sessions behind one, in order.
func (s *Service) sessions(ctx context.Context, after events.SessionID) ([]events.SessionID, error) {
	var ids []events.SessionID
	for id, err := range s.cfg.Log.Sessions(ctx) {
		if err != nil {
			return nil, err
		}
		if id > after {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// listed is a session in a person's list, if it is theirs.
func (s *Service) listed(ctx context.Context, q *request, id events.SessionID) (l api.Listed, mine bool, err error) {
	a, err := s.accessTo(ctx, id, func(a engine.Access) bool { return a.Owner == q.caller.Name })
	if errors.Is(err, events.ErrCorrupt) || errors.Is(err, events.ErrSeedIncomplete) {
		return s.listedBroken(ctx, q, id)
	}
	if err != nil || !a.Permits(q.caller.Name) && !(a.ReplayOnly && a.Creator == q.actor()) {
		return api.Listed{}, false, err
	}
	o, err := s.cfg.Log.Open(ctx, id)
	return listedAs(o, a.Owner), err == nil, err
}

// listedBroken lists a session that cannot be used for who created it, so that they
// hear of it.
func (s *Service) listedBroken(ctx context.Context, q *request, id events.SessionID) (l api.Listed, mine bool, err error) {
	o, err := s.cfg.Log.Open(ctx, id)
	if err != nil || o.Creator != q.actor() {
		return api.Listed{}, false, nil //nolint:nilerr // what cannot even be opened is nobody's to list
	}
	l = listedAs(o, q.caller.Name)
	l.Problem = "corrupt"
	if !o.Complete() {
		l.Problem = "incomplete"
	}
	return l, true, nil
}

func listedAs(o events.Opened, owner string) api.Listed {
	return api.Listed{Session: o.Header.ID, Owner: owner, Parent: o.Header.ParentSession, CreatedAt: o.Header.CreatedAt, CWD: o.Header.CWD, Next: o.Head.Next}
}

func (s *Service) show(ctx context.Context, q *request, _ api.SessionShow) (any, error) {
	return s.state(ctx, q)
}

func (s *Service) stateOf(ctx context.Context, q *request, _ api.StateQuery) (any, error) {
	return s.state(ctx, q)
}

// state is what the session of a request is folded to.
func (s *Service) state(ctx context.Context, q *request) (any, error) {
	a, err := s.cfg.Engine.Access(ctx, q.session)
	if err != nil {
		return nil, err
	}
	var v api.State
	c := s.cfg.Registry.Catalogue()
	err = s.cfg.Engine.View(ctx, q.session, func(session *projections.Session) error {
		v = viewOf(c, session)
		return nil
	})
	v.Owner, v.Members = a.Owner, a.Members
	return v, err
}

func viewOf(c presets.Catalogue, session *projections.Session) api.State {
	h, effective := session.Header(), c.Effective(session.Presets)
	v := api.State{
		Session: h.ID, Parent: h.ParentSession, CreatedAt: h.CreatedAt, CWD: h.CWD, Next: session.Next(), ReplayOnly: session.ReplayOnly(),
		Preset: c.Current(session.Presets), Sandbox: effective.Sandbox, Approval: effective.Approval, Tier: session.Approvals.Tier,
		Headless: session.Presets.Headless, Calls: unsettled(session), Questions: []string{},
		Waiting: len(session.Inbox.NextStep) + len(session.Inbox.NextTurn), Tokens: session.Compaction.Tokens(),
	}
	if r := session.Request.Header; r != nil {
		v.Provider, v.Model = r.Config.Provider, r.Config.Model
	}
	if turn, open := session.OpenTurn(); open {
		v.Turn = turn
	}
	if _, step, open := session.OpenStep(); open {
		v.Step = step
	}
	for _, question := range session.Approvals.Questions() {
		v.Questions = append(v.Questions, question.ID)
	}
	return v
}

// unsettled are the calls of the open step that have no result.
func unsettled(session *projections.Session) []string {
	ids := []string{}
	open := session.Calls.Open
	if open == nil {
		return ids
	}
	for _, c := range open.Native {
		if c.Settled == nil {
			ids = append(ids, c.ID)
		}
	}
	for _, c := range open.Inner {
		if c.Settled == nil {
			ids = append(ids, c.ID)
		}
	}
	return ids
}
