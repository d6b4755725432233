// Package eventstest is for tests of what stores, folds or plans session logs:
// [Memory] is a log in memory, [TestLog] and [TestTail] are the suites that
// every store passes, [Valid] draws random valid logs, [Script] writes logs by
// hand, and [Check] reads a stored log against every rule.
//
// Start reading at [Memory].
package eventstest
