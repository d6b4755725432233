package jetstream_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// severalBlocks is a stopped store whose sessions take four blocks.
func severalBlocks(t *testing.T) *jetstreamtest.Node {
	t.Helper()
	n, js := provisioned(t, jetstream.Layout{})
	for range 55 {
		publish(t, js, "session.0.0.s1", strings.Repeat("x", 512<<10))
	}
	js.Conn().Close()
	n.Stop()
	return n
}

// open starts and stops the server, with a manifest.
func open(t *testing.T, n *jetstreamtest.Node) {
	t.Helper()
	if err := n.TryStart(jetstream.ServerConfig{Keys: testKeys(t)}); err != nil {
		t.Fatal(err)
	}
	n.Stop()
}

func modes(t *testing.T, n *jetstreamtest.Node, stream string) (out []string) {
	t.Helper()
	for _, b := range n.Blocks(stream) {
		info, err := os.Stat(b)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, info.Mode().Perm().String()[:4])
	}
	return out
}

func TestFullBlocksAreSealedAndTheLastIsNot(t *testing.T) {
	n := severalBlocks(t)
	open(t, n)
	if got := strings.Join(modes(t, n, sessions), " "); got != "-r-- -r-- -r-- -rw-" {
		t.Errorf("got modes %s, want all but the last sealed", got)
	}
	// The last is gone: the one before it is written to again.
	if err := os.Remove(n.Blocks(sessions)[3]); err != nil {
		t.Fatal(err)
	}
	open(t, n)
	if got := modes(t, n, sessions); got[2] != "-rw-" && len(got) == 3 {
		t.Errorf("got modes %v, want the last one writable", got)
	}
}

func TestBlocksOfAStreamThatForgetsAreNotSealed(t *testing.T) {
	n, js := provisioned(t, jetstream.Layout{})
	for i := range 55 {
		publish(t, js, fmt.Sprint("snapshot.s", i%50), strings.Repeat("x", 512<<10))
	}
	js.Conn().Close()
	n.Stop()
	open(t, n)
	for i, mode := range modes(t, n, jetstream.SnapshotsStream) {
		if mode != "-rw-" {
			t.Errorf("block %d: got %s, want it writable", i, mode)
		}
	}
	if err := n.TryStart(jetstream.ServerConfig{Keys: testKeys(t)}); err != nil {
		t.Fatal(err)
	}
	for range 55 { // all of them go
		publish(t, n.JetStream(), "snapshot.sa", strings.Repeat("x", 512<<10))
	}
}

// flipIn changes one bit in place, with or without the mark that a write leaves.
func flipIn(t *testing.T, path string, at int64) {
	t.Helper()
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	jetstreamtest.FlipBit(t, path, int(at))
}

// One bit of a full block is wrong, with or without an index, a manifest, or a manifest
// that somebody else wrote: the store is not opened, and nothing changes.
func TestADamagedBlockKeepsTheStoreClosed(t *testing.T) {
	for name, tt := range map[string]struct {
		before func(t *testing.T, n *jetstreamtest.Node)
		block  int
		at     int64
	}{
		"a length, without a manifest":    {nil, 1, 3},
		"a length, with a manifest":       {open, 1, 3},
		"a sequence, without a manifest":  {nil, 1, 9},
		"a sequence, with a manifest":     {open, 1, 9},
		"a sequence of the last block":    {open, 3, 9},
		"a body":                          {open, 0, 1000},
		"a manifest of somebody else's":   {foreignManifest, 0, 1000},
		"a manifest that is none":         {noManifest, 2, 5},
		"a block that is none any more":   {open, 2, -1},
		"a whole block in another's name": {open, 2, -2},
	} {
		for _, index := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				n := severalBlocks(t)
				if tt.before != nil {
					tt.before(t, n)
				}
				switch path := n.Blocks(sessions)[tt.block]; tt.at {
				case -1:
					replaceBlock(t, path, []byte(strings.Repeat("\x00", 1<<20)))
				case -2:
					text, err := os.ReadFile(n.Blocks(sessions)[0])
					if err != nil {
						t.Fatal(err)
					}
					replaceBlock(t, path, text)
				default:
					flipIn(t, path, tt.at)
				}
				if !index {
					n.RemoveIndex(sessions)
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if !refuses(t, n, jetstream.ServerConfig{Keys: testKeys(t)}) {
					t.Error("the store was opened")
				}
				runtime.ReadMemStats(&after)
				if took := after.TotalAlloc - before.TotalAlloc; took > 2<<30 { // other tests run beside it
					t.Errorf("looking took %d bytes", took)
				}
			})
		}
	}
}

func replaceBlock(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := errors.Join(os.Remove(path), os.WriteFile(path, text, 0o600)); err != nil {
		t.Fatal(err)
	}
}

func foreignManifest(t *testing.T, n *jetstreamtest.Node) {
	t.Helper()
	if err := n.TryStart(jetstream.ServerConfig{Keys: keysOf(t, otherKey())}); err != nil {
		t.Fatal(err)
	}
	n.Stop()
}

func noManifest(t *testing.T, n *jetstreamtest.Node) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(n.Dir(), "blocks.json"), []byte(`{"blocks":[{"path":"x"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What was looked at is not read again, as long as the file is the same.
func TestTheManifestNamesTheFullBlocks(t *testing.T) {
	n := severalBlocks(t)
	path := filepath.Join(n.Dir(), "blocks.json")
	open(t, n)
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	open(t, n)
	second, err := os.ReadFile(path)
	if err != nil || string(first) != string(second) {
		t.Errorf("got %v, %s\nwant what was there: nothing was read again", err, second)
	}
	var m struct {
		Blocks []struct {
			Path   string
			Last   uint64
			Sealed bool
			SHA256 string
		}
	}
	if err := json.Unmarshal(first, &m); err != nil || len(m.Blocks) != 3 {
		t.Fatalf("got %v, %s, want three blocks", err, first)
	}
	for i, b := range m.Blocks {
		if !b.Sealed || b.Last == 0 || len(b.SHA256) != 64 {
			t.Errorf("block %d: got %+v", i, b)
		}
	}
}

// A last record that was not written to its end is the server's to cut off, unless the
// stream is known to have been longer.
func TestATornEndIsNoDamageUnlessTheStreamWasLonger(t *testing.T) {
	for name, index := range map[string]bool{"with its index": true, "without an index": false} {
		t.Run(name, func(t *testing.T) {
			n := severalBlocks(t)
			open(t, n)
			jetstreamtest.Truncate(t, n.Blocks(sessions)[3], 100)
			if !index {
				n.RemoveIndex(sessions)
			}
			open(t, n)
			// Three blocks are known to be there.
			blocks := n.Blocks(sessions)
			if err := errors.Join(os.Remove(blocks[3]), os.Chmod(blocks[2], 0o600)); err != nil {
				t.Fatal(err)
			}
			jetstreamtest.Truncate(t, blocks[2], 100)
			if !refuses(t, n, jetstream.ServerConfig{Keys: testKeys(t)}) {
				t.Error("a block that was longer was opened")
			}
		})
	}
}
