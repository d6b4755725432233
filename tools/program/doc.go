// Package program runs an agent's JavaScript program in a process of its own, and
// has the protocol by which that process and its parent speak.
//
// The process is the running executable, started again with [Marker] as its first
// argument. It has no environment, and no open files but the two pipes and its
// standard error, and lowers its own limits before it runs anything. The
// program sees the language, console and tools, and nothing else.
//
// # Protocol
//
// One JSON value a line, in both directions, strict: unknown or repeated members, a
// line that is too long, or a message out of place ends the run. The process says
// that it is ready, the parent sends the program, then the process sends calls and
// output and the parent sends how calls ended, until the process sends the end.
// The parent then kills it: nothing is left to wait for.
//
// Start reading at [Main], then at machine.
package program
