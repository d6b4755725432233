package bus

import (
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

type sealed struct {
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
		return nil, fmt.Errorf("bus: a passphrase has at least %d characters", minPassphrase)
	}
	if len(credential) == 0 || len(credential) > sealLimit/2 {
		return nil, fmt.Errorf("bus: a credential of %d bytes cannot be sealed", len(credential))
	}
	s := sealed{Format: sealFormat, Spread: make([]byte, saltSize), Nonce: make([]byte, chacha20poly1305.NonceSizeX)}
	if _, err := rand.Read(s.Spread); err != nil {
		return nil, err
	}
	if _, err := rand.Read(s.Nonce); err != nil {
		return nil, err
	}
	box, err := chacha20poly1305.NewX(s.key(passphrase))
	if err != nil {
		return nil, err
	}
	s.Box = box.Seal(nil, s.Nonce, credential, s.additional())
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// Unseal decrypts what [Seal] gave.
func Unseal(text, passphrase []byte) ([]byte, error) {
	s, err := parseSealed(text)
	if err != nil {
		return nil, err
	}
	box, err := chacha20poly1305.NewX(s.key(passphrase))
	if err != nil {
		return nil, err
	}
	credential, err := box.Open(nil, s.Nonce, s.Box, s.additional())
	if err != nil {
		return nil, fmt.Errorf("bus: %w", ErrPassphrase)
	}
	return credential, nil
}

// IsSealed reports whether a file's content is a sealed credential.
func IsSealed(text []byte) bool {
	_, err := parseSealed(text)
	return err == nil
}

var errNotSealed = errors.New("bus: it is no sealed credential")

func parseSealed(text []byte) (sealed, error) {
	var s sealed
	if len(text) > sealLimit {
		return s, errNotSealed
	}
	err := json.Unmarshal(text, &s, json.RejectUnknownMembers(true))
	if err != nil || s.Format != sealFormat || len(s.Spread) != saltSize || len(s.Nonce) != chacha20poly1305.NonceSizeX || len(s.Box) <= chacha20poly1305.Overhead {
		return sealed{}, errNotSealed
	}
	return s, nil
}

func (s sealed) key(passphrase []byte) []byte {
	return argon2.IDKey(passphrase, s.Spread, sealTime, sealMemory, sealThreads, chacha20poly1305.KeySize)
}

func (s sealed) additional() []byte { return append([]byte(s.Format), s.Spread...) }
