package effects

import (
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// area says where a path lies, from what an agent may work on to what it must not
// touch.
type area int

const (
	inWorkspace     area = iota
	workspaceItself      // the session's folder, or one that holds it
	inTemp               // below a folder for temporary files
	inDevice             // /dev/null and the like, which keep nothing
	inPublic             // installed programs and what everybody reads
	elsewhere            // a person's other files, other places
	inHomeItself         // the home folder
	inSystem             // what the operating system is made of
	inCredentials        // folders of keys and credentials
	atRoot               // the root of the file system
	inEngine             // the engine's own
)

// paths knows places.
type paths struct {
	facts     *Facts
	workspace string
	home      string
}

func newPaths(f *Facts) paths {
	return paths{facts: f, workspace: clean(f.Workspace), home: clean(f.Home)}
}

// clean is path.Clean for absolute paths; "" stays, and is never above anything.
func clean(p string) string {
	if p == "" {
		return ""
	}
	return path.Clean(p)
}

// below reports whether p is dir or lies in it. Letters are compared without case:
// file systems that do not tell them apart are common, and a needless match only
// stops.
func below(p, dir string) bool {
	if dir == "" || len(p) < len(dir) || !strings.EqualFold(p[:len(dir)], dir) {
		return false
	}
	return len(p) == len(dir) || dir == "/" || p[len(dir)] == '/'
}

// exactlyBelow is below with case, for places where a match lets more through.
func exactlyBelow(p, dir string) bool {
	return dir != "" && strings.HasPrefix(p, dir) && (len(p) == len(dir) || dir == "/" || p[len(dir)] == '/')
}

// area classifies an absolute, clean path.
func (p paths) area(name string) area {
	switch {
	case p.ofEngine(name):
		return inEngine
	case name == "/":
		return atRoot
	case p.workspace != "" && name == p.workspace, p.workspace != "" && below(p.workspace, name):
		return workspaceItself
	case p.home != "" && (strings.EqualFold(name, p.home) || below(p.home, name)):
		return inHomeItself
	case p.ofCredentials(name):
		return inCredentials
	case isDevice(name):
		return inDevice
	case exactlyBelow(name, p.workspace):
		return inWorkspace
	case inTemporary(name):
		return inTemp
	case isSystem(name):
		return inSystem
	default:
		return elsewhere
	}
}

func (p paths) ofEngine(name string) bool {
	for _, own := range p.facts.Engine.Paths {
		if below(name, own) {
			return true
		}
	}
	return false
}

// holdsEngine reports whether something of the engine lies below a folder.
func (p paths) holdsEngine(name string) bool {
	for _, own := range p.facts.Engine.Paths {
		if below(own, name) {
			return true
		}
	}
	return false
}

// credentialFolders are those of a home that hold nothing but keys (seed 004).
var credentialFolders = []string{".ssh", ".gnupg", ".aws", ".azure", ".kube", ".config/gcloud", ".docker/config.json", ".password-store", ".local/share/keyrings"}

func (p paths) ofCredentials(name string) bool {
	for _, folder := range credentialFolders {
		if p.home != "" && below(name, p.home+"/"+folder) {
			return true
		}
		if i := indexFold(name, "/"+folder); i >= 0 && (len(name) == i+len(folder)+1 || name[i+len(folder)+1] == '/') && !exactlyBelow(name, p.workspace) {
			return true
		}
	}
	return false
}

// indexFold is strings.Index without case, for ASCII.
func indexFold(s, part string) int {
	for i := 0; i+len(part) <= len(s); i++ {
		if s[i] == part[0] && strings.EqualFold(s[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}

func isDevice(name string) bool {
	switch name {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/full":
		return true
	}
	return strings.HasPrefix(name, "/dev/fd/") && len(name) > len("/dev/fd/")
}

// temporaryFolders are for files that nobody misses.
var temporaryFolders = []string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm"}

// inTemporary reports whether a path lies below a folder for temporary files, and is
// not the folder.
func inTemporary(name string) bool {
	for _, dir := range temporaryFolders {
		if exactlyBelow(name, dir) && len(name) > len(dir) {
			return true
		}
	}
	return false
}

// systemFolders are what an operating system is made of (seed 004 and its later
// versions).
var systemFolders = []string{
	"/etc", "/bin", "/sbin", "/usr", "/lib", "/lib32", "/lib64", "/boot", "/dev", "/proc", "/sys", "/var", "/opt", "/run", "/srv", "/snap", "/system", "/library",
	"/applications", "/private", "/volumes", "/nix", "/mnt", "/media", "/lost+found", "/home", "/users", "/windows", "/program files", "/programdata",
}

// isSystem reports whether a path is of the operating system, or is the folder of
// all homes.
func isSystem(name string) bool {
	for _, dir := range systemFolders {
		if !below(name, dir) {
			continue
		}
		switch dir {
		case "/home", "/users", "/mnt", "/media", "/volumes", "/srv", "/opt":
			return len(name) == len(dir) // what lies below is somebody's
		}
		return true
	}
	return below(name, "/ro"+"ot")
}

// place is where a word leads.
type place struct {
	// path is absolute and clean; of a pattern its deepest folder without one, and of
	// a word that begins known, as far as it is.
	path string
	// whole says that the path is all of it; pattern that it is what a glob stands
	// for; unknown that nothing, or only the beginning, is known.
	whole, pattern, unknown bool
}

// places are where a word leads as a path: one for each folder that the command may
// be started in.
func (in *invocation) places(w shell.Word) []place {
	dirs := in.Dirs
	if len(dirs) == 0 {
		dirs = []string{in.facts.Dir}
	}
	out := make([]place, 0, len(dirs))
	for _, dir := range dirs {
		p := in.place(w, dir)
		out = append(out, p)
		if path.IsAbs(p.path) && path.IsAbs(w.Prefix()) {
			break
		}
	}
	if in.DirUnknown && !path.IsAbs(w.Prefix()) {
		out = append(out, place{unknown: true})
	}
	return out
}

func (in *invocation) place(w shell.Word, dir string) place {
	dir = in.absolute(dir)
	if text, ok := w.Value(); ok {
		return place{path: in.resolve(join(dir, text)), whole: true}
	}
	prefix := w.Prefix()
	if w.Many || prefix == "" && !w.HasGlob() {
		return place{unknown: true}
	}
	p := place{pattern: true}
	for _, part := range w.Parts {
		p.unknown = p.unknown || part.Kind == shell.Unknown
	}
	// The deepest folder that is known: what follows the last slash is a beginning only.
	folder := prefix[:strings.LastIndexByte(prefix, '/')+1]
	p.path = in.resolve(join(dir, folder))
	p.unknown = p.unknown && climbs(w)
	return p
}

// climbs reports whether a word with unknown parts may lead out of its folder.
func climbs(w shell.Word) bool {
	for _, part := range w.Parts {
		if part.Kind == shell.Unknown {
			return true
		}
	}
	return false
}

func join(dir, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(dir, name)
}

// absolute makes a folder absolute: those of a script are relative to where it starts.
func (a *analysis) absolute(dir string) string { return join(clean(a.facts.Dir), dir) }
