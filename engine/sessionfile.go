package engine

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"github.com/docket-engine/docket/events"
)

// File is a session file: a header line, then the stored lines of a log, as plain
// text, gzip or zstd (of one frame or many), told by its first bytes. Lines end
// with a newline alone, which may be missing behind the last one. A line that ends
// in a carriage return is refused: it was converted, so that it is not the line
// that was stored any more, and neither its hash nor an export would be that of
// the original. An empty line is refused, too.
type File struct {
	// Name is for messages.
	Name string
	// Size is in bytes as the file lies there, 0 if it is not known; for progress.
	Size int64
	// Open gives the file from its beginning. It is called a second time where a
	// file is larger than what is kept in memory, or where the session exists.
	Open func() (io.ReadCloser, error)
}

// Limits bounds what a session file may hold. Zero values stand for the
// defaults.
type Limits struct {
	// Line is the longest line in bytes, with its newline; 960 KiB, which is what a
	// frame holds.
	Line int
	// Text is how many bytes a compressed file may unpack to; 4 GiB.
	Text int64
	// Kept is how many bytes stay in memory between the check and the appends; what
	// is beyond is read again. 64 MiB.
	Kept int
}

const (
	defaultLine = 960 << 10
	defaultText = 4 << 30
	// zstdWindow is the largest window that the zstd command unpacks unasked.
	zstdWindow = 128 << 20
)

func (l Limits) withDefaults() Limits {
	if l.Line == 0 {
		l.Line = defaultLine
	}
	if l.Text == 0 {
		l.Text = defaultText
	}
	if l.Kept == 0 {
		l.Kept = keptSize
	}
	return l
}

// ImportError says where a session file cannot be imported, and why. Nothing was
// stored.
type ImportError struct {
	File string
	Line int // 1 is the header's; 0 if the file as a whole cannot be read
	// Seq and Type are the event's where they are known: Seq is -1 else.
	Seq  events.Seq
	Type events.Type
	Err  error
}

// Error names file, line, seq and type, as far as they are known, and the reason.
func (e *ImportError) Error() string {
	where := e.File
	if e.Line > 0 {
		where += fmt.Sprintf(" line %d", e.Line)
	}
	switch {
	case e.Type != "" && e.Seq >= 0:
		where += fmt.Sprintf(" (%s, seq %d)", e.Type, e.Seq)
	case e.Seq >= 0:
		where += fmt.Sprintf(" (seq %d)", e.Seq)
	}
	return where + ": " + e.Err.Error()
}

// Unwrap gives the reason.
func (e *ImportError) Unwrap() error { return e.Err }

// openFile is a session file that is being read.
type openFile struct {
	name   string
	header events.Header
	lines  *lineReader
	read   *counter // bytes as the file lies there
	close  []func() error
}

// open begins to read the file: its header is parsed, its lines are still to be
// read.
func (f File) open(limits Limits) (*openFile, error) {
	limits = limits.withDefaults()
	raw, err := f.Open()
	if err != nil {
		return nil, &ImportError{File: f.Name, Seq: -1, Err: err}
	}
	o := &openFile{name: f.Name, read: &counter{r: raw}, close: []func() error{raw.Close}}
	text, err := o.unpack(limits.Text)
	if err == nil {
		o.lines = newLineReader(text, limits.Line)
		o.header, err = o.readHeader()
	}
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// Close ends the reading.
func (o *openFile) Close() error {
	var errs []error
	for i := len(o.close) - 1; i >= 0; i-- {
		errs = append(errs, o.close[i]())
	}
	return errors.Join(errs...)
}

func (o *openFile) readHeader() (events.Header, error) {
	line, err := o.lines.first()
	if err == nil {
		err = checkLine(line, o.lines.limit)
	}
	var h events.Header
	if err == nil {
		h, err = events.ParseHeader(line)
	}
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is empty, it has no header line")
		}
		return events.Header{}, &ImportError{File: o.name, Line: 1, Seq: -1, Err: err}
	}
	return h, nil
}

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// unpack gives the file's text, by its first bytes.
func (o *openFile) unpack(limit int64) (io.Reader, error) {
	raw := bufio.NewReaderSize(o.read, 64<<10)
	magic, err := raw.Peek(len(zstdMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, &ImportError{File: o.name, Seq: -1, Err: err}
	}
	switch {
	case bytes.HasPrefix(magic, gzipMagic):
		r, err := gzip.NewReader(raw)
		if err != nil {
			return nil, &ImportError{File: o.name, Seq: -1, Err: fmt.Errorf("gzip: %w", err)}
		}
		o.close = append(o.close, r.Close)
		return &bounded{r: r, left: limit, limit: limit}, nil
	case bytes.HasPrefix(magic, zstdMagic):
		r, err := zstd.NewReader(raw, zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, &ImportError{File: o.name, Seq: -1, Err: fmt.Errorf("zstd: %w", err)}
		}
		o.close = append(o.close, func() error { r.Close(); return nil })
		return &bounded{r: r, left: limit, limit: limit}, nil
	default:
		return raw, nil
	}
}

// bounded ends in an error where a file unpacks to more than it may.
type bounded struct {
	r           io.Reader
	left, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, fmt.Errorf("the file unpacks to more than %d bytes", b.limit)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return n - 1, fmt.Errorf("the file unpacks to more than %d bytes", b.limit)
	}
	return n, err
}

// counter counts the bytes that were read; another goroutine asks how many.
type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}
