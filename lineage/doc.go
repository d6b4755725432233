// Package lineage says how sessions descend from each other: what the header
// and the seed of a fork are, and which closers end what a cut log leaves open,
// be it cut by a fork or by a crash.
//
// # Invariants
//
//   - Everything here is a pure function of headers and records: ids and times
//     come in as values or are those of the log.
//   - A fork's prefix is its parent's, byte for byte; only a packed row that the
//     boundary cuts is written as the single events that it stands for.
//   - A log to which its closers were added is balanced: it gets no others.
//
// Start reading at [Tail], the fold that closers are made of, then at [Fork].
package lineage
