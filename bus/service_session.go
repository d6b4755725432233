package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

// create begins a session: a person's own, a spawner's for its owner, or a host's
// under its ceiling.
func (s *Service) create(ctx context.Context, q *request, r api.SessionCreate) (any, error) {
	q.session = r.Session
	c := s.cfg.Registry.Catalogue()
	wanted, err := s.beginsOn(c, q, r.Preset)
	if err != nil {
		return nil, err
	}
	owner, err := ownerOf(q, r.Owner)
	if err != nil {
		return nil, err
	}
	already, err := s.storeHeader(ctx, q, r, owner)
	if err != nil {
		return nil, err
	}
	next, err := s.begin(ctx, q, wanted, r.Headless)
	if err != nil {
		return nil, err
	}
	if owner == "" && api.Role(q.caller.Class) == api.RoleHuman {
		owner = q.caller.Name
	}
	return api.Created{Session: r.Session, Owner: owner, Preset: wanted.Name, Next: next, Already: already}, nil
}

// beginsOn is the preset of a new session. What cannot be chosen makes no session.
func (s *Service) beginsOn(c presets.Catalogue, q *request, name string) (presets.Preset, error) {
	human := api.Role(q.caller.Class) == api.RoleHuman
	if _, ok := c.Find(q.caller.Ceiling); !human && !ok {
		return presets.Preset{}, noCeiling()
	}
	if name == "" {
		name = c.DefaultPreset
		if !human && withinCeiling(c, q.caller, first(c.Find(name))) != nil {
			name = q.caller.Ceiling
		}
	}
	if _, err := presets.Set(c, presets.State{}, name, s.cfg.Registry.Admit); err != nil {
		return presets.Preset{}, err
	}
	wanted, _ := c.Find(name) // else it could not be set
	if human {
		return wanted, nil
	}
	return wanted, withinCeiling(c, q.caller, wanted)
}

func first[T any](v T, _ bool) T { return v }

// ownerOf is the owner that a session's header names: those of spawners have one there,
// and those of hosts whose credential does. Of a person's the engine knows it by who
// created them.
func ownerOf(q *request, named string) (string, error) {
	role := api.Role(q.caller.Class)
	switch {
	case role != api.RoleSpawner && named != "":
		return "", refusal(api.CodeUnauthorized, "owner", "a spawner alone creates sessions for others")
	case role == api.RoleHost:
		return q.caller.Owner, nil
	case role != api.RoleSpawner:
		return "", nil
	case named == "":
		return "", refusal(api.CodeInvalid, "owner", "is missing")
	case q.caller.Owner != "" && q.caller.Owner != named:
		return "", refusal(api.CodeUnauthorized, "owner", "your credential is for another owner")
	}
	return named, nil
}

// storeHeader stores a session's header, unless the same command did.
func (s *Service) storeHeader(ctx context.Context, q *request, r api.SessionCreate, owner string) (already bool, err error) {
	h := events.Header{ID: r.Session, CreatedAt: q.came.UnixMilli(), CWD: r.CWD, AgentPreset: r.AgentPreset}
	if owner != "" {
		h.Unknown, err = json.Marshal(map[string]string{projections.OwnerMember: owner})
		if err != nil {
			return false, err
		}
	}
	header, err := events.NewHeader(h)
	if err != nil {
		return false, headerError(err)
	}
	err = s.cfg.Log.Create(ctx, events.Creation{ID: q.meta().ID, Actor: q.actor(), Header: header})
	if !errors.Is(err, events.ErrExists) {
		return false, err
	}
	return true, s.sameCreation(ctx, q, header)
}

// headerError says which member of the command makes a header that none may be.
func headerError(err error) error {
	if f, ok := errors.AsType[*events.FieldError](err); ok && f.Field == "header.cwd" {
		return refusal(api.CodeInvalid, "cwd", "must be an absolute path")
	}
	return err
}

// sameCreation accepts a session that is there already if this caller created it,
// with everything but the time the same.
func (s *Service) sameCreation(ctx context.Context, q *request, header events.Header) error {
	o, err := s.cfg.Log.Open(ctx, q.session)
	if err != nil {
		return err
	}
	again := header
	again.CreatedAt, again.Line = o.Header.CreatedAt, nil
	same, err := events.NewHeader(again)
	switch {
	case err != nil:
		return err
	case o.Creator != q.actor() || o.Seed != (events.Seed{}) || string(same.Line) != string(o.Header.Line):
		return refusal(api.CodeConflict, "session", "there is another session of that id")
	}
	return nil
}

// begin puts a new session on a preset. An integration's is chosen in a second step:
// cut short in between, the session is on the default, which is narrower.
func (s *Service) begin(ctx context.Context, q *request, wanted presets.Preset, headless bool) (events.Seq, error) {
	c := s.cfg.Registry.Catalogue()
	publish := engine.Publish{Headless: headless}
	ofTable := slices.ContainsFunc(c.DefaultOptions, func(p presets.Preset) bool { return p.Name == wanted.Name })
	if ofTable {
		publish.UserDefault = wanted.Name
	}
	done, err := s.cfg.Gate.Publish(ctx, q.session, publish, q.part("publish"))
	if err == nil && !ofTable {
		done, err = s.cfg.Gate.SetPreset(ctx, q.session, engine.SetPreset{Preset: wanted.Name, Headless: headless}, q.part("preset"))
	}
	return done.Next, err
}

// part is the meta of one append of several that a request consists of.
func (q *request) part(name string) engine.Meta {
	m := q.meta()
	m.ID += events.AppendID("-" + name)
	return m
}

func (s *Service) stop(ctx context.Context, q *request, r api.SessionStop) (any, error) {
	by := "user"
	if api.Role(q.caller.Class) == api.RoleHost {
		by = "disposed" // a host does not say what a person did
	}
	return s.do(ctx, q, engine.EndSession{By: by}, r.Expect)
}

// fork copies a session that the caller may read. The copy is the caller's own, and
// starts under the narrower of the preset then and now.
func (s *Service) fork(ctx context.Context, q *request, r api.SessionFork) (any, error) {
	if err := s.freshOrMine(ctx, q, r.Child); err != nil {
		return nil, err
	}
	made, err := s.cfg.Gate.Fork(ctx, engine.ForkRequest{Source: q.session, Child: r.Child, At: r.At, Actor: q.actor(), Now: q.came.UnixMilli()}, q.meta())
	if _, differs := errors.AsType[*engine.DiffersError](err); differs {
		return nil, refusal(api.CodeConflict, "child", "there is another session of that id")
	}
	if err != nil {
		return nil, err
	}
	q.session = r.Child
	return api.Created{Session: r.Child, Owner: q.caller.Name, Preset: made.Preset, Next: made.Next, Already: made.AlreadyThere}, nil
}

// freshOrMine refuses to go on with a session that somebody else made.
func (s *Service) freshOrMine(ctx context.Context, q *request, id events.SessionID) error {
	o, err := s.cfg.Log.Open(ctx, id)
	switch {
	case errors.Is(err, events.ErrNotFound):
		return nil
	case err != nil:
		return err
	case o.Creator != q.actor():
		return refusal(api.CodeConflict, "child", "there is another session of that id")
	}
	return nil
}

func (s *Service) adopt(ctx context.Context, q *request, r api.SessionAdopt) (any, error) {
	m := q.meta()
	m.Expect = r.Expect
	if _, err := s.cfg.Engine.Do(ctx, q.session, engine.AdoptSession{Owner: q.caller.Name, By: q.caller.Name}, m); err != nil {
		return nil, err
	}
	done, err := s.cfg.Gate.Publish(ctx, q.session, engine.Publish{}, q.part("publish"))
	if err != nil {
		return nil, err
	}
	c, on := s.cfg.Registry.Catalogue(), ""
	err = s.cfg.Engine.View(ctx, q.session, func(session *projections.Session) error {
		on = c.Current(session.Presets)
		return nil
	})
	return api.Created{Session: q.session, Owner: q.caller.Name, Preset: on, Next: done.Next, Already: done.Already}, err
}

func (s *Service) share(ctx context.Context, q *request, r api.SessionShare) (any, error) {
	return s.do(ctx, q, engine.SetMembers{Members: r.Members, By: q.caller.Name}, r.Expect)
}

func (s *Service) credential(ctx context.Context, q *request, _ api.SessionCredential) (any, error) {
	if s.cfg.Issue == nil {
		return nil, refusal(api.CodeUnavailable, "", "this engine issues no credentials")
	}
	c, err := s.cfg.Issue(ctx, q.session)
	if err != nil {
		return nil, fmt.Errorf("issue a credential: %w", err)
	}
	return c, nil
}
