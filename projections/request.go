package projections

import "github.com/docket-engine/docket/events"

// Request is what the agent's model is asked with.
type Request struct {
	// HeaderSeq is the latest request/header, nil before the first.
	HeaderSeq *events.Seq                  `json:"headerSeq,omitempty"`
	Header    *events.RequestConfiguration `json:"header,omitempty"`
	// ContextWindow is the route's, in tokens, nil where it is not known.
	ContextWindow *int64 `json:"contextWindow,omitempty"`
}

// Apply folds an event that the Validator has accepted.
func (r *Request) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) {
	case events.RequestHeader:
		r.HeaderSeq, r.Header = &e.Seq, &ev.Header
	case events.RequestContext:
		r.ContextWindow = ev.ContextWindow
	}
}
