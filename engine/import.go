package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/docket-engine/docket/events"
)

// ImportRequest asks for a session as a file has it.
type ImportRequest struct {
	File     File
	Actor    events.Actor
	Limits   Limits
	Observer Observer
}

// Imported is a session that was imported, complete.
type Imported struct {
	Header events.Header
	Events events.Seq // in the file
	// AlreadyThere says that nothing had to be stored, Resumed that an import which
	// was cut short was finished.
	AlreadyThere, Resumed bool
}

// Import stores a session as its file has it, byte for byte. The whole file is
// checked before anything is stored: every line strictly decoded and accepted by
// the Validator; a file that is not valid is an *[ImportError] with line, seq and
// type.
//
// The same file again finishes an import that was cut short, or changes nothing,
// also where the session has gone on since. A session of that id that does not
// begin with what the file says is a *[DiffersError].
func Import(ctx context.Context, log events.Log, req ImportRequest) (Imported, error) {
	im := importing{log: log, req: req}
	done, err := im.run(ctx)
	if err != nil {
		return Imported{}, fmt.Errorf("engine: import: %w", err)
	}
	return done, nil
}

// importing is one run of an import.
type importing struct {
	log    events.Log
	req    ImportRequest
	header events.Header
	stored events.Opened // zero if the session does not exist
	exists bool
	seed   *seeding
}

func (im *importing) run(ctx context.Context) (Imported, error) {
	seed, err := im.read(ctx)
	if err != nil {
		return Imported{}, err
	}
	done := Imported{Header: im.header, Events: seed.Next}
	switch {
	case !im.exists:
		err = im.log.Create(ctx, events.Creation{ID: "import", Actor: im.req.Actor, Header: im.header, Seed: seed})
	case im.stored.Seed == seed && !im.stored.Complete():
		done.Resumed = true
	default:
		done.AlreadyThere = true
		return done, im.compare(ctx, seed)
	}
	if err == nil {
		err = im.seed.store(ctx)
	}
	if errors.Is(err, errNotThePlan) {
		err = im.compare(ctx, seed)
	}
	return done, err
}

// read plans the file's seed in one pass over it. Where the session exists, the
// file was checked when that one was stored, or it is another one: then only its
// bytes count.
func (im *importing) read(ctx context.Context) (seed events.Seed, err error) {
	file, err := im.req.File.open(im.req.Limits)
	if err != nil {
		return events.Seed{}, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	im.header = file.header
	if err := im.open(ctx); err != nil {
		return events.Seed{}, err
	}
	im.seed = newSeeding(im.log, im.header.ID, events.SeedImport, im.req.Actor)
	im.seed.again, im.seed.observer, im.seed.budget = im.again, im.req.Observer, im.req.Limits.withDefaults().Kept
	if im.exists {
		im.seed.at = im.stored.Head
		return im.scan(ctx, file)
	}
	return im.check(ctx, file)
}

// open looks whether the session exists.
func (im *importing) open(ctx context.Context) (err error) {
	im.stored, err = im.log.Open(ctx, im.header.ID)
	switch {
	case errors.Is(err, events.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	im.exists = true
	if string(im.stored.Header.Line) != string(im.header.Line) {
		return differHeader(im.header.ID, "its header is %s, the file's is %s", im.stored.Header.Line, im.header.Line)
	}
	return nil
}

// scan plans the seed without a look at what the events say.
func (im *importing) scan(ctx context.Context, file *openFile) (events.Seed, error) {
	head := events.Head{Chain: events.ChainStart()}
	for r, err := range ahead(file.records()) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return events.Seed{}, err
		}
		head = events.Head{Next: r.End(), Chain: head.Chain.Over(r)}
		im.seed.add(r, head)
	}
	return im.seed.plan(), nil
}

// compare says where the stored session and the file differ, or nil where the
// session begins with the file.
func (im *importing) compare(ctx context.Context, seed events.Seed) error {
	id, head := im.header.ID, im.stored.Head
	same := im.stored.Complete() &&
		(im.stored.Seed.Next == seed.Next && im.stored.Seed.Chain == seed.Chain || head == events.Head{Next: seed.Next, Chain: seed.Chain})
	if same {
		return nil
	}
	upTo, err := firstDifference(id, stored(ctx, im.log, id, 0, min(head.Next, seed.Next)), im.again(ctx, 0))
	switch {
	case err != nil:
		return err
	case !im.stored.Complete():
		return differHeader(id, "it is a %s that was cut short and is to have %d events, the file has %d", im.stored.Seed.Kind, im.stored.Seed.Next, seed.Next)
	case upTo < seed.Next:
		return &DiffersError{Session: id, Seq: upTo, How: fmt.Sprintf("it ends at seq %d, where the file goes on to %d", upTo, seed.Next)}
	default:
		return nil
	}
}

// again reads the file's records from one on.
func (im *importing) again(_ context.Context, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		file, err := im.req.File.open(im.req.Limits)
		if err != nil {
			yield(events.Record{}, err)
			return
		}
		defer file.Close() // it was only read
		for r, err := range file.records() {
			if err == nil && r.Seq < from {
				continue
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
