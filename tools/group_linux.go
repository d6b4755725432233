package tools

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// withParent starts a process in a group of its own, which ends when the thread
// that started it does.
func withParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// reap waits for a command to end, and ends what is left of its group before it is
// reaped: until then nobody else can have its number.
func reap(cmd *exec.Cmd, w *watch) (killed bool, err error) {
	waiting := unix.EINTR
	for errors.Is(waiting, unix.EINTR) {
		waiting, _ = errors.AsType[unix.Errno](unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil))
	}
	killed = w.stop()
	killGroup(cmd)
	return killed, cmd.Wait()
}

// killGroup ends a process and all that it started and that did not leave its group.
func killGroup(cmd *exec.Cmd) { _ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
