package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/secrets"
)

// isPublic reports whether everybody reads a path: installed programs and libraries,
// and what the system says of itself. It is a closed list.
func isPublic(name string) bool {
	for _, dir := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/nix/store", "/sys/class", "/sys/devices/system"} {
		if exactlyBelow(name, dir) {
			return true
		}
	}
	switch name {
	case "/etc/os-release", "/etc/lsb-release", "/etc/debian_version", "/etc/hosts", "/etc/resolv.conf", "/etc/timezone", "/etc/localtime", "/etc/hostname",
		"/etc/mime.types", "/etc/services", "/etc/protocols", "/etc/shells", "/etc/issue",
		"/proc/cpuinfo", "/proc/meminfo", "/proc/version", "/proc/loadavg", "/proc/uptime", "/proc/stat", "/proc/mounts", "/proc/filesystems", "/proc/self/status":
		return true
	}
	return exactlyBelow(name, "/etc/ssl/certs") || exactlyBelow(name, "/etc/ca-certificates")
}

// metadata are files and folders of a project that say how others treat it (seed
// 004: protected project metadata).
var metadata = []string{".git", ".hg", ".svn", ".jj", ".vscode", ".idea", ".husky", ".devcontainer", ".gitmodules", ".gitattributes"}

// isMetadata reports whether a part of a path is protected project metadata.
func isMetadata(name string) bool {
	for rest := name; rest != ""; {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		for _, m := range metadata {
			if strings.EqualFold(part, m) {
				return true
			}
		}
	}
	return false
}

// sensitive reports whether a path is spelled like one that holds secrets. The
// certificates that a system comes with are for everybody.
func sensitive(name string) bool {
	kind, ok := secrets.Path(name)
	return ok && !(kind == secrets.KeyFile && (exactlyBelow(name, "/usr") || exactlyBelow(name, "/etc/ssl/certs")))
}
