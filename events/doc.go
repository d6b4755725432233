// Package events defines what a session log is made of: the closed set of
// events, the [Record] that stores them, the [Envelope] that an event is read
// in, the [Surface] that they fold to, the [Validator] that accepts or refuses
// a log, and the contracts [Log], [Tail], [Snapshots] and [Audit].
//
// # Invariants
//
//   - A session's log is append-only. Seq starts at 0 and has no gaps.
//   - An event is a fact about the past: reading it needs no clock, file or
//     network, and nothing that was stored is ever rewritten. Older storage
//     formats are lifted to the current one when they are decoded.
//   - A reader that meets a type it does not know refuses the log, unless the
//     record itself says that it may be ignored.
//   - JSON is strict: one value, no duplicate members, valid UTF-8, numbers
//     that a double can hold, member names compared byte for byte.
//
// Start reading at [Log]; the in-memory implementation in events/eventstest is
// its shortest complete example.
package events
