package bus

import (
	"context"
	"sync"
	"time"
)

// Limits bound what callers can ask for (design section 11). Zero values stand for
// the defaults.
type Limits struct {
	// Workers is how many requests are served at once, of people and of all others
	// each; default 64. Queue is how many more of each may wait; default 4096.
	Workers, Queue int
	// Rate is how many requests a second one caller may make, and Bytes how many bytes
	// a second; twice that at once. Default 2000 and 16 MiB.
	Rate, Bytes float64
	// OpenCalls is how many calls of one session may be under way; default 64.
	OpenCalls int
	// Children is how many children a session may have; default 256.
	Children int
	// Tails is how many tails one caller may have; default 16. TailLife is how long one
	// lives before it has to be asked for again; default nine minutes, within the
	// [ReplyWindow]. TailAhead is how many
	// bytes it may be ahead of what the follower says that it has; default 4 MiB.
	Tails     int
	TailLife  time.Duration
	TailAhead int
	// Full is from how full a store on agents' commands are refused; default 0.9.
	// RoomKept is for how long the store is not asked again; default 1 s.
	Full     float64
	RoomKept time.Duration
	// Alive is how often the caller of a long request has to say that it is there;
	// default 5 s. Gone is after how long a silence it counts as gone; default 15 s.
	Alive, Gone time.Duration
	// Timeout bounds a request that is not long; default 30 s.
	Timeout time.Duration
}

func (l Limits) withDefaults() Limits {
	orDefault(&l.Workers, 64)
	orDefault(&l.Queue, 4096)
	orDefault(&l.Rate, 2000)
	orDefault(&l.Bytes, 16<<20)
	orDefault(&l.OpenCalls, 64)
	orDefault(&l.Children, 256)
	orDefault(&l.Tails, 16)
	orDefault(&l.TailLife, ReplyWindow-time.Minute)
	orDefault(&l.TailAhead, 4<<20)
	orDefault(&l.Full, 0.9)
	orDefault(&l.RoomKept, time.Second)
	orDefault(&l.Alive, 5*time.Second)
	orDefault(&l.Gone, 15*time.Second)
	orDefault(&l.Timeout, 30*time.Second)
	return l
}

func orDefault[T int | float64 | time.Duration](v *T, otherwise T) {
	if *v <= 0 {
		*v = otherwise
	}
}

// rates are how much each caller has left.
type rates struct {
	requests, bytes float64 // a second

	mu      sync.Mutex // guards buckets
	buckets map[string]*bucket
}

// bucket is what one caller has left: it fills up to two seconds' worth.
type bucket struct {
	requests, bytes float64
	at              time.Time
}

// bucketsKept is how many callers are remembered before the full ones are dropped.
const bucketsKept = 8192

func newRates(l Limits) *rates {
	return &rates{requests: l.Rate, bytes: l.Bytes, buckets: map[string]*bucket{}}
}

// take reports whether the caller may make a request of that size now.
func (r *rates) take(caller string, size int, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	b, ok := r.buckets[caller]
	if !ok {
		if len(r.buckets) >= bucketsKept {
			r.drop(now)
		}
		b = &bucket{requests: 2 * r.requests, bytes: 2 * r.bytes, at: now}
		r.buckets[caller] = b
	}
	r.fill(b, now)
	if b.requests < 1 || b.bytes < float64(size) {
		return false
	}
	b.requests--
	b.bytes -= float64(size)
	return true
}

func (r *rates) fill(b *bucket, now time.Time) {
	passed := max(now.Sub(b.at).Seconds(), 0)
	b.requests = min(b.requests+passed*r.requests, 2*r.requests)
	b.bytes = min(b.bytes+passed*r.bytes, 2*r.bytes)
	b.at = now
}

// drop forgets the callers that have all that there is: they lose nothing.
func (r *rates) drop(now time.Time) {
	for name, b := range r.buckets {
		if r.fill(b, now); b.requests >= 2*r.requests && b.bytes >= 2*r.bytes {
			delete(r.buckets, name)
		}
	}
}

// room keeps how full the store is for a moment, so that it is not asked with each
// request.
type room struct {
	read func(context.Context) (float64, error)

	mu   sync.Mutex // guards what follows, and is held while the store is asked
	used float64
	err  error
	at   time.Time
}

// full reports whether the store is filled to a share of it.
func (r *room) full(ctx context.Context, l Limits) (bool, error) {
	if r.read == nil {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.at) > l.RoomKept {
		r.used, r.err = r.read(ctx)
		r.at = time.Now()
	}
	return r.used >= l.Full, r.err
}
