package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"github.com/docket-engine/docket/engine"
)

// salvaged is what was left out of a torn file.
type salvaged struct {
	// Line is the first line that is left out; 0 where none is.
	Line int `json:"line,omitempty"`
	// LeftOut is how many bytes of the text stand from there on.
	LeftOut int64  `json:"leftOut"`
	Problem string `json:"problem,omitempty"`
	// Mended says what was taken away so that the lines are what was written.
	Mended []string `json:"mended,omitempty"`
}

const (
	salvageMost  = 4 << 30 // bytes of text, as of an import
	salvageLine  = 2 << 20 // bytes, more than an import takes
	salvageTries = 16
	bom          = "\xef\xbb\xbf"
)

// salvage imports a torn file up to its last good line. Its text goes into a file of
// its own, without what editors and disks add.
func (a *app) salvage(ctx context.Context, s *store, name string, observer engine.Observer) (done engine.Imported, left salvaged, err error) {
	text, err := os.CreateTemp(s.dir, "salvage.*")
	if err != nil {
		return done, left, fmt.Errorf("import: %w", err)
	}
	defer func() { err = errors.Join(err, text.Close(), os.Remove(text.Name())) }()
	if left, err = plainText(name, text); err != nil {
		return done, left, fmt.Errorf("import: %s: %w", plain(name, 200), err)
	}
	for range salvageTries {
		done, err = engine.Import(ctx, s.log, engine.ImportRequest{
			File:  engine.File{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(text.Name()) }},
			Actor: actor(), Observer: observer,
		})
		bad, is := errors.AsType[*engine.ImportError](err)
		if !is || bad.Line <= 1 {
			return done, left, err
		}
		cut, cutErr := cutAt(text, bad.Line)
		if cutErr != nil || cut == 0 {
			return done, left, errors.Join(err, cutErr)
		}
		left.Line, left.Problem, left.LeftOut = bad.Line, bad.Err.Error(), left.LeftOut+cut
	}
	return done, left, err
}

// plainText writes a file's text as far as it can be read.
func plainText(name string, to io.Writer) (left salvaged, err error) {
	file, err := os.Open(name)
	if err != nil {
		return left, err
	}
	defer file.Close()
	in := bufio.NewReader(io.LimitReader(unpacked(file, &left), salvageMost))
	if head, _ := in.Peek(len(bom)); string(head) == bom {
		left.Mended = append(left.Mended, "a byte order mark at its beginning")
		_, _ = in.Discard(len(bom))
	}
	head, _ := in.Peek(1 << 16) // an error shows when it is read
	first, _, _ := bytes.Cut(head, []byte("\n"))
	returns := bytes.HasSuffix(first, []byte("\r"))
	if returns {
		left.Mended = append(left.Mended, "a carriage return at the end of each line")
	}
	err = goodLines(in, to, returns, &left)
	return left, err
}

// goodLines copies lines up to the first that is no JSON value, as the last of a file
// that was cut is not.
func goodLines(in *bufio.Reader, to io.Writer, returns bool, left *salvaged) error {
	out := bufio.NewWriter(to)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if returns {
			line = bytes.Replace(line, []byte("\r\n"), []byte("\n"), 1)
		}
		if text := bytes.TrimSuffix(line, []byte("\n")); n > 1 && len(line) > 0 && !gjson.ValidBytes(text) {
			left.Line, left.LeftOut, left.Problem = n, int64(len(line)), "it is no whole JSON value"
			if bytes.IndexByte(text, 0) >= 0 {
				left.Problem = "it holds zeros"
			}
			behind, _ := io.Copy(io.Discard, in) // as far as it can be read
			left.LeftOut += behind
			return out.Flush()
		}
		_, _ = out.Write(line) // an error stays until Flush
		if err != nil {
			if !errors.Is(err, io.EOF) {
				left.Problem = err.Error() // a packed file that was cut: what came before counts
			}
			return out.Flush()
		}
	}
}

// readLine reads a line with its end; one that is longer than any that is imported only
// so far that it is refused.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for len(line) < salvageLine {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
	return line, nil
}

// unpacked reads what a file holds, packed or not.
func unpacked(file io.Reader, left *salvaged) io.Reader {
	in := bufio.NewReader(file)
	head, _ := in.Peek(4)
	var out io.Reader = in
	var err error
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		out, err = gzip.NewReader(in)
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		out, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	}
	if err != nil {
		left.Problem = err.Error()
		return bytes.NewReader(nil)
	}
	return out
}

// cutAt takes a line and all behind it from a file, and gives how many bytes that were.
func cutAt(file *os.File, line int) (int64, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	in, at := bufio.NewReader(file), int64(0)
	for n := 1; n < line; {
		part, err := in.ReadSlice('\n')
		at += int64(len(part))
		switch {
		case err == nil:
			n++
		case !errors.Is(err, bufio.ErrBufferFull):
			return 0, nil // it has no such line: the error is of another kind
		}
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size() - at, file.Truncate(at)
}

// foreign names the format of a file that is none of ours, "" where it is not known.
func foreign(name string) string {
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(file, head)
	return foreignText(head[:n])
}

func foreignText(head []byte) string {
	for _, magic := range []struct{ begins, is string }{
		{"SQLite format 3\x00", "an SQLite database"},
		{"PK\x03\x04", "a zip archive"},
		{"%PDF-", "a PDF document"},
		{"\xff\xfe", "text in UTF-16"},
		{"\xfe\xff", "text in UTF-16"},
		{"\x1f\x8b", ""},
		{"\x28\xb5\x2f\xfd", ""},
		{"\x7fELF", "a program"},
		{"{\\rtf", "a rich text document"},
	} {
		if bytes.HasPrefix(head, []byte(magic.begins)) {
			return magic.is
		}
	}
	head = bytes.TrimPrefix(head, []byte(bom))
	if text := bytes.TrimLeft(head, " \t\r\n"); len(text) > 0 && text[0] == '<' {
		return "a page or document of markup"
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return foreignLine(line, head)
}

// foreignLine tells by what the first line, or the file as one value, has.
func foreignLine(line, all []byte) string {
	has := func(text []byte, members ...string) bool {
		for _, m := range members {
			if !gjson.GetBytes(text, m).Exists() {
				return false
			}
		}
		return true
	}
	switch {
	case has(line, "sessionId", "parentUuid"), has(line, "type", "leafUuid"), has(line, "sessionId", "type", "uuid"):
		return "a Claude Code transcript"
	case gjson.GetBytes(line, "type").Str == "session_meta", has(line, "payload.originator"):
		return "a Codex rollout"
	case has(all, "mapping", "current_node"), has(all, "0.mapping"):
		return "a ChatGPT export"
	case has(line, "messages"), has(all, "messages"), has(all, "0.role", "0.content"):
		return "a list of chat messages"
	case has(line, "role", "content"):
		return "chat messages, one a line"
	case has(all, "log.entries"):
		return "an HTTP archive"
	default:
		return ""
	}
}

// namedForeign says of a file that is refused at its first line what it seems to be.
func namedForeign(name string, err error) error {
	bad, is := errors.AsType[*engine.ImportError](err)
	if !is || bad.Line > 1 {
		return err
	}
	if what := foreign(name); what != "" {
		return fmt.Errorf("%w; it seems to be %s, which is no session file", err, what)
	}
	return err
}
