package bus

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// signOfLife is how often a caller is told again that its request is under way: the
// server forgets in time where answers go that do not come.
const signOfLife = 20 * time.Second

// call acknowledges a call at once, and decides it later.
func (s *Service) call(ctx context.Context, q *request, r api.Call) (any, error) {
	if err := s.belowCeiling(ctx, q); err != nil {
		return nil, err
	}
	req, err := callRequest(q, r)
	if err != nil {
		return nil, err
	}
	if !s.openCall(q.session) {
		return nil, refusal(api.CodeUnavailable, "session", "the session has as many calls under way as it may have")
	}
	key := callKey(q.session, r.CallID)
	running, cancel := context.WithCancelCause(s.ctx)
	h, mine, err := s.holdCall(ctx, key, q, cancel)
	if err != nil || !mine {
		s.closeCall(q.session)
		cancel(nil)
	}
	if err != nil {
		return nil, err
	}
	req.Taken = h.establish
	q.later = true
	s.respond(q, q.reply, api.StateAccepted, s.accepted(q, r.CallID))
	if mine {
		q.then = func() { s.runCall(running, &takenCall{q: q, req: req, key: key, held: h}) }
	}
	return nil, nil
}

// holdCall makes the call one that is under way here, or joins the same request that
// is. Another request about the call is in its way only if the call is known to be
// this engine's: it may be one that another engine will refuse.
func (s *Service) holdCall(ctx context.Context, key string, q *request, cancel context.CancelCauseFunc) (h *held, mine bool, err error) {
	digest := q.digest()
	ctx, stop := context.WithTimeout(ctx, tellTimeout)
	defer stop()
	for {
		h, mine, err = s.hold(key, digest, q.reply, cancel)
		switch {
		case err != nil || mine:
			return h, mine, err
		case h.digest == digest && h.join(q.reply):
			return h, false, nil
		case h.digest != digest && h.own():
			return nil, false, anotherRequest()
		}
		select {
		case <-h.known:
		case <-ctx.Done():
			return nil, false, refusal(api.CodeUnavailable, "callId", "another request about that call has just come in: ask again")
		}
	}
}

func anotherRequest() *api.Error {
	return refusal(api.CodeConflict, "callId", "another request about that call is under way")
}

func (s *Service) accepted(q *request, call string) api.Accepted {
	return api.Accepted{ID: q.id, CallID: call, AliveMs: s.cfg.Limits.Alive.Milliseconds(), GoneMs: s.cfg.Limits.Gone.Milliseconds()}
}

// openCall counts a session's call in, unless it has too many.
func (s *Service) openCall(id events.SessionID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[id] >= s.cfg.Limits.OpenCalls {
		return false
	}
	s.open[id]++
	return true
}

func (s *Service) closeCall(id events.SessionID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[id]--; s.open[id] <= 0 {
		delete(s.open, id)
	}
}

// takenCall is a call on its way through the gate.
type takenCall struct {
	q    *request
	req  engine.CallRequest
	key  string
	held *held
}

// runCall takes a call through the gate and answers everybody who waits for it.
func (s *Service) runCall(ctx context.Context, c *takenCall) {
	defer s.closeCall(c.q.session)
	defer c.held.cancel(nil)
	over := s.sayUnderWay(c)
	answer, err := s.askGate(ctx, c)
	over()
	replies := s.release(c.key, c.held)
	for range handOvers {
		if !errors.Is(err, engine.ErrElsewhere) {
			break
		}
		if replies, err = s.handOver(c, replies); err == nil && len(replies) > 0 {
			answer, err = s.askGate(ctx, c) // which has the answer by now
		}
	}
	for _, to := range replies {
		if err != nil {
			s.refuse(c.q, to, err)
			continue
		}
		s.respond(c.q, to, api.StateFinal, answer)
	}
}

// askGate asks until the call is decided, or another engine has it.
func (s *Service) askGate(ctx context.Context, c *takenCall) (answer api.Answer, err error) {
	defer func() {
		if v := recover(); v != nil {
			s.cfg.Logger.Error("a call panicked", "session", c.q.session, "call", c.req.CallID, "panic", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
			err = refusal(api.CodeInternal, "", "the engine failed; its log says how")
		}
	}()
	got, err := s.cfg.Gate.Call(ctx, c.req, c.q.meta())
	if err != nil {
		return api.Answer{}, err
	}
	answer.CallID = c.req.CallID
	if got.Permit != nil {
		answer.Permit = &got.Permit.Signed
	}
	if r := got.Refused; r != nil {
		answer.Refused = &api.Refused{Kind: string(r.Kind), Text: r.Text, Seq: r.Seq}
		if r.Error != nil {
			answer.Refused.Error = &api.ToolError{Name: r.Error.Name, Code: r.Error.Code, Reason: r.Error.Reason}
		}
	}
	return answer, nil
}

// sayUnderWay tells those who wait, now and then, that the call is under way, until it
// is over. Most calls are before there is anything to say.
func (s *Service) sayUnderWay(c *takenCall) (over func()) {
	var timer atomic.Pointer[time.Timer] // nil when the call is over
	timer.Store(time.AfterFunc(signOfLife, func() {
		t := timer.Load()
		if t == nil {
			return
		}
		for _, to := range c.held.waiting() {
			s.respond(c.q, to, api.StateAccepted, s.accepted(c.q, c.req.CallID))
		}
		t.Reset(signOfLife)
	}))
	return func() { timer.Swap(nil).Stop() }
}

// handOvers is how often a call is left to another engine that turns out not to have
// it any more.
const handOvers = 3

// handOver lets the engine that has the call answer those who asked here, and gives
// those whom it does not answer any more.
func (s *Service) handOver(c *takenCall, replies []string) (left []string, err error) {
	for i, to := range replies {
		header := nats.Header{headerDo: {doJoin}, headerDigest: {c.held.digest}, headerReply: {to}}
		answer, known, err := s.tell(s.ctx, c.key, header)
		switch {
		case err != nil:
			return replies[i:], err
		case !known:
			return replies[i:], nil
		case answer.Get(headerDiffer) != "":
			return replies[i:], anotherRequest()
		}
	}
	return nil, nil
}

// callRequest is the call as the gate gets it.
func callRequest(q *request, r api.Call) (engine.CallRequest, error) {
	req := engine.CallRequest{Session: q.session, CallID: r.CallID, Name: r.Name, Arguments: r.Arguments, Nonce: r.Nonce}
	if q.caller.Confines {
		req.Confines = func(string) bool { return true }
	}
	if in := r.Inner; in != nil {
		schema := reviewer.Schema{Name: in.Schema.Name, Parameters: in.Schema.Parameters}
		if in.Schema.Description != nil {
			text, ok := stringOf(in.Schema.Description)
			if !ok {
				return req, refusal(api.CodeInvalid, "inner.schema.description", "must be a string")
			}
			schema.Description = &text
		}
		req.Inner = &engine.InnerRequest{RootCallID: in.RootCallID, ParentCallID: in.ParentCallID, Schema: &schema}
	}
	return req, nil
}

func (s *Service) keys(context.Context, *request, api.KeysQuery) (any, error) {
	return api.Keys{Dispatch: s.cfg.Gate.DispatchKey()}, nil
}

func (s *Service) callAlive(ctx context.Context, q *request, r api.CallAlive) (any, error) {
	return s.about(ctx, callKey(q.session, r.CallID), doAlive, 0)
}

func (s *Service) callCancel(ctx context.Context, q *request, r api.CallCancel) (any, error) {
	return s.about(ctx, callKey(q.session, r.CallID), doCancel, 0)
}

// belowCeiling refuses a host's call in a session that somebody has put on a preset
// that lets more through than the host's installation allows.
func (s *Service) belowCeiling(ctx context.Context, q *request) error {
	if api.Role(q.caller.Class) != api.RoleHost {
		return nil
	}
	c := s.cfg.Registry.Catalogue()
	var on presets.Preset
	err := s.cfg.Engine.View(ctx, q.session, func(session *projections.Session) error {
		on = presetOf(c, session)
		return nil
	})
	if err != nil {
		return err
	}
	return withinCeiling(c, q.caller, on)
}

// presetOf is the preset that a session is on; one that is custom has no name.
func presetOf(c presets.Catalogue, session *projections.Session) presets.Preset {
	if p, ok := c.Find(c.Current(session.Presets)); ok {
		return p
	}
	return presets.Preset{Bundle: c.Effective(session.Presets)}
}

func noCeiling() *api.Error {
	return refusal(api.CodeUnauthorized, "preset", "your credential names no ceiling that is installed")
}

// withinCeiling refuses a preset that lets more through than the caller's ceiling. A
// host or spawner without one may do nothing.
func withinCeiling(c presets.Catalogue, caller Caller, wanted presets.Preset) error {
	ceiling, ok := c.Find(caller.Ceiling)
	if !ok {
		return noCeiling()
	}
	if presets.Narrower(wanted, ceiling) != wanted {
		return refusal(api.CodeUnauthorized, "preset", "it lets more through than your credential allows")
	}
	return nil
}
