package tools

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// readLines is how many lines are read where the call does not say.
const readLines = 2000

func readTool() Tool {
	params := []param{
		{name: "path", typ: typeText, required: true, description: "The file. A relative path starts at the session's folder."},
		{name: "offset", typ: typeInteger, least: 1, most: 1 << 31, description: "The first line to read, from 1. Default 1."},
		{name: "limit", typ: typeInteger, least: 1, most: 100_000, description: fmt.Sprintf("How many lines to read at most. Default %d.", readLines)},
	}
	return Tool{
		Name: "read",
		Description: "Reads a text file (UTF-8) and gives its lines exactly as they are, without numbers. " +
			fmt.Sprintf("At most %d KiB are read; where lines are left, a last line in brackets says how to go on. ", textLimit>>10) +
			"Folders, devices and binary files are refused.",
		Parameters: schema(params...),
		Run: func(ctx context.Context, env Env, args jsontext.Value) Result {
			a, err := parse("read", args, params)
			var path string
			if err == nil {
				path, err = env.place(a.texts["path"])
			}
			if err != nil {
				return failure(CodeInvalidArguments, err.Error())
			}
			return readFile(ctx, path, a.integer("offset", 1), a.integer("limit", readLines))
		},
	}
}

func readFile(ctx context.Context, path string, offset, limit int64) Result {
	file, failed := openRegular(path)
	if file == nil {
		return failed
	}
	defer file.Close()
	p := passage{offset: offset, limit: limit}
	err := p.read(ctx, bufio.NewReaderSize(file, textLimit))
	switch {
	case ctx.Err() != nil:
		return failure(CodeAborted, "cancelled")
	case errors.Is(err, errBinary):
		return failure(CodeBinary, path+" is not a text file in UTF-8")
	case err != nil:
		return systemFailure("read", err)
	case len(p.text) == 0 && offset > 1:
		return failure(CodeInvalidArguments, fmt.Sprintf("offset is %d, which is after the last line of %s", offset, path))
	}
	return Result{Text: string(p.text) + p.note()}
}

// openRegular opens a file for reading. It follows links, and does not wait for
// the other end of a pipe.
func openRegular(path string) (*os.File, Result) {
	// To open a device may do something, so it is looked at before, and again after.
	switch found, err := os.Stat(path); {
	case err != nil:
		return nil, systemFailure("open", err)
	case !found.Mode().IsRegular():
		return nil, regular(path, found)
	}
	file, err := os.OpenFile(path, os.O_RDONLY|openNoWait, 0)
	if err != nil {
		return nil, systemFailure("open", err)
	}
	found, err := file.Stat()
	if err == nil && found.Mode().IsRegular() {
		return file, Result{}
	}
	_ = file.Close() // nothing was written
	if err != nil {
		return nil, systemFailure("open", err)
	}
	return nil, regular(path, found)
}

var errBinary = errors.New("not text")

// passage is a number of lines of a file.
type passage struct {
	offset, limit int64

	line  int64 // of what is read next, from 1
	text  []byte
	begun int  // where the last line begins in text
	more  bool // there are lines after what was taken
	cut   bool // the line is too long to be taken whole
}

// read takes the lines of the passage, piece by piece: a line may be longer than
// anything that is kept.
func (p *passage) read(ctx context.Context, from *bufio.Reader) error {
	for p.line = 1; !p.more && ctx.Err() == nil; {
		piece, err := from.ReadSlice('\n')
		if len(piece) > 0 {
			p.take(piece)
		}
		switch {
		case errors.Is(err, io.EOF):
			return p.check()
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
	return p.check()
}

func (p *passage) check() error {
	if !utf8.Valid(p.text) || bytes.IndexByte(p.text, 0) >= 0 {
		return errBinary
	}
	return nil
}

// take takes a line, or a piece of one, if it is of the passage.
func (p *passage) take(piece []byte) {
	ends := piece[len(piece)-1] == '\n'
	switch {
	case p.line >= p.offset+p.limit:
		p.more = true
		return
	case p.line < p.offset:
	case len(p.text)+len(piece) <= textLimit:
		p.text = append(p.text, piece...)
	case p.begun > 0: // lines are left whole where one fits at all
		p.text, p.more = p.text[:p.begun], true
		return
	default:
		p.text = append(p.text, piece[:textLimit-len(p.text)]...)
		for r, size := utf8.DecodeLastRune(p.text); r == utf8.RuneError && size == 1; r, size = utf8.DecodeLastRune(p.text) {
			p.text = p.text[:len(p.text)-1]
		}
		p.more, p.cut = true, true
		return
	}
	if ends {
		p.line++
		p.begun = len(p.text)
	}
}

// note says how to go on, where something is left.
func (p *passage) note() string {
	switch {
	case p.cut:
		return fmt.Sprintf("\n[the beginning of line %d, which is longer than %d bytes]", p.line, textLimit)
	case p.more && p.begun == len(p.text):
		return fmt.Sprintf("[lines %d to %d; go on with offset %d]", p.offset, p.line-1, p.line)
	}
	return ""
}
