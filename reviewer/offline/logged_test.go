package offline

import (
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// logged is what a scene's log says beside its prompt. The zero one says nothing.
type logged struct {
	entries map[int]reviewer.RecordEntry
	made    []events.Artifact
	files   *fileFacts
	told    bool
}

// minute is the time of a scene's entry: one entry a minute.
func minute(i int) int64 { return int64(i+1) * 60_000 }

// fileFacts is what is known of files, by path.
type fileFacts struct {
	same map[string]bool
	born map[string]int64 // in minutes of the scene
	// changed is when one was changed last, if that is not when it was born.
	changed map[string]int64
}

func (f *fileFacts) Same(left events.Artifact) bool { return f.same[left.Path] }

func (f *fileFacts) Times(path string) (born, changed int64, known bool) {
	const minute = 60_000 * 1e6
	b, known := f.born[path]
	return b * minute, max(b, f.changed[path]) * minute, known
}

func (b logged) tell(tb testing.TB, r *request) {
	tb.Helper()
	if !b.told {
		return
	}
	record := &reviewer.Record{Made: b.made}
	for i, e := range r.history {
		entry := reviewer.RecordEntry{Seq: events.Seq(i), Time: minute(i)}
		if e.Kind == kindCall {
			entry.Ended = projections.EndSucceeded
		}
		if b, ok := b.entries[i]; ok {
			entry.Ended, entry.Inherited, entry.Foreign = b.Ended, b.Inherited, b.Foreign
		}
		record.Entries = append(record.Entries, entry)
	}
	var files Identity
	if b.files != nil {
		files = b.files
	}
	if err := r.known(record, files); err != nil {
		tb.Fatal(err)
	}
}

// tells gives the scene a record, with all calls so far having succeeded.
func (s *scene) tells() *scene {
	s.beside.told = true
	return s
}

// ended says how the last call ended.
func (s *scene) ended(end projections.CallEnd) *scene {
	return s.last(reviewer.RecordEntry{Ended: end})
}

// inherited says that the last entry is what the session that this one is a fork of had.
func (s *scene) inherited() *scene { return s.last(reviewer.RecordEntry{Inherited: true}) }

func (s *scene) last(e reviewer.RecordEntry) *scene {
	if s.beside.entries == nil {
		s.beside.entries = map[int]reviewer.RecordEntry{}
	}
	s.beside.entries[len(s.history)-1] = e
	return s.tells()
}

func (s *scene) facts() *fileFacts {
	s.tells()
	if s.beside.files == nil {
		s.beside.files = &fileFacts{same: map[string]bool{}, born: map[string]int64{}, changed: map[string]int64{}}
	}
	return s.beside.files
}

// made says that the session made a file, and whether it is still what was left.
func (s *scene) made(path string, same bool) *scene {
	s.facts().same[path] = same
	s.beside.made = append(s.beside.made, events.Artifact{Path: path, Kind: events.ArtifactFile, SHA256: "aa", BirthTime: 1})
	return s
}

// changed says in which minute of the scene a file was changed, that was there before.
func (s *scene) changed(path string, minute int64) *scene {
	s.facts().changed[path] = minute
	return s.born(path, 0)
}

// born says in which minute of the scene a file was made.
func (s *scene) born(path string, minute int64) *scene {
	s.facts().born[path] = minute
	return s
}
