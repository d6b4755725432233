package jetstream

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Keys sign what the engine writes and check what it reads. The zero Keys trust
// nobody. Keys are immutable.
type Keys struct {
	signer  signer // nil for keys that check alone
	id      string
	trusted map[string]ed25519.PublicKey
}

// NewKeys signs with the private key, and trusts its public key and the others:
// those of other engines on the same streams, and older ones.
func NewKeys(private ed25519.PrivateKey, others ...ed25519.PublicKey) (Keys, error) {
	if len(private) != ed25519.PrivateKeySize {
		return Keys{}, fmt.Errorf("jetstream: an engine key has %d bytes, not %d", ed25519.PrivateKeySize, len(private))
	}
	public := private.Public().(ed25519.PublicKey)
	k, err := TrustedKeys(append(others, public)...)
	k.signer, k.id = newSigner(private), KeyID(public)
	return k, err
}

// TrustedKeys check without being able to sign: enough for a verifier.
func TrustedKeys(public ...ed25519.PublicKey) (Keys, error) {
	k := Keys{trusted: make(map[string]ed25519.PublicKey, len(public))}
	for _, p := range public {
		if len(p) != ed25519.PublicKeySize {
			return Keys{}, fmt.Errorf("jetstream: a public key has %d bytes, not %d", ed25519.PublicKeySize, len(p))
		}
		k.trusted[KeyID(p)] = p
	}
	return k, nil
}

// KeyID names a public key in signatures: the first 8 bytes of its SHA-256, hex.
func KeyID(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	return hex.EncodeToString(sum[:8])
}

var (
	errNoSigningKey = errors.New("there is no key to sign with")
	errUntrusted    = errors.New("it is signed by a key that is not trusted")
	errForged       = errors.New("its signature is wrong")
	errUnsigned     = errors.New("it is not signed")
)

// sign gives "<key id> <signature>".
func (k Keys) sign(payload []byte) (string, error) {
	if k.signer == nil {
		return "", errNoSigningKey
	}
	return k.id + " " + base64.RawStdEncoding.EncodeToString(k.signer(payload)), nil
}

// verify checks what sign gave.
func (k Keys) verify(payload []byte, signature string) error {
	if signature == "" {
		return errUnsigned
	}
	id, text, _ := strings.Cut(signature, " ")
	public, ok := k.trusted[id]
	if !ok {
		return errUntrusted
	}
	sig, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || !ed25519.Verify(public, payload, sig) {
		return errForged
	}
	return nil
}
