// Package blocks reads the files in which nats-server keeps a stream's messages,
// without a server and without writing anything. A server that opens a damaged block
// cuts it off where the damage begins, and everything behind it is gone: so what it
// would open is looked at first (decision 0022).
//
// # Invariants
//
//   - Files are opened for reading alone, and nothing is made, not even a temporary
//     file: it works on a full disk, on a read-only one, and beside a running server.
//   - What is read is bounded by the file's size. A length in a record is not believed
//     before the record's checksum is.
//   - A block is whole, or the place where it stops being whole is named. Nothing is
//     mended here.
//
// The format is that of nats-server 2.15, which a test holds this against. Start
// reading at [Read], then at [Check].
package blocks
