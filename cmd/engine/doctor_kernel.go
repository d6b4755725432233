package main

import (
	"os"
	"runtime"
	"strings"
)

// checkKernel says what could confine a process here. Nothing of it is a fault: a mode
// that cannot be enforced is refused when it is asked for.
func checkKernel(e *examination) {
	if runtime.GOOS != "linux" {
		e.skip("kernel", "processes are confined on Linux alone")
		return
	}
	features := []struct {
		name  string
		there bool
	}{
		{"Landlock", landlock() > 0},
		{"user namespaces", userNamespaces()},
		{"seccomp", seccomp()},
	}
	var there, missing []string
	for _, f := range features {
		if f.there {
			there = append(there, f.name)
		} else {
			missing = append(missing, f.name)
		}
	}
	if len(missing) == 0 {
		e.ok("kernel", "it has %s", strings.Join(there, ", "))
		return
	}
	e.add("kernel", checkNote, "it lacks "+strings.Join(missing, ", "), "modes that need them are refused on this machine")
}

// userNamespaces reports whether a user who is not root may make one.
func userNamespaces() bool {
	return setting("/proc/sys/user/max_user_namespaces", "0") != "0" &&
		setting("/proc/sys/kernel/unprivileged_userns_clone", "1") == "1" &&
		setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "0") == "0"
}

func seccomp() bool {
	return strings.Contains(setting("/proc/sys/kernel/seccomp/actions_avail", ""), "errno")
}

// setting is what a kernel's setting says, or what its absence means.
func setting(path, absent string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return absent
	}
	return strings.TrimSpace(string(text))
}
