// Package frame is the stored form of a log, written once: what a message's headers
// and body say, what the engine's signature is over, and how both are checked.
// Whoever stores frames and whoever audits them use it alike, so that no two readers
// take one message for two things (design section 3).
//
// # Invariants
//
//   - A header is there exactly once, or the frame is none. One that is split in two,
//     or spelled in other cases, is refused and never joined, skipped or chosen from.
//   - What is signed is all of what is read: subject, message id, every header of
//     ours. The chain among them stands for the records, the hash for the header line.
//   - Nothing here touches a store: headers are a map, and a body is bytes.
//
// Start reading at [Frame], then at [Parse] and [Trusted.CheckFrame].
package frame
