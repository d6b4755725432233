//go:build unix

package tools

import "syscall"

// openNoWait opens a pipe without waiting for its other end, so that it can be
// refused.
const openNoWait = syscall.O_NONBLOCK
