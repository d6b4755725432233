package eventstest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
)

// RunOperations does the same random operations to a log and to a [Memory], and
// fails where the two differ: creations, appends at the right place and at wrong
// ones, repeats, reads from any seq, openings, lists, over several sessions. The
// sessions have names of their own, so that runs may share a log. It may not run
// in a synctest bubble, where rapid cannot.
func RunOperations(rt *rapid.T, ctx context.Context, sut events.Log) {
	o := &operations{ctx: ctx, sut: sut, model: &Memory{}, prefix: string(newID())}
	rt.Repeat(map[string]func(*rapid.T){
		"create":        o.create,
		"create again":  o.createAgain,
		"append":        o.append,
		"append behind": o.appendElsewhere,
		"append seed":   o.appendSeed,
		"repeat":        o.repeat,
		"forge":         o.forge,
		"rename":        o.rename,
		"read":          o.read,
		"open":          o.open,
		"list":          o.list,
	})
}

// operations is one run over both logs.
type operations struct {
	ctx    context.Context // of the one property that this lives for
	sut    events.Log
	model  *Memory
	prefix string

	created []events.Creation
	done    []doneAppend
	count   int // of append ids
}

type doneAppend struct {
	session events.SessionID
	append  events.Append
}

func (o *operations) create(rt *rapid.T) {
	if len(o.created) == 5 {
		rt.Skip("enough sessions")
	}
	id := events.SessionID(fmt.Sprintf("%s-%d", o.prefix, len(o.created)))
	seed := events.Seed{}
	if rapid.Bool().Draw(rt, "seeded") {
		seed = events.Seed{Kind: events.SeedImport, Next: events.Seq(rapid.IntRange(1, 6).Draw(rt, "seed"))}
		if rapid.Bool().Draw(rt, "of another log") {
			seed.Chain = events.ChainStart().Next([]byte(id))
		}
	}
	c := events.Creation{ID: o.nextID(), Actor: actor, Header: Header(rt, id, nil), Seed: seed}
	o.created = append(o.created, c)
	o.createBoth(rt, c)
}

// createAgain repeats a creation, or says something else of that name.
func (o *operations) createAgain(rt *rapid.T) {
	c := o.drawCreation(rt)
	switch rapid.SampledFrom([]string{"same", "id", "header", "seed"}).Draw(rt, "what differs") {
	case "id":
		c.ID = o.nextID()
	case "header":
		c.Header = Header(rt, c.Header.ID, func(h *events.Header) { h.CreatedAt++ })
	case "seed":
		c.Seed.Next++
	}
	o.createBoth(rt, c)
}

func (o *operations) createBoth(rt *rapid.T, c events.Creation) {
	want := said(o.model.Create(o.ctx, c))
	if got := said(o.sut.Create(o.ctx, c)); got != want {
		rt.Fatalf("create %s: got %s, want %s", c.Header.ID, got, want)
	}
}

// append goes to the place where the log is.
func (o *operations) append(rt *rapid.T) {
	id := o.drawSession(rt)
	o.appendBoth(rt, id, o.drawAppend(rt, o.next(id)))
}

// appendElsewhere goes to some other place.
func (o *operations) appendElsewhere(rt *rapid.T) {
	id := o.drawSession(rt)
	at := events.Seq(rapid.IntRange(0, int(o.next(id))+3).Draw(rt, "next"))
	o.appendBoth(rt, id, o.drawAppend(rt, at))
}

// appendSeed fills a seed, up to its end and beyond.
func (o *operations) appendSeed(rt *rapid.T) {
	id := o.drawSession(rt)
	opened, err := o.model.Open(o.ctx, id)
	if err != nil || opened.Complete() {
		rt.Skip("no seed to fill")
	}
	o.appendBoth(rt, id, seeding(o.drawAppend(rt, opened.Head.Next)))
}

// repeat does again what succeeded before.
func (o *operations) repeat(rt *rapid.T) {
	d := o.drawDone(rt)
	o.appendBoth(rt, d.session, d.append)
}

// forge takes the id and the place of what succeeded before, with other records.
func (o *operations) forge(rt *rapid.T) {
	d := o.drawDone(rt)
	forged := o.drawAppend(rt, d.append.Next)
	forged.ID, forged.Seeding = d.append.ID, d.append.Seeding
	o.appendBoth(rt, d.session, forged)
}

// rename appends what is stored there already, under another id.
func (o *operations) rename(rt *rapid.T) {
	d := o.drawDone(rt)
	d.append.ID = o.nextID()
	o.appendBoth(rt, d.session, d.append)
}

func (o *operations) appendBoth(rt *rapid.T, id events.SessionID, a events.Append) {
	wantNext, wantErr := o.model.Append(o.ctx, id, a)
	gotNext, gotErr := o.sut.Append(o.ctx, id, a)
	want, got := said(wantErr), said(gotErr)
	if got != want || gotNext != wantNext {
		rt.Fatalf("append %s to %s at %d: got %d, %s, want %d, %s", a.ID, id, a.Next, gotNext, got, wantNext, want)
	}
	if wantErr == nil {
		o.done = append(o.done, doneAppend{id, a})
	}
}

func (o *operations) read(rt *rapid.T) {
	id := o.drawSession(rt)
	from := events.Seq(rapid.IntRange(0, int(o.next(id))+2).Draw(rt, "from"))
	want, wantErr := read(o.ctx, o.model, id, from)
	got, gotErr := read(o.ctx, o.sut, id, from)
	if said(gotErr) != said(wantErr) {
		rt.Fatalf("read %s from %d: got %s, want %s", id, from, said(gotErr), said(wantErr))
	}
	wantRecords(rt, got, want)
}

func (o *operations) open(rt *rapid.T) {
	id := o.drawSession(rt)
	want, wantErr := o.model.Open(o.ctx, id)
	got, gotErr := o.sut.Open(o.ctx, id)
	if said(gotErr) != said(wantErr) {
		rt.Fatalf("open %s: got %s, want %s", id, said(gotErr), said(wantErr))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		rt.Fatalf("open %s: got another session than want (-want +got):\n%s", id, diff)
	}
}

func (o *operations) list(rt *rapid.T) {
	var got []events.SessionID
	for id, err := range o.sut.Sessions(o.ctx) {
		if err != nil {
			rt.Fatalf("list: %v", err)
		}
		if slices.ContainsFunc(o.created, func(c events.Creation) bool { return c.Header.ID == id }) {
			got = append(got, id)
		}
	}
	slices.Sort(got)
	want := make([]events.SessionID, 0, len(o.created))
	for _, c := range o.created {
		want = append(want, c.Header.ID)
	}
	if !slices.Equal(got, want) {
		rt.Fatalf("list: got %v, want %v", got, want)
	}
}

func (o *operations) nextID() events.AppendID {
	o.count++
	return events.AppendID(fmt.Sprintf("a%d", o.count))
}

func (o *operations) next(id events.SessionID) events.Seq {
	opened, err := o.model.Open(o.ctx, id)
	if err != nil {
		return 0
	}
	return opened.Head.Next
}

func (o *operations) drawCreation(rt *rapid.T) events.Creation {
	if len(o.created) == 0 {
		rt.Skip("no session yet")
	}
	return rapid.SampledFrom(o.created).Draw(rt, "session")
}

func (o *operations) drawDone(rt *rapid.T) doneAppend {
	if len(o.done) == 0 {
		rt.Skip("nothing is stored yet")
	}
	return rapid.SampledFrom(o.done).Draw(rt, "append")
}

// drawSession is one that is there, or now and then one that is not.
func (o *operations) drawSession(rt *rapid.T) events.SessionID {
	n := rapid.IntRange(0, len(o.created)).Draw(rt, "session")
	return events.SessionID(fmt.Sprintf("%s-%d", o.prefix, n))
}

// drawAppend is a unit of records that follow one another, packed rows among
// those of format 0.
func (o *operations) drawAppend(rt *rapid.T, next events.Seq) events.Append {
	a := events.Append{ID: o.nextID(), Next: next, Actor: actor}
	packed := rapid.Bool().Draw(rt, "packed")
	for range rapid.IntRange(1, 4).Draw(rt, "records") {
		text := rapid.StringN(1, 12, -1).Draw(rt, "text")
		var r events.Record
		if packed {
			r = Packed(rt, next, slices.Repeat([]string{text}, rapid.IntRange(1, 4).Draw(rt, "pieces"))...)
		} else {
			r = Record(rt, next, events.PermissionPreset{Preset: text})
		}
		a.Records = append(a.Records, r)
		next = r.End()
	}
	return a
}

// said is what callers can tell from an error.
func said(err error) string {
	if err == nil {
		return "success"
	}
	if c, ok := errors.AsType[*events.ConflictError](err); ok {
		return fmt.Sprintf("a conflict of %d with %d", c.Expected, c.Actual)
	}
	if _, ok := errors.AsType[*events.FieldError](err); ok {
		return "a field error"
	}
	for _, known := range []error{events.ErrNotFound, events.ErrExists, events.ErrSeedIncomplete, events.ErrTooLarge, events.ErrCorrupt, events.ErrOutcomeUnknown} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "another error: " + err.Error()
}
