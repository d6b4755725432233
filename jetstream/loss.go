package jetstream

import (
	"fmt"

	natsjs "github.com/nats-io/nats.go/jetstream"
)

// LossError says that messages are missing from a stream that denies deletion:
// they can only have been lost by damage, such as a block that the server
// dropped in silence because it could not read it.
type LossError struct {
	Stream  string
	Missing uint64 // how many of the messages up to Last are not there
	First   uint64 // the first sequence that is there; more than 1 if the start is gone
	Last    uint64 // the last sequence that the stream has given out
}

// Error implements error.
func (e *LossError) Error() string {
	return fmt.Sprintf("stream %s has lost %d of %d messages (it starts at %d)", e.Stream, e.Missing, e.Last, e.First)
}

// CheckLoss returns a *[LossError] if the state of a log's stream shows that
// messages are missing. A log starts at sequence 1 and nothing is ever removed
// from it, so the last sequence is the number of messages.
//
// A whole state is no proof. It cannot show a lost end: for that, compare the
// last sequence with one that was kept elsewhere. Nor does it show a message
// that is damaged where it lies, as long as the server trusts its index of the
// block: reading skips such a message without an error, and still counts it as
// pending afterwards. Readers check what they read for gaps.
//
// CheckLoss does not apply to [SnapshotsStream], which forgets by design.
func CheckLoss(stream string, s natsjs.StreamState) error {
	missing := uint64(0)
	if s.LastSeq > s.Msgs {
		missing = s.LastSeq - s.Msgs
	}
	missing = max(missing, uint64(s.NumDeleted))
	if s.FirstSeq > 1 && s.Msgs > 0 {
		missing = max(missing, s.FirstSeq-1)
	}
	if missing == 0 {
		return nil
	}
	return &LossError{Stream: stream, Missing: missing, First: s.FirstSeq, Last: s.LastSeq}
}
