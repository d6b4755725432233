package main

import (
	"runtime"
	"slices"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/identity"
)

// evidence says which files of this machine a call would execute, and which it would
// delete as the session's own: what they are when it is reviewed is what they have to be
// when its body starts. It is for bodies that run on this machine alone: what a file
// elsewhere contains is not known here.
func (s *store) evidence() func(engine.PendingCall) []events.ExecutedFile {
	return func(c engine.PendingCall) []events.ExecutedFile {
		answer := effects.Analyze(
			effects.Call{Tool: c.Name, Arguments: c.Arguments},
			effects.Facts{Workspace: c.CWD, Home: s.home, Platform: runtime.GOOS, Files: effects.OSFiles(c.CWD)},
		)
		var files []events.ExecutedFile
		add := func(f events.ExecutedFile) {
			if !slices.ContainsFunc(files, func(g events.ExecutedFile) bool { return g.Path == f.Path }) {
				files = append(files, f)
			}
		}
		for _, f := range answer.Files {
			add(events.ExecutedFile{Path: f.Path, SHA256: f.SHA256, Size: f.Size})
		}
		for _, e := range answer.Effects {
			i := slices.IndexFunc(c.Made, func(m events.Artifact) bool { return e.Kind == effects.Delete && m.Path == e.Target })
			if i >= 0 && identity.Same(c.Made[i]) {
				add(events.ExecutedFile{Path: c.Made[i].Path, SHA256: c.Made[i].SHA256, Size: c.Made[i].Size})
			}
		}
		return files
	}
}
