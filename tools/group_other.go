//go:build !linux

package tools

import (
	"os/exec"
	"syscall"
)

// withParent is for what only Linux has. A program's process reads the end of its
// pipe when its parent is gone; a command ends by itself.
func withParent() *syscall.SysProcAttr { return ownGroup() }

// reap waits for a command to end, and ends what is left of its group.
func reap(cmd *exec.Cmd, w *watch) (killed bool, err error) {
	err = cmd.Wait()
	killed = w.stop()
	killGroup(cmd)
	return killed, err
}
