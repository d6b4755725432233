package effects

import (
	"slices"
	"strings"
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
	inHomeItself         // the home folder, or one that holds it
	inSystem             // what the operating system is made of
	inCredentials        // folders of keys and credentials
	atRoot               // the root of the file system, or of a drive
	inEngine             // the engine's own
)

// paths knows places. All of them are absolute, clean, in the form that they have on
// every platform, and with links followed as far as the file system is known. Those
// with small letters are compared without case: file systems that do not tell
// letters apart are common, and a needless match only stops.
type paths struct {
	// workspace is the session's folder; project the same, where what lies in it may
	// be worked on.
	workspace, project string
	home               string
	lowWorkspace       string
	lowHome            string
	lowEngine          []string
	// foldsCase says that the project's paths are compared without case too.
	foldsCase bool
}

func newPaths(a *analysis) paths {
	p := paths{workspace: a.known(a.facts.Workspace), home: a.known(a.facts.Home), foldsCase: a.facts.Platform == "windows"}
	p.lowWorkspace, p.lowHome = asciiFold(p.workspace), asciiFold(p.home)
	if own := a.facts.Engine.Paths; len(own) > 0 {
		p.lowEngine = make([]string, 0, len(own))
		for _, name := range own {
			low := asciiFold(a.known(name))
			p.lowEngine = append(p.lowEngine, low)
			if plain := asciiFold(clean(a.plain(name))); plain != low {
				p.lowEngine = append(p.lowEngine, plain) // the link is the engine's as well
			}
		}
	}
	if p.isProject() {
		p.project = p.workspace
	}
	return p
}

// isProject reports whether the session's folder is one to work in. The root, what
// holds the home folder, and what an operating system is made of are not: there,
// nothing belongs to a project.
func (p *paths) isProject() bool {
	low := p.lowWorkspace
	if low == "" || isRoot(low) || low != p.lowHome && below(p.lowHome, low) {
		return false
	}
	if inTemporary(low) {
		return true
	}
	if low == "/usr/local" || slices.Contains(systemFolders, withoutDrive(low)) {
		return false
	}
	for _, dir := range [...]string{
		"/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/boot", "/dev", "/proc", "/sys", "/system", "/library", "/private/etc",
		"/usr/bin", "/usr/sbin", "/usr/lib", "/usr/share", "/windows", "/program files",
	} {
		if below(withoutDrive(low), dir) {
			return false
		}
	}
	return true
}

// below reports whether p is dir or lies in it. Both have small letters.
func below(p, dir string) bool {
	return dir != "" && strings.HasPrefix(p, dir) && (len(p) == len(dir) || dir == "/" || p[len(dir)] == '/')
}

// exactlyBelow is below for paths as they are written, for places where a match lets
// more through.
func exactlyBelow(p, dir string) bool { return below(p, dir) }

// inProject reports whether a path is the project's folder or lies in it.
func (p *paths) inProject(name string) bool {
	return exactlyBelow(name, p.project) || p.foldsCase && p.project != "" && below(asciiFold(name), p.lowWorkspace)
}

// area classifies an absolute, clean path.
func (p *paths) area(name string) area {
	low := asciiFold(name)
	switch {
	case p.ofEngine(low):
		return inEngine
	case isRoot(low):
		return atRoot
	case p.lowHome != "" && below(p.lowHome, low):
		return inHomeItself
	case p.lowWorkspace != "" && below(p.lowWorkspace, low):
		return workspaceItself
	case p.ofCredentials(name, low):
		return inCredentials
	case isDevice(name):
		return inDevice
	case p.inProject(name):
		return inWorkspace
	case inTemporary(name) && (p.lowWorkspace == "" || !below(low, p.lowWorkspace)):
		return inTemp // what a session works on is missed, also there
	case below(low, p.lowHome):
		return elsewhere
	case isSystem(low):
		return inSystem
	default:
		return elsewhere
	}
}

// within gives the part of a path below the project, where the project's own folders
// above say nothing about it; other paths stay as they are.
func (p *paths) within(name string) string {
	if p.project != "" && p.inProject(name) {
		return name[len(p.project):]
	}
	return name
}

func (p *paths) ofEngine(low string) bool {
	for _, own := range p.lowEngine {
		if below(low, own) {
			return true
		}
	}
	return false
}

// holdsEngine reports whether something of the engine lies below a folder.
func (p *paths) holdsEngine(name string) bool {
	if len(p.lowEngine) == 0 {
		return false
	}
	low := asciiFold(name)
	for _, own := range p.lowEngine {
		if below(own, low) {
			return true
		}
	}
	return false
}

// credentialFolders are those of a home that hold nothing but keys (seed 004).
var credentialFolders = []string{
	"/.ssh", "/.gnupg", "/.aws", "/.azure", "/.kube", "/.config/gcloud", "/.docker/config.json", "/.password-store", "/.local/share/keyrings", "/library/keychains",
}

// ofCredentials finds such a folder in every home, but not in the project.
func (p *paths) ofCredentials(name, low string) bool {
	for _, folder := range credentialFolders {
		if p.lowHome != "" && len(low) >= len(p.lowHome)+len(folder) && below(low, p.lowHome) && below(low[len(p.lowHome):], folder) {
			return true
		}
		i := strings.Index(low, folder)
		if i >= 0 && (len(low) == i+len(folder) || low[i+len(folder)] == '/') && !p.inProject(name) {
			return true
		}
	}
	return false
}

func isRoot(low string) bool { return low == "/" || withoutDrive(low) == "" }

// withoutDrive takes the drive of a Windows path away: "/c:/windows" is "/windows".
func withoutDrive(low string) string {
	if len(low) >= 3 && low[0] == '/' && low[2] == ':' {
		return low[3:]
	}
	return low
}

func isDevice(name string) bool {
	switch name {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/full":
		return true
	}
	number, ok := strings.CutPrefix(name, "/dev/fd/")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// temporaryFolders are for files that nobody misses.
var temporaryFolders = []string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", "/var/folders", "/private/var/folders"}

// isTemporary reports whether a path is a folder for temporary files itself.
func isTemporary(name string) bool {
	return slices.Contains(temporaryFolders, name)
}

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
	"/applications", "/private", "/volumes", "/nix", "/mnt", "/media", "/lost+found", "/home", "/users", "/cores", "/efi",
	"/windows", "/program files", "/program files (x86)", "/programdata", "/recovery", "/$recycle.bin", "/system volume information", "/perflogs",
}

// isSystem reports whether a path is of the operating system, or is the folder of
// all homes.
func isSystem(low string) bool {
	low = withoutDrive(low)
	if rest, ok := strings.CutPrefix(low, "/mnt/"); ok && len(rest) > 2 && rest[1] == '/' {
		return isSystem(rest[1:]) // a drive of Windows, as WSL shows it
	}
	for _, dir := range systemFolders {
		if !below(low, dir) {
			continue
		}
		switch dir {
		case "/home", "/users", "/mnt", "/media", "/volumes", "/srv", "/opt":
			return len(low) == len(dir) // what lies below is somebody's
		}
		return true
	}
	return below(low, "/ro"+"ot")
}
