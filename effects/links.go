package effects

import (
	"errors"
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// maxLinks bounds how many links one path is followed through, as kernels do.
const maxLinks = 40

// link is one that the call itself would make.
type link struct{ at, to string }

// linked notes that the call makes links: at a target, or in it where that is a
// folder, which is not always known.
func (in *invocation) linked(target shell.Word, sources []shell.Word) {
	for _, source := range sources {
		to, known := source.Value()
		for _, p := range in.places(target) {
			if !known || !p.whole {
				continue // who names one that is not known names what is not known
			}
			in.link(p.path, to)
			in.link(path.Join(p.path, path.Base(to)), to)
		}
	}
}

func (a *analysis) link(at, to string) {
	if len(a.made) == maxLinks {
		a.full = true
		return
	}
	a.made = append(a.made, link{at: at, to: a.plain(to)})
}

// mayLeadElsewhere reports whether a path that was just resolved goes through a link
// which the call itself would make, and may then be another than it was resolved to.
// Where that is a place that nothing may touch, it counts.
func (a *analysis) mayLeadElsewhere(name string) bool {
	if !a.crossed {
		return false
	}
	switch a.paths.area(name) {
	case inEngine, atRoot, inHomeItself, inSystem, inCredentials, workspaceItself:
		return false
	default:
		return true
	}
}

// resolve gives the place that an absolute path leads to: through links, as far as
// the file system is known, and through what /proc says of the process itself.
func (a *analysis) resolve(name string) string { return a.resolveFrom(name, a.absolute("")) }

// resolveFrom is resolve for a process in a folder.
func (a *analysis) resolveFrom(name, dir string) string {
	if a.facts.Files == nil && len(a.made) == 0 && !a.crossed && !strings.Contains(name, "/proc") {
		return path.Clean(name)
	}
	done, rest, followed := "/", name, 0
	a.crossed = false
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		if part == "" || part == "." {
			continue
		}
		next := path.Join(done, part) // ".." leaves the folder that was come to
		target := a.linkAt(next, dir)
		if target == "" {
			done = next
			continue
		}
		if followed++; followed > maxLinks {
			return path.Clean(name)
		}
		if path.IsAbs(target) {
			done = "/"
		}
		rest = target + "/" + rest
	}
	return done
}

// linkAt is the text of the link that lies at a clean path, "" if there is none.
func (a *analysis) linkAt(name, dir string) string {
	for i := len(a.made) - 1; i >= 0; i-- {
		if a.made[i].at == name {
			a.crossed = true
			return a.made[i].to
		}
	}
	if strings.HasPrefix(name, "/proc/") {
		return throughProc(name, dir)
	}
	if a.facts.Files == nil {
		return ""
	}
	target, err := a.facts.Files.Readlink(a.native(name))
	if err != nil {
		a.full = a.full || errors.Is(err, ErrTooManyLookups) // it may have been a link
		return ""
	}
	target, _ = a.written(target)
	return target
}

// throughProc are the roundabout ways that /proc offers to other places.
func throughProc(name, dir string) string {
	process, kind, _ := strings.Cut(strings.TrimPrefix(name, "/proc/"), "/")
	if process != "self" && process != "thread-self" && strings.Trim(process, "0123456789") != "" {
		return ""
	}
	switch {
	case kind == "root":
		return "/"
	case kind == "cwd" && process != "" && process[0] > '9':
		return dir
	default:
		return ""
	}
}

// native is a path as the machine's own file system takes it.
func (a *analysis) native(name string) string {
	if a.facts.Platform == "windows" && len(name) >= 3 && name[0] == '/' && name[2] == ':' {
		if len(name) == 3 {
			return name[1:] + "/" // "C:" alone is the folder that the drive is in
		}
		return name[1:]
	}
	return name
}
