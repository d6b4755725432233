package jetstream

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/internal/atomicfile"
)

// A disk is what would be left of a directory tree after a power cut: contents
// of files and entries of directories as they were when they were synced.
type disk struct {
	files map[string][]byte
	dirs  map[string][]string
}

func newDisk() *disk {
	return &disk{files: make(map[string][]byte), dirs: make(map[string][]string)}
}

func (d *disk) sync(path string) error {
	entries, err := os.ReadDir(path)
	if err == nil {
		names := make([]string, len(entries))
		for i, e := range entries {
			names[i] = e.Name()
		}
		d.dirs[path] = names
		return nil
	}
	content, err := os.ReadFile(path)
	if err == nil {
		d.files[path] = content
	}
	return err
}

// restore writes to the directory to what is left of from: what was synced
// itself and has a synced name in every directory that leads to it.
func (d *disk) restore(t *testing.T, from, to string) {
	t.Helper()
	for _, name := range d.dirs[from] {
		src, dst := filepath.Join(from, name), filepath.Join(to, name)
		err := error(nil)
		if content, ok := d.files[src]; ok {
			err = os.WriteFile(dst, content, 0o600)
		} else if _, ok := d.dirs[src]; ok {
			err = os.Mkdir(dst, 0o700)
			d.restore(t, src, dst)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestANewStreamSurvivesAPowerCutOnceItIsDurable(t *testing.T) {
	for name, tt := range map[string]struct {
		durable bool
		want    []string
	}{
		"made durable": {true, []string{"AUDIT 0", "PROJECTS 0", "SESSIONS_0_0 2", "SNAPSHOTS 0"}},
		"left alone":   {false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			// No tick of the server falls into this test: durability before the
			// first tick is the point.
			dir, left := t.TempDir(), newDisk()
			s, js := serve(t, dir)
			created, err := Provision(t.Context(), js, Layout{})
			if err != nil || len(created) != 4 {
				t.Fatalf("created %v, %v", created, err)
			}
			for range 2 {
				if _, err := js.Publish(t.Context(), "session.0.0.s1", nil); err != nil {
					t.Fatal(err)
				}
			}
			if tt.durable {
				if err := syncStore(s.cfg.Dir, left.sync); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := js.Publish(t.Context(), "session.0.0.s1", nil); err != nil {
				t.Fatal(err)
			}

			after := t.TempDir()
			left.restore(t, dir, after)
			_, js = serve(t, after)
			var got []string
			for info := range js.ListStreams(t.Context()).Info() {
				got = append(got, info.Config.Name+" "+string(rune('0'+info.State.Msgs)))
			}
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("streams and messages (-want +got):\n%s", diff)
			}
			// What is left is a stream that Provision accepts and that takes writes.
			if _, err := Provision(t.Context(), js, Layout{}); err != nil {
				t.Error(err)
			}
			if _, err := js.Publish(t.Context(), "session.0.0.s1", nil); err != nil {
				t.Error(err)
			}
		})
	}
}

func serve(t *testing.T, dir string) (*Server, natsjs.JetStream) {
	t.Helper()
	s, err := StartServer(t.Context(), ServerConfig{Dir: dir, Fsync: Fsync(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	nc, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := natsjs.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return s, js
}

func TestMakeDurableReachesTheRealDisk(t *testing.T) {
	s, js := serve(t, t.TempDir())
	if _, err := Provision(t.Context(), js, Layout{}); err != nil {
		t.Fatal(err)
	}
	if err := s.MakeDurable(); err != nil {
		t.Error(err)
	}
}

func TestAFileThatGoesAwayNeedNotBeDurable(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, storeName)
	for _, name := range []string{"a", "b", "c"} {
		writeFile(t, filepath.Join(store, name, "f"))
	}
	var synced []string
	err := syncStore(dir, func(path string) error {
		if err := os.RemoveAll(filepath.Join(store, "b")); err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(dir, path)
		synced = append(synced, rel)
		return errors.Join(err, atomicfile.Sync(path))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".", "jetstream", "jetstream/a", "jetstream/a/f", "jetstream/c", "jetstream/c/f"} {
		if !slices.Contains(synced, filepath.FromSlash(want)) {
			t.Errorf("%s is not synced: %v", want, synced)
		}
	}
}

func TestAFileThatCannotBeSyncedIsAnError(t *testing.T) {
	dir, broken := t.TempDir(), errors.New("the disk is broken")
	writeFile(t, filepath.Join(dir, storeName, "f"))
	for _, failing := range []string{"f", storeName, filepath.Base(dir)} {
		err := syncStore(dir, func(path string) error {
			if filepath.Base(path) == failing {
				return broken
			}
			return nil
		})
		if !errors.Is(err, broken) {
			t.Errorf("%s: got %v, want %v", failing, err, broken)
		}
	}
}

func TestANewStateDirectoryIsNamedDurablyByItsParents(t *testing.T) {
	root := t.TempDir()
	dir, left := filepath.Join(root, "a", "b", "c"), newDisk()
	if err := makeDir(dir, left.sync); err != nil {
		t.Fatal(err)
	}
	for parent, child := range map[string]string{root: "a", filepath.Join(root, "a"): "b", filepath.Join(root, "a", "b"): "c"} {
		if !slices.Contains(left.dirs[parent], child) {
			t.Errorf("%s does not name %s: %v", parent, child, left.dirs[parent])
		}
	}
	again := newDisk()
	if err := makeDir(dir, again.sync); err != nil || len(again.dirs) > 0 {
		t.Errorf("an existing directory: got %v, synced %v", err, again.dirs)
	}
}

func TestNobodyElseCanReadTheState(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	serve(t, dir)
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v, want mode 0700", info.Mode(), err)
	}
}

func TestNoListenerIsOpenThatNobodyAskedFor(t *testing.T) {
	cfg := ServerConfig{Dir: t.TempDir(), Listen: true}
	if err := cfg.validate(); err != nil {
		t.Fatal(err)
	}
	o, err := cfg.options()
	if err != nil {
		t.Fatal(err)
	}
	ports := map[string]int{
		"monitoring": o.HTTPPort, "secure monitoring": o.HTTPSPort, "profiling": o.ProfPort,
		"websocket": o.Websocket.Port, "MQTT": o.MQTT.Port, "leafnode": o.LeafNode.Port,
		"gateway": o.Gateway.Port, "cluster": o.Cluster.Port,
	}
	for name, port := range ports {
		if port != 0 {
			t.Errorf("%s has port %d", name, port)
		}
	}
	if o.Host != "127.0.0.1" || o.Port != -1 || o.NoAuthUser != "" {
		t.Errorf("clients connect at %s:%d as %q", o.Host, o.Port, o.NoAuthUser)
	}
}

func writeFile(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFsyncIsWhatTheServerDoes(t *testing.T) {
	for _, f := range []Fsync{FsyncAlways, Fsync(250 * time.Millisecond), Fsync(time.Minute)} {
		s, err := StartServer(t.Context(), ServerConfig{Dir: t.TempDir(), Fsync: f})
		if err != nil {
			t.Fatal(err)
		}
		got := s.nats.JetStreamConfig()
		if got.SyncAlways != (f == FsyncAlways) || f != FsyncAlways && got.SyncInterval != time.Duration(f) {
			t.Errorf("%s: got always %t, interval %s", f, got.SyncAlways, got.SyncInterval)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
