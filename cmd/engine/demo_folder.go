package main

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// folderState is what a folder's files hold, by their path from the folder:
// their digests, with a slash at the end of a folder's path and nothing of it.
type folderState map[string][sha256.Size]byte

// lookAt reads a small folder. What goes away meanwhile is not there.
func lookAt(folder fs.FS) (folderState, error) {
	found := folderState{}
	err := fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist), path == ".":
			return nil
		case err != nil:
			return err
		case entry.IsDir():
			found[path+"/"] = [sha256.Size]byte{}
			return nil
		}
		text, err := fs.ReadFile(folder, path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		found[path] = sha256.Sum256(text)
		return err
	})
	return found, err
}

// fileChanges are what became of files between two looks.
type fileChanges struct {
	Made    []string `json:"made"`
	Changed []string `json:"changed"`
	Removed []string `json:"removed"`
}

func (c fileChanges) none() bool { return len(c.Made)+len(c.Changed)+len(c.Removed) == 0 }

func changesBetween(before, after folderState) fileChanges {
	c := fileChanges{Made: []string{}, Changed: []string{}, Removed: []string{}}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		switch old, there := before[path]; {
		case !there:
			c.Made = append(c.Made, path)
		case old != after[path]:
			c.Changed = append(c.Changed, path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if _, there := after[path]; !there {
			c.Removed = append(c.Removed, path)
		}
	}
	return c
}

// folderWatch tells what has changed in a folder since the last look.
type folderWatch struct {
	path string
	last folderState
}

func (w *folderWatch) changes() (fileChanges, error) {
	now, err := lookAt(os.DirFS(w.path))
	if err != nil {
		return fileChanges{}, err
	}
	c := changesBetween(w.last, now)
	w.last = now
	return c, nil
}
