package engine

import (
	"iter"
	"runtime"
	"sync"
)

// inOrder runs work on all cores and yields its results in the order of the
// inputs. The inputs are read on another goroutine, a few ahead of the caller,
// so that reading overlaps with what the caller does. An error of the inputs is
// yielded in its place and ends the results. When the iteration is over, so is
// everything that it started.
func inOrder[In, Out any](inputs iter.Seq2[In, error], work func(In) Out) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		results := make(chan chan result[Out], 2*runtime.GOMAXPROCS(0)) // bounds the work ahead
		stop := make(chan struct{})
		var started sync.WaitGroup
		defer started.Wait()
		defer close(stop)
		started.Go(func() {
			defer close(results)
			for in, err := range inputs {
				r := make(chan result[Out], 1)
				select {
				case results <- r:
				case <-stop:
					return
				}
				if err != nil {
					r <- result[Out]{err: err}
					return
				}
				started.Go(func() { r <- result[Out]{value: work(in)} })
			}
		})
		for r := range results {
			if res := <-r; !yield(res.value, res.err) || res.err != nil {
				return
			}
		}
	}
}

type result[Out any] struct {
	value Out
	err   error
}
