package main

import (
	"context"
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
		var used uint64
		given := 0
		m := memory{allocated: func() uint64 { return used }, giveBack: func() { given++ }}
		done := make(chan struct{})
		go func() { defer close(done); m.giveBackWhenIdle(ctx, tick) }()
		look := func() int {
			given = 0
			tick <- time.Time{}
			synctest.Wait()
			return given
		}
		synctest.Wait()
		for found := 1; found <= restAgain+2; found++ {
			want := 0
			if found == 1 || found == restAgain {
				want = 1
			}
			used += restBytes - 1
			if n := look(); n != want {
				t.Errorf("gave memory back %d times when it is found idle for the %dth time, want %d", n, found, want)
			}
		}
		used += restBytes
		if n := look(); n != 0 {
			t.Errorf("gave memory back %d times of one that has just worked, want none", n)
		}
		if n := look(); n != 1 {
			t.Errorf("gave memory back %d times of one that is idle again, want 1", n)
		}
		stop()
		<-done
	})
}

// TestMemoryIsThatOfTheProcess: what is allocated counts.
func TestMemoryIsThatOfTheProcess(t *testing.T) {
	before := allocated()
	kept := make([]byte, restBytes)
	if now := allocated(); now-before < restBytes {
		t.Errorf("got %d bytes more, want at least %d", now-before, len(kept))
	}
}
