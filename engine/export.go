package engine

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/docket-engine/docket/events"
)

// Compression is how a session file is packed.
type Compression string

// The ways to pack a session file.
const (
	Plain Compression = ""
	Gzip  Compression = "gzip"
	Zstd  Compression = "zstd"
)

// ExportOptions says what an exported file is to be. The zero value is the
// stored lines as they are.
type ExportOptions struct {
	// Format4 writes a log that has lines of format 0 as version 4.
	Format4 bool
	// ForReference is Format4, and writes what this project added so that the
	// reference can read it: log-only events are marked ignorable, agent messages
	// and review notices are user messages with their source kinds.
	ForReference bool
	Compression  Compression
	Observer     Observer
}

// Exported says what was written.
type Exported struct {
	Header events.Header // as it was written
	Events events.Seq
	// Upcast says that stored lines of format 0 were written as version 4: packed
	// rows as the single events that they stand for, stream chunks as ignorable
	// records.
	Upcast bool
}

// Export writes a session as a file: its header line and its lines, exactly as
// they are stored if all have the header's format. A log that goes on in format 4
// behind lines of format 0, as one does that was imported, or a fork of it, is
// written as version 4 as a whole. Every event keeps its seq, time, place and the
// members that only others know, and the file can be imported again; only the
// parentChain of a fork's session/end-seed is that of the written lines.
//
// A session that is not stored, is incomplete or corrupt is refused as [Load]
// refuses it, but what is exactly written is not decoded, and the end of a log may
// be found corrupt when most is written: then the file is to be thrown away.
func Export(ctx context.Context, log events.Log, id events.SessionID, w io.Writer, opts ExportOptions) (Exported, error) {
	done, err := export(ctx, log, id, w, opts)
	if err != nil {
		return Exported{}, fmt.Errorf("engine: export: %w", err)
	}
	return done, nil
}

func export(ctx context.Context, log events.Log, id events.SessionID, w io.Writer, opts ExportOptions) (Exported, error) {
	o, err := opened(ctx, log, id)
	if err != nil {
		return Exported{}, err
	}
	pack, err := packer(w, opts.Compression)
	if err != nil {
		return Exported{}, err
	}
	ex := exporting{log: log, opts: opts, opened: o, w: bufio.NewWriterSize(pack, 256<<10)}
	done, err := ex.run(ctx)
	if err == nil {
		err = ex.w.Flush()
	}
	return done, errors.Join(err, pack.Close())
}

// packer gives the writer that packs; closing it leaves w open.
func packer(w io.Writer, c Compression) (io.WriteCloser, error) {
	switch c {
	case Plain:
		return plain{w}, nil
	case Gzip:
		return gzip.NewWriter(w), nil
	case Zstd:
		return zstd.NewWriter(w)
	default:
		return nil, fmt.Errorf("compression is gzip, zstd or none, not %q", c)
	}
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// exporting is one run of an export.
type exporting struct {
	log    events.Log
	opts   ExportOptions
	opened events.Opened
	w      *bufio.Writer
	chain  events.Chain // of the stored lines that were read
}

func (ex *exporting) run(ctx context.Context) (Exported, error) {
	upcast, err := ex.upcast(ctx)
	if err != nil {
		return Exported{}, err
	}
	header := ex.opened.Header
	if upcast {
		if header, err = ex.header4(ctx); err != nil {
			return Exported{}, err
		}
	}
	if err := ex.line(header.Line); err != nil {
		return Exported{}, err
	}
	ex.chain = events.ChainStart()
	if upcast || ex.opts.ForReference {
		err = ex.cast(ctx)
	} else {
		err = ex.copy(ctx)
	}
	if err == nil && ex.chain != ex.opened.Head.Chain {
		err = ex.corrupt(max(ex.opened.Head.Next-1, 0), "", errors.New("the events up to here are not those of the log's head: the chain differs"))
	}
	return Exported{Header: header, Events: ex.opened.Head.Next, Upcast: upcast}, err
}

// upcast reports whether lines of format 0 are to be written as version 4. A
// log's formats never go back, so its first and its last record show them all.
func (ex *exporting) upcast(ctx context.Context) (bool, error) {
	head := ex.opened.Head.Next
	switch {
	case ex.opened.Header.Version == events.Format0 && (ex.opts.Format4 || ex.opts.ForReference):
		return true, nil
	case head == 0:
		return false, nil
	case ex.opened.Header.Version == events.Format0:
		last, err := ex.format(ctx, head-1)
		return last != events.Format0, err
	default:
		first, err := ex.format(ctx, 0)
		return first == events.Format0, err
	}
}

// format is that of the record with the event at seq.
func (ex *exporting) format(ctx context.Context, seq events.Seq) (events.Format, error) {
	for r, err := range stored(ctx, ex.log, ex.opened.Header.ID, seq, seq+1) {
		return r.Format, err
	}
	return 0, nil
}

// copy writes the lines as they are stored.
func (ex *exporting) copy(ctx context.Context) error {
	end, version := ex.opened.Head.Next, ex.opened.Header.Version
	for r, err := range ahead(stored(ctx, ex.log, ex.opened.Header.ID, 0, end)) {
		if err != nil {
			return err
		}
		if r.Format != version {
			return ex.corrupt(r.Seq, r.Type(), fmt.Errorf("a record of format %d stands between those of format %d", r.Format, version))
		}
		if err := ex.line(r.Line); err != nil {
			return err
		}
		ex.chain = ex.chain.Over(r)
		if r.End()%1024 == 0 || r.End() == end {
			ex.opts.Observer.tell(StageRead, int64(r.End()), int64(end))
		}
	}
	return nil
}

func (ex *exporting) line(line []byte) error {
	if _, err := ex.w.Write(line); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if err := ex.w.WriteByte('\n'); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

func (ex *exporting) corrupt(seq events.Seq, t events.Type, err error) error {
	return &events.CorruptError{Session: ex.opened.Header.ID, Seq: seq, Type: t, Err: err}
}
