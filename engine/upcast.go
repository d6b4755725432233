package engine

import (
	"context"
	"slices"

	"github.com/docket-engine/docket/events"
)

// cast writes the log as version 4. What needs no order, decoding and encoding,
// is done on all cores.
func (ex *exporting) cast(ctx context.Context) error {
	c := casting{written: events.ChainStart(), calls: map[string]events.Seq{}}
	end := ex.opened.Head.Next
	work := func(records []events.Record) []castRecord { return castAll(records, ex.opts.ForReference) }
	for batch, err := range inOrder(batches(stored(ctx, ex.log, ex.opened.Header.ID, 0, end)), work) {
		if err != nil {
			return err
		}
		for _, r := range batch {
			if r.err != nil {
				return ex.corrupt(r.record.Seq, r.record.Type(), r.err)
			}
			if err := ex.castRecord(&c, r); err != nil {
				return err
			}
		}
		last := batch[len(batch)-1].record
		ex.opts.Observer.tell(StageRead, int64(last.End()), int64(end))
	}
	return nil
}

func (ex *exporting) castRecord(c *casting, r castRecord) error {
	for i, e := range r.events {
		line, err := c.line(e, r.lines[i], ex.chain)
		if err != nil {
			return ex.corrupt(e.Seq, e.Type(), err)
		}
		if err := ex.line(line); err != nil {
			return err
		}
		c.written = c.written.Next(line)
	}
	ex.chain = ex.chain.Over(r.record)
	return nil
}

// castRecord is a stored record and the lines of format 4 that it is written
// as, one for each event.
type castRecord struct {
	record events.Record
	events []events.Envelope
	lines  [][]byte
	err    error
}

func castAll(records []events.Record, forReference bool) []castRecord {
	out := make([]castRecord, len(records))
	for i, r := range records {
		out[i] = castOne(r, forReference)
		if out[i].err != nil {
			return out[:i+1] // nothing behind it counts
		}
	}
	return out
}

func castOne(r events.Record, forReference bool) castRecord {
	out := castRecord{record: r}
	if out.events, out.err = r.Decode(); out.err != nil {
		return out
	}
	for i, e := range out.events {
		line, written := r.Line, e
		name, changed := r.Type(), r.Format != events.Format4
		if changed {
			written = upcast(written)
			name = e.Type()
		}
		if forReference && name.Ours() {
			written, out.err = forTheReference(written)
			changed = true
		}
		if changed && out.err == nil {
			line, out.err = encoded(written)
		}
		if out.err != nil {
			return out
		}
		out.events[i] = written
		out.lines = append(out.lines, line)
	}
	return out
}

// upcast gives an event of format 0, which was lifted when it was decoded, as
// version 4 has it. Stream chunks are of no type there, so they are marked as
// what a reader may pass over.
func upcast(e events.Envelope) events.Envelope {
	e.Format = events.Format4
	if e.Type() == events.TypeAssistantChunk {
		e.Ignorable = true
	}
	return e
}

func encoded(e events.Envelope) ([]byte, error) {
	r, err := events.NewRecord(e)
	return r.Line, err
}

// casting is what the lines of a cast depend on beside their own event.
type casting struct {
	written events.Chain          // of the lines that were written
	calls   map[string]events.Seq // of the open step
}

// line gives an event's line, encoded again where it needs what stands before
// it: version 4 wants a result to cite its call, and the chain of a fork's prefix
// is that of the prefix as it was written. stored is the chain of the stored
// lines before the event's record.
func (c *casting) line(e events.Envelope, line []byte, stored events.Chain) ([]byte, error) {
	switch ev := any(e.Event).(type) { // few events depend on others
	case events.StepStart:
		clear(c.calls)
	case events.ToolCall:
		c.calls[ev.CallID] = e.Seq
	case events.ToolResult:
		call, started := c.calls[ev.CallID()]
		_, _, replaces := e.Surface.Replace()
		if started && !replaces && !slices.Contains(e.Sources, call) {
			e.Sources = append(slices.Clone(e.Sources), call)
			return encoded(e)
		}
	case events.EndSeed:
		if ev.ParentChain == stored.String() && stored != c.written {
			ev.ParentChain = c.written.String()
			return reencoded(e, ev)
		}
	}
	return line, nil
}

// reencoded gives the line of an event whose data has changed.
func reencoded(e events.Envelope, ev events.Event) ([]byte, error) {
	changed, err := events.NewEnvelope(e.Seq, e.Time, ev)
	if err != nil {
		return nil, err
	}
	changed.Ignorable, changed.Surface, changed.Sources = e.Ignorable, e.Surface, e.Sources
	return encoded(changed)
}

// header4 is a header of format 0 as version 4 has it: isSeeded says whether an
// inherited part ends in the log.
func (ex *exporting) header4(ctx context.Context) (events.Header, error) {
	h := ex.opened.Header
	if h.Version == events.Format4 {
		return h, nil
	}
	seeded := false
	for r, err := range ahead(stored(ctx, ex.log, h.ID, 0, ex.opened.Head.Next)) {
		if err != nil {
			return events.Header{}, err
		}
		if r.Type() != events.TypeEndSeed {
			continue
		}
		decoded, err := r.Decode()
		if err != nil {
			return events.Header{}, ex.corrupt(r.Seq, r.Type(), err)
		}
		if end, ok := decoded[0].Event.(events.EndSeed); ok && end.Inherited {
			seeded = true
		}
	}
	h.IsSeeded = &seeded
	return events.NewHeader(h)
}
