package presets

// Reads decides which read of a catalogue counts, on the reader's side (seed 000,
// "Process catalog"). Reads can overlap, fail, and come back after the connection
// that they went out on; only the newest one on the present connection publishes,
// and only whole. The zero value is ready. It is a state machine without locks;
// [Directory] is it behind one.
type Reads struct {
	epoch      int // of the newest read, or of the newest notification
	generation int // of the connection
	current    *Catalogue
	disposed   bool
}

// Read is one read that is under way.
type Read struct{ epoch, generation int }

// Begin starts a read; all earlier ones are stale from now on.
func (r *Reads) Begin() Read {
	r.epoch++
	return Read{r.epoch, r.generation}
}

// Invalidate notes that the catalogue has changed: what reads under way bring may
// be older than that. The one that is published stays until a read wins.
func (r *Reads) Invalidate() { r.epoch++ }

// Reset notes that the connection is a new one: reads of the old one are stale,
// and what they brought is cleared.
func (r *Reads) Reset() {
	r.generation++
	r.current = nil
}

// Dispose ends it: nothing is published any more.
func (r *Reads) Dispose() {
	r.disposed = true
	r.current = nil
}

// Finish ends a read. A stale one changes nothing. The one that counts publishes
// its catalogue, or clears the one before if it failed or is not complete.
// counts says which.
func (r *Reads) Finish(read Read, c Catalogue, failure error) (counts bool) {
	if r.disposed || read != (Read{r.epoch, r.generation}) {
		return false
	}
	r.current = nil
	if failure == nil && c.Check() == nil {
		r.current = &c
	}
	return true
}

// Current is the catalogue, if there is one.
func (r *Reads) Current() (Catalogue, bool) {
	if r.current == nil {
		return Catalogue{}, false
	}
	return *r.current, true
}
