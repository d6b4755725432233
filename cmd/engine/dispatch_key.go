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
)

// dispatchFile is the key that permits are signed with. It is another one than the
// log's: whoever runs bodies trusts it, and nothing on the log is checked by it.
const dispatchFile = "dispatch.key"

// dispatchKey reads the key that permits are signed with, or makes it.
func dispatchKey(dir string) (ed25519.PrivateKey, error) {
	path := filepath.Join(dir, keysDir, dispatchFile)
	key, err := readPrivate(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	_, key, err = ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := writeOnce(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})); err != nil {
		return nil, fmt.Errorf("make the key of permits: %w", err)
	}
	return readPrivate(path)
}

// writeOnce writes a whole file unless another process was first.
func writeOnce(path string, text []byte) error {
	mine := path + "." + rand.Text()
	if err := atomicfile.Replace(mine, text); err != nil {
		return err
	}
	err := os.Link(mine, path)
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return errors.Join(err, os.Remove(mine), atomicfile.Sync(filepath.Dir(path)))
}
