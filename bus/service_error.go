package bus

import (
	"context"
	"errors"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
)

func refusal(code api.Code, field, message string) *api.Error {
	return &api.Error{Code: code, Field: field, Message: message}
}

// unknownSession is the one answer about a session that is not stored, and about one
// that is somebody else's.
func unknownSession() *api.Error {
	return refusal(api.CodeNotFound, "session", "there is no such session, or it is not yours")
}

// wireError is what a caller is told of an error. What the engine says beyond its
// refusals goes to its log and not over the wire: it may hold what the caller is
// not to see.
func wireError(err error, writes bool) *api.Error {
	if e, ok := errors.AsType[*api.Error](err); ok {
		return e
	}
	if r, ok := errors.AsType[*events.Refusal](err); ok {
		return refusal(api.Code(r.Code), r.Field, r.Text)
	}
	switch {
	case errors.Is(err, engine.ErrShutdown):
		return refusal(api.CodeShuttingDown, "", "the engine is shutting down")
	case errors.Is(err, events.ErrOutcomeUnknown), writes && errors.Is(err, context.DeadlineExceeded):
		return refusal(api.CodeOutcomeUnknown, "", "it may be done or not: the same request with the same id tells")
	case errors.Is(err, engine.ErrElsewhere):
		return refusal(api.CodeUnavailable, "callId", "another engine has the call under way: ask again")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return refusal(api.CodeUnavailable, "", "it took too long")
	}
	return storeError(err)
}

// storeError is what a caller is told of an error of the log.
func storeError(err error) *api.Error {
	if f, ok := errors.AsType[*events.FieldError](err); ok {
		return refusal(api.CodeInvalid, f.Field, f.Rule)
	}
	if _, ok := errors.AsType[*lineage.BoundaryError](err); ok {
		return refusal(api.CodeInvalid, "at", "is not an event of the session")
	}
	switch {
	case errors.Is(err, events.ErrNotFound):
		return unknownSession()
	case errors.Is(err, events.ErrExists):
		return refusal(api.CodeConflict, "session", "there is another session of that id")
	case errors.Is(err, events.ErrConflict):
		return refusal(api.CodeUnavailable, "", "others changed the session again and again meanwhile: try again")
	case errors.Is(err, events.ErrTooLarge):
		return refusal(api.CodeTooLarge, "", "what the request would write does not fit into one frame of the log")
	case errors.Is(err, events.ErrSeedIncomplete):
		return refusal(api.CodeUnavailable, "session", "the session is a fork or an import that was cut short: the same command finishes it")
	case errors.Is(err, events.ErrCorrupt):
		return refusal(api.CodeUnavailable, "session", "the session's log is corrupt and refused for use")
	}
	return refusal(api.CodeInternal, "", "the engine failed; its log says how")
}
