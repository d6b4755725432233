package blocks

import "io/fs"

// State is what tells a file from one that has been written to since: whoever writes
// cannot keep all of it.
type State struct {
	Size    int64  `json:"size"`
	Inode   uint64 `json:"inode,omitzero"`
	Changed int64  `json:"changed"` // Unix ns: of the last change of the file or its inode
}

// plainState is that of a file where a system says nothing more.
func plainState(info fs.FileInfo) State {
	return State{Size: info.Size(), Changed: info.ModTime().UnixNano()}
}
