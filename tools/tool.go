package tools

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Tool is one shipped tool. It is safe for concurrent use.
type Tool struct {
	Name        string
	Description string
	// Parameters is the JSON Schema of the arguments, an object that allows no
	// others.
	Parameters jsontext.Value
	// Run is the body. It always returns a result: what goes wrong is in it.
	Run func(ctx context.Context, env Env, args jsontext.Value) Result
}

// Schema is the tool as a model is shown it.
func (t Tool) Schema() Schema {
	return Schema{Name: t.Name, Description: t.Description, Parameters: slices.Clone(t.Parameters)}
}

// Env is what a body runs in.
type Env struct {
	// CWD is the session's folder, absolute: relative paths start here.
	CWD string
	// Variables are the environment of the processes that a tool starts, as in
	// os.Environ. Nil is a short list of harmless ones of this process, so that no
	// key of the engine gets into a command by accident.
	Variables []string
	// Caller takes a program's inner calls. Only run_code needs it.
	Caller Caller
}

// Result is what a body came to.
type Result struct {
	Text    string // bounded, valid UTF-8
	IsError bool
	// Code and Name are the structured error, empty unless IsError.
	Code Code
	Name string
	// Created are the files that did not exist before and were made by this call, Changed
	// those that were there and hold something else now, and Deleted those that are gone;
	// each as far as it can be told from every other one.
	Created, Changed, Deleted []Observed
}

// Code is the kind of an error, from a closed list.
type Code string

// The codes of errors. They go into the log and do not change.
const (
	CodeInvalidArguments Code = "INVALID_ARGUMENTS"
	CodeAborted          Code = "ABORTED"          // cancelled while the body ran
	CodeTimeout          Code = "TIMEOUT"          // its own limit, not the caller's
	CodeNonzeroExit      Code = "NONZERO_EXIT"     // the command ran and said that it failed
	CodeKilled           Code = "KILLED"           // the command was ended by a signal
	CodeNotStarted       Code = "NOT_STARTED"      // the process could not be started
	CodeNotFound         Code = "NOT_FOUND"        // no such file or folder
	CodeIsFolder         Code = "IS_FOLDER"        // a folder where a file is meant
	CodeNotRegular       Code = "NOT_REGULAR"      // a device, a pipe or a socket
	CodeIsLink           Code = "IS_LINK"          // a symbolic link, which is not written through
	CodeBinary           Code = "BINARY"           // not UTF-8 text
	CodeTooLarge         Code = "TOO_LARGE"        // more than the tool takes
	CodeTextNotFound     Code = "TEXT_NOT_FOUND"   // edit: the old text is not there
	CodeTextNotUnique    Code = "TEXT_NOT_UNIQUE"  // edit: the old text is there more than once
	CodeNotEmpty         Code = "NOT_EMPTY"        // a folder that is not empty is not deleted
	CodeConflict         Code = "CONFLICT"         // somebody else changed the file meanwhile
	CodeForbidden        Code = "FORBIDDEN"        // the system does not allow it
	CodeFailed           Code = "FAILED"           // the system's error, in the text
	CodeRunFailed        Code = "CODE_RUN_FAILED"  // run_code: an exception that nobody caught
	CodeMemory           Code = "OUT_OF_MEMORY"    // run_code: the program wanted more than it may have
	CodeLost             Code = "PROGRAM_LOST"     // run_code: its process ended without a last word
	CodeProtocol         Code = "PROGRAM_PROTOCOL" // run_code: its process broke the protocol
	CodeCaller           Code = "CALL_NOT_STARTED" // run_code: an inner call could not be put on the record
)

// names are those of structured errors.
const (
	nameError = "ToolError"
	nameAbort = "AbortError"
)

// failure is the result of a body that failed.
func failure(code Code, text string) Result {
	name := nameError
	if code == CodeAborted {
		name = nameAbort
	}
	return Result{Text: bounded(text, textLimit), IsError: true, Code: code, Name: name}
}

// Set is the shipped tools.
type Set struct{ all []Tool }

// Shipped is the set of all shipped tools, with their default limits.
func Shipped() Set {
	return Set{all: []Tool{shellTool(), readTool(), writeTool(), editTool(), deleteTool(), RunCode(Limits{})}}
}

// Tool finds a tool by its exact name.
func (s Set) Tool(name string) (Tool, bool) {
	i := slices.IndexFunc(s.all, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return s.all[i], true
}

// All are the tools, in a fixed order.
func (s Set) All() []Tool { return slices.Clone(s.all) }
