package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/docket-engine/docket/events"
)

// check plans the seed of a file that is new: its lines are decoded on all cores
// and handed to the Validator in order.
func (im *importing) check(ctx context.Context, file *openFile) (events.Seed, error) {
	c := checking{file: file, validator: events.NewValidator(file.header), seed: im.seed, head: events.Head{Chain: events.ChainStart()}}
	total := im.req.File.Size
	for batch, err := range inOrder(file.batches(), file.decode) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return events.Seed{}, err
		}
		for i, d := range batch.lines {
			if err := c.line(d); err != nil {
				return events.Seed{}, c.refuse(batch.first+i, d, err)
			}
		}
		im.req.Observer.tell(StageCheck, file.read.n.Load(), total)
	}
	if err := c.validator.Finish(); err != nil {
		return events.Seed{}, &ImportError{
			File: file.name, Seq: c.head.Next,
			Err: errors.New("the header says that the log is seeded, but no session/end-seed with inherited ends the inherited events"),
		}
	}
	return im.seed.plan(), nil
}

// decodedBatch is a batch of lines as records with their events.
type decodedBatch struct {
	first int
	lines []decoded
}

// decode does what needs no order.
func (o *openFile) decode(b lineBatch) decodedBatch {
	out := decodedBatch{first: b.first, lines: make([]decoded, len(b.lines))}
	for i, line := range b.lines {
		d := &out.lines[i]
		if d.record, d.err = o.record(line); d.err == nil {
			d.events, d.err = d.record.Decode()
		}
		if d.err != nil {
			out.lines = out.lines[:i+1] // nothing behind it counts
			break
		}
	}
	return out
}

// checking holds a file's records against the rules, in order.
type checking struct {
	file      *openFile
	validator *events.Validator
	seed      *seeding
	head      events.Head
}

func (c *checking) line(d decoded) error {
	if d.err != nil {
		return d.err
	}
	for _, e := range d.events {
		if err := c.validator.Apply(e); err != nil {
			return err
		}
	}
	if c.validator.Next() != d.record.End() {
		return fmt.Errorf("the line does not stand for the %d events from seq %d that it says", d.record.Count, d.record.Seq)
	}
	c.head = events.Head{Next: d.record.End(), Chain: c.head.Chain.Over(d.record)}
	c.seed.add(d.record, c.head)
	return nil
}

// refuse names the line, and the event as far as it can be told.
func (c *checking) refuse(line int, d decoded, err error) error {
	e := &ImportError{File: c.file.name, Line: line, Seq: -1, Err: err}
	if d.record.Line != nil {
		e.Seq, e.Type = d.record.Seq, d.record.Type()
	}
	if unknown, ok := errors.AsType[*events.UnknownTypeError](err); ok {
		e.Seq, e.Type = unknown.Seq, unknown.Type
	}
	return e
}
