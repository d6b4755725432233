// Package tools ships the tools that Docket's own executors run: on real files,
// with real processes.
//
// A [Tool] has a name, a description and a schema, which a model reads, and Run,
// which is the body. Nothing here reviews anything: who calls Run holds a permit,
// or is a test. What a program's inner calls need of the gate is a [Caller].
//
// # Invariants
//
//   - Arguments that do not fit the schema have no effect: nothing runs, and the
//     code is [CodeInvalidArguments].
//   - A result's text is bounded, and says what was cut.
//   - Run returns when all that it started has ended: processes, inner calls,
//     goroutines.
//
// The tools confine nothing: they can do what this process can do. So they are
// for sessions with full access. docs/tools.md says what each one does.
//
// Start reading at [Tool], then at [Caller].
package tools
