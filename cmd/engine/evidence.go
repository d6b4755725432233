package main

import (
	"runtime"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// evidence says which files of this machine a call would execute. It is for bodies
// that run on this machine alone: what a script elsewhere contains is not known here.
func (s *store) evidence() func(engine.PendingCall) []events.ExecutedFile {
	return func(c engine.PendingCall) []events.ExecutedFile {
		answer := effects.Analyze(
			effects.Call{Tool: c.Name, Arguments: c.Arguments},
			effects.Facts{Workspace: c.CWD, Home: s.home, Platform: runtime.GOOS, Files: effects.OSFiles(c.CWD)},
		)
		var files []events.ExecutedFile
		for _, f := range answer.Files {
			files = append(files, events.ExecutedFile{Path: f.Path, SHA256: f.SHA256, Size: f.Size})
		}
		return files
	}
}
