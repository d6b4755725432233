package client

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nkeys"

	"github.com/docket-engine/docket/internal/sealed"
)

// ErrPassphrase says that the passphrase does not open the sealed credential, or that
// that was altered. Nobody can tell which.
var ErrPassphrase = sealed.ErrPassphrase

// opened is a sealed credential that was opened: its token, which is no secret, and
// the key that signs what a server asks at each connection.
type opened struct {
	token string

	mu  sync.Mutex // guards key
	key nkeys.KeyPair
}

// unseal opens a sealed credential. Nothing of it is left but what a connection needs.
func (c *Config) unseal(ctx context.Context, text []byte) (credential, error) {
	if c.Passphrase == nil {
		return credential{}, errors.New("is sealed: set Config.Passphrase")
	}
	passphrase, err := c.Passphrase(ctx)
	defer clear(passphrase)
	if err != nil {
		return credential{}, fmt.Errorf("is sealed, and there is no passphrase: %w", err)
	}
	plain, err := sealed.Open(text, passphrase)
	if err != nil {
		return credential{}, fmt.Errorf("cannot be opened: %w", ErrPassphrase) // it is a sealed one
	}
	defer clear(plain)
	cred, err := parseCredential(plain)
	if err != nil {
		return credential{}, err
	}
	cred.opened = &opened{}
	if cred.opened.token, err = nkeys.ParseDecoratedJWT(plain); err == nil {
		cred.opened.key, err = nkeys.ParseDecoratedUserNKey(plain)
	}
	if err != nil {
		return credential{}, errors.New("holds no key of a user") // never what it holds
	}
	return cred, nil
}

func (o *opened) jwt() (string, error) { return o.token, nil }

func (o *opened) sign(nonce []byte) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.key == nil {
		return nil, ErrClosed
	}
	return o.key.Sign(nonce)
}

// forget overwrites the key: no connection can be made any more.
func (o *opened) forget() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.key != nil {
		o.key.Wipe()
		o.key = nil
	}
}
