// Package lineage says how sessions descend from each other: what the header
// and the seed of a fork are, which closers end what a cut log leaves open, be it
// cut by a fork or by a crash; how a session spawns a child and what the child
// inherits, whose words its messages are, and whether a child is what it says.
//
// # Invariants
//
//   - Everything here is a pure function of headers and records: ids and times
//     come in as values or are those of the log.
//   - A fork's prefix is its parent's, byte for byte; only a packed row that the
//     boundary cuts is written as the single events that it stands for.
//   - A log to which its closers were added is balanced: it gets no others.
//   - A child has no less review than its parent, and no wider sandbox.
//   - A parent's authority is proven from the parent's own log, once, and never
//     taken from what a message says of itself. Where there is no proof the text is
//     a fact.
//
// Start reading at [Tail], the fold that closers are made of, then at [Fork]; of
// children at [State] and [Spawn].
package lineage
