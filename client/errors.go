package client

import (
	"errors"
	"fmt"

	"github.com/docket-engine/docket/api"
)

// Why something was not done. What the engine answers is a *[api.Error].
var (
	// ErrRole: the client's credential is not for that.
	ErrRole = errors.New("the credential is not for this")
	// ErrNotPermitted: the server does not take the credential, or does not let it do
	// that.
	ErrNotPermitted = errors.New("the server does not permit it")
	// ErrClosed: the client is closed.
	ErrClosed = errors.New("the client is closed")
	// ErrKeyChanged: the engine signs permits with another key than the pinned one.
	ErrKeyChanged = errors.New("the engine's key of permits is another one than it was")
	// ErrUnanswered: no answer came before the context ended. The command may be done or
	// not; the same one with the same id tells.
	ErrUnanswered = errors.New("no answer came")
	// ErrUnrecorded: what a body came to is not on the log yet. It is still tried.
	ErrUnrecorded = errors.New("the result is not on the log yet")
	// ErrNotAsShown: a question is not about what is shown, so that it cannot be allowed.
	ErrNotAsShown = errors.New("the question is not about what is shown")
	// ErrNotFound: the auditors' mirror has no such session.
	ErrNotFound = errors.New("the mirror has no such session")
)

// The four ways in which a call ends without its body. They are told apart with
// errors.Is on [Ran.Err].
var (
	// ErrDenied: a reviewer, a guard or a person said no.
	ErrDenied = errors.New("denied")
	// ErrFailed: no answer could be had.
	ErrFailed = errors.New("failed")
	// ErrCancelled: the caller went away, or the review system did.
	ErrCancelled = errors.New("cancelled")
	// ErrUnavailable: nobody was there to approve.
	ErrUnavailable = errors.New("nobody was there to approve")
)

// Refused is a call whose body did not run. Its result is on the log.
type Refused struct {
	api.Refused
	// Cause is why this process gave a permit back, nil where it got none.
	Cause error
}

// Error is what the agent reads.
func (r *Refused) Error() string { return r.Text }

// Is makes errors.Is tell the four ends apart. An end of a newer engine that is none
// of them is a failure.
func (r *Refused) Is(target error) bool { return target == r.end() }

// Unwrap gives why a permit was given back.
func (r *Refused) Unwrap() error { return r.Cause }

func (r *Refused) end() error {
	switch r.Kind {
	case "denied":
		return ErrDenied
	case "cancelled":
		return ErrCancelled
	case "unavailable":
		return ErrUnavailable
	default:
		return ErrFailed
	}
}

// unanswered says of a command that its answer is missing, and what was last heard.
func unanswered(command string, stopped, last error) error {
	if last == nil {
		return fmt.Errorf("client: %s: %w: %w", command, ErrUnanswered, stopped)
	}
	return fmt.Errorf("client: %s: %w: %w; last: %w", command, ErrUnanswered, stopped, last)
}
