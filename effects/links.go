package effects

import (
	"path"
	"strings"
)

// maxLinks bounds how many links one path is followed through, as kernels do.
const maxLinks = 40

// resolve gives the place that a clean absolute path leads to: through links, as far
// as the file system is known, and through what /proc says of the process itself.
func (a *analysis) resolve(name string) string {
	name = a.throughProc(name)
	if a.facts.Files == nil {
		return name
	}
	done, rest, links := "/", strings.TrimPrefix(name, "/"), 0
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		next := path.Join(done, part)
		target, err := a.facts.Files.Readlink(next)
		if err != nil || target == "" {
			done = next
			continue
		}
		if links++; links > maxLinks {
			return name
		}
		if !path.IsAbs(target) {
			target = path.Join(done, target)
		}
		done, rest = "/", strings.TrimPrefix(path.Join(a.throughProc(path.Clean(target)), rest), "/")
	}
	return done
}

// throughProc takes the roundabout ways away that /proc offers to other places.
func (a *analysis) throughProc(name string) string {
	rest, ok := strings.CutPrefix(name, "/proc/")
	if !ok {
		return name
	}
	process, rest, _ := strings.Cut(rest, "/")
	if process != "self" && process != "thread-self" && strings.Trim(process, "0123456789") != "" {
		return name
	}
	kind, rest, _ := strings.Cut(rest, "/")
	switch {
	case kind == "root":
		return a.throughProc(path.Join("/", rest))
	case kind == "cwd" && process == "self":
		return path.Join(a.absolute(""), rest)
	default:
		return name
	}
}
