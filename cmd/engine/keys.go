package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/docket-engine/docket/internal/atomicfile"
	"github.com/docket-engine/docket/jetstream"
)

const (
	keysDir    = "keys"
	keyFile    = "engine.key" // PKCS #8
	publicFile = "engine.pub" // PKIX
)

// errNoKeys says that nothing can be checked or written.
var errNoKeys = errors.New("there is no key")

// openKeys reads the keys and the anchors that they have signed. A directory in
// which nothing was written gets a key; it is held, so that no other process makes
// another one.
func (s *store) openKeys(access access) error {
	if access == readWrite && s.lock != nil && s.isNew() {
		if err := makeKey(filepath.Join(s.dir, keysDir)); err != nil {
			return fmt.Errorf("make a key: %w", err)
		}
	}
	keys, err := loadKeys(s.dir)
	if err != nil {
		return err
	}
	if access == readWrite && !exists(filepath.Join(s.dir, keysDir, keyFile)) {
		return fmt.Errorf("%s holds no %s: this store can be read and verified, and not written to", filepath.Join(s.dir, keysDir), keyFile)
	}
	s.keys = keys
	s.anchors, err = jetstream.LoadAnchors(filepath.Join(s.dir, anchorsFile), keys)
	return err
}

// isNew reports whether nothing was made in the directory yet that was signed.
func (s *store) isNew() bool {
	public, err := filepath.Glob(filepath.Join(s.dir, keysDir, "*.pub"))
	return err == nil && len(public) == 0 && !exists(filepath.Join(s.dir, keysDir, keyFile)) &&
		!exists(filepath.Join(s.dir, anchorsFile)) && !exists(filepath.Join(s.dir, "jetstream"))
}

// exists takes what cannot be looked at for something that is there.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// loadKeys reads the engine's key, and the public keys (*.pub) that are trusted
// beside it: those of other engines on the same streams, and older ones. Public
// keys alone are enough to verify.
func loadKeys(dir string) (jetstream.Keys, error) {
	keys, err := readKeys(filepath.Join(dir, keysDir))
	if err != nil {
		return jetstream.Keys{}, fmt.Errorf("keys: %w", err)
	}
	return keys, nil
}

func readKeys(dir string) (jetstream.Keys, error) {
	public, err := readPublic(dir)
	if err != nil {
		return jetstream.Keys{}, err
	}
	private, err := readPrivate(filepath.Join(dir, keyFile))
	switch {
	case err == nil:
		return jetstream.NewKeys(private, public...)
	case !errors.Is(err, fs.ErrNotExist):
		return jetstream.Keys{}, err
	case len(public) > 0:
		return jetstream.TrustedKeys(public...)
	default:
		return jetstream.Keys{}, fmt.Errorf("%w in %s: put %s back, or %s to read and verify", errNoKeys, dir, keyFile, publicFile)
	}
}

// makeKey writes the private key before the public one: a crash in between leaves
// a key that works.
func makeKey(dir string) error {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	privateDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	publicDER, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	err = atomicfile.Replace(filepath.Join(dir, keyFile), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: privateDER}))
	if err == nil {
		err = atomicfile.Replace(filepath.Join(dir, publicFile), pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: publicDER}))
	}
	return err
}

func readPrivate(path string) (ed25519.PrivateKey, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s can be read by others (%s): make it private with chmod 600", path, info.Mode().Perm())
	}
	der, err := readPEM(path, "PRIVATE KEY")
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	private, ok := key.(ed25519.PrivateKey)
	if err != nil || !ok {
		return nil, fmt.Errorf("%s is not an Ed25519 key in PKCS #8", path)
	}
	return private, nil
}

func readPublic(dir string) ([]ed25519.PublicKey, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.pub"))
	if err != nil {
		return nil, err
	}
	keys := make([]ed25519.PublicKey, 0, len(paths))
	for _, path := range paths {
		der, err := readPEM(path, "PUBLIC KEY")
		if err != nil {
			return nil, err
		}
		key, err := x509.ParsePKIXPublicKey(der)
		public, ok := key.(ed25519.PublicKey)
		if err != nil || !ok {
			return nil, fmt.Errorf("%s is not an Ed25519 public key", path)
		}
		keys = append(keys, public)
	}
	return keys, nil
}

func readPEM(path, kind string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != kind {
		return nil, fmt.Errorf("%s holds no %s in PEM", path, kind)
	}
	return block.Bytes, nil
}
