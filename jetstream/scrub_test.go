package jetstream

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"
)

// A running server's blocks are read again after a day, and what is found is told and
// noted down; whatever is new is not sealed while the server may still sync it.
func TestAScrubFindsWhatHasRotted(t *testing.T) {
	keys, err := NewKeys(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := StartServer(t.Context(), ServerConfig{Dir: t.TempDir(), Fsync: Fsync(time.Second), Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	fillBlocks(t, s)
	var found []BlockDamage
	scrub := func(at time.Time) Checked {
		s.scrub(t.Context(), at, func(d BlockDamage) { found = append(found, d) })
		return CheckedBlocks(s.cfg.Dir, keys)
	}
	now := time.Now()
	if c := scrub(now); c.Blocks != 0 {
		t.Errorf("at once: got %+v, want nothing read", c)
	}
	now = now.Add(time.Hour)
	if c := scrub(now); c.Blocks != 3 || c.Sealed != 3 || len(c.Damages) != 0 {
		t.Errorf("after an hour: got %+v, want three blocks sealed", c)
	}
	rot(t, s.StoreDir(), "2.blk")
	if c := scrub(now.Add(time.Hour)); len(c.Damages) != 1 || len(found) != 1 || !strings.Contains(c.Damages[0], "2.blk is damaged at byte") {
		t.Errorf("after it has rotted: got %+v, %v, want one damage", c, found)
	}
	// It says so again, once it is looked at again.
	if c := scrub(now.Add(48 * time.Hour)); len(c.Damages) != 1 || len(found) != 2 || c.Blocks != 3 {
		t.Errorf("two days later: got %+v, %v, want the same", c, found)
	}
}

func fillBlocks(t *testing.T, s *Server) {
	t.Helper()
	nc, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := natsjs.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Provision(t.Context(), js, Layout{}); err != nil {
		t.Fatal(err)
	}
	for range 55 {
		if _, err := js.Publish(t.Context(), "session.0.0.s1", make([]byte, 512<<10)); err != nil {
			t.Fatal(err)
		}
	}
}

func rot(t *testing.T, root, name string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "*", "streams", "SESSIONS_0_0", "msgs", name))
	if err != nil || len(paths) != 1 {
		t.Fatalf("got %v, %v", paths, err)
	}
	if err := os.Chmod(paths[0], 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	text[5000] ^= 1
	if err := os.WriteFile(paths[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAScrubEndsWithItsContext(t *testing.T) {
	s, err := StartServer(t.Context(), ServerConfig{Dir: t.TempDir(), Fsync: Fsync(time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Scrub(ctx, func(d BlockDamage) { t.Errorf("got %v", d) })
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
