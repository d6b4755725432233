package bus

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// messageSend puts what a person says into a session. What a host relays says so.
func (s *Service) messageSend(ctx context.Context, q *request, r api.MessageSend) (any, error) {
	m := engine.UserMessage{MessageID: r.MessageID, Content: r.Content, Queue: r.Queue, RPCID: q.id, TimeZone: r.TimeZone}
	if api.Role(q.caller.Class) == api.RoleHost {
		m.Via = string(api.RoleHost)
	}
	return s.do(ctx, q, m, r.Expect)
}

func (s *Service) presetSet(ctx context.Context, q *request, r api.PresetSet) (any, error) {
	m := q.meta()
	m.Expect = r.Expect
	done, err := s.cfg.Gate.SetPreset(ctx, q.session, engine.SetPreset{Preset: r.Preset, Headless: r.Headless}, m)
	return doneOf(q, done), err
}

func (s *Service) presetCatalog(context.Context, *request, api.PresetCatalog) (any, error) {
	c := s.cfg.Registry.Catalogue()
	out := api.Catalog{Default: c.DefaultPreset, Options: []api.Preset{}}
	for _, p := range c.Options {
		out.Options = append(out.Options, api.Preset{
			Name: p.Name, DisplayName: p.DisplayName, Description: p.Description, Sandbox: p.Sandbox, Approval: p.Approval,
			Reviewer: p.Reviewer, Integration: p.Integration, Experimental: p.Experimental,
		})
	}
	return out, nil
}

func (s *Service) policySet(ctx context.Context, q *request, r api.PolicySet) (any, error) {
	return s.do(ctx, q, engine.SetPolicy{Policy: r.Policy, Configured: s.cfg.Registry.Catalogue().Defaults.Approval}, r.Expect)
}

func (s *Service) tierSet(ctx context.Context, q *request, r api.TierSet) (any, error) {
	return s.do(ctx, q, engine.SetTier{Tier: r.Tier}, r.Expect)
}

func (s *Service) routeAllow(ctx context.Context, q *request, r api.RouteAllow) (any, error) {
	return s.do(ctx, q, engine.AllowRoute{Provider: r.Provider, Model: r.Model, By: q.caller.Name}, r.Expect)
}

func (s *Service) schema(_ context.Context, q *request, r api.SchemaQuery) (any, error) {
	for _, e := range api.Endpoints() {
		if e.Command != r.Command || e.Role != q.endpoint.Role {
			continue
		}
		out := api.Schemas{Command: r.Command}
		for _, part := range []struct {
			into *jsontext.Value
			typ  reflect.Type
		}{{&out.Request, e.Request}, {&out.Reply, e.Reply}} {
			text, err := api.Schema(part.typ)
			if err != nil {
				return nil, err
			}
			*part.into = text
		}
		return out, nil
	}
	return nil, refusal(api.CodeInvalid, "command", "is not one of yours")
}

// approvalsList gives the open questions of one session, or of all that the person
// may work with: of the newest ones, since those ask.
func (s *Service) approvalsList(ctx context.Context, q *request, r api.ApprovalsList) (any, error) {
	out := api.Approvals{Questions: []api.Question{}}
	if r.Session != "" {
		if err := s.permit(ctx, q, r.Session); err != nil {
			return nil, err
		}
		questions, err := s.questions(ctx, r.Session, r.Open)
		out.Questions = append(out.Questions, questions...)
		return out, err
	}
	ids, err := s.sessions(ctx, "")
	if err != nil {
		return nil, err
	}
	size := 0
	for i, id := range slices.Backward(ids) {
		if len(ids)-i > looked || size > pageSize {
			out.Cut = true
			break
		}
		_, mine, err := s.listed(ctx, q, id)
		if err != nil || !mine {
			if err != nil {
				return nil, err
			}
			continue
		}
		questions, err := s.questions(ctx, id, r.Open)
		if err != nil {
			return nil, err
		}
		for _, question := range questions {
			size += len(question.Arguments) + len(question.Tail) + questionSize
		}
		out.Questions = append(out.Questions, questions...)
	}
	return out, nil
}

// questionSize is about what a question takes beside its arguments.
const questionSize = 1 << 10

// questions are the open ones of a session, as a person is to see them. A session
// that is not complete or corrupt has none that could be answered.
func (s *Service) questions(ctx context.Context, id events.SessionID, open bool) ([]api.Question, error) {
	var out []api.Question
	c := s.cfg.Registry.Catalogue()
	var displays []approvals.Display
	err := s.cfg.Engine.View(ctx, id, func(session *projections.Session) error {
		mode := c.Effective(session.Presets).Sandbox
		for _, question := range session.Approvals.Questions() {
			displays = append(displays, approvals.Display{
				Question: question, CWD: session.Header().CWD, Mode: mode, SessionMode: mode, Arguments: argumentsOf(session, question.CallID),
			})
		}
		return nil
	})
	if errors.Is(err, events.ErrCorrupt) || errors.Is(err, events.ErrSeedIncomplete) {
		return nil, nil
	}
	if err != nil || len(displays) == 0 {
		return nil, err
	}
	path, err := s.path(ctx, id)
	for _, d := range displays {
		d.Path = path
		out = append(out, questionOf(id, approvals.Render(d, open)))
	}
	return out, err
}

func questionOf(id events.SessionID, v approvals.View) api.Question {
	return api.Question{
		Session: id, ID: v.ID, Path: v.Path, Tool: v.Tool, Arguments: v.Arguments, LeftOut: v.LeftOut, Tail: v.Tail, CWD: v.CWD,
		Mode: v.Mode, SessionMode: v.SessionMode, Reason: v.Reason, Reviewer: v.Reviewer, ReviewerText: v.ReviewerText, TextCut: v.TextCut,
		Always: v.Always, Widening: v.Widening, Failure: v.Failure, Protected: v.Protected, Hash: v.Hash,
	}
}

// argumentsOf are those of a call of the open step.
func argumentsOf(session *projections.Session, id string) jsontext.Value {
	if call, _ := session.Calls.Find(id); call != nil {
		return jsontext.Value(call.Arguments)
	}
	if call, _ := session.Calls.FindInner(id); call != nil {
		return jsontext.Value(call.Arguments)
	}
	return nil
}

// path leads from the root session to one of its descendants.
func (s *Service) path(ctx context.Context, id events.SessionID) ([]events.SessionID, error) {
	path := []events.SessionID{id}
	for range lineage.MaxDepth {
		var parent events.SessionID
		err := s.cfg.Engine.View(ctx, path[0], func(session *projections.Session) error {
			parent = session.Parent()
			return nil
		})
		if err != nil || parent == "" {
			return path, err
		}
		path = append([]events.SessionID{parent}, path...)
	}
	return path, nil
}

// approvalsAnswer answers questions, and keeps what is allowed for good.
func (s *Service) approvalsAnswer(ctx context.Context, q *request, r api.ApprovalsAnswer) (any, error) {
	var answers []approvals.Answer
	for i, a := range r.Answers {
		kind := approvals.ReplyKind(a.Reply)
		if kind != approvals.ReplyOnce && kind != approvals.ReplyAlways && kind != approvals.ReplyReject {
			return nil, refusal(api.CodeInvalid, fmt.Sprintf("answers.%d.reply", i), "must be once, always or reject")
		}
		if kind == approvals.ReplyAlways && s.cfg.Projects == nil {
			return nil, refusal(api.CodeUnavailable, fmt.Sprintf("answers.%d.reply", i), "this engine keeps nothing for good: answer once")
		}
		answers = append(answers, approvals.Answer{ID: a.ID, Reply: approvals.Reply{Kind: kind, Feedback: a.Feedback}, Hash: a.Hash, By: q.caller.Name})
	}
	var asked []approvals.Question
	cwd := ""
	if err := s.cfg.Engine.View(ctx, q.session, func(session *projections.Session) error {
		asked, cwd = session.Approvals.Questions(), session.Header().CWD
		return nil
	}); err != nil {
		return nil, err
	}
	m := q.meta()
	m.Expect = r.Expect
	done, err := s.cfg.Engine.Do(ctx, q.session, engine.AnswerApprovals{Answers: answers}, m)
	if err != nil {
		return nil, err
	}
	out := api.Answered{Session: q.session, Results: []api.Outcome{}, Already: done.Already}
	for _, e := range done.Events {
		if d, ok := e.Event.(events.ApprovalDecided); ok {
			out.Results = append(out.Results, api.Outcome{ID: d.ID, Outcome: d.Outcome})
		}
	}
	if !done.Already {
		out.Granted, err = s.lasting(ctx, q, cwd, asked, answers)
	}
	return out, err
}

// lasting keeps what "always" answers grant, on the log of the session's project. It
// comes behind the decision: cut short, the call is allowed once and no more.
func (s *Service) lasting(ctx context.Context, q *request, cwd string, asked []approvals.Question, answers []approvals.Answer) (granted []string, err error) {
	for i, a := range answers {
		at := slices.IndexFunc(asked, func(question approvals.Question) bool { return question.ID == a.ID })
		if a.Kind != approvals.ReplyAlways || at < 0 {
			continue
		}
		grant := fmt.Sprintf("grant-%s-%d", q.meta().ID, i)
		err := s.cfg.Projects.Do(ctx, cwd, q.part(fmt.Sprintf("grant%d", i)), func(p *approvals.Project) ([]events.Draft, error) {
			return approvals.GrantAlways(p, asked[at], a, grant), nil
		})
		if err != nil {
			return granted, fmt.Errorf("the call is allowed, but the grant was not kept: %w", err)
		}
		granted = append(granted, asked[at].Pattern)
	}
	return granted, nil
}
