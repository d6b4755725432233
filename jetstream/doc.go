// Package jetstream keeps session logs in NATS JetStream: it starts the embedded
// server, makes the streams, and is the [events.Log], the tail, the snapshots,
// the seals and the anchors on them. No NATS word leaves it.
//
// # Invariants
//
//   - A session's log is one literal subject of one stream. Each message on it is
//     one frame: the records of one append, all or none.
//   - A frame is published with the sequence of the frame before it as a guard, so
//     that of two writers one wins, and with an id, so that an append whose
//     acknowledgement was lost is recognised.
//   - A frame says in signed headers what it holds and where it belongs. Reading
//     compares headers, bodies and the chain, and checks the signature of the last
//     frame, which covers every record before it. [Log.Verify] checks them all.
//   - Nothing is deleted, purged or rewritten here.
//
// Start reading at [Log]; frame.go has the format.
package jetstream
