package events

import (
	"context"
	"fmt"
)

// StoreVerifier is a store that can check how it keeps a session, beyond what a
// reader of its [Log] sees: signatures, anchors, seals, headers against bodies,
// holes and cut tails.
type StoreVerifier interface {
	// VerifyStore gives what is wrong with a stored session and what cannot be
	// proven about it, each with the kind that it is; none means that all is well
	// and proven. It goes on behind what it finds. The error says that the check
	// itself could not be made; a session that is not there is ErrNotFound.
	VerifyStore(ctx context.Context, id SessionID) ([]Finding, error)
}

// Finding is one thing that a verification found.
type Finding struct {
	Kind FindingKind
	// Seq is the first event that is concerned; where the session as a whole is, it
	// is 0.
	Seq Seq
	// Type is the event's, empty where it cannot be told.
	Type Type
	// Problem is what is wrong or not proven, a sentence's worth without a full stop.
	Problem string
}

// FindingKind keeps apart what must not be taken for each other.
type FindingKind string

const (
	// FindingCorrupt says that what is stored is not what was appended, or breaks a
	// rule.
	FindingCorrupt FindingKind = "corrupt"
	// FindingIncomplete says that a fork or an import was cut short; what is there
	// may be in order.
	FindingIncomplete FindingKind = "incomplete"
	// FindingUnproven says that something could not be checked. Nothing is known to
	// be wrong.
	FindingUnproven FindingKind = "unproven"
)

// String gives the finding in one line.
func (f Finding) String() string {
	if f.Type == "" {
		return fmt.Sprintf("%s: seq %d: %s", f.Kind, f.Seq, f.Problem)
	}
	return fmt.Sprintf("%s: seq %d (%s): %s", f.Kind, f.Seq, f.Type, f.Problem)
}
