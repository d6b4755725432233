package jetstream_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"github.com/docket-engine/docket/jetstream"
)

// realm is an operator with a system account and a home account with one user.
type realm struct {
	operator, home nkeys.KeyPair
	user           string // public key
	trust          *jetstream.Trust
}

func key(t *testing.T, create func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
	t.Helper()
	pair, err := create()
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return pair, public
}

func encode(t *testing.T, claims jwt.Claims, by nkeys.KeyPair) string {
	t.Helper()
	text, err := claims.Encode(by)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func newRealm(t *testing.T) *realm {
	t.Helper()
	r := &realm{}
	operator, operatorKey := key(t, nkeys.CreateOperator)
	_, system := key(t, nkeys.CreateAccount)
	home, homeKey := key(t, nkeys.CreateAccount)
	user, userKey := key(t, nkeys.CreateUser)
	r.operator, r.home, r.user = operator, home, userKey
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	creds, err := jwt.FormatUserConfig(encode(t, jwt.NewUserClaims(userKey), home), seed)
	if err != nil {
		t.Fatal(err)
	}
	r.trust = &jetstream.Trust{
		Operator: encode(t, jwt.NewOperatorClaims(operatorKey), operator), System: system, Home: homeKey, Creds: creds,
		Accounts: map[string]string{system: encode(t, jwt.NewAccountClaims(system), operator), homeKey: encode(t, r.claims(homeKey), operator)},
	}
	return r
}

func (r *realm) claims(key string) *jwt.AccountClaims {
	c := jwt.NewAccountClaims(key)
	c.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: jwt.NoLimit, MemoryStorage: jwt.NoLimit, Streams: jwt.NoLimit, Consumer: jwt.NoLimit}
	return c
}

func TestATrustThatCannotBeIsRefused(t *testing.T) {
	for want, spoil := range map[string]func(*jetstream.ServerConfig){
		"Trust as well as User": func(c *jetstream.ServerConfig) { c.User, c.Password = "u", "p" },
		"Trust.Operator":        func(c *jetstream.ServerConfig) { c.Trust.Operator = "x" },
		"misses Home or System": func(c *jetstream.ServerConfig) { c.Trust.Home = "x" },
		"its JWT is of":         func(c *jetstream.ServerConfig) { c.Trust.Accounts["x"] = c.Trust.Accounts[c.Trust.Home] },
		"account y":             func(c *jetstream.ServerConfig) { c.Trust.Accounts["y"] = "y" },
	} {
		cfg := jetstream.ServerConfig{Dir: t.TempDir(), Trust: newRealm(t).trust}
		spoil(&cfg)
		if s, err := jetstream.StartServer(t.Context(), cfg); !sameError(err, want) || s != nil {
			t.Errorf("got %v, %v, want %q", s, err, want)
		}
	}
}

func TestAServerWithAccountsLetsNobodyElseIn(t *testing.T) {
	r := newRealm(t)
	s := start(t, jetstream.ServerConfig{Listen: true, Trust: r.trust})
	if user, password := s.Credentials(); user != "" || password != "" {
		t.Errorf("got %q and %q, want no password", user, password)
	}
	connect(t, s)
	stranger := newRealm(t)
	for name, opts := range map[string][]nats.Option{
		"anonymous":          nil,
		"a password":         {nats.UserInfo("docket", "x")},
		"another operator's": {nats.UserCredentialBytes(stranger.trust.Creds)},
	} {
		nc, err := nats.Connect(s.ClientURL(), opts...)
		if !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("%s: got %v, want ErrAuthorization", name, err)
		}
		if err == nil {
			nc.Close()
		}
	}
}

func TestAnAccountThatIsUpdatedDisconnectsWhomItRevokes(t *testing.T) {
	r := newRealm(t)
	s := start(t, jetstream.ServerConfig{Listen: true, Trust: r.trust})
	closed := make(chan struct{})
	nc, err := nats.Connect(s.ClientURL(), nats.UserCredentialBytes(r.trust.Creds), nats.NoReconnect(),
		nats.ClosedHandler(func(*nats.Conn) { close(closed) }), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if err := s.UpdateAccounts(r.trust.Accounts); err != nil || nc.IsClosed() {
		t.Errorf("the same again: got %v, closed %v", err, nc.IsClosed())
	}
	c := r.claims(r.trust.Home)
	c.Revoke(r.user)
	if err := s.UpdateAccounts(map[string]string{r.trust.Home: encode(t, c, r.operator)}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("it is still connected")
	}
	if err := s.UpdateAccounts(map[string]string{r.trust.Home: "x"}); err == nil {
		t.Error("got no error for what is no JWT")
	}
	if err := start(t, jetstream.ServerConfig{}).UpdateAccounts(nil); err == nil {
		t.Error("got no error without accounts")
	}
}

// TestStreamsFromBeforeThereWereAccountsAreKept: a store that was made with a password
// alone is its account's from then on.
func TestStreamsFromBeforeThereWereAccountsAreKept(t *testing.T) {
	dir := t.TempDir()
	s := start(t, jetstream.ServerConfig{Dir: dir})
	js := connect(t, s)
	if _, err := jetstream.Provision(t.Context(), js, jetstream.Layout{}); err != nil {
		t.Fatal(err)
	}
	publish(t, js, "session.0.0.s1", "body")
	js.Conn().Close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r := newRealm(t)
	for round := range uint64(2) {
		s := start(t, jetstream.ServerConfig{Dir: dir, Trust: r.trust})
		js := connect(t, s)
		if created, err := jetstream.Provision(t.Context(), js, jetstream.Layout{}); err != nil || len(created) != 0 {
			t.Errorf("got %v, %v, want all streams there", created, err)
		}
		if ack := publish(t, js, "session.0.0.s1", "body"); ack.Sequence != round+2 {
			t.Errorf("got sequence %d, want %d", ack.Sequence, round+2)
		}
		js.Conn().Close()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "jetstream", "$G")); err == nil {
		t.Error("the old place is still there")
	}
}

func TestMissingSaysWhichStreamsAreNotThereAndMakesNone(t *testing.T) {
	s := start(t, jetstream.ServerConfig{})
	js := connect(t, s)
	for range 2 {
		if got, err := jetstream.Missing(t.Context(), js, jetstream.Layout{}); err != nil || len(got) != 4 {
			t.Errorf("got %v, %v, want all four", got, err)
		}
	}
	if _, err := js.CreateStream(t.Context(), natsjs.StreamConfig{Name: jetstream.AuditStream, Subjects: []string{"audit.>"}}); err != nil {
		t.Fatal(err)
	}
	_, err := jetstream.Missing(t.Context(), js, jetstream.Layout{})
	if _, differs := errors.AsType[*jetstream.IncompatibleError](err); !differs {
		t.Errorf("got %v, want an *IncompatibleError", err)
	}
}
