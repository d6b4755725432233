// Package projections folds a session's log into what decisions and readers
// need: the [Session] state, and the views of it.
//
// # Invariants
//
//   - Folding is pure: the same events give the same state, whether they come one
//     by one, at once, or behind a snapshot.
//   - An event that may not come next leaves the state as it was.
//   - The cost of an event does not depend on the length of the log, and what is
//     kept is bounded by what is visible or open, not by what has happened.
//
// Start reading at [Session].
package projections
