package frame

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// KeyID names a public key in signatures: the first 8 bytes of its SHA-256, hex.
func KeyID(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	return hex.EncodeToString(sum[:8])
}

// Trusted are the public keys of engines, by which signatures are checked. The zero
// Trusted trusts nobody. It is immutable.
type Trusted struct {
	keys map[string]ed25519.PublicKey
}

// NewTrusted trusts the keys that are given, and no others.
func NewTrusted(public ...ed25519.PublicKey) (Trusted, error) {
	t := Trusted{keys: make(map[string]ed25519.PublicKey, len(public))}
	for _, k := range public {
		if len(k) != ed25519.PublicKeySize {
			return Trusted{}, fmt.Errorf("frame: a public key has %d bytes, not %d", len(k), ed25519.PublicKeySize)
		}
		t.keys[KeyID(k)] = k
	}
	return t, nil
}

// What is wrong with a signature.
var (
	ErrUnsigned  = errors.New("it is not signed")
	ErrUntrusted = errors.New("it is signed by a key that is not trusted")
	ErrForged    = errors.New("its signature is wrong")
)

// Signature writes a signature with the key that made it, "<key id> <base64>".
func Signature(keyID string, signature []byte) string {
	return keyID + " " + base64.RawStdEncoding.EncodeToString(signature)
}

// Check holds what [Signature] wrote against a text.
func (t Trusted) Check(text []byte, signature string) error {
	if signature == "" {
		return ErrUnsigned
	}
	id, encoded, _ := strings.Cut(signature, " ")
	key, trusted := t.keys[id]
	if !trusted {
		return ErrUntrusted
	}
	sig, err := base64.RawStdEncoding.Strict().DecodeString(encoded)
	if err != nil || !ed25519.Verify(key, text, sig) {
		return ErrForged
	}
	return nil
}

// CheckFrame reports whether an engine wrote a message's headers for its subject.
func (t Trusted) CheckFrame(subject string, headers map[string][]string) error {
	text, err := SignedText(subject, headers)
	if err != nil {
		return err
	}
	return t.Check(text, only(headers, HeaderSig))
}
