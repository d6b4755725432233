package jetstream

import (
	"cmp"
	"container/list"
	"slices"

	"github.com/docket-engine/docket/events"
)

// recentPositions is how many places between frames are remembered for each
// session, so that a reader of its tail does not begin at its start.
const recentPositions = 8

// session is what a Log remembers of a session.
type session struct {
	header events.Header
	seed   events.Seed
	// creator is nil while only the creation's acknowledgement was seen: what stands
	// there may be somebody else's creation of the same header.
	creator *events.Actor
	first   position   // behind the header frame
	head    position   // as last seen; the log may have grown since
	recent  []position // in order, up to head
}

func (s session) complete() bool { return s.head.next >= s.seed.Next }

// before is the last remembered place from which the event at seq can be read.
func (s session) before(seq events.Seq) position {
	for _, p := range slices.Backward(s.recent) {
		if p.next <= seq {
			return p
		}
	}
	return s.first
}

// sessionCache holds the sessions that were used last. It is not safe for
// concurrent use.
type sessionCache struct {
	limit int
	order *list.List // of cached, the most recent in front
	byID  map[events.SessionID]*list.Element
}

type cached struct {
	id events.SessionID
	session
}

func newSessionCache(limit int) sessionCache {
	return sessionCache{limit: limit, order: list.New(), byID: map[events.SessionID]*list.Element{}}
}

func (c *sessionCache) get(id events.SessionID) (session, bool) {
	e, ok := c.byID[id]
	if !ok {
		return session{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).session, true
}

// put remembers a session; a head never goes backwards.
func (c *sessionCache) put(id events.SessionID, s session) {
	e, ok := c.byID[id]
	if !ok {
		s.recent = slices.Clone(s.recent) // others may go on from the same places
		c.byID[id] = c.order.PushFront(&cached{id: id, session: s.noted()})
		if c.order.Len() > c.limit {
			oldest := c.order.Back()
			delete(c.byID, oldest.Value.(*cached).id)
			c.order.Remove(oldest)
		}
		return
	}
	c.order.MoveToFront(e)
	known := e.Value.(*cached)
	if s.head.stream > known.head.stream {
		s.recent = known.recent
		known.session = s.noted()
	}
}

// noted adds the head to the recent positions, of which the session must be the
// only one that adds to them: readers hold copies, and what they see of the slice
// is never changed.
func (s session) noted() session {
	if n := len(s.recent); n > 0 && s.recent[n-1].stream >= s.head.stream {
		return s
	}
	s.recent = append(s.recent[max(0, len(s.recent)-recentPositions+1):], s.head)
	return s
}

func (l *Log) recall(id events.SessionID) (session, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sessions.get(id)
}

func (l *Log) remember(id events.SessionID, s session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sessions.put(id, s)
}

// prime adds a place in the middle of a session's log.
func (c *sessionCache) prime(id events.SessionID, at position) {
	e, ok := c.byID[id]
	if !ok {
		return
	}
	s := e.Value.(*cached)
	for _, p := range s.recent {
		if p.stream == at.stream {
			return
		}
	}
	recent := append(slices.Clone(s.recent), at)
	slices.SortFunc(recent, func(a, b position) int { return cmp.Compare(a.stream, b.stream) })
	s.recent = recent
}
