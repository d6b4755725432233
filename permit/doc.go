// Package permit is the leave to run one tool body once: what the engine signs
// when a call's dispatch is on the log, and what an executor checks before it
// runs anything (design section 6, stages 7 and 8).
//
// # Invariants
//
//   - An executor runs a body only with the arguments and the mode of a permit that
//     the engine signed, or sealed, for one of the executor's own nonces.
//   - What is sealed for the executors of the engine's own process is refused by all
//     others, and what is signed for the others is refused by those.
//   - A nonce is good for one body: burning it and giving it back exclude each
//     other, and either happens once.
//   - A permit that is late, for another executor, or about something else is
//     refused, and the body does not run.
//
// Start reading at [Permit], then at [Executor].
package permit
