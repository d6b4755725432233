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
	restAfter = 3 * time.Second
	restBytes = 1 << 20
)

// limitMemory sets a soft limit, unless the environment does.
func (a *app) limitMemory() {
	if a.getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(serveMemory)
	}
}

// giveBackWhenIdle gives the memory of what was done back to the system, once,
// when nothing has been done for a while: by itself the runtime keeps it for the
// next load. It ends with ctx.
func giveBackWhenIdle(ctx context.Context, tick <-chan time.Time) {
	busy, before := true, allocated()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		now := allocated()
		if idle := now-before < restBytes; idle && busy {
			debug.FreeOSMemory()
			busy, now = false, allocated()
		} else if !idle {
			busy = true
		}
		before = now
	}
}

// allocated is how many bytes the process has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
