//go:build !linux

package blocks

import "io/fs"

func stateOf(info fs.FileInfo) State { return plainState(info) }
