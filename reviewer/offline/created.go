package offline

import (
	"errors"
	"slices"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

// Identity tells files of the machine that calls run on from one another, as they are
// now.
type Identity interface {
	// Same reports whether a file is still the one that a session left, with the same
	// bytes, as far as that can be proven.
	Same(left events.Artifact) bool
	// Times are when the file was made that stands at a path, and when it was changed
	// last, Unix ns; false where none does, or that is not known.
	Times(path string) (born, changed int64, known bool)
}

// known takes what the log says beside the prompt, nil for nothing. One about another
// history is refused.
func (r *request) known(record *reviewer.Record, files Identity) error {
	if record != nil && len(record.Entries) != len(r.history) {
		return errors.New("the record is not that of the history")
	}
	r.record, r.identity, r.past = record, files, &past{answers: map[int]effects.Answer{}}
	return nil
}

// created reports whether this session made the file at a path, and it is still the one
// that it left, with the same bytes. What a text or a call's name says of it is no
// proof: a person may have changed the file since, or it was there before.
func (r request) created(name string) bool {
	if r.record == nil || r.identity == nil {
		return false
	}
	i := slices.IndexFunc(r.record.Made, func(m events.Artifact) bool { return m.Path == name })
	return i >= 0 && r.identity.Same(r.record.Made[i])
}
