// Package api is what goes over the wire between the engine and its callers: the
// subjects, one request and one reply for each command and query, and the errors.
//
// # Invariants
//
//   - A request is decoded strictly and whole: an unknown, repeated, missing or
//     null member, a wrong type and a request that is too large are each one
//     [Error] that names the member.
//   - Nothing in a request says who sends it. Who that is comes from the
//     connection (design section 5).
//   - A [Code] never changes its meaning, and an error never quotes a value.
//
// Start reading at [Endpoints], then at [Command] and [Decode].
package api
