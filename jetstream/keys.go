package jetstream

import (
	"crypto/ed25519"
	"errors"
	"fmt"

	"github.com/docket-engine/docket/events/frame"
)

// Keys sign what the engine writes and check what it reads. The zero Keys trust
// nobody. Keys are immutable.
type Keys struct {
	signer  signer // nil for keys that check alone
	id      string
	trusted frame.Trusted
}

// NewKeys signs with the private key, and trusts its public key and the others:
// those of other engines on the same streams, and older ones.
func NewKeys(private ed25519.PrivateKey, others ...ed25519.PublicKey) (Keys, error) {
	if len(private) != ed25519.PrivateKeySize {
		return Keys{}, fmt.Errorf("jetstream: an engine key has %d bytes, not %d", ed25519.PrivateKeySize, len(private))
	}
	public := private.Public().(ed25519.PublicKey)
	k, err := TrustedKeys(append(others, public)...)
	k.signer, k.id = newSigner(private), frame.KeyID(public)
	return k, err
}

// TrustedKeys check without being able to sign: enough for a verifier.
func TrustedKeys(public ...ed25519.PublicKey) (Keys, error) {
	trusted, err := frame.NewTrusted(public...)
	if err != nil {
		return Keys{}, fmt.Errorf("jetstream: %w", err)
	}
	return Keys{trusted: trusted}, nil
}

var errNoSigningKey = errors.New("there is no key to sign with")

// sign gives "<key id> <signature>".
func (k Keys) sign(payload []byte) (string, error) {
	if k.signer == nil {
		return "", errNoSigningKey
	}
	return frame.Signature(k.id, k.signer(payload)), nil
}

// verify checks what sign gave.
func (k Keys) verify(payload []byte, signature string) error {
	return k.trusted.Check(payload, signature)
}
