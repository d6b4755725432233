// Package model asks models over HTTP: the completions and the responses protocol,
// at any base URL that speaks them.
//
// # Invariants
//
//   - One prompt is one HTTP request. Nothing is tried again, no redirect is followed.
//   - A request holds the route's model, the prompt and what a stream needs, and
//     nothing of the process's environment but the route's key.
//   - The key is in the Authorization header alone: no failure, finish or log has it.
//   - A stream counts only as a whole: what is cut off, goes on behind its end, or is
//     not understood ends in a failure, and the bytes that are read are bounded.
//
// Start reading at [Client.Stream]; completions and responses say what a protocol's
// events mean.
package model
