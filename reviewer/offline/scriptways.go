package offline

import (
	"strings"

	"github.com/docket-engine/docket/effects"
)

// inScripts names what a call would do by the files that it would execute, beside the
// naming of the command: who names a command names a script, and not what the script
// does. Each path that a rule asks for there has to be named by itself. It is false where
// that is not enough: something there is no path, or is not understood, or a file cannot
// be read although files are seen. Where none are, its name is all that anybody has.
//
// Whether a script has changed since it was named plays no part: what it holds when it
// is reviewed is judged, and nothing else runs.
func (r request) inScripts(d deed) (way, bool) {
	var out way
	for _, f := range d.Findings {
		switch {
		case f.Decision != effects.Review:
		case f.Rule == "script-unknown" && r.facts.Files != nil:
			return nil, false
		case f.Span.Source != "":
			named, ok := r.namesOf(d, f)
			if !ok || len(out)+len(named) > maxAlso {
				return nil, false
			}
			out = append(out, named...)
		}
	}
	return out, true
}

// namesOf names the paths that a finding is about, each known whole.
func (r request) namesOf(d deed, f effects.Finding) (way, bool) {
	c, ok := byPath(f.Rule)
	if !ok {
		return nil, false
	}
	var out way
	for _, e := range d.Effects {
		if e.Span != f.Span || !kindOf(c, e.Kind) {
			continue
		}
		if e.Target == "" || !e.Certain || pathPattern(e.Target) {
			return nil, false
		}
		out = append(out, pathNaming(r.cwd, e.Target, c))
	}
	return out, len(out) > 0
}

func pathPattern(name string) bool { return strings.ContainsAny(name, "*?[") }
