package model

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// event is one event of a stream: its name, where it has one, and its data.
type event struct {
	name string
	data []byte
}

// eventReader reads an event stream as the HTML standard defines it, with less
// patience: lines that are no field, and an event that is not complete, are failures
// where the standard passes over them.
type eventReader struct {
	in      *bufio.Reader
	limit   int64 // of one line, and of one event's data
	begun   bool  // the first line was read
	afterCR bool  // a line end of two characters may be half read
}

func newEventReader(in io.Reader, limit int64) *eventReader {
	return &eventReader{in: bufio.NewReader(in), limit: limit}
}

// next is the next event that has data. The error is io.EOF at the end of a stream
// that ends between events.
func (r *eventReader) next() (event, error) {
	var e event
	fields := false
	for {
		line, err := r.line()
		if errors.Is(err, io.EOF) {
			return r.last(e, line, fields)
		}
		if err != nil {
			return event{}, err
		}
		if len(line) > 0 {
			isField, err := e.field(line)
			if err != nil {
				return event{}, r.instead(line, err)
			}
			fields = fields || isField
			if int64(len(e.data)) > r.limit {
				return event{}, ErrStreamTooLarge.With("an event is larger than %d bytes", r.limit)
			}
			continue
		}
		if len(e.data) > 0 || e.name == "error" {
			return e, nil
		}
		e, fields = event{}, false
	}
}

// last judges what stands before the end of the stream. Only [DONE] may lack the
// empty line behind it: some servers leave it out, and nothing can be missing there.
func (r *eventReader) last(e event, line []byte, fields bool) (event, error) {
	if len(line) > 0 {
		isField, err := e.field(line)
		if err != nil {
			return event{}, r.instead(line, ErrStreamCut.With("the stream ended inside a line"))
		}
		fields = fields || isField
	}
	switch {
	case string(e.data) == "[DONE]":
		return e, nil
	case fields:
		return event{}, ErrStreamCut.With("the stream ended inside an event")
	}
	return event{}, io.EOF
}

// instead is the error of a line that is no field, or what the provider says by it: some
// send an error as a document of JSON where events should be.
func (r *eventReader) instead(line []byte, err error) error {
	if line[0] != '{' && line[0] != '[' {
		return err
	}
	rest, _ := io.ReadAll(io.LimitReader(r.in, maxErrorBody)) // what cannot be read is missing from the error
	if failed := reported(slices.Concat(line, []byte{'\n'}, rest)); failed.said() {
		return failed
	}
	return err
}

// field adds a line to the event, and reports whether it is a field and no comment.
func (e *event) field(line []byte) (bool, error) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "": // a comment, which keeps the connection alive
		return false, nil
	case "event":
		e.name = string(value)
	case "data":
		if len(e.data) > 0 {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, value...)
	case "error": // a field of llama.cpp's, where others have an event of that name
		e.name, e.data = "error", append(e.data, value...)
	case "id", "retry":
	default:
		return false, ErrStreamBroken.With("the stream has a line that is no field of an event")
	}
	return true, nil
}

// line is the next line without its end, which is LF, CR or both. With io.EOF comes
// what has no line end.
func (r *eventReader) line() ([]byte, error) {
	var line []byte
	for {
		c, err := r.in.ReadByte()
		if err != nil {
			return r.trim(line), err
		}
		half := r.afterCR
		r.afterCR = c == '\r'
		switch {
		case c == '\n' && half:
		case c == '\n', c == '\r':
			return r.trim(line), nil
		case int64(len(line)) > r.limit:
			return nil, ErrStreamTooLarge.With("a line of the stream is larger than %d bytes", r.limit)
		default:
			line = append(line, c)
		}
	}
}

// trim takes the byte order mark from the first line.
func (r *eventReader) trim(line []byte) []byte {
	if !r.begun {
		r.begun = true
		return bytes.TrimPrefix(line, []byte("\uFEFF"))
	}
	return line
}

// rest reads what stands behind the last event, which must be nothing but line ends, and
// [DONE] again: a server and the proxy in front of it may each add one.
func (r *eventReader) rest() error {
	for {
		line, err := r.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if text := string(line); text != "" && text != "data: [DONE]" && text != "data:[DONE]" {
			return ErrChunkAfterFinish.With("the stream goes on behind [DONE]")
		}
		if err != nil {
			return nil
		}
	}
}

// boundedBody is a response's body that fails when it is longer than it may be,
// whatever it holds.
type boundedBody struct {
	io.ReadCloser
	left  int64
	limit int64
}

// Read fails at the first byte beyond the limit.
func (b *boundedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, ErrStreamTooLarge.With("the response is larger than %d bytes", b.limit)
	}
	return n, err
}
