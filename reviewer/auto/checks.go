package auto

import (
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// check looks for what makes a request impossible, in the reference's order, up to
// the pending action itself.
func check(v reviewer.View, c reviewer.Call) error {
	for _, look := range []func(reviewer.View, reviewer.Call) error{checkRoute, checkLog, checkStep, checkMessages} {
		if err := look(v, c); err != nil {
			return err
		}
	}
	return nil
}

// checkRoute: checks 1 and 2.
func checkRoute(v reviewer.View, _ reviewer.Call) error {
	header := v.Session.Request.Header
	switch {
	case header == nil:
		return ErrRouteMissing.With("the log has no request/header")
	case header.Config.Provider == "":
		return ErrRouteMissing.With("the latest request/header names no provider")
	case header.Config.Model == "":
		return ErrRouteMissing.With("the latest request/header names no model")
	case v.Session.Header().CWD == "":
		return ErrCWDMissing.With("the session's header names no working directory")
	default:
		return nil
	}
}

// checkLog: checks 3 and 4, exact over the whole log.
func checkLog(v reviewer.View, _ reviewer.Call) error {
	calls := &v.Session.Calls
	if seq := calls.InnerOutsideStep; seq != nil {
		return ErrPTCStartOutsideStep.With("the inner call at seq %d started while no step was open", *seq)
	}
	if seq := calls.InnerDuplicate; seq != nil {
		return ErrPTCIDAmbiguous.With("the inner call at seq %d has an id that its step had before", *seq)
	}
	return nil
}

// checkStep: checks 5 to 7.
func checkStep(v reviewer.View, c reviewer.Call) error {
	calls := &v.Session.Calls
	if calls.Open == nil {
		return ErrNoOpenStep.With("no step is open")
	}
	if calls.Open.Turn != c.Turn || calls.Open.Step != c.Step {
		return ErrNoOpenStep.With("the call belongs to step %d of turn %d, open is step %d of turn %d", c.Step, c.Turn, calls.Open.Step, calls.Open.Turn)
	}
	if _, n := calls.Find(root(c)); n != 1 {
		return ErrRootLogNotUnique.With("the step has %d calls %q on the log", n, clip(root(c)))
	}
	if c.Mode != reviewer.ModeInner {
		return nil
	}
	if _, n := calls.FindInner(c.CallID); n == 0 {
		return ErrPTCStartMissing.With("the step has no start of the inner call %q on the log", clip(c.CallID))
	}
	return nil
}

// checkMessages: checks 8 to 14.
func checkMessages(v reviewer.View, c reviewer.Call) error {
	fault, met := v.History.Faults(v.Session, root(c))
	id := clip(fault.CallID)
	switch fault.Kind {
	case projections.FaultRootTwice:
		return ErrRootVisibleTwice.With("the step asks for the call %q again at seq %d", id, fault.Message)
	case projections.FaultAmbiguousID:
		return ErrNativeIDAmbiguous.With("the call %q of the message at seq %d is not the only one of its step", id, fault.Message)
	case projections.FaultMissingLog:
		return ErrMissingEarlierLog.With("the call %q of the message at seq %d comes first and was not started", id, fault.Message)
	case projections.FaultUnstartedHasInner:
		return ErrUnstartedHasPTC.With("the call %q of the message at seq %d was not started and has inner calls", id, fault.Message)
	case projections.FaultNotPrefix:
		return ErrNotAStartedPrefix.With("the call %q of the message at seq %d was started and one before it was not", id, fault.Message)
	case projections.FaultMismatch:
		return ErrMessageLogMismatch.With("the call %q of the message at seq %d has another name or other arguments on the log", id, fault.Message)
	case "":
	default: // one that this package does not know yet
		return ErrMessageLogMismatch.With("the message at seq %d: %s", fault.Message, fault.Kind)
	}
	if !met {
		return ErrRootNotVisible.With("no visible message asks for the call %q", clip(root(c)))
	}
	return nil
}

// root is the native call that a call belongs to: itself, if it is one.
func root(c reviewer.Call) string {
	if c.Mode == reviewer.ModeInner {
		return c.RootCallID
	}
	return c.CallID
}

// maxShownID bounds an id in a sentence, in bytes.
const maxShownID = 128

// clip shortens what others have named.
func clip(id string) string {
	if len(id) <= maxShownID {
		return id
	}
	return id[:maxShownID] + "…"
}
