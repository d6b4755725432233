package main

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// TestAnIdleEngineGivesItsMemoryBackOnce: when nothing was done since it looked
// last, and not again before something is done.
func TestAnIdleEngineGivesItsMemoryBackOnce(t *testing.T) {
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
		if n := look(); n != 1 {
			t.Errorf("got %d collections of an engine that is idle, want 1", n)
		}
		if n := look(); n != 0 {
			t.Errorf("got %d collections of one that still is, want none", n)
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
