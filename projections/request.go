package projections

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// Request is what the agent's model is asked with.
type Request struct {
	// HeaderSeq is the latest request/header, nil before the first.
	HeaderSeq *events.Seq                  `json:"headerSeq,omitempty"`
	Header    *events.RequestConfiguration `json:"header,omitempty"`
	// Pinned is the route that the session began with: the first that a request/header
	// names. Its reviews go there, unless a person allows another one.
	Pinned *RequestRoute `json:"pinned,omitempty"`
	// Allowed are the routes that people allowed beside it, in the order of the log.
	Allowed []RouteLeave `json:"allowed,omitempty"`
	// ContextWindow is in tokens, nil where it is not known; ContextRoute is the route
	// that has it, which is an earlier one until its own request/context is there.
	ContextWindow *int64        `json:"contextWindow,omitempty"`
	ContextRoute  *RequestRoute `json:"contextRoute,omitempty"`
}

// RequestRoute is a provider and a model.
type RequestRoute struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
}

// RouteLeave is a person's leave for a route to serve reviews.
type RouteLeave struct {
	RequestRoute
	Seq events.Seq `json:"seq"`
	By  string     `json:"by"`
}

// Apply folds an event that the Validator has accepted.
func (r *Request) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) {
	case events.RequestHeader:
		r.HeaderSeq, r.Header = new(e.Seq), &ev.Header
		r.pin(RequestRoute{ev.Header.Config.Provider, ev.Header.Config.Model})
	case events.RequestContext:
		r.ContextWindow, r.ContextRoute = ev.ContextWindow, &RequestRoute{ev.Provider, ev.Model}
	case events.ReviewRoute:
		r.allow(RouteLeave{RequestRoute{ev.Provider, ev.Model}, e.Seq, ev.By})
	}
}

// pin keeps the first route. A header that names none pins none.
func (r *Request) pin(route RequestRoute) {
	if r.Pinned == nil && route.Provider != "" && route.Model != "" {
		r.Pinned = &route
	}
}

// allow keeps the last leave for each route.
func (r *Request) allow(leave RouteLeave) {
	r.Allowed = slices.DeleteFunc(r.Allowed, func(l RouteLeave) bool { return l.RequestRoute == leave.RequestRoute })
	r.Allowed = append(r.Allowed, leave)
}

// ReviewRoutes are the routes that may serve the session's reviews: the one that it
// began with, and those that a person allowed here. What an imported log says of
// such leave was never checked, and counts for nothing.
func (s *Session) ReviewRoutes() []RequestRoute {
	var routes []RequestRoute
	if s.Request.Pinned != nil {
		routes = append(routes, *s.Request.Pinned)
	}
	for _, l := range s.AllowedRoutes() {
		if !slices.Contains(routes, l) {
			routes = append(routes, l)
		}
	}
	return routes
}

// AllowedRoutes are those that a person allowed here.
func (s *Session) AllowedRoutes() []RequestRoute {
	var routes []RequestRoute
	for _, l := range s.Request.Allowed {
		if l.Seq >= s.Imported {
			routes = append(routes, l.RequestRoute)
		}
	}
	return routes
}
