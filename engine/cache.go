package engine

import (
	"container/list"
	"context"
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

// cacheEntry is a place for one session. Whoever uses the session holds the
// place's only turn.
type cacheEntry struct {
	turn chan struct{} // holds one value while somebody uses the session

	// Of whoever has the turn.
	folded *folded    // nil before it is folded
	next   events.Seq // when it was measured last
	grown  int64      // then
	size   int64      // then

	// Guarded by the cache's mu.
	id      events.SessionID
	element *list.Element
	users   int
	counted int64 // what it adds to the cache's bytes; 0 while no session is there
}

// lock waits for the turn, no longer than its caller does.
func (e *cacheEntry) lock(ctx context.Context) error {
	select {
	case e.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *cacheEntry) unlock() { <-e.turn }

func newCache(limit int64) *cache {
	return &cache{limit: limit, byID: map[events.SessionID]*cacheEntry{}, order: list.New()}
}

// acquire gives the session's place and keeps it until release.
func (c *cache) acquire(id events.SessionID) *cacheEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byID[id]
	if !ok {
		e = &cacheEntry{id: id, turn: make(chan struct{}, 1)}
		e.element = c.order.PushFront(e)
		c.byID[id] = e
	}
	c.order.MoveToFront(e.element)
	e.users++
	return e
}

// release gives the place back, with what its session holds, and drops what was
// not used for longest while there is too much.
func (c *cache) release(e *cacheEntry, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes += size - e.counted
	e.counted = size
	c.left(e)
	for back := c.order.Back(); back != nil && c.bytes > c.limit; {
		entry := back.Value.(*cacheEntry)
		back = back.Prev()
		if entry.users == 0 {
			c.drop(entry)
		}
	}
}

// leave gives the place back of one who never had its turn.
func (c *cache) leave(e *cacheEntry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left(e)
}

// left counts a user out. A place without a session goes with its last user.
func (c *cache) left(e *cacheEntry) {
	e.users--
	if e.users == 0 && e.counted == 0 {
		c.drop(e)
	}
}

func (c *cache) drop(e *cacheEntry) {
	delete(c.byID, e.id)
	c.order.Remove(e.element)
	c.bytes -= e.counted
}

// A session is measured again when so many events came, or so many bytes.
const (
	remeasureEvents = 32
	remeasureBytes  = 64 << 10
)

// measure estimates what the session holds, now and then; 0 where there is none.
func (e *cacheEntry) measure() int64 {
	if e.folded == nil {
		e.size, e.next, e.grown = 0, 0, 0
		return 0
	}
	next, grown := e.folded.state.Next(), e.folded.grown
	if e.size == 0 || next-e.next >= remeasureEvents || grown-e.grown >= remeasureBytes {
		e.size, e.next, e.grown = e.folded.bytes(), next, grown
	}
	return e.size
}
