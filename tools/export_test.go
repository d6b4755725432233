package tools

import (
	"context"
	"os"

	"github.com/go-json-experiment/json/jsontext"
)

// RunOther runs a program by a command that is not ours: what a process may do that
// does not keep to the protocol.
func RunOther(ctx context.Context, command []string, caller Caller, l Limits) Result {
	return runProgram(ctx, command, programRun{caller, l.orDefault(), "return 1"})
}

// Replace puts content in the place of what was found at a path, nil for nothing.
func Replace(path string, content []byte, found os.FileInfo) Result {
	if _, err := (replacement{path: path, content: content, before: found}).do(); err != nil {
		return replaceFailure(path, err)
	}
	return Result{}
}

// CheckArguments are the checks that a tool's arguments go through.
func CheckArguments(args jsontext.Value) error {
	_, err := parse("tool", args, []param{
		{name: "text", typ: typeText, required: true},
		{name: "number", typ: typeInteger, least: 1, most: 10},
		{name: "flag", typ: typeBool},
	})
	return err
}

// Cut writes pieces to what keeps the beginning and the end of an output.
func Cut(limit int, pieces ...[]byte) string {
	m := &middleless{limit: limit}
	for _, piece := range pieces {
		_, _ = m.Write(piece)
	}
	return m.String()
}

// Bounded cuts a text that is whole already.
func Bounded(text string, limit int) string { return bounded(text, limit) }
