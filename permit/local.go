package permit

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
)

// LocalKey seals permits for executors in the process of the engine that gives
// them, with a MAC: whoever could read the key could as well make the engine sign,
// so that a public key would prove nothing more. It is made anew with each process,
// never written, and there is no way to read it.
type LocalKey struct {
	secret *[sha256.Size]byte // behind a pointer, so that printing a key does not show it
}

// NewLocalKey makes a key that no other process has.
func NewLocalKey() *LocalKey {
	k := &LocalKey{secret: new([sha256.Size]byte)}
	_, _ = rand.Read(k.secret[:]) // never fails: the program ends instead
	return k
}

// Executor makes an executor that trusts this key alone: it burns what the key has
// sealed, and nothing that is signed.
func (k *LocalKey) Executor() *Executor {
	return &Executor{local: k, open: map[string]expected{}}
}

// Trusts reports whether the executor burns what the key has sealed.
func (x *Executor) Trusts(k *LocalKey) bool { return k != nil && x.local == k }

// Seal is [Sign] for the executors of the key.
func (k *LocalKey) Seal(p Permit) (Signed, error) {
	text, err := p.signed()
	if err != nil {
		return Signed{}, err
	}
	return Signed{Permit: p, Signature: k.mac(text)}, nil
}

func (k *LocalKey) mac(text []byte) []byte {
	h := hmac.New(sha256.New, k.secret[:])
	h.Write(text)
	return h.Sum(nil)
}

// sealed reports whether the signature is the key's MAC.
func (s Signed) sealed(k *LocalKey) bool {
	text, err := s.Permit.signed()
	return err == nil && hmac.Equal(k.mac(text), s.Signature)
}
