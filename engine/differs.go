package engine

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/docket-engine/docket/events"
)

// DiffersError says that a session of that id is stored already and is not the
// one that a fork or an import would make. It matches [events.ErrExists]; nothing
// was stored.
type DiffersError struct {
	Session events.SessionID
	// Seq is the first event that differs, -1 if it is the header, or what the
	// session's seed is.
	Seq events.Seq
	// How is the difference, a sentence's worth without a full stop.
	How string
}

// Error names the session and the difference.
func (e *DiffersError) Error() string {
	return fmt.Sprintf("session %s exists and is another one: %s", e.Session, e.How)
}

// Is makes errors.Is(err, events.ErrExists) hold.
func (e *DiffersError) Is(target error) bool { return target == events.ErrExists }

// differHeader is the error of a session with another header or seed.
func differHeader(id events.SessionID, how string, args ...any) error {
	return &DiffersError{Session: id, Seq: -1, How: fmt.Sprintf(how, args...)}
}

// firstDifference compares a session's stored records with those that it would
// have, as far as both go. It gives the seq up to which they are the same, and a
// *[DiffersError] where they are not.
func firstDifference(id events.SessionID, stored, planned iter.Seq2[events.Record, error]) (same events.Seq, err error) {
	next, stop := iter.Pull2(planned)
	defer stop()
	for have, err := range stored {
		if err != nil {
			return same, err
		}
		want, err, more := next()
		switch {
		case !more:
			return same, nil
		case err != nil:
			return same, err
		case !bytes.Equal(have.Line, want.Line):
			return same, &DiffersError{Session: id, Seq: have.Seq, How: fmt.Sprintf("seq %d is %s here and %s there", have.Seq, kindOf(have), kindOf(want))}
		}
		same = have.End()
	}
	return same, nil
}

// kindOf names a record for a person who compares two of them.
func kindOf(r events.Record) string {
	decoded, err := r.Decode()
	if err != nil || len(decoded) == 0 {
		return fmt.Sprintf("a %s of %d bytes", r.Type(), len(r.Line))
	}
	return fmt.Sprintf("a %s of %d bytes, time %d", r.Type(), len(r.Line), decoded[0].Time)
}
