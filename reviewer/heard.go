package reviewer

import "context"

type heardKey struct{}

// WithHeard makes a context for [Model.Stream] by which the model's client tells that
// something came from the model's end, be it only what adds nothing to the answer: a
// head, a comment that keeps the connection alive, half a line. heard is called once
// for each piece, by whichever goroutine received it, and must return at once.
func WithHeard(ctx context.Context, heard func()) context.Context {
	return context.WithValue(ctx, heardKey{}, heard)
}

// Heard tells it, where somebody wants to know.
func Heard(ctx context.Context) {
	if heard, ok := ctx.Value(heardKey{}).(func()); ok {
		heard()
	}
}
