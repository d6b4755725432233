package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

// world is everything outside of the program.
type world struct {
	args   []string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string
}

// terminal reports whether a stream is one that a person looks at.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// stateDir is the default of --dir (XDG base directory specification).
func (w world) stateDir() string {
	if dir := w.getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "docket")
	}
	if home := w.getenv("HOME"); home != "" {
		return filepath.Join(home, ".local", "state", "docket")
	}
	return ""
}

// The exit codes (design section 10).
const (
	exitOK        = 0
	exitFailed    = 1
	exitUsage     = 2
	exitDenied    = 3
	exitReview    = 4
	exitCancelled = 5
	exitHuman     = 6 // it needs a person, and nobody answered
)

// usageError is a command line that cannot be what was meant.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// silentError is a failure that has been told already.
type silentError struct{ error }

// toldAlready reports whether there is nothing to tell any more.
func toldAlready(err error) bool {
	switch err.(type) { //nolint:errorlint // what was joined to one is still to be told
	case nil, silentError, callEnded:
		return true
	default:
		return false
	}
}

func exitCode(err error) int {
	ended, isCall := errors.AsType[callEnded](err)
	switch {
	case err == nil:
		return exitOK
	case isCall:
		return ended.code
	case isUsage(err):
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitCancelled
	case isFailure(err), isAbsentPreset(err):
		return exitReview
	default:
		return exitFailed
	}
}

func isUsage(err error) bool {
	_, ok := errors.AsType[usageError](err)
	return ok
}

// isFailure reports whether a review came to no answer.
func isFailure(err error) bool {
	_, ok := errors.AsType[*reviewer.Failure](err)
	return ok
}

// isAbsentPreset reports whether the review system of a session's preset is not
// installed.
func isAbsentPreset(err error) bool {
	r, ok := errors.AsType[*events.Refusal](err)
	return ok && r.Code == presets.CodePresetAbsent
}

// errorReply is an error as scripts read it.
type errorReply struct {
	Error   string           `json:"error"`
	Code    string           `json:"code"`
	Class   reviewer.Class   `json:"class,omitempty"` // of a review's failure
	Field   string           `json:"field,omitempty"`
	Session events.SessionID `json:"session,omitempty"`
	Line    int              `json:"line,omitempty"` // of a file, from 1
	Seq     *events.Seq      `json:"seq,omitempty"`
	Type    events.Type      `json:"type,omitempty"`
}

// newErrorReply gives an error its stable code, and the place that it is about.
func newErrorReply(err error) errorReply {
	r := errorReply{Error: message(err), Code: errorCode(err)}
	if f, ok := errors.AsType[*events.FieldError](err); ok {
		r.Field = f.Field
	}
	if f, ok := errors.AsType[*events.Refusal](err); ok {
		r.Field = f.Field
	}
	if f, ok := errors.AsType[*reviewer.Failure](err); ok {
		r.Class = f.Class
	}
	if c, ok := errors.AsType[*events.CorruptError](err); ok {
		r.Session, r.Seq, r.Type = c.Session, &c.Seq, c.Type
	}
	if f, ok := errors.AsType[*engine.ImportError](err); ok {
		r.Line, r.Type = f.Line, f.Type
		if f.Seq >= 0 {
			r.Seq = &f.Seq
		}
	}
	return r
}

func errorCode(err error) string {
	codes := []struct {
		is   error
		code string
	}{
		{context.Canceled, "cancelled"}, // as the exit code says
		{errStopped, "stopped"},
		{errNoStore, "no-store"},
		{errNotWhole, "not-whole"},
		{events.ErrNotFound, "not-found"},
		{errNoEvent, "no-event"},
		{events.ErrCorrupt, "corrupt"},
		{events.ErrSeedIncomplete, "incomplete"},
		{events.ErrExists, "exists"},
		{events.ErrConflict, "conflict"},
		{events.ErrOutcomeUnknown, "outcome-unknown"},
		{events.ErrTooLarge, "too-large"},
		{errInUse, "in-use"},
	}
	for _, c := range codes {
		if errors.Is(err, c.is) {
			return c.code
		}
	}
	if f, ok := errors.AsType[*reviewer.Failure](err); ok {
		return f.Code
	}
	if r, ok := errors.AsType[*events.Refusal](err); ok {
		return r.Code
	}
	if isUsage(err) {
		return "usage"
	}
	if _, ok := errors.AsType[*events.FieldError](err); ok {
		return "invalid"
	}
	if _, ok := errors.AsType[*engine.ImportError](err); ok {
		return "invalid"
	}
	return "failed"
}

// errInUse is matched by every inUseError.
var errInUse = errors.New("the state directory is in use")

// inUseError says which serve has the state directory.
type inUseError struct {
	dir string
	by  holder
}

func (e inUseError) Error() string        { return fmt.Sprintf("%s is in use by %s", e.dir, e.by) }
func (e inUseError) Is(target error) bool { return target == errInUse }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
