package engine

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

// numbers yields 0 up to n, then the error if there is one.
func numbers(n int, err error) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

func TestInOrderYieldsResultsInTheOrderOfTheInputs(t *testing.T) {
	defer goleak.VerifyNone(t)
	next := 0
	for got, err := range inOrder(numbers(1000, nil), func(i int) string { return fmt.Sprint(i) }) {
		if err != nil || got != fmt.Sprint(next) {
			t.Fatalf("got %s, %v, want %d", got, err, next)
		}
		next++
	}
	if next != 1000 {
		t.Errorf("got %d results, want 1000", next)
	}
}

func TestInOrderYieldsAnErrorInItsPlaceAndEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	want := errors.New("broken")
	var got []error
	for _, err := range inOrder(numbers(3, want), func(i int) int { return i }) {
		got = append(got, err)
	}
	if !slices.Equal(got, []error{nil, nil, nil, want}) {
		t.Errorf("got %v, want the error last", got)
	}
}

func TestInOrderLeavesNothingRunningWhenItIsLeft(t *testing.T) {
	defer goleak.VerifyNone(t)
	var begun, ended atomic.Int64
	for range inOrder(numbers(1_000_000, nil), func(i int) int {
		begun.Add(1)
		defer ended.Add(1)
		return i
	}) {
		break
	}
	if begun.Load() != ended.Load() || begun.Load() > 1000 {
		t.Errorf("%d pieces of work were begun and %d ended", begun.Load(), ended.Load())
	}
}
