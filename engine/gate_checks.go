package engine

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// PendingCall is a call as the checks behind its review see it. Nobody changes
// it.
type PendingCall struct {
	Session    events.SessionID
	Turn, Step int
	CallID     string
	RootCallID string // of the native call that it belongs to; CallID for a native one
	Name       string
	Arguments  jsontext.Value // what the body would get
	Mode       string         // of the sandbox
	Preset     string         // that the session is on
	CWD        string
	// Made are the files that the session made and has left so, by its log; for
	// [GateConfig.Evidence] alone.
	Made []events.Artifact
}

// Check is a stage that a call passes behind its review (reference 4, the rest of
// the pre-execute chain). It may take its time, until ctx ends, and cannot change
// the call. Where one panics the call fails.
type Check func(ctx context.Context, c PendingCall) Decision

// Guard is the last check, on the way to the dispatch: it can only refuse, with a
// reason; "" refuses nothing. It must not wait. Where a guard panics the call fails.
type Guard func(c PendingCall) (reason string)

// Decision is what a check says. The zero Decision refuses.
type Decision struct {
	Kind DecisionKind
	// Reason is for the agent where the call is refused, and for the person where
	// one is asked.
	Reason string
	// Error is the structured error of a refusal, nil for none.
	Error *events.ToolError
}

// DecisionKind is what a stage decides.
type DecisionKind int

// The kinds of decisions.
const (
	DecisionDeny DecisionKind = iota
	DecisionAllow
	DecisionCancel
	DecisionAsk
	DecisionFail // the check itself could not be made, which is no denial
)

// further asks the checks in order; the first that does not allow wins.
func (g *Gate) further(ctx context.Context, c PendingCall) Decision {
	for i, check := range g.cfg.Checks {
		if d := contained(ctx, check, c, i); d.Kind != DecisionAllow {
			return d
		}
	}
	return Decision{Kind: DecisionAllow}
}

func contained(ctx context.Context, check Check, c PendingCall, i int) (d Decision) {
	defer func() {
		if p := recover(); p != nil {
			d = Decision{Kind: DecisionFail, Reason: fmt.Sprintf("check %d of the gate failed: %v", i, p)}
		}
	}()
	return check(ctx, c)
}

// guarded gives the refusal of the first guard that has one, nil if all let the
// call pass.
func (g *Gate) guarded(c PendingCall) *Refused {
	for i, guard := range g.cfg.Guards {
		if refused := guardedBy(guard, c, i); refused != nil {
			return refused
		}
	}
	return nil
}

// forbidden gives the refusal of what no review needs to see, nil for none.
func (g *Gate) forbidden(c PendingCall) *Refused {
	if g.cfg.Forbids == nil {
		return nil
	}
	return guardedBy(g.cfg.Forbids, c, 0)
}

func guardedBy(guard Guard, c PendingCall, i int) (refused *Refused) {
	defer func() {
		if p := recover(); p != nil {
			refused = failedCall(codeCheckFailed, fmt.Sprintf("guard %d of the gate failed: %v", i, p))
		}
	}()
	if reason := guard(c); reason != "" {
		return refusedBy(c.Name, reason, nil)
	}
	return nil
}

// Program is a runner of programs: the one executor whose outer calls are not
// reviewed, since each call that the program makes is (reference 5.1). The name
// of a tool proves nothing; who runs it does (design section 6).
type Program struct {
	Executor string // as the engine established it
	Tool     string
	// SchemaHash is the [SchemaHash] of the tool's definition: a tool that a log
	// defines in another way is reviewed.
	SchemaHash string
}
