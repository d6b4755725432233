// Package client is the Go client of an engine: for agents, the people who watch
// over them, hosts, spawners and auditors, each with a credential of its own.
//
// # Invariants
//
//   - A body runs only on a permit that the engine signed for this process, at most
//     once, and gets the permit's arguments and mode. There is no other way to run
//     one.
//   - A body that has started is waited for, and what it came to is put on the log,
//     also when its caller has gone, the connection breaks or the engine is away.
//   - Each command has one id, made before it is sent first, and is sent again under
//     that id until there is an answer or its context ends: it is done once.
//   - Denied, failed, cancelled and unavailable are four ends, and never told as one
//     another.
//
// Start reading at [Dial], then at [Session.Run]; for people at [Human], for
// hosts at [Host], for reading at [Audit].
package client
