package jetstream

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/internal/atomicfile"
)

// noAccount is where a server keeps the streams of clients without an account.
const noAccount = "$G"

// Trust makes an embedded server believe an operator, and through it accounts and
// their users, instead of asking everybody for one password.
type Trust struct {
	Operator string            // the operator's JWT
	System   string            // public key of the system account
	Accounts map[string]string // JWTs of all accounts by public key, the system's among them
	Home     string            // public key of the account that Connect is in, and that has the streams

	// Creds is the content of a credentials file of a user of Home: what
	// [Server.Connect] connects with.
	Creds []byte
}

// resolver checks the trust and gives it to the server's options.
func (t *Trust) resolver(opts *server.Options) error {
	operator, err := jwt.DecodeOperatorClaims(t.Operator)
	if err != nil {
		return fmt.Errorf("jetstream: ServerConfig.Trust.Operator: %w", err)
	}
	accounts := &server.MemAccResolver{}
	for key, text := range t.Accounts {
		if err := store(accounts, key, text); err != nil {
			return fmt.Errorf("jetstream: ServerConfig.Trust.Accounts: %w", err)
		}
	}
	if t.Accounts[t.Home] == "" || t.Accounts[t.System] == "" {
		return errors.New("jetstream: ServerConfig.Trust.Accounts misses Home or System")
	}
	opts.TrustedOperators = []*jwt.OperatorClaims{operator}
	opts.SystemAccount, opts.AccountResolver = t.System, accounts
	return nil
}

func store(to server.AccountResolver, key, text string) error {
	claims, err := jwt.DecodeAccountClaims(text)
	if err != nil {
		return fmt.Errorf("account %s: %w", key, err)
	}
	if claims.Subject != key {
		return fmt.Errorf("account %s: its JWT is of %s", key, claims.Subject)
	}
	return to.Store(key, text)
}

// credential is what a connection inside this process shows.
func (c ServerConfig) credential() nats.Option {
	if c.Trust == nil {
		return nats.UserInfo(c.User, c.Password)
	}
	return nats.UserCredentialBytes(c.Trust.Creds)
}

// UpdateAccounts replaces what the running server knows of accounts, by public key:
// a user who is revoked there is disconnected before it returns. It is for a server
// with Trust.
func (s *Server) UpdateAccounts(accounts map[string]string) error {
	if s.cfg.Trust == nil {
		return errors.New("jetstream: the server has no accounts to update")
	}
	for key, text := range accounts {
		if err := s.updateAccount(key, text); err != nil {
			return fmt.Errorf("jetstream: update an account: %w", err)
		}
	}
	return nil
}

func (s *Server) updateAccount(key, text string) error {
	resolver := s.nats.AccountResolver()
	if old, err := resolver.Fetch(key); err == nil && old == text {
		return nil // an update forgets which requests are under way
	}
	if err := store(resolver, key, text); err != nil {
		return err
	}
	account, err := s.nats.LookupAccount(key)
	if err != nil {
		return err
	}
	claims, err := jwt.DecodeAccountClaims(text)
	if err != nil {
		return err
	}
	s.nats.UpdateAccountClaims(account, claims)
	return nil
}

// adopt gives streams that were made before there were accounts to the account
// that has them now.
func (c ServerConfig) adopt() error {
	if c.Trust == nil {
		return nil
	}
	old := filepath.Join(c.Dir, storeName, noAccount)
	now := filepath.Join(c.Dir, storeName, c.Trust.Home)
	if _, err := os.Stat(now); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch err := os.Rename(old, now); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("jetstream: give the streams to their account: %w", err)
	}
	return atomicfile.Sync(filepath.Join(c.Dir, storeName))
}
