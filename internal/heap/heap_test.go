package heap

import (
	"context"
	"runtime/debug"
	"slices"
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
		var paces []int
		given := 0
		m := Memory{
			allocated: func() uint64 { return used }, giveBack: func() { given++ },
			pace: func(percent int) { paces = append(paces, percent) },
		}
		done := make(chan struct{})
		go func() { defer close(done); m.GiveBackWhenIdle(ctx, tick) }()
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
		if want := []int{restingPace, workingPace, restingPace}; !slices.Equal(paces, want) {
			t.Errorf("got the paces %v, want %v: it rests when it is idle", paces, want)
		}
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

func TestWhatTheEnvironmentSaysStays(t *testing.T) {
	percent, limit := debug.SetGCPercent(73), debug.SetMemoryLimit(1<<40)
	defer func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}()
	now := func() (int, int64) {
		percent := debug.SetGCPercent(100)
		debug.SetGCPercent(percent)
		return percent, debug.SetMemoryLimit(-1)
	}
	for _, c := range []struct {
		name        string
		environment map[string]string
		percent     int
		limit       int64
	}{
		{"both are said", map[string]string{"GOGC": "73", "GOMEMLIMIT": "1TiB"}, 73, 1 << 40},
		{"the pace is said", map[string]string{"GOGC": "off"}, 73, softLimit},
		{"the limit is said", map[string]string{"GOMEMLIMIT": "off"}, workingPace, 1 << 40},
		{"nothing is said", nil, workingPace, softLimit},
	} {
		t.Run(c.name, func(t *testing.T) {
			debug.SetGCPercent(73)
			debug.SetMemoryLimit(1 << 40)
			Serve(func(name string) string { return c.environment[name] })
			if gotPercent, gotLimit := now(); gotPercent != c.percent || gotLimit != c.limit {
				t.Errorf("got %d %% and %d bytes, want %d and %d", gotPercent, gotLimit, c.percent, c.limit)
			}
		})
	}
}
