// Package engine does what commands ask of session logs: it creates and loads
// sessions and appends to them, forks, repairs, imports, exports and verifies
// them, over any [events.Log].
//
// # Invariants
//
//   - What is appended was accepted by the [events.Validator] first, and what
//     was loaded was accepted whole: a corrupt log, or one whose seed is
//     incomplete, is refused for use.
//   - Nothing that is stored is rewritten or deleted. A fork or an import that
//     was cut short is finished by the same command, and done again it changes
//     nothing.
//   - Times, ids and actors come in as values; files come in as readers.
//   - Memory is bounded by constants and by what a step leaves open, not by the
//     length of a log. Only [Session] holds what later rules ask of its log.
//
// Start reading at [Load] and [Session]; [Import] and [Fork] share seeding.go.
package engine
