package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// damagedStore has a session of two blocks, two more behind it, and damage.
type damagedStore struct {
	home, dir, streams string
}

func storeToDamage(t *testing.T) damagedStore {
	t.Helper()
	home := t.TempDir()
	long, fixtures := filepath.Join(home, "long.jsonl"), filepath.Join("..", "..", "fixtures", "sessions")
	longSession(t, long)
	d := damagedStore{home: home, dir: filepath.Join(home, ".local", "state", "docket")}
	d.want(t, exitOK, "import", long, filepath.Join(fixtures, "demo-code.jsonl"), filepath.Join(fixtures, "demo-plain.jsonl"))
	d.want(t, exitOK, "session", "create", "--id", "other") // which notes which blocks are full
	var err error
	if d.streams, err = streamsIn(d.dir); err != nil {
		t.Fatal(err)
	}
	return d
}

// want runs a command and gives what it says.
func (d damagedStore) want(t *testing.T, code int, args ...string) string {
	t.Helper()
	r := runIn(t.Context(), d.home, append([]string{"--fsync", "1s"}, args...)...)
	if r.code != code {
		t.Errorf("%v: got %+v, want exit code %d", args, r, code)
	}
	return r.out + r.err
}

func (d damagedStore) block(stream, name string) string {
	return filepath.Join(d.streams, stream, "msgs", name)
}

// alter changes a block in place, sealed or not.
func (d damagedStore) alter(t *testing.T, stream, name string, do func([]byte) []byte) {
	t.Helper()
	path := d.block(stream, name)
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err == nil {
		err = os.WriteFile(path, do(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func flipped(at int) func([]byte) []byte {
	return func(text []byte) []byte {
		if at < 0 {
			at += len(text)
		}
		text[at] ^= 4
		return text
	}
}

// frameOf flips a bit so far behind where the record of the nth frame of a session begins.
func frameOf(id string, n, offset int) func([]byte) []byte {
	return func(text []byte) []byte {
		at := 0
		for range n + 1 {
			at += bytes.Index(text[at:], []byte("session.0.0." + id + "NATS/1.0")[:12+len(id)]) + 1
		}
		text[at-1-22+offset] ^= 4
		return text
	}
}

// content says of each file below a folder what it is.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestADamagedStoreIsMadeAnewOfWhatIsWhole(t *testing.T) {
	cases := map[string]struct {
		do   func(t *testing.T, d damagedStore)
		cut  []string
		lost []string
	}{
		"a length in a full block": {func(t *testing.T, d damagedStore) {
			t.Helper()
			d.alter(t, "SESSIONS_0_0", "1.blk", frameOf("long", 3, 1))
		}, []string{"long"}, nil},
		"a sequence in a full block": {func(t *testing.T, d damagedStore) {
			t.Helper()
			d.alter(t, "SESSIONS_0_0", "1.blk", frameOf("long", 3, 8))
		}, []string{"long"}, nil},
		"a message in a full block": {func(t *testing.T, d damagedStore) {
			t.Helper()
			d.alter(t, "SESSIONS_0_0", "1.blk", flipped(3_000_000))
		}, []string{"long"}, nil},
		"the header of the long session": {func(t *testing.T, d damagedStore) { t.Helper(); d.alter(t, "SESSIONS_0_0", "1.blk", flipped(300)) }, nil, []string{"long"}},
		"the last record":                {func(t *testing.T, d damagedStore) { t.Helper(); d.alter(t, "SESSIONS_0_0", "2.blk", flipped(-20)) }, []string{"other"}, nil},
		"a length in the last block": {func(t *testing.T, d damagedStore) {
			t.Helper()
			d.alter(t, "SESSIONS_0_0", "2.blk", frameOf("demo-code", 0, 1))
		}, nil, []string{"demo-code"}},
		"a seal": {func(t *testing.T, d damagedStore) { t.Helper(); d.alter(t, "AUDIT", "1.blk", flipped(100)) }, nil, nil},
		"the first block is gone": {func(t *testing.T, d damagedStore) {
			t.Helper()
			if err := os.Remove(d.block("SESSIONS_0_0", "1.blk")); err != nil {
				t.Fatal(err)
			}
		}, nil, []string{"long"}},
	}
	for name, c := range cases {
		for _, index := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, index %t", name, index), func(t *testing.T) {
				t.Parallel()
				d := storeToDamage(t)
				c.do(t, d)
				if !index {
					for _, stream := range []string{"SESSIONS_0_0", "AUDIT"} {
						if err := os.Remove(d.block(stream, "index.db")); err != nil {
							t.Fatal(err)
						}
					}
				}
				repairAndCheck(t, d, c.cut, c.lost, name != "the first block is gone")
			})
		}
	}
}

func repairAndCheck(t *testing.T, d damagedStore, cut, lost []string, refused bool) {
	t.Helper()
	before := content(t, filepath.Join(d.dir, "jetstream"))
	d.want(t, exitFailed, "verify", "--all")
	if refused { // nothing that a server would cut off is opened
		d.want(t, exitOK, "session", "show", "demo-plain")
		d.want(t, exitFailed, "session", "create")
		if diff := cmp.Diff(before, content(t, filepath.Join(d.dir, "jetstream"))); diff != "" {
			t.Errorf("reading has changed the store (-before +after):\n%s", diff)
		}
	}
	var made storeRepair
	if out := d.want(t, exitOK, "repair", "store", "--json"); json.Unmarshal([]byte(out), &made) != nil || !made.Needed {
		t.Fatalf("got %s", out)
	}
	var gotCut, gotLost []string
	for _, one := range made.Cut {
		gotCut = append(gotCut, string(one.Session))
		if !strings.Contains(d.want(t, exitOK, "verify", string(one.As)), ": ok, ") {
			t.Errorf("%s is not whole", one.As)
		}
		if shown := d.want(t, exitOK, "export", string(one.As)); !strings.Contains(shown, `"cutFrom":{"session":"`+string(one.Session)) {
			t.Errorf("%s does not say what it was cut from: %.300s", one.As, shown)
		}
		d.want(t, exitOK, "session", "adopt", string(one.As))
	}
	for _, id := range made.Lost {
		gotLost = append(gotLost, string(id))
	}
	if diff := cmp.Diff(map[string][]string{"cut": cut, "lost": lost}, map[string][]string{"cut": gotCut, "lost": gotLost}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, id := range []string{"demo-code", "demo-plain"} {
		if slices.Contains(cut, id) || slices.Contains(lost, id) {
			continue
		}
		want, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "sessions", id+".jsonl"))
		if got := d.want(t, exitOK, "export", id); err != nil || got != string(want) {
			t.Errorf("%s is not what it was: %v", id, err)
		}
	}
	if refused {
		if diff := cmp.Diff(before, content(t, filepath.Join(d.dir, made.Aside, "jetstream"))); diff != "" {
			t.Errorf("what was put aside is not what was there (-before +after):\n%s", diff)
		}
	}
	d.want(t, exitOK, "verify", "--all")
	if out := d.want(t, exitOK, "repair", "store"); out != "Nothing has to be repaired.\n" {
		t.Errorf("again: got %s", out)
	}
	if anchors, err := os.ReadFile(filepath.Join(d.dir, anchorsFile)); err != nil || !bytes.Contains(anchors, []byte(`"repaired":{"aside":"`+made.Aside)) {
		t.Errorf("the anchors do not say that the store was repaired: %v, %s", err, anchors)
	}
}

// A repair that is cut short is finished by the next one, wherever it was, and nothing
// else opens the store meanwhile.
func TestARepairThatIsCutShortIsFinished(t *testing.T) {
	for done := range 5 {
		t.Run(fmt.Sprint(done, " steps"), func(t *testing.T) {
			t.Parallel()
			d := storeToDamage(t)
			d.alter(t, "SESSIONS_0_0", "1.blk", flipped(3_000_000))
			a := &app{world: world{stdout: io.Discard, stderr: io.Discard, getenv: atHome(d.home)}, dir: d.dir, replicas: 1}
			made, err := a.makeAnew(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			old, staging := filepath.Join(d.dir, made.Aside), filepath.Join(d.dir, repairStaging)
			steps := [][2]string{
				{filepath.Join(d.dir, "jetstream"), filepath.Join(old, "jetstream")},
				{filepath.Join(staging, "jetstream"), filepath.Join(d.dir, "jetstream")},
				{filepath.Join(d.dir, anchorsFile), filepath.Join(old, anchorsFile)},
				{filepath.Join(staging, anchorsFile), filepath.Join(d.dir, anchorsFile)},
			}
			if done > 0 {
				if err := os.MkdirAll(old, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for _, step := range steps[:done] {
				if err := os.Rename(step[0], step[1]); err != nil {
					t.Fatal(err)
				}
			}
			for _, args := range [][]string{{"session", "list"}, {"verify", "--all"}, {"session", "create"}, {"serve"}} {
				if out := d.want(t, exitFailed, args...); !strings.Contains(out, "'engine repair store' finishes it") {
					t.Errorf("%v: got %s", args, out)
				}
			}
			if out := d.want(t, exitOK, "repair", "store"); !strings.Contains(out, "session long: cut: ") {
				t.Errorf("got %s", out)
			}
			d.want(t, exitOK, "verify", "--all")
			d.want(t, exitOK, "session", "create")
			if exists(staging) || exists(filepath.Join(d.dir, repairMarker)) {
				t.Error("something is left of the repair")
			}
		})
	}
}

func TestARepairRefusesAStoreThatIsServed(t *testing.T) {
	home := t.TempDir()
	serveIn(t, home)
	if r := runIn(t.Context(), home, "repair", "store"); r.code != exitFailed || !strings.Contains(r.err, "is in use by process ") {
		t.Errorf("got %+v", r)
	}
	if r := runIn(t.Context(), home, "repair", "store", "--nats", "nats://127.0.0.1:1"); r.code != exitUsage {
		t.Errorf("got %+v", r)
	}
}

// TestVerifyWritesNothing, also beside a serve that runs, and with and without an index.
func TestVerifyWritesNothing(t *testing.T) {
	d := storeToDamage(t)
	for _, index := range []bool{true, false} {
		if !index {
			if err := os.Remove(d.block("SESSIONS_0_0", "index.db")); err != nil {
				t.Fatal(err)
			}
		}
		before := content(t, d.dir)
		d.want(t, exitOK, "verify", "--all")
		d.want(t, exitOK, "verify", "demo-code")
		if diff := cmp.Diff(before, content(t, d.dir)); diff != "" {
			t.Errorf("index %t (-before +after):\n%s", index, diff)
		}
	}
	serveIn(t, d.home)
	if out := d.want(t, exitOK, "verify", "--all"); !strings.Contains(out, "store: whole\nsession demo-code: ok, 36 events\n") {
		t.Errorf("beside a serve: got %s", out)
	}
}
