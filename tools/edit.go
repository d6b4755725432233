package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func editTool() Tool {
	params := []param{
		{name: "path", typ: typeText, required: true, description: "The file. A relative path starts at the session's folder."},
		{name: "oldText", typ: typeText, required: true, description: "The text to be replaced, exactly as it is in the file, with its spaces and line ends."},
		{name: "newText", typ: typeText, required: true, description: "The text that takes its place. Empty deletes it."},
		{name: "replaceAll", typ: typeBool, description: "Replaces every place where the old text is. Default false: then there must be exactly one."},
	}
	return Tool{
		Name: "edit",
		Description: "Replaces a text in a text file by another one. The old text must be in the file exactly once, unless " +
			"replaceAll is true; give a few lines around it to make it so. The file changes as a whole or not at all, and " +
			"keeps its mode. Symbolic links and binary files are refused.",
		Parameters: schema(params...),
		Run: func(ctx context.Context, env Env, args jsontext.Value) Result {
			a, err := parse("edit", args, params)
			var path string
			if err == nil {
				path, err = env.place(a.texts["path"])
			}
			e := edit{old: []byte(a.texts["oldText"]), new: []byte(a.texts["newText"]), all: a.bools["replaceAll"]}
			switch {
			case err != nil:
			case len(e.old) == 0:
				err = errors.New("oldText is empty")
			case bytes.Equal(e.old, e.new):
				err = errors.New("newText is the same as oldText")
			}
			switch {
			case err != nil:
				return failure(CodeInvalidArguments, err.Error())
			case ctx.Err() != nil:
				return failure(CodeAborted, "cancelled before anything was written")
			}
			return editFile(path, e)
		},
	}
}

// edit is what becomes what.
type edit struct {
	old, new []byte
	all      bool
}

// apply edits a text. It is pure.
func (e edit) apply(path string, text []byte) (edited []byte, places int, failed Result) {
	places = bytes.Count(text, e.old)
	switch {
	case places == 0:
		return nil, 0, failure(CodeTextNotFound, "oldText is not in "+path)
	case places > 1 && !e.all:
		return nil, 0, failure(CodeTextNotUnique, fmt.Sprintf("oldText is in %s %d times: give more of the text around it, or set replaceAll", path, places))
	case len(text)+places*(len(e.new)-len(e.old)) > contentLimit:
		return nil, 0, failure(CodeTooLarge, fmt.Sprintf("%s would have more than %d bytes", path, contentLimit))
	}
	return bytes.ReplaceAll(text, e.old, e.new), places, Result{}
}

func editFile(path string, e edit) Result {
	found, err := os.Lstat(path)
	if err != nil {
		return systemFailure("look at the file", err)
	}
	if failed := regular(path, found); failed.IsError {
		return failed
	}
	text, failed := readWhole(path, found)
	if failed.IsError {
		return failed
	}
	edited, places, failed := e.apply(path, text)
	if failed.IsError {
		return failed
	}
	seen, err := replacement{path: path, content: edited, before: found}.do()
	if err != nil {
		return replaceFailure(path, err)
	}
	done := Result{Text: fmt.Sprintf("edited %s in %d places", path, places), Changed: known(seen)}
	if places == 1 {
		done.Text = "edited " + path + " in one place"
	}
	return done
}

// readWhole reads a text file that was found, if it is still that one.
func readWhole(path string, found os.FileInfo) ([]byte, Result) {
	file, failed := openRegular(path)
	if file == nil {
		return nil, failed
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil {
		return nil, systemFailure("open", err)
	}
	if !os.SameFile(found, opened) {
		return nil, replaceFailure(path, errMoved)
	}
	text, err := io.ReadAll(io.LimitReader(file, contentLimit+1))
	switch {
	case err != nil:
		return nil, systemFailure("read", err)
	case len(text) > contentLimit:
		return nil, failure(CodeTooLarge, fmt.Sprintf("%s has more than %d bytes", path, contentLimit))
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return nil, failure(CodeBinary, path+" is not a text file in UTF-8")
	}
	return text, Result{}
}
