package frame

import (
	"errors"
	"fmt"
	"strings"

	"github.com/docket-engine/docket/events"
)

// SessionHeader reads the header line of frame 0.
func (f Frame) SessionHeader() (events.Header, error) {
	if f.Index != 0 || f.Types != TypeHeader || f.Seq != 0 || f.Count != 0 || f.Chain != events.ChainStart() {
		return events.Header{}, errors.New("the first frame is not a session header")
	}
	if f.HeaderHash != HashLine(f.Body) {
		return events.Header{}, errors.New("the session header is not the one that its frame was signed for")
	}
	h, err := events.ParseHeader(f.Body)
	if err == nil && h.Version != f.Format {
		err = fmt.Errorf("the session header says version %d, its frame %d", h.Version, f.Format)
	}
	return h, err
}

// ErrOtherHeader says that a log's first records were stored behind another header.
var ErrOtherHeader = errors.New("the session header is not the one that the log began with")

// Behind checks that the frame, if it is the first one with records, was stored
// behind this header line.
func (f Frame) Behind(header []byte) error {
	if f.Index == 1 && f.HeaderHash != HashLine(header) {
		return ErrOtherHeader
	}
	return nil
}

// Follow checks that the frame stands right behind a position and that its body
// is what its headers say, and gives the records.
func (f Frame) Follow(at Position) ([]events.Record, error) {
	switch {
	case f.Index != at.Index+1:
		return nil, fmt.Errorf("frame %d follows frame %d", f.Index, at.Index)
	case f.Seq != at.Next:
		return nil, fmt.Errorf("the frame begins at seq %d, the one before it ends at %d", f.Seq, at.Next)
	}
	records, err := f.records(at.Chain)
	if err != nil {
		return nil, err
	}
	if f.Chain != at.Chain.Over(records...) {
		return nil, errors.New("the records are not the ones that were appended: the chain breaks")
	}
	if f.Types != typesOf(records) {
		return nil, errors.New("the frame's list of types is not that of its records")
	}
	return records, nil
}

// records splits the body into its lines, behind a chain.
func (f Frame) records(before events.Chain) ([]events.Record, error) {
	records, err := events.Split(f.Format, f.Body, before)
	if err != nil {
		return nil, err
	}
	next, origin := f.Seq, appendOf(f.MsgID)
	for i := range records {
		r := &records[i]
		if r.Seq != next {
			return nil, fmt.Errorf("a record says seq %d in the place of %d", r.Seq, next)
		}
		next, r.Append = r.End(), origin
	}
	if next != f.End() {
		return nil, fmt.Errorf("the frame says %d events and holds %d", f.Count, next-f.Seq)
	}
	return records, nil
}

// appendOf takes the append id out of a message id, <session>/<seq>/<append id>.
func appendOf(msgID string) events.AppendID {
	parts := strings.SplitN(msgID, "/", 3)
	return events.AppendID(parts[len(parts)-1])
}
