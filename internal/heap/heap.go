// Package heap says how much memory a server takes for its garbage. The runtime's own
// pace collects it whenever a heap has doubled, which for a server with little that
// lives is every few megabytes, and takes a twelfth of the processor's time under load
// (docs/decisions/0014). An idle server gives back what it took.
package heap

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// softLimit is where the garbage collector begins to work harder, whatever the pace.
	// The server's caches are elastic and would otherwise grow with what is read. It is
	// above what a thousand sessions under review take at once: a limit that their live
	// state comes close to costs a third of the calls (docs/decisions/0014).
	softLimit = 512 << 20
	// workingPace and restingPace are how much garbage may gather before it is
	// collected, in per cent of what lives. The second is the runtime's own: what an
	// idle server does by itself must not make it grow.
	workingPace, restingPace = 400, 100

	// restBytes is what an engine allocates between two looks, at most, if it is idle:
	// the server's own housekeeping.
	restBytes = 512 << 10
	// restAgain is how often it is found idle before memory is given back once more:
	// the server lets go of what it has cached when nobody has asked for it for 10 s.
	restAgain = 12
)

// LookEvery is how often an engine looks whether it is idle.
const LookEvery = time.Second

// Memory is that of a process.
type Memory struct {
	allocated func() uint64 // bytes so far
	giveBack  func()
	pace      func(percent int) // does nothing where the environment says it
}

// Serve sets the limit, and the pace of a process that works, and gives its memory.
// Whatever the environment says of one of them stays as it says.
func Serve(getenv func(string) string) Memory {
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softLimit)
	}
	m := Memory{allocated: allocated, giveBack: giveBack, pace: func(int) {}}
	if getenv("GOGC") == "" {
		m.pace = func(percent int) { debug.SetGCPercent(percent) }
	}
	m.pace(workingPace)
	return m
}

// GiveBackWhenIdle gives the memory of what was done back to the system when nothing
// has been done between two ticks, and once more when the server's caches are empty:
// by itself the runtime keeps it for the next load. It ends with ctx.
func (m Memory) GiveBackWhenIdle(ctx context.Context, tick <-chan time.Time) {
	idle, before := 0, m.allocated()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		now := m.allocated()
		if now-before >= restBytes {
			if idle > 0 {
				m.pace(workingPace)
			}
			idle, before = 0, now
			continue
		}
		if idle++; idle == 1 {
			m.pace(restingPace)
		}
		if idle == 1 || idle == restAgain {
			m.giveBack()
		}
		before = m.allocated()
	}
}

// giveBack collects twice: what is kept to be used again survives one collection.
func giveBack() {
	runtime.GC()
	debug.FreeOSMemory()
}

// allocated is how many bytes the process has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
