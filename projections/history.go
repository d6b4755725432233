package projections

import "github.com/docket-engine/docket/events"

// History is what a review request shows of a session: FILTERED_HISTORY and what
// it is made of, kept up to date as the log grows. It belongs to one [Session] and
// is for one goroutine at a time.
type History struct {
	size int64
}

// NewHistory begins with nothing seen.
func NewHistory() *History { return &History{} }

// HistoryFrom is the first seq of the log that a History of the session has to
// see: nothing that a request shows came before it.
func HistoryFrom(s *Session) events.Seq { return 0 }

// Apply takes an event that s has folded. The session may be further already:
// what is not visible in it is passed over.
func (h *History) Apply(s *Session, e events.Envelope) {}

// Size estimates how many bytes of memory the History holds.
func (h *History) Size() int64 { return h.size }
