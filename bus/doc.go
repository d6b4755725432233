// Package bus lets many callers work with one engine over NATS without any of them
// being able to speak for another one.
//
// # Invariants
//
//   - Authority comes from the account and the credential that a command came in on,
//     as the server tells them, and never from its payload.
//   - Where a detail of that is missing or does not fit, the command is refused.
//   - No credential names a subject with a wildcard in the place of an identity.
//   - A secret is in files that only their owner can read, and in no error or log.
//   - A request gets one clear answer: what it came to, or one error. Nothing that is
//     refused has written anything.
//   - What filling and flooding can reach is kept apart from what people need to
//     tighten, and calls to end.
//
// Start reading at [Table.Establish], which says who calls, at [Classes], which says
// what each class may do on the bus, and at [Service], which does it.
package bus
