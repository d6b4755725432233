// Package auto reviews every call of a session by one request of five parts to the
// session's own route.
//
// # Invariants
//
//   - What a model answers is one of six shapes, or a failure. A failure is never a
//     denial.
//   - A model is asked once a call: nothing is tried again and nothing is kept.
//   - A request is made from the log alone, whole or not at all: what the log leaves
//     open is a failure before anybody is asked. The same log and call give the same
//     bytes.
//
// Start reading at [NewRequest], which makes a request; then at collect, which takes
// an answer in, and at parseAnswer, which reads it.
package auto
