// Package approvals decides the questions to people: when one is asked, what
// settles it, what a note and an "always" are good for later, and what a person
// gets to see.
//
// # Invariants
//
//   - A question ends in one of four outcomes, once. What comes late, from nobody,
//     or about something else than was shown is refused and changes nothing.
//   - Under the policy never nobody is consulted.
//   - An "always" is the engine's pattern or nothing: it never covers a widening, a
//     protected resource, or a call whose review failed.
//   - What a person reads holds no character that can hide or reorder others.
//
// Start reading at [Ask] and [Decide], then at [State], what they decide on.
package approvals
