package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestWhatAnInterruptEndsIsPutOnTheRecordForAWhile, and not for ever: the store may
// be gone.
func TestWhatAnInterruptEndsIsPutOnTheRecordForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancelCause(t.Context())
		recording, stop := lingering(ctx)
		defer stop()
		begun := time.Now()
		interrupt(errStopped)
		synctest.Wait()
		if recording.Err() != nil {
			t.Error("it ended with the interrupt")
		}
		<-recording.Done()
		if took := time.Since(begun); took != stopTimeout {
			t.Errorf("it ended after %s, want %s", took, stopTimeout)
		}
		if got := context.Cause(recording); got != errStopped {
			t.Errorf("got the cause %v", got)
		}
	})
}

func TestALingeringContextEndsWithItsWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // what is started must end
		ctx, interrupt := context.WithCancel(t.Context())
		recording, stop := lingering(ctx)
		interrupt()
		synctest.Wait()
		stop()
		if recording.Err() == nil {
			t.Error("it goes on")
		}
	})
}

// TestTheEndsOfACallHaveCodesOfTheirOwn (design section 10).
func TestTheEndsOfACallHaveCodesOfTheirOwn(t *testing.T) {
	for outcome, want := range map[string]int{
		"ok": 0, "error": 1, "denied": 3, "failed": 4, "cancelled": 5, "unavailable": 6, "something else": 1, "": 1,
	} {
		v := calledView{Outcome: outcome}
		if got := v.exitCode(); got != want {
			t.Errorf("%q: got %d, want %d", outcome, got, want)
		}
		if got := exitCode(callEnded{code: v.exitCode()}); got != want && want != 0 {
			t.Errorf("%q: the program ends with %d, want %d", outcome, got, want)
		}
	}
}
