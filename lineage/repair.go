package lineage

import "github.com/docket-engine/docket/events"

// Repair gives the events that a log needs after a crash (reference 1.4). For an
// open turn these are, in order: a settle for each inner call of a program that
// started, an error result for each unanswered call of the open step, step/end,
// and turn/end interrupted. A balanced log gets none. They follow the last event
// that t has seen and have its time.
//
// The reference's list does not name inner calls. They are settled all the
// same, since its table wants exactly one settle for each start, also on abort:
// the last started first, so that a call is settled before the program that made
// it. A start that an earlier step left open is not touched, as an unanswered
// call of that step is not: no crash leaves one behind, and its id may be
// another call's by now. A question to a person that has no decision is left as
// it is: the reference's repair does not decide for people.
func Repair(t *Tail) ([]events.Envelope, error) {
	return closers(t, events.TurnEndReason{Kind: events.EndInterrupted})
}
