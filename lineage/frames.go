package lineage

import "github.com/docket-engine/docket/events"

// FrameSize is how many bytes a seed's frame is filled up to, a newline for each
// line included. A larger single record has a frame of its own.
const FrameSize = 256 << 10

// Frames groups the records of a seed into frames: filled in order, never
// splitting a row, and of one format each. The same records from the same place
// on give the same frames. The zero Frames is empty.
type Frames struct {
	records []events.Record
	size    int
}

// Add puts a record behind the others and gives the frame that is full with
// what came before it, or nil.
func (f *Frames) Add(r events.Record) (full []events.Record) {
	size := len(r.Line) + 1
	if len(f.records) > 0 && (f.size+size > FrameSize || f.records[0].Format != r.Format) {
		full = f.Rest()
	}
	f.records = append(f.records, r)
	f.size += size
	return full
}

// Rest ends the frame that is being filled and gives it; nil if it is empty.
func (f *Frames) Rest() (rest []events.Record) {
	rest, *f = f.records, Frames{}
	return rest
}
