package main

import (
	"context"
	"time"

	"github.com/docket-engine/docket/internal/heap"
)

// keepMemory sets how much memory a server takes, and has it give back what it does
// not need while it is idle, until stop.
func (a *app) keepMemory() (stop func()) {
	memory := heap.Serve(a.getenv)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		memory.GiveBackWhenIdle(ctx, time.Tick(heap.LookEvery))
	}()
	return func() {
		cancel()
		<-done
	}
}
