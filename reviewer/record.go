package reviewer

import (
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// Record is what a session's log says beside what a request shows: where each of its
// entries comes from, and which files the session made.
type Record struct {
	// Entries are those of FILTERED_HISTORY, in its order.
	Entries []RecordEntry
	// Made are the files that the session made and has left so, the latest last.
	Made []events.Artifact
}

// RecordEntry is what the log says of one entry.
type RecordEntry struct {
	Seq  events.Seq // of the message, or of the call's start
	Time int64      // of that event, Unix ms
	// Inherited says that it was said to, or done by, the session that this one is a
	// fork of; Foreign that an import brought it, and that nobody has adopted the session.
	Inherited, Foreign bool
	// Ended is how a call ended, "" for a message.
	Ended projections.CallEnd
}

// NewRecord makes the record of a view, without the call that is pending. It keeps
// nothing of the view.
func NewRecord(v View, pending projections.CallRef) *Record {
	r := &Record{Made: append([]events.Artifact(nil), v.Session.Artifacts.Made...)}
	for e := range v.History.Entries(v.Session, pending) {
		r.Entries = append(r.Entries, RecordEntry{
			Seq: e.Seq, Time: e.Time, Inherited: !v.Session.Own(e.Seq), Foreign: e.Seq < v.Session.Imported && v.Session.ReplayOnly(), Ended: e.Ended,
		})
	}
	return r
}
