package program

import (
	"runtime/metrics"
	"sync"
	"time"
)

// watchEvery is how often memory is looked at. A program that asks for gigabytes
// between two looks runs into the limit of the address space.
const watchEvery = 5 * time.Millisecond

// watchMemory calls over when the values of the program take more than limit
// bytes. The collector works hard before that, by the memory limit below it.
func watchMemory(limit int64, over func()) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for range time.Tick(watchEvery) {
		metrics.Read(sample)
		if sample[0].Value.Uint64() > uint64(limit) {
			over()
			return
		}
	}
}

// budget is the time that the program itself may take. What its calls take does
// not count. It interrupts the program when the time is up.
type budget struct {
	interrupt func()

	mu    sync.Mutex // guards what follows; not held while calling out
	left  time.Duration
	spent bool
}

// spend runs f on the budget's time.
func (b *budget) spend(f func()) {
	begun := time.Now()
	timer := time.AfterFunc(b.rest(), b.end)
	f()
	timer.Stop()
	b.mu.Lock()
	b.left -= time.Since(begun)
	b.mu.Unlock()
}

func (b *budget) rest() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.left
}

func (b *budget) end() {
	b.mu.Lock()
	b.spent = true
	b.mu.Unlock()
	b.interrupt()
}

// over says whether the time was up.
func (b *budget) over() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}
