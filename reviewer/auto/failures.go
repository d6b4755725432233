package auto

import "github.com/docket-engine/docket/reviewer"

// What a request cannot be made about, in the order in which it is looked for. No
// model is asked then (reference 5.4, 1 to 19).
var (
	ErrRouteMissing          = inconsistent("ROUTE_MISSING")
	ErrCWDMissing            = inconsistent("CWD_MISSING")
	ErrPTCStartOutsideStep   = inconsistent("PTC_START_OUTSIDE_STEP")
	ErrPTCIDAmbiguous        = inconsistent("PTC_ID_AMBIGUOUS")
	ErrNoOpenStep            = inconsistent("NO_OPEN_STEP")
	ErrRootLogNotUnique      = inconsistent("ROOT_LOG_NOT_UNIQUE")
	ErrPTCStartMissing       = inconsistent("PTC_START_MISSING")
	ErrRootVisibleTwice      = inconsistent("ROOT_VISIBLE_TWICE")
	ErrNativeIDAmbiguous     = inconsistent("NATIVE_ID_AMBIGUOUS")
	ErrMissingEarlierLog     = inconsistent("MISSING_EARLIER_LOG")
	ErrUnstartedHasPTC       = inconsistent("UNSTARTED_HAS_PTC")
	ErrNotAStartedPrefix     = inconsistent("NOT_A_STARTED_PREFIX")
	ErrMessageLogMismatch    = inconsistent("VISIBLE_LOG_MISMATCH")
	ErrRootNotVisible        = inconsistent("ROOT_NOT_VISIBLE")
	ErrNativeActionMismatch  = inconsistent("NATIVE_ACTION_MISMATCH")
	ErrNativeSchemaNotUnique = inconsistent("NATIVE_SCHEMA_NOT_UNIQUE")
	ErrSchemaIncomplete      = inconsistent("SCHEMA_INCOMPLETE")
	ErrPTCActionMismatch     = inconsistent("PTC_ACTION_MISMATCH")
	ErrPTCSchemaMissing      = inconsistent("PTC_SCHEMA_MISSING")
)

// How preparing a review can fail beside that.
var (
	// ErrRequestTooLarge is a request that would not fit into the route's context
	// window: nothing is left out of it, nothing is cut.
	ErrRequestTooLarge = &reviewer.Failure{Class: reviewer.ClassTooLarge, Code: "REQUEST_TOO_LARGE"}
	// ErrHistoryIncomplete is a view without all that the session shows.
	ErrHistoryIncomplete = &reviewer.Failure{Class: reviewer.ClassInternal, Code: "HISTORY_INCOMPLETE"}
	// ErrAskedTwice is a review that was asked before: a model is asked once a call.
	ErrAskedTwice = &reviewer.Failure{Class: reviewer.ClassInternal, Code: "ASKED_TWICE"}
)

func inconsistent(code string) *reviewer.Failure {
	return &reviewer.Failure{Class: reviewer.ClassInconsistent, Code: code}
}
