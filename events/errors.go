package events

import (
	"errors"
	"fmt"
)

// Errors that callers branch on. A store translates its own into these.
var (
	// ErrNotFound says that no session with this id is stored.
	ErrNotFound = errors.New("session not found")
	// ErrExists says that a session with this id is stored already, and that it
	// was not created by the same append id with the same header.
	ErrExists = errors.New("session exists")
	// ErrConflict is matched by every *[ConflictError].
	ErrConflict = errors.New("the log has moved on")
	// ErrOutcomeUnknown says that an append may or may not be stored: the store
	// did not answer in time. Repeating it with the same id is safe.
	ErrOutcomeUnknown = errors.New("outcome of the append is unknown")
	// ErrTooLarge says that an append does not fit into one frame.
	ErrTooLarge = errors.New("append is too large")
	// ErrSeedIncomplete says that a fork or an import was cut short, so that the
	// log is refused for use until the same command has finished it.
	ErrSeedIncomplete = errors.New("the log's seed is incomplete")
	// ErrCorrupt is matched by every *[CorruptError].
	ErrCorrupt = errors.New("the log is corrupt")
)

// FieldError names the member of an input that breaks a rule.
type FieldError struct {
	Field string // path from the outermost object: "data.turn"
	Rule  string // what it must be and, where it helps, what it is
}

// Error gives the field and the rule in one sentence.
func (e *FieldError) Error() string { return e.Field + " " + e.Rule }

// wholeValue is the field of an error that is about a value as a whole.
const wholeValue = "value"

func fieldf(field, rule string, args ...any) *FieldError {
	return &FieldError{Field: field, Rule: fmt.Sprintf(rule, args...)}
}

// within puts a field error's path below an outer member.
func within(outer string, err error) error {
	f, ok := errors.AsType[*FieldError](err)
	switch {
	case !ok:
		return err
	case f.Field == wholeValue:
		return &FieldError{Field: outer, Rule: f.Rule}
	default:
		return &FieldError{Field: outer + "." + f.Field, Rule: f.Rule}
	}
}

// UnknownTypeError says that an event's type is not in the vocabulary and that
// its record does not say that it may be ignored (reference 1.3).
type UnknownTypeError struct {
	Seq  Seq
	Type Type
}

// Error names the seq and the type.
func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("seq %d has the unknown type %q, which is not marked ignorable", e.Seq, e.Type)
}

// ConflictError says that the log was not where the append expected it.
type ConflictError struct {
	Session  SessionID
	Expected Seq
	Actual   Seq // where the log is
}

// Error gives both positions.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("session %s is at seq %d, not at %d: the log has moved on", e.Session, e.Actual, e.Expected)
}

// Is makes errors.Is(err, ErrConflict) hold.
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }

// CorruptError says that a stored log is not what was appended, or breaks a
// rule. The log is refused whole; what is stored is not touched.
type CorruptError struct {
	Session SessionID
	Seq     Seq   // the first event that is wrong or missing
	Type    Type  // its type, empty where it cannot be told
	Err     error // why
}

// Error names the session, the seq, the type where it is known, and the reason.
func (e *CorruptError) Error() string {
	if e.Type == "" {
		return fmt.Sprintf("session %s is corrupt at seq %d: %v", e.Session, e.Seq, e.Err)
	}
	return fmt.Sprintf("session %s is corrupt at seq %d (%s): %v", e.Session, e.Seq, e.Type, e.Err)
}

// Unwrap gives the reason.
func (e *CorruptError) Unwrap() error { return e.Err }

// Is makes errors.Is(err, ErrCorrupt) hold.
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }
