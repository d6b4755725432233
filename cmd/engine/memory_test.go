package main

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// TestAnIdleEngineGivesItsMemoryBack: when nothing was done since it looked last,
// once more when caches are empty, and not again before something is done.
func TestAnIdleEngineGivesItsMemoryBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		tick := make(chan time.Time)
		done := make(chan struct{})
		go func() { defer close(done); giveBackWhenIdle(ctx, tick) }()
		look := func() (collections uint32) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			tick <- time.Time{}
			synctest.Wait()
			runtime.ReadMemStats(&after)
			return after.NumForcedGC - before.NumForcedGC
		}
		for found := 1; found <= restAgain+2; found++ {
			want := uint32(0)
			if found == 1 || found == restAgain {
				want = 1
			}
			if n := look(); n != want {
				t.Errorf("got %d collections when it is found idle for the %dth time, want %d", n, found, want)
			}
		}
		work := make([]byte, 2*restBytes)
		if n := look(); n != 0 {
			t.Errorf("got %d collections of one that has just worked, want none", n)
		}
		runtime.KeepAlive(work)
		if n := look(); n != 1 {
			t.Errorf("got %d collections of one that is idle again, want 1", n)
		}
		stop()
		<-done
	})
}
