// Package auto reviews every call of a session by one request of five parts to the
// session's own route.
//
// # Invariants
//
//   - What a model answers is one of six shapes, or a failure. A failure is never a
//     denial.
//   - A model is asked once a call: nothing is tried again and nothing is kept.
//
// Start reading at collect, which takes an answer in, and at parseAnswer, which
// reads it.
package auto
