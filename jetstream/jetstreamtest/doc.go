// Package jetstreamtest runs real NATS servers inside a test: one embedded
// server ([Server]) or a replicated cluster ([Cluster]). Servers can be stopped
// and started again on the same store, and the files of a stream can be found
// and damaged in between. A [Wire] between a client and its server loses or changes
// what passes.
//
// Everything cleans up after itself when the test ends. [Server] opens no port
// and works inside a testing/synctest bubble; a cluster needs the network and
// real time.
package jetstreamtest
