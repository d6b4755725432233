package engine

import (
	"container/list"
	"sync"

	"github.com/docket-engine/docket/events"
)

// cache keeps folded sessions, the most recently used ones, up to a number of
// bytes. A session that is in use is never dropped.
type cache struct {
	limit int64

	mu    sync.Mutex // guards what follows; never held while calling out
	byID  map[events.SessionID]*cacheEntry
	order *list.List // of *cacheEntry, the most recent in front
	bytes int64
}

// cacheEntry is a place for one session. mu is held by whoever uses the session,
// which is nil before it is folded.
type cacheEntry struct {
	mu     sync.Mutex
	folded *folded
	next   events.Seq // when it was measured last
	size   int64      // then

	// Guarded by the cache's mu.
	id      events.SessionID
	element *list.Element
	users   int
	counted int64 // what it adds to the cache's bytes
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, byID: map[events.SessionID]*cacheEntry{}, order: list.New()}
}

// acquire gives the session's place and keeps it until release.
func (c *cache) acquire(id events.SessionID) *cacheEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byID[id]
	if !ok {
		e = &cacheEntry{id: id}
		e.element = c.order.PushFront(e)
		c.byID[id] = e
	}
	c.order.MoveToFront(e.element)
	e.users++
	return e
}

// release gives the place back, with what its session holds, and drops what was
// not used for longest while there is too much.
func (c *cache) release(e *cacheEntry, size int64, empty bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.users--
	c.bytes += size - e.counted
	e.counted = size
	if empty && e.users == 0 {
		c.drop(e)
	}
	for back := c.order.Back(); back != nil && c.bytes > c.limit; {
		entry := back.Value.(*cacheEntry)
		back = back.Prev()
		if entry.users == 0 {
			c.drop(entry)
		}
	}
}

func (c *cache) drop(e *cacheEntry) {
	delete(c.byID, e.id)
	c.order.Remove(e.element)
	c.bytes -= e.counted
}

// remeasure is how many events may come before a session is measured again.
const remeasure = 32

// measure estimates what the session holds, now and then: it is called with mu
// held.
func (e *cacheEntry) measure() (size int64, empty bool) {
	if e.folded == nil {
		e.size, e.next = 0, 0
		return 0, true
	}
	if next := e.folded.state.Next(); e.size == 0 || next-e.next >= remeasure {
		e.size, e.next = e.folded.state.Size(), next
	}
	return e.size, false
}
