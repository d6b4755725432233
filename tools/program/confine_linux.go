package program

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Executable is the path by which the running executable is started again. It is
// the file that runs, also when another one has taken its place on the disk.
func Executable() (string, error) { return "/proc/self/exe", nil }

// environment is all that the process has: two settings of the Go runtime, by
// which it does not keep files of the system open to count processors.
var environment = []string{"GODEBUG=containermaxprocs=0,updatemaxprocs=0"}

// reexec replaces the process by itself, without privileges to gain, without the
// environment, and without open files but the standard ones. It returns only if
// it fails.
func reexec() error {
	runtime.LockOSThread() // what follows is a property of the thread that execs
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("end with the parent: %w", err)
	}
	if err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("close files: %w", err)
	}
	err := syscall.Exec("/proc/self/exe", []string{os.Args[0], Marker, second}, environment)
	return fmt.Errorf("start again: %w", err)
}

// confine lowers the process's limits for good.
//
// The address space is bounded beside what is mapped already, because a Go
// process reserves some 1.2 GiB at its start (tables for the largest heap that it
// could have) and touches little of it: a fixed limit of 1 GiB would end it before
// main. The number of processes is not bounded: the system counts the user's
// threads, not this process's, and the runtime needs some.
//
// No file can be opened any more: what the runtime opens once for its timers is
// open, because the size was read from a file.
func confine(l limits) error {
	mapped, err := addressSpace()
	if err != nil {
		return err
	}
	for _, limit := range []struct {
		name  string
		which int
		most  uint64
	}{
		{"core", unix.RLIMIT_CORE, 0},
		{"file size", unix.RLIMIT_FSIZE, 0},
		{"CPU time", unix.RLIMIT_CPU, l.cpuSeconds},
		{"address space", unix.RLIMIT_AS, mapped + l.addressSpace},
		{"open files", unix.RLIMIT_NOFILE, 0},
	} {
		if err := lower(limit.which, limit.most); err != nil {
			return fmt.Errorf("bound the %s: %w", limit.name, err)
		}
	}
	return nil
}

// lower sets a limit, which may be lower already: then it stays.
func lower(which int, most uint64) error {
	var now unix.Rlimit
	if err := unix.Prlimit(0, which, nil, &now); err != nil {
		return err
	}
	most = min(most, now.Max)
	return unix.Prlimit(0, which, &unix.Rlimit{Cur: most, Max: most}, nil)
}

// addressSpace is how much the process has mapped, in bytes.
func addressSpace() (uint64, error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, fmt.Errorf("find the size of the process: %w", err)
	}
	pages, _, _ := strings.Cut(string(text), " ")
	n, err := strconv.ParseUint(pages, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("find the size of the process: %w", err)
	}
	return n * uint64(os.Getpagesize()), nil
}
