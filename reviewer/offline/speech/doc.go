// Package speech reads what people write to an agent: what a message orders or
// allows, what it refuses, and what of it is neither.
//
// A message is split into blocks and sentences. Each sentence of prose has a
// language, and is read with the table of that language. All words are data: there is
// one [Language] a file, of one type, and the code that reads is the same for all.
//
// # Invariants
//
//   - An order is read by a closed grammar: every word of the whole message has to be
//     in a table. One sentence that is not understood, and the message orders nothing.
//   - A refusal is read by a wide one: whatever could be said to the agent against its
//     actions counts, and where it does not say against what, it counts against all.
//   - Prose in a language without a table is a refusal of every change.
//   - Code, quotes, diffs, logs and tables order nothing, and refuse only what they
//     name.
//   - Reading takes time in proportion to the text, and never fails.
//
// Start reading at [Read] and [Message]; english.go is the longest table.
package speech
