// Package sealed keeps a credential so that it opens with a passphrase alone: Argon2id
// and XChaCha20-Poly1305, with parameters that a file cannot choose.
package sealed

import (
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/chacha20poly1305"
)

const (
	// sealFormat names the whole recipe, so that a file cannot ask for a weaker or a
	// dearer one: Argon2id with the parameters below, XChaCha20-Poly1305, and the format
	// and the salt as additional data.
	sealFormat  = "docket-sealed-credential-1"
	sealTime    = 3
	sealMemory  = 64 << 10 // KiB
	sealThreads = 4
	saltSize    = 16
	sealLimit   = 64 << 10

	// minPassphrase is in bytes.
	minPassphrase = 8
)

type box struct {
	Format string `json:"format"`
	Spread []byte `json:"salt"`
	Nonce  []byte `json:"nonce"`
	Box    []byte `json:"box"`
}

// ErrPassphrase says that a sealed credential does not open with a passphrase, or was
// altered: nobody can tell which.
var ErrPassphrase = errors.New("the passphrase is wrong, or the sealed credential was altered")

// Seal encrypts a credentials file with a passphrase.
func Seal(credential, passphrase []byte) ([]byte, error) {
	if len(passphrase) < minPassphrase {
		return nil, fmt.Errorf("sealed: a passphrase has at least %d characters", minPassphrase)
	}
	if len(credential) == 0 || len(credential) > sealLimit/2 {
		return nil, fmt.Errorf("sealed: a credential of %d bytes cannot be sealed", len(credential))
	}
	s := box{Format: sealFormat, Spread: make([]byte, saltSize), Nonce: make([]byte, chacha20poly1305.NonceSizeX)}
	if _, err := rand.Read(s.Spread); err != nil {
		return nil, err
	}
	if _, err := rand.Read(s.Nonce); err != nil {
		return nil, err
	}
	aead, err := s.cipher(passphrase)
	if err != nil {
		return nil, err
	}
	s.Box = aead.Seal(nil, s.Nonce, credential, s.additional())
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// Open decrypts what [Seal] gave. The caller overwrites both when they have served.
func Open(text, passphrase []byte) ([]byte, error) {
	s, err := parseSealed(text)
	if err != nil {
		return nil, err
	}
	aead, err := s.cipher(passphrase)
	if err != nil {
		return nil, err
	}
	credential, err := aead.Open(nil, s.Nonce, s.Box, s.additional())
	if err != nil {
		return nil, fmt.Errorf("sealed: %w", ErrPassphrase)
	}
	return credential, nil
}

// Is reports whether a file's content is a sealed credential.
func Is(text []byte) bool {
	_, err := parseSealed(text)
	return err == nil
}

var errNotSealed = errors.New("sealed: it is no sealed credential")

func parseSealed(text []byte) (box, error) {
	var s box
	if len(text) > sealLimit {
		return s, errNotSealed
	}
	err := json.Unmarshal(text, &s, json.RejectUnknownMembers(true))
	if err != nil || s.Format != sealFormat || len(s.Spread) != saltSize || len(s.Nonce) != chacha20poly1305.NonceSizeX || len(s.Box) <= chacha20poly1305.Overhead {
		return box{}, errNotSealed
	}
	return s, nil
}

// cipher is the one of a passphrase. Its key is kept nowhere else.
func (s box) cipher(passphrase []byte) (cipher.AEAD, error) {
	key := argon2.IDKey(passphrase, s.Spread, sealTime, sealMemory, sealThreads, chacha20poly1305.KeySize)
	defer clear(key)
	return chacha20poly1305.NewX(key)
}

func (s box) additional() []byte { return append([]byte(s.Format), s.Spread...) }
