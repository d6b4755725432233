package client_test

import (
	"context"
	"slices"
	"testing"
	"time"
)

// waitAsked does something once the judge is asked about a call.
func (y *yard) waitAsked(t *testing.T, call string, do func()) {
	t.Helper()
	done := make(chan struct{})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(func() {
		cancel()
		<-done
	})
	go func() {
		defer close(done)
		if eventually(ctx, func() bool { return slices.Contains(y.judge.asked(), call) }) {
			do()
		}
	}()
}

// eventually looks until something holds, or ctx ends.
func eventually(ctx context.Context, holds func() bool) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
