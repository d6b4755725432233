package events

import (
	"encoding/hex"
	"slices"
	"strconv"
)

// ExecutedFile is a file that a call would execute, as it was when the call was put
// on the record (design section 8): whoever runs the body looks at it once more.
type ExecutedFile struct {
	Path    string  `json:"path"`   // absolute
	SHA256  string  `json:"sha256"` // of its bytes, hex
	Size    int64   `json:"size"`
	Unknown Unknown `json:",embed"`
}

func checkExecuted(files []ExecutedFile) error {
	for i, f := range files {
		err := nonEmpty("path", f.Path)
		if sum, bad := hex.DecodeString(f.SHA256); err == nil && (bad != nil || len(sum) != 32) {
			err = fieldf("sha256", "must be a SHA-256 in hexadecimal digits")
		}
		if err == nil && f.Size < 0 {
			err = fieldf("size", "must not be negative")
		}
		if err != nil {
			return within("files."+strconv.Itoa(i), err)
		}
	}
	return nil
}

// plainExecuted copies files that have no unknown members.
func plainExecuted(files []ExecutedFile) (own []ExecutedFile, plain bool) {
	if len(files) == 0 {
		return nil, files == nil
	}
	return slices.Clone(files), !slices.ContainsFunc(files, func(f ExecutedFile) bool { return f.Unknown != nil })
}
