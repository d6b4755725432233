package reviewer

import "fmt"

// Class is the kind of a failure, from a closed list.
type Class string

// The classes of failures. They go into the log and do not change.
const (
	ClassInconsistent Class = "inconsistent-log" // the log does not say clearly what is to be done, by whom
	ClassRoute        Class = "route-not-allowed"
	ClassUnavailable  Class = "unavailable" // there is nobody to ask, or they cannot be reached
	ClassTimeout      Class = "timeout"
	ClassProvider     Class = "provider"  // the model's end answered with an error
	ClassMalformed    Class = "malformed" // the answer is none of the accepted shapes
	ClassTooLarge     Class = "too-large" // request or answer
	ClassCancelled    Class = "cancelled"
	ClassLost         Class = "lost"  // the one who was asked is gone
	ClassStale        Class = "stale" // something that tightens came since
	ClassInternal     Class = "internal"
)

// Failure is a review that came to no answer. It stops the call, and is not a
// denial.
type Failure struct {
	Class Class
	// Code names the condition, in upper case: ROUTE_MISSING, CWD_MISSING. Each is
	// a sentinel: errors.Is finds it by the code.
	Code string
	// Detail is one sentence for people and the agent, without secrets.
	Detail string
	Err    error // what caused it, nil for nothing
}

// Error is the code and the sentence.
func (f *Failure) Error() string {
	if f.Detail == "" {
		return f.Code
	}
	return f.Code + ": " + f.Detail
}

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Is makes a Failure with detail equal to its sentinel.
func (f *Failure) Is(target error) bool {
	t, ok := target.(*Failure)
	return ok && t.Code == f.Code && t.Class == f.Class
}

// With is the failure with a sentence about this case.
func (f *Failure) With(format string, args ...any) *Failure {
	return &Failure{Class: f.Class, Code: f.Code, Detail: fmt.Sprintf(format, args...), Err: f.Err}
}

// Because is the failure with its cause.
func (f *Failure) Because(err error) *Failure {
	return &Failure{Class: f.Class, Code: f.Code, Detail: f.Detail, Err: err}
}
