package effects

import (
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// place is where a word leads.
type place struct {
	// path is absolute and clean; of a pattern its deepest folder without one, and of
	// a word that begins known, as far as it is.
	path string
	// whole says that the path is all of it; pattern that it is what a glob stands
	// for; unknown that nothing, or only the beginning, is known.
	whole, pattern, unknown bool
	// device says that it is no name of a file, or leads past the names of files.
	device bool
}

// places are where a word leads as a path: one for each folder that the command may
// be started in.
func (in *invocation) places(w shell.Word) []place {
	dirs := in.Dirs
	if len(dirs) == 0 {
		dirs = []string{in.facts.Dir}
	}
	out := make([]place, 0, len(dirs)+1)
	fixed := in.isAbsolute(w.Prefix())
	for _, dir := range dirs {
		out = append(out, in.place(w, dir))
		if fixed {
			return out
		}
	}
	if in.DirUnknown {
		out = append(out, place{unknown: true})
	}
	return out
}

func (in *invocation) place(w shell.Word, dir string) place {
	dir = in.absolute(dir)
	if text, ok := w.Value(); ok {
		name, device := in.written(text)
		p := place{path: in.resolveFrom(join(dir, name), dir), whole: true, device: device}
		p.unknown = in.mayLeadElsewhere(p.path)
		return p
	}
	prefix := w.Prefix()
	if w.Many || prefix == "" && !w.HasGlob() {
		return place{unknown: true}
	}
	p := place{pattern: true}
	for _, part := range w.Parts {
		p.unknown = p.unknown || part.Kind == shell.Unknown // it may lead out of its folder
	}
	// The deepest folder that is known: what follows the last slash is a beginning only.
	name, device := in.written(prefix)
	p.device = device
	p.path = in.resolveFrom(join(dir, name[:strings.LastIndexByte(name, '/')+1]), dir)
	p.unknown = p.unknown || in.mayLeadElsewhere(p.path)
	return p
}

// written gives a path as it is written the form that it has on every platform.
func (a *analysis) written(text string) (name string, device bool) {
	switch a.facts.Platform {
	case "windows":
		return windowsPath(text)
	case "darwin":
		if rest, ok := strings.CutPrefix(text, "/private"); ok && (below(rest, "/tmp") || below(rest, "/var") || below(rest, "/etc")) {
			return rest, false
		}
	}
	return text, false
}

// plain is written, of a path that the facts name.
func (a *analysis) plain(text string) string {
	name, _ := a.written(text)
	return name
}

// known gives a path of the facts as places are compared: clean, and with links
// followed; "" stays, and is never above anything.
func (a *analysis) known(text string) string {
	if text == "" {
		return ""
	}
	name := a.plain(text)
	if !path.IsAbs(name) {
		return ""
	}
	return a.resolveFrom(name, "/")
}

// isAbsolute reports whether a path as it is written needs no folder to start from.
func (a *analysis) isAbsolute(text string) bool {
	name, _ := a.written(text)
	return path.IsAbs(name)
}

// clean is path.Clean for absolute paths; "" stays, and is never above anything.
func clean(p string) string {
	if p == "" {
		return ""
	}
	return path.Clean(p)
}

// join puts a name behind a folder, without taking ".." away: behind a link it leads
// elsewhere than it seems to.
func join(dir, name string) string {
	switch {
	case path.IsAbs(name):
		return name
	case dir == "" || dir[len(dir)-1] == '/':
		return dir + name
	default:
		return dir + "/" + name
	}
}

// absolute makes a folder absolute: those of a script are relative to where it starts.
func (a *analysis) absolute(dir string) string {
	start := a.plain(a.facts.Dir)
	if dir == "" || dir == a.facts.Dir {
		return clean(start)
	}
	return path.Clean(join(start, a.plain(dir)))
}
