// Package compaction replaces the front of a session's surface by a checkpoint:
// what is replaced, what is recorded about it, and what the checkpoint says
// (reference 1.5). The log keeps every event.
//
// # Invariants
//
//   - A range begins behind the system message and ends where every call has its
//     result, so that a call and its result are on one side together.
//   - A checkpoint takes fewer tokens than what it stands for. A summary that
//     does not is recorded as a failure, and the surface stays as it was.
//   - A checkpoint has no instruction in it: text that left the surface is not
//     among [State.Nodes], whoever wrote it, and what a summary quotes of it is
//     the summary's.
//   - What people and the direct parent said in a range is in its checkpoint, word
//     for word and marked with its seq, and so in every later one: [MaxWords] of it
//     whole, and of what is beyond, what restricts. It is no gain, and no reason to
//     refuse one.
//   - Project instructions that leave the surface come back, once ([State.Returning]).
//   - A summary is text, and another than the engine's stands behind an extract.
//   - What is kept grows with the visible surface alone.
//
// Start reading at [State], then at [Plan] and [Finish].
package compaction
