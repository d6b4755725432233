// Package reviewer is the contract of a review: what a [Reviewer] is given, what
// it may answer, and how the model that it asks is spoken to.
//
// A review has two halves. [Reviewer.Prepare] is pure: it reads the folded session
// and makes the request, or says why none can be made. [Review.Ask] asks, once,
// and holds nothing of the session any more.
//
// # Invariants
//
//   - The zero [Verdict] is none, so that a forgotten one never allows.
//   - Whatever is not an answer in the one accepted shape is a [Failure] with its
//     class. A failure is never a denial.
//   - A reviewer asks a model at most once a call: no retries, no cached answers.
//
// Start reading at [Reviewer], then at [Model].
package reviewer
