package jetstream

import (
	"bytes"
	"crypto/ed25519"

	voi "github.com/oasisprotocol/curve25519-voi/primitives/ed25519"
)

// signer gives the Ed25519 signature of a payload. Signatures are deterministic:
// any implementation gives the same bytes for a key and a payload.
type signer func(payload []byte) []byte

// newSigner signs with the faster implementation, if that gives with this key
// what the standard library gives; else with the standard library. Each frame is
// signed by itself, and a signature takes the library longer than publishing the
// frame does (docs/decisions/0013). Signatures are checked by the standard library
// alone.
func newSigner(private ed25519.PrivateKey) signer {
	fast := func(payload []byte) []byte { return voi.Sign(voi.PrivateKey(private), payload) }
	standard := func(payload []byte) []byte { return ed25519.Sign(private, payload) }
	probe := []byte("docket signature probe\n")
	if bytes.Equal(fast(probe), standard(probe)) {
		return fast
	}
	return standard
}
