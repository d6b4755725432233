// Package agent is an agent in this process: the events of its loop, its calls
// through the gate, and the shipped tools as their bodies. What its model says is
// given by whoever drives it.
//
// # Invariants
//
//   - A body runs on a burnt permit alone, with what the permit says.
//   - Calls of a message start in the model's order, each behind the gate's answer
//     to the one before; bodies of tools that change nothing may overlap, and
//     results are on the log in the order of the calls (reference 4).
//   - A program's calls go the same way, with the definitions that the program was
//     bound to.
//
// Start reading at [Agent], then at [Agent.Step].
package agent
