package jetstreamtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// StreamDir is the directory of the stream's files on this node.
func (n *Node) StreamDir(stream string) string {
	n.tb.Helper()
	found := n.glob("jetstream", "*", "streams", stream)
	if len(found) != 1 {
		n.tb.Fatalf("stream %s has %d directories below %s, want 1", stream, len(found), n.dir)
	}
	return found[0]
}

// Blocks are the files that hold the stream's messages, oldest first. Stop the
// node before they are changed.
func (n *Node) Blocks(stream string) []string {
	n.tb.Helper()
	dir := n.StreamDir(stream)
	blocks, err := filepath.Glob(filepath.Join(dir, "msgs", "*.blk"))
	if err != nil {
		n.tb.Fatalf("list the blocks of stream %s: %v", stream, err)
	}
	// 2.blk comes before 10.blk.
	slices.SortFunc(blocks, func(a, b string) int {
		if d := len(a) - len(b); d != 0 {
			return d
		}
		if a < b {
			return -1
		}
		return 1
	})
	return blocks
}

// RemoveIndex deletes what the stopped node has noted down about the stream's
// messages, so that the next start reads them all again.
func (n *Node) RemoveIndex(stream string) {
	n.tb.Helper()
	index := filepath.Join(n.StreamDir(stream), "msgs", "index.db")
	if err := os.Remove(index); err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.tb.Fatalf("remove the index of stream %s: %v", stream, err)
	}
}

func (n *Node) glob(parts ...string) []string {
	n.tb.Helper()
	found, err := filepath.Glob(filepath.Join(append([]string{n.dir}, parts...)...))
	if err != nil {
		n.tb.Fatalf("search %s: %v", n.dir, err)
	}
	return found
}

// FlipBit changes one bit of the byte at offset; a negative offset counts from
// the end of the file.
func FlipBit(tb testing.TB, path string, offset int) {
	tb.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		tb.Fatalf("read the file to damage: %v", err)
	}
	if offset < 0 {
		offset += len(content)
	}
	if offset < 0 || offset >= len(content) {
		tb.Fatalf("%s has %d bytes, none at offset %d", path, len(content), offset)
	}
	content[offset] ^= 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		tb.Fatalf("damage the file: %v", err)
	}
}

// Truncate cuts the last n bytes off the file.
func Truncate(tb testing.TB, path string, n int64) {
	tb.Helper()
	info, err := os.Stat(path)
	if err != nil {
		tb.Fatalf("measure the file to truncate: %v", err)
	}
	if err := os.Truncate(path, info.Size()-n); err != nil {
		tb.Fatalf("truncate the file: %v", err)
	}
}
