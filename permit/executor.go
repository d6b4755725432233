package permit

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/docket-engine/docket/events"
)

// Why an executor does not run a body. A caller tells them apart with errors.Is.
var (
	// ErrSignature: the engine did not sign this, or not for such an executor.
	ErrSignature = errors.New("the permit is not signed by the engine")
	// ErrNonce: the nonce is none of this executor's, or it is used.
	ErrNonce = errors.New("the permit is for another executor, or it was used")
	// ErrScope: the permit is about another call than the nonce was made for.
	ErrScope = errors.New("the permit is for another call")
	// ErrExpired: the permit came too late.
	ErrExpired = errors.New("the permit has expired")
	// ErrArguments: the arguments are not those that were dispatched.
	ErrArguments = errors.New("the permit's arguments are not those that were dispatched")
)

// Scope is the call that a nonce is made for.
type Scope struct {
	Session events.SessionID
	CallID  string
	Tool    string
}

// Executor keeps the nonces of one program that runs bodies. It is safe for
// concurrent use. What it does not remember it does not run, so that a restarted
// program runs nothing that an earlier one was given.
type Executor struct {
	key   ed25519.PublicKey
	local *LocalKey // trusted in the key's place, nil for an executor elsewhere

	mu   sync.Mutex // guards open
	open map[string]expected
}

// expected is a nonce that is not used yet.
type expected struct {
	scope  Scope
	secret [32]byte
}

// NewExecutor makes an executor that trusts one dispatch key. One in the process of
// the gate is made by [LocalKey.Executor].
func NewExecutor(key ed25519.PublicKey) *Executor {
	return &Executor{key: key, open: map[string]expected{}}
}

// Expect makes the nonce for a call that is about to be asked for. It is the hash
// of a secret that only this executor has.
func (x *Executor) Expect(s Scope) string {
	e := expected{scope: s}
	_, _ = rand.Read(e.secret[:]) // never fails: the program ends instead
	nonce := nonceOf(e.secret[:])
	x.mu.Lock()
	defer x.mu.Unlock()
	x.open[nonce] = e
	return nonce
}

// Burn checks a permit and uses up its nonce: on a nil error the body runs, now,
// with what the permit says, and no second one ever does. now is the executor's
// own time.
func (x *Executor) Burn(s Signed, now time.Time) (Permit, error) {
	p := s.Permit
	if !x.trusted(s) {
		return Permit{}, refuse(p, ErrSignature)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	e, ok := x.open[p.Nonce]
	switch {
	case !ok:
		return Permit{}, refuse(p, ErrNonce)
	case e.scope != Scope{p.Session, p.CallID, p.Tool}:
		return Permit{}, refuse(p, ErrScope)
	case now.UnixMilli() >= p.ExpiresAt:
		return Permit{}, refuse(p, ErrExpired)
	case ArgumentHash(p.Arguments) != p.ArgumentHash:
		return Permit{}, refuse(p, ErrArguments)
	}
	delete(x.open, p.Nonce)
	return p, nil
}

// trusted reports whether a permit comes from whom the executor trusts.
func (x *Executor) trusted(s Signed) bool {
	if x.local != nil {
		return s.sealed(x.local)
	}
	return s.verify(x.key)
}

// Return gives a nonce back whose body never started and from now on never will.
// The proof is the secret behind the nonce, which says exactly that to whoever
// has the nonce.
func (x *Executor) Return(nonce string) (proof string, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	e, ok := x.open[nonce]
	if !ok {
		return "", fmt.Errorf("permit: return nonce %s: %w", nonce, ErrNonce)
	}
	delete(x.open, nonce)
	return base64.RawURLEncoding.EncodeToString(e.secret[:]), nil
}

// Forget drops the nonce of a call that was refused.
func (x *Executor) Forget(nonce string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.open, nonce)
}

// Returned reports whether a proof is the one of a nonce: whoever made the nonce
// has given it back.
func Returned(nonce, proof string) bool {
	secret, err := base64.RawURLEncoding.DecodeString(proof)
	return err == nil && nonce != "" && nonceOf(secret) == nonce
}

func nonceOf(secret []byte) string {
	sum := sha256.Sum256(append([]byte("docket nonce 1\n"), secret...))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func refuse(p Permit, err error) error {
	return fmt.Errorf("permit: call %s of session %s: %w", p.CallID, p.Session, err)
}
