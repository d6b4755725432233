package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

const (
	natsUser     = "docket"
	natsPassword = "correct-horse" //nolint:gosec // of a server that lives as long as a test
)

// natsServer is a server that is not the engine's, on loopback.
type natsServer struct {
	address, url string
	creds        string // file, if it asks for them
	server       *server.Server
}

// startNATS starts a server that asks for a password, or for a user's JWT and key.
func startNATS(dir string, withCreds bool) (*natsServer, error) {
	opts := &server.Options{
		ServerName: filepath.Base(dir), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true,
		JetStream: true, DisableJetStreamBanner: true, StoreDir: filepath.Join(dir, "store"),
	}
	s := &natsServer{}
	var err error
	if withCreds {
		s.creds, err = trustCreds(dir, opts)
	} else {
		opts.Username, opts.Password = natsUser, natsPassword
	}
	if err != nil {
		return nil, err
	}
	if s.server, err = server.NewServer(opts); err != nil {
		return nil, err
	}
	s.server.Start()
	if !s.server.ReadyForConnections(scriptPatience) {
		s.stop()
		return nil, fmt.Errorf("the NATS server in %s does not accept connections", dir)
	}
	s.address = s.server.Addr().String()
	s.url = "nats://" + s.address
	if !withCreds {
		s.url = fmt.Sprintf("nats://%s:%s@%s", natsUser, natsPassword, s.address)
	}
	return s, nil
}

func (s *natsServer) stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// trustCreds makes the server trust an operator of its own, with one account and
// one user, whose credentials file it writes. JetStream wants a system account
// beside them.
func trustCreds(dir string, opts *server.Options) (file string, err error) {
	operator, operatorKey, err := newKey(nkeys.CreateOperator)
	if err != nil {
		return "", err
	}
	accounts := &server.MemAccResolver{}
	if _, opts.SystemAccount, err = addAccount(accounts, operator, jwt.JetStreamLimits{}); err != nil {
		return "", err
	}
	account, _, err := addAccount(accounts, operator, jwt.JetStreamLimits{
		DiskStorage: jwt.NoLimit, MemoryStorage: jwt.NoLimit, Streams: jwt.NoLimit, Consumer: jwt.NoLimit,
	})
	if err != nil {
		return "", err
	}
	opts.TrustedKeys, opts.AccountResolver = []string{operatorKey}, accounts
	user, userKey, err := newKey(nkeys.CreateUser)
	if err != nil {
		return "", err
	}
	userJWT, err := jwt.NewUserClaims(userKey).Encode(account)
	if err != nil {
		return "", err
	}
	return writeCreds(dir, userJWT, user)
}

func addAccount(to *server.MemAccResolver, operator nkeys.KeyPair, limits jwt.JetStreamLimits) (nkeys.KeyPair, string, error) {
	account, key, err := newKey(nkeys.CreateAccount)
	if err != nil {
		return nil, "", err
	}
	claims := jwt.NewAccountClaims(key)
	claims.Limits.JetStreamLimits = limits
	text, err := claims.Encode(operator)
	if err != nil {
		return nil, "", err
	}
	return account, key, to.Store(key, text)
}

func newKey(create func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string, error) {
	pair, err := create()
	if err != nil {
		return nil, "", err
	}
	public, err := pair.PublicKey()
	return pair, public, err
}

func writeCreds(dir, userJWT string, user nkeys.KeyPair) (string, error) {
	seed, err := user.Seed()
	if err != nil {
		return "", err
	}
	text, err := jwt.FormatUserConfig(userJWT, seed)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	file := filepath.Join(dir, "user.creds")
	return file, os.WriteFile(file, text, 0o600)
}
