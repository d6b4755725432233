package auto

import (
	"context"
	"sync/atomic"

	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// Name is what the log says of this reviewer.
const Name = "auto"

// Config is what the reviewer needs beside a session.
type Config struct {
	Model  reviewer.Model
	Routes reviewer.Routes
}

// Reviewer reviews calls. It keeps nothing of them.
type Reviewer struct {
	model  reviewer.Model
	routes reviewer.Routes
}

var _ reviewer.Reviewer = (*Reviewer)(nil)

// New makes the reviewer.
func New(c Config) *Reviewer { return &Reviewer{model: c.Model, routes: c.Routes} }

// Name is [Name].
func (r *Reviewer) Name() string { return Name }

// Prepare makes the request about a call and finds its route.
func (r *Reviewer) Prepare(v reviewer.View, c reviewer.Call) (reviewer.Review, error) {
	request, err := NewRequest(v, c)
	if err != nil {
		return nil, err
	}
	route, err := reviewer.SessionRoutesOf(v).For(r.routes)
	if err != nil {
		return nil, err
	}
	if err := fits(request, window(route, v.Session)); err != nil {
		return nil, err
	}
	made := &review{model: r.model, route: route, request: request}
	if route.API == reviewer.APIBuiltin {
		made.record = reviewer.NewRecord(v, pendingRef(c))
	}
	return made, nil
}

// What a request is estimated to take of a context window: a token for each three
// bytes, where English text and code need four and more, and room for the answer.
const (
	bytesPerToken = 3
	answerTokens  = 1024
)

// fits refuses what may be longer than the window. An endpoint may cut a long
// request instead of refusing it, and then nobody would know what was reviewed.
func fits(r Request, window int64) error {
	tokens := int64(len(policy)+len(r.User))/bytesPerToken + answerTokens
	if window > 0 && tokens > window {
		return ErrRequestTooLarge.With("the request takes about %d tokens with its answer, the route has %d", tokens, window)
	}
	return nil
}

// window is the route's context window in tokens, 0 where nobody knows it: the
// settings' word, or what the log says of that very route.
func window(route reviewer.Route, s *projections.Session) int64 {
	r := s.Request
	switch {
	case route.ContextWindow > 0:
		return route.ContextWindow
	case route.API == reviewer.APIBuiltin || r.ContextWindow == nil || r.ContextRoute == nil:
		return 0
	case *r.ContextRoute != projections.RequestRoute{Provider: route.Provider, Model: route.Model}:
		return 0
	default:
		return *r.ContextWindow
	}
}

// review is a request on its way.
type review struct {
	model   reviewer.Model
	route   reviewer.Route
	request Request
	record  *reviewer.Record // for a model in the process alone
	asked   atomic.Bool
}

// Ask sends the request and reads the answer.
func (r *review) Ask(ctx context.Context) (reviewer.Verdict, error) {
	if r.asked.Swap(true) {
		return reviewer.Verdict{}, ErrAskedTwice.With("a model is asked once a call")
	}
	text, err := collect(ctx, r.model, reviewer.Prompt{Route: r.route, System: policy, User: r.request.User, Record: r.record})
	if err != nil {
		return reviewer.Verdict{}, err
	}
	return parseAnswer(text)
}

// Digest is the request's.
func (r *review) Digest() string { return r.request.Digest() }

// Route is the one that is asked.
func (r *review) Route() string { return r.route.Name() }
