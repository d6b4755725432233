package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/docket-engine/docket/events"
)

// chunkSize is how much of a file is read at once. Lines are slices of chunks,
// and a chunk is never written to again.
const chunkSize = 256 << 10

// lineReader cuts a text into lines.
type lineReader struct {
	r     io.Reader
	limit int    // of a line with its newline
	line  int    // how many were given
	rest  []byte // what is read already and was not given
	err   error  // what stands behind the rest; io.EOF at the end
}

func newLineReader(r io.Reader, limit int) *lineReader { return &lineReader{r: r, limit: limit} }

// lineBatch is some lines that follow each other.
type lineBatch struct {
	first int // the number of the first one
	lines [][]byte
}

// first gives the first line alone, and io.EOF if there is none.
func (l *lineReader) first() ([]byte, error) {
	for {
		if at := bytes.IndexByte(l.rest, '\n'); at >= 0 {
			line := l.rest[:at:at]
			l.rest, l.line = l.rest[at+1:], 1
			return line, nil
		}
		if errors.Is(l.err, io.EOF) && len(l.rest) > 0 {
			return l.take(len(l.rest)).lines[0], nil
		}
		if err := l.fill(); err != nil {
			return nil, err
		}
	}
}

// next gives the lines of the next chunk, and io.EOF behind the last one. What
// stands before an error is given first.
func (l *lineReader) next() (lineBatch, error) {
	for {
		whole := bytes.LastIndexByte(l.rest, '\n') + 1
		if whole == 0 && errors.Is(l.err, io.EOF) {
			whole = len(l.rest) // the last line has no newline
		}
		if whole > 0 {
			return l.take(whole), nil
		}
		if err := l.fill(); err != nil {
			return lineBatch{}, err
		}
	}
}

// take gives the lines in the first n bytes of the rest.
func (l *lineReader) take(n int) lineBatch {
	text := l.rest[:n:n]
	l.rest = l.rest[n:]
	b := lineBatch{first: l.line + 1, lines: make([][]byte, 0, n/256+1)}
	for len(text) > 0 {
		at := bytes.IndexByte(text, '\n')
		if at < 0 {
			at = len(text)
		}
		b.lines = append(b.lines, text[:at:at])
		text = text[min(at+1, len(text)):]
	}
	l.line += len(b.lines)
	return b
}

// fill reads another chunk behind the rest, which holds no whole line, or gives
// the error that stands there.
func (l *lineReader) fill() error {
	switch {
	case l.err != nil:
		return l.err
	case len(l.rest) >= l.limit:
		return tooLong(l.limit)
	}
	buf := make([]byte, max(chunkSize, 2*len(l.rest)))
	n := copy(buf, l.rest)
	for n < len(buf) && l.err == nil {
		var m int
		m, l.err = l.r.Read(buf[n:])
		n += m
	}
	if l.err != nil && !errors.Is(l.err, io.EOF) {
		l.err = fmt.Errorf("read: %w", l.err)
	}
	l.rest = buf[:n]
	return nil
}

func tooLong(limit int) error {
	return fmt.Errorf("the line and its newline are more than %d bytes: %w", limit, events.ErrTooLarge)
}

// checkLine refuses lines that no log has.
func checkLine(line []byte, limit int) error {
	switch {
	case len(line) >= limit: // with its newline
		return tooLong(limit)
	case bytes.HasSuffix(line, []byte{'\r'}):
		return errors.New("the line ends in a carriage return: the file was converted and is not what was stored")
	case len(bytes.TrimLeft(line, " \t\r")) == 0:
		return errors.New("the line is blank")
	default:
		return nil
	}
}

// batches yields the file's lines behind its header.
func (o *openFile) batches() iter.Seq2[lineBatch, error] {
	return func(yield func(lineBatch, error) bool) {
		for {
			b, err := o.lines.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(lineBatch{}, &ImportError{File: o.name, Line: o.lines.line + 1, Seq: -1, Err: err})
				return
			}
			if !yield(b, nil) {
				return
			}
		}
	}
}

// records yields the file's lines as records, which are not decoded.
func (o *openFile) records() iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for b, err := range o.batches() {
			if err != nil {
				yield(events.Record{}, err)
				return
			}
			for i, line := range b.lines {
				r, err := o.record(line)
				if err != nil {
					err = &ImportError{File: o.name, Line: b.first + i, Seq: -1, Err: err}
				}
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// record takes a line for what it says it is.
func (o *openFile) record(line []byte) (events.Record, error) {
	if err := checkLine(line, o.lines.limit); err != nil {
		return events.Record{}, err
	}
	return events.ParseRecord(o.header.Version, line)
}
