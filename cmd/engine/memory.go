package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// serveMemory is where the garbage collector begins to work harder. The server's
	// caches are elastic and would otherwise grow with what is read.
	serveMemory = 256 << 20
	// restAfter is how often an engine looks whether it is idle, and restBytes what it
	// allocates meanwhile, at most, if it is: the server's own housekeeping.
	restAfter = 2 * time.Second
	restBytes = 1 << 20
	// restAgain is how often it finds itself idle before it looks once more: the
	// server lets go of what it has cached when nobody has asked for it for 10 s.
	restAgain = 6
)

// limitMemory sets a soft limit, unless the environment does.
func (a *app) limitMemory() {
	if a.getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(serveMemory)
	}
}

// memory is that of a process.
type memory struct {
	allocated func() uint64 // bytes so far
	giveBack  func()
}

// ownMemory is this process's.
func ownMemory() memory { return memory{allocated: allocated, giveBack: debug.FreeOSMemory} }

// giveBackWhenIdle gives the memory of what was done back to the system when
// nothing has been done for a while, and once more when the server's caches are
// empty: by itself the runtime keeps it for the next load. It ends with ctx.
func (m memory) giveBackWhenIdle(ctx context.Context, tick <-chan time.Time) {
	idle, before := 0, m.allocated()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		now := m.allocated()
		if now-before >= restBytes {
			idle, before = 0, now
			continue
		}
		if idle++; idle == 1 || idle == restAgain {
			m.giveBack()
		}
		before = m.allocated()
	}
}

// allocated is how many bytes the process has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
