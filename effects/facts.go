package effects

import (
	"io/fs"

	"github.com/go-json-experiment/json/jsontext"
)

// Call is what an agent wants to do.
type Call struct {
	// Tool is the tool's name as the agent calls it.
	Tool string
	// Arguments are a JSON object.
	Arguments jsontext.Value
	// Hints are what the tool's maker says of it (MCP annotations). They are claims:
	// they raise a risk and never lower it.
	Hints *Hints
}

// Hints are the annotations of an MCP tool; nil is unsaid.
type Hints struct {
	ReadOnly, Destructive, OpenWorld *bool
}

// Facts are what is known besides the call, as the engine or executor established
// it, never as the agent tells it.
type Facts struct {
	// Workspace is the session's folder, Home the user's; absolute. What lies in
	// Workspace may be worked on.
	Workspace, Home string
	// Dir is where commands start; Workspace if it is "".
	Dir string
	// Platform is a GOOS; "" is linux.
	Platform string
	// Files is what exists; nil if that is not known.
	Files FileSystem
	// Created are the files and folders that this session made, by absolute path,
	// as far as they are still the same ones.
	Created []string
	// Engine is what belongs to the engine itself.
	Engine Engine
}

// FileSystem is a read-only view of what exists. Names are absolute. Implementations
// bound what they give.
type FileSystem interface {
	// Lstat does not follow a last link.
	Lstat(name string) (fs.FileInfo, error)
	// Readlink gives a link's text.
	Readlink(name string) (string, error)
	// ReadFile gives at most limit bytes of a regular file, and an error for a longer one.
	ReadFile(name string, limit int64) ([]byte, error)
}

// Engine is what of the engine itself a reviewed call must never touch.
type Engine struct {
	// Programs are the names of its command line.
	Programs []string
	// Paths are its state directory, credentials, sockets and settings; absolute.
	Paths []string
	// Hosts are where it listens: "host:port".
	Hosts []string
	// Variables are those that hold its credentials and settings; one that ends in a
	// star stands for all that begin so.
	Variables []string
	// Subjects are the beginnings of the NATS subjects that it speaks on: "docket.v1".
	Subjects []string
	// Processes are the numbers of its processes.
	Processes []int
}
