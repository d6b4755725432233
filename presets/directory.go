package presets

import (
	"context"
	"sync"
)

// Source is where a reader gets the catalogue from.
type Source interface {
	// Subscribe calls changed after each change of the catalogue, until cancel.
	Subscribe(changed func()) (cancel func(), err error)
	// Read gives the whole catalogue.
	Read(ctx context.Context) (Catalogue, error)
}

// Directory keeps a reader's copy of the catalogue: complete, or absent. It is
// safe for concurrent use and starts no goroutines: it says in [Directory.Stale]
// that a read is due, and whoever owns it calls [Directory.Refresh].
type Directory struct {
	source Source
	stale  chan struct{}

	mu     sync.Mutex // guards reads and cancel; never held while calling out
	reads  Reads
	cancel func()
}

// Open subscribes to the source before it reads it for the first time, so that
// no change falls between the two. A failed read is no error of Open: the
// catalogue is absent until a later read succeeds.
func Open(ctx context.Context, source Source) (*Directory, error) {
	d := &Directory{source: source, stale: make(chan struct{}, 1)}
	cancel, err := source.Subscribe(d.Changed)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.cancel = cancel
	d.mu.Unlock()
	_ = d.Refresh(ctx) // the failure shows as an absent catalogue
	return d, nil
}

// Current is the catalogue, if there is one.
func (d *Directory) Current() (Catalogue, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.reads.Current()
}

// Stale has a value when the source has changed, or the connection is a new one:
// a read is due.
func (d *Directory) Stale() <-chan struct{} { return d.stale }

// Refresh reads the source. Only the newest read on the present connection counts
// for [Directory.Current]; the error is that of this read.
func (d *Directory) Refresh(ctx context.Context) error {
	d.mu.Lock()
	read := d.reads.Begin()
	d.mu.Unlock()
	c, err := d.source.Read(ctx)
	if err == nil {
		err = c.Check()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reads.Finish(read, c, err)
	return err
}

// Changed is the source's notification: reads under way are stale.
func (d *Directory) Changed() {
	d.mu.Lock()
	d.reads.Invalidate()
	d.mu.Unlock()
	d.wake()
}

// Reset says that the connection to the source is a new one: the catalogue is
// absent until it is read again.
func (d *Directory) Reset() {
	d.mu.Lock()
	d.reads.Reset()
	d.mu.Unlock()
	d.wake()
}

// Dispose ends the subscription. Nothing is published any more.
func (d *Directory) Dispose() {
	d.mu.Lock()
	d.reads.Dispose()
	cancel := d.cancel
	d.cancel = nil
	d.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// wake says once that a read is due, however many changes there were.
func (d *Directory) wake() {
	select {
	case d.stale <- struct{}{}:
	default:
	}
}
