package blocks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/blocks"
)

// looked is the version of nats-server whose format this package was written for.
const looked = "v2.15.3"

func TestTheFormatIsThatOfTheServerInUse(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\s*github\.com/nats-io/nats-server/v2 (\S+)`).FindSubmatch(text)
	if len(found) != 2 || string(found[1]) != looked {
		t.Errorf("nats-server is another one (%q) than the one whose files this package reads, %s: read in its server/filestore.go how a record, its checksum, its marks "+
			"of removal and the end of index.db are written, mend block.go and store.go where that has changed, and then set this version", found, looked)
	}
}

func TestTheFilesHoldWhatTheServerHolds(t *testing.T) {
	n, js := ours(t)
	for i := range 30 {
		put(t, js, fmt.Sprint("session.0.0.s", i%3), fmt.Sprint(i, strings.Repeat("x", 800<<10)), true)
		put(t, js, fmt.Sprint("snapshot.s", i%4), fmt.Sprint(i, strings.Repeat("y", 800<<10)), true) // each forgets the one before
		put(t, js, fmt.Sprint("audit.seal.s", i), fmt.Sprint(i), false)
	}
	root := rootOf(n)
	for name, least := range map[string]int{"SESSIONS_0_0": 3, jetstream.SnapshotsStream: 1, jetstream.AuditStream: 1} {
		if diff := cmp.Diff(served(t, js, name), filed(t, root, name)); diff != "" {
			t.Errorf("%s beside a running server (-server +files):\n%.2000s", name, diff)
		}
		if got := len(stream(t, root, name).Blocks); got < least {
			t.Errorf("%s: got %d blocks, want at least %d", name, got, least)
		}
	}
	want := served(t, js, "SESSIONS_0_0")
	n.Stop()
	if diff := cmp.Diff(want, filed(t, root, "SESSIONS_0_0")); diff != "" {
		t.Errorf("after a stop (-server +files):\n%.2000s", diff)
	}
	for _, s := range streamsOf(t, root) {
		for i, b := range s.Blocks {
			f, err := blocks.Check(t.Context(), root, b, nil)
			if err != nil || f.Damage != nil || b.Last != (i == len(s.Blocks)-1) {
				t.Errorf("%s: got %v, %v, last %t", b.Path, f.Damage, err, b.Last)
			}
		}
	}
}

func streamsOf(tb testing.TB, root string) []blocks.Stream {
	tb.Helper()
	all, err := blocks.Streams(root)
	if err != nil || len(all) != 4 {
		tb.Fatalf("got %v, %v, want our four streams", all, err)
	}
	return all
}

// Before the server has removed them, and after, messages that were deleted and erased
// are told from those that are there.
func TestRemovedMessagesAreToldFromTheOthers(t *testing.T) {
	n, js := ours(t)
	cfg, err := js.Stream(t.Context(), "SESSIONS_0_0")
	if err != nil {
		t.Fatal(err)
	}
	loose := cfg.CachedInfo().Config
	loose.Name, loose.Subjects, loose.DenyDelete, loose.RePublish = "LOOSE", []string{"loose.*"}, false, nil
	s, err := js.CreateStream(t.Context(), loose)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		put(t, js, "loose.a", fmt.Sprint(i), i%2 == 0)
	}
	for seq, remove := range map[uint64]bool{1: true, 3: true, 5: false} {
		if remove {
			err = s.DeleteMsg(t.Context(), seq)
		} else {
			err = s.SecureDeleteMsg(t.Context(), seq)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := served(t, js, "LOOSE")
	if len(want) != 5 {
		t.Fatalf("the server has %d messages, want 5", len(want))
	}
	for _, stopped := range []bool{false, true} {
		if stopped {
			n.Stop()
		}
		if diff := cmp.Diff(want, filed(t, rootOf(n), "LOOSE")); diff != "" {
			t.Errorf("stopped %t (-server +files):\n%s", stopped, diff)
		}
	}
}

// An index is believed as the server believes it: whole, and as new as the blocks.
func TestAnIndexThatTheServerWouldNotBelieveIsNone(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(dir string) error
		want bool
	}{
		"whole":           {func(string) error { return nil }, true},
		"missing":         {func(dir string) error { return os.Remove(filepath.Join(dir, "index.db")) }, false},
		"cut":             {func(dir string) error { return os.Truncate(filepath.Join(dir, "index.db"), 40) }, false},
		"empty":           {func(dir string) error { return os.Truncate(filepath.Join(dir, "index.db"), 0) }, false},
		"a bit":           {func(dir string) error { return flip(filepath.Join(dir, "index.db"), 20) }, false},
		"a block behind":  {func(dir string) error { return os.WriteFile(filepath.Join(dir, "2.blk"), nil, 0o600) }, false},
		"records behind":  {func(dir string) error { return extend(filepath.Join(dir, "1.blk")) }, false},
		"the end differs": {func(dir string) error { return flip(filepath.Join(dir, "1.blk"), -1) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			n, js := ours(t)
			put(t, js, "session.0.0.s1", "one", true)
			n.Stop()
			if err := tt.do(filepath.Join(n.StreamDir("SESSIONS_0_0"), "msgs")); err != nil {
				t.Fatal(err)
			}
			if got := stream(t, rootOf(n), "SESSIONS_0_0").Indexed; got != tt.want {
				t.Errorf("got indexed %t, want %t", got, tt.want)
			}
		})
	}
}

func flip(path string, at int) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if at < 0 {
		at += len(text)
	}
	text[at] ^= 1
	return os.WriteFile(path, text, 0o600)
}

func extend(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, "more of it"...), 0o600)
}
