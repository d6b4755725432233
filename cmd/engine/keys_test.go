package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docket-engine/docket/jetstream"
)

// keyedStore is a directory that is held, with a key.
func keyedStore(t *testing.T) *store {
	t.Helper()
	s := &store{dir: t.TempDir(), lock: &dirLock{}}
	if err := s.openKeys(readWrite); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *store) keyPath(name string) string { return filepath.Join(s.dir, keysDir, name) }

func TestNewDirectoryGetsAPrivateKey(t *testing.T) {
	s := keyedStore(t)
	for path, want := range map[string]os.FileMode{s.keyPath(""): 0o700, s.keyPath(keyFile): 0o600, s.keyPath(publicFile): 0o600} {
		if got := mode(t, path); got != want {
			t.Errorf("%s: got mode %o, want %o", path, got, want)
		}
	}
	before, err := os.ReadFile(s.keyPath(keyFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.openKeys(readWrite); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(s.keyPath(keyFile)); err != nil || string(after) != string(before) {
		t.Errorf("got another key the second time: %v", err)
	}
}

// TestKeyIsMadeByWhoHoldsTheDirectory: else two first commands would make two.
func TestKeyIsMadeByWhoHoldsTheDirectory(t *testing.T) {
	for name, s := range map[string]*store{
		"not held":  {dir: t.TempDir()},
		"anchors":   {dir: t.TempDir(), lock: &dirLock{}},
		"jetstream": {dir: t.TempDir(), lock: &dirLock{}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "anchors" {
				if err := os.WriteFile(filepath.Join(s.dir, anchorsFile), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if name == "jetstream" {
				if err := os.Mkdir(filepath.Join(s.dir, "jetstream"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.openKeys(readWrite); !errors.Is(err, errNoKeys) {
				t.Errorf("got %v, want no keys", err)
			}
			if exists(s.keyPath(keyFile)) {
				t.Error("a key was made")
			}
		})
	}
	if err := (&store{dir: t.TempDir(), lock: &dirLock{}}).openKeys(readOnly); !errors.Is(err, errNoKeys) {
		t.Errorf("got %v of a reader, want no keys", err)
	}
}

// TestCrashWhileKeysAreMadeLeavesADirectoryThatWorks: after each of the two files.
func TestCrashWhileKeysAreMadeLeavesADirectoryThatWorks(t *testing.T) {
	s := keyedStore(t)
	if err := os.Remove(s.keyPath(publicFile)); err != nil {
		t.Fatal(err)
	}
	if err := s.openKeys(readWrite); err != nil {
		t.Errorf("without the public key: %v", err)
	}
	if err := os.Remove(s.keyPath(keyFile)); err != nil {
		t.Fatal(err)
	}
	if err := s.openKeys(readWrite); err != nil {
		t.Errorf("with an empty folder: %v", err)
	}
}

func TestPublicKeysAloneCannotWrite(t *testing.T) {
	s := keyedStore(t)
	if err := os.Remove(s.keyPath(keyFile)); err != nil {
		t.Fatal(err)
	}
	if err := s.openKeys(readOnly); err != nil {
		t.Errorf("to read: %v", err)
	}
	if err := s.openKeys(readWrite); err == nil || !strings.Contains(err.Error(), "can be read and verified, and not written to") {
		t.Errorf("to write: got %v", err)
	}
}

func TestKeysThatAreNoneAreRefused(t *testing.T) {
	tests := map[string]struct {
		file, text string
		mode       os.FileMode
		want       string
	}{
		"readable by the group": {keyFile, "", 0o640, "can be read by others (-rw-r-----): make it private with chmod 600"},
		"readable by all":       {keyFile, "", 0o604, "can be read by others"},
		"no PEM":                {keyFile, "x", 0o600, "holds no PRIVATE KEY in PEM"},
		"another PEM":           {keyFile, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", 0o600, "holds no PRIVATE KEY in PEM"},
		"no key":                {keyFile, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", 0o600, "is not an Ed25519 key in PKCS #8"},
		"no public PEM":         {"other.pub", "x", 0o644, "holds no PUBLIC KEY in PEM"},
		"no public key":         {"other.pub", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", 0o644, "is not an Ed25519 public key"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := keyedStore(t)
			path := s.keyPath(tt.file)
			if tt.text != "" {
				if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(path, tt.mode); err != nil {
				t.Fatal(err)
			}
			_, err := loadKeys(s.dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want %q and the path", err, tt.want)
			}
		})
	}
}

// TestKeysOfOthersAreTrusted: whatever is called *.pub beside the engine's own.
func TestKeysOfOthersAreTrusted(t *testing.T) {
	mine, other := keyedStore(t), keyedStore(t)
	if err := jetstream.AcceptLoss(filepath.Join(mine.dir, anchorsFile), other.keys, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := mine.openKeys(readOnly); err == nil {
		t.Error("got no error for anchors that another engine has signed")
	}
	text, err := os.ReadFile(other.keyPath(publicFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine.keyPath("other.pub"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := mine.openKeys(readOnly); err != nil {
		t.Errorf("got %v with its public key", err)
	}
}
