package bus_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/bus/bustest"
)

func TestARequestThatCannotBeMeantIsRefused(t *testing.T) {
	a := open(t, filepath.Join(t.TempDir(), "bus"))
	for want, r := range map[string]bus.Request{
		"there is no class": {Class: "root", Name: "x"},
		"letters, digits":   {Class: bus.Agent, Name: "*"},
		"has not":           {Class: bus.Human, Name: "ana.>"},
		"1 to 128":          {Class: bus.Human, Name: strings.Repeat("a", 129)},
		"a name has":        {Class: bus.Human},
		"lifetime":          {Class: bus.Human, Name: "x", Lifetime: -time.Hour},
		"ten years":         {Class: bus.Human, Name: "x", Lifetime: 1 << 62},
		"needs a ceiling":   {Class: bus.Spawner, Name: "x"},
		"has no ceiling":    {Class: bus.Agent, Name: "x", Ceiling: "auto"},
		"names no owner":    {Class: bus.Human, Name: "x", Owner: "ana"},
		"in lower case":     {Class: bus.Spawner, Name: "x", Ceiling: "auto", Owner: "Ana"},
		"must be a name in": {Class: bus.Spawner, Name: "x", Ceiling: "a b"},
	} {
		if c, err := a.Issue(r); err == nil || !strings.Contains(err.Error(), want) || c.Text != nil {
			t.Errorf("%+v: got %v, want %q", r, err, want)
		}
	}
	if issued, err := a.List(); err != nil || len(issued) != 2 {
		t.Errorf("got %+v, %v, want the engine's own alone", issued, err)
	}
}

func TestACredentialSaysNothingOfWhatItMayDo(t *testing.T) {
	a := open(t, filepath.Join(t.TempDir(), "bus"))
	for class, lifetime := range map[string]time.Duration{bus.Agent: 24 * time.Hour, bus.Human: 0, bus.Auditor: 0, bus.Admin: time.Hour} {
		c, err := a.Issue(bus.Request{Class: class, Name: "x"})
		if err != nil {
			t.Fatal(err)
		}
		token, err := jwt.ParseDecoratedJWT(c.Text)
		if err != nil {
			t.Fatal(err)
		}
		user, err := jwt.DecodeUserClaims(token)
		if err != nil {
			t.Fatal(err)
		}
		if !user.HasEmptyPermissions() || user.Name != "x" || user.Subject != c.Key {
			t.Errorf("%s: got %+v", class, user)
		}
		if got := c.Expires.Sub(c.Issued.Issued); lifetime != 0 && got != lifetime || lifetime == 0 && user.Expires != 0 {
			t.Errorf("%s: got a lifetime of %s, want %s", class, got, lifetime)
		}
	}
}

func TestTheEnginesOwnCredentialIsRenewedWhenItIsTakenBack(t *testing.T) {
	b, s := bustest.Start(t)
	before := files(t, b.Authority.Dir())["engine.creds"]
	if n, err := b.Authority.Revoke(bus.Engine, bus.OwnName); err != nil || n != 1 {
		t.Fatalf("got %d, %v", n, err)
	}
	tokens, err := b.Authority.Tokens()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.UpdateAccounts(tokens); err != nil {
		t.Fatal(err)
	}
	if nc, err := nats.Connect(b.URL, nats.UserCredentialBytes([]byte(before))); err == nil {
		nc.Close()
		t.Error("the old one still opens")
	}
	nc, err := nats.Connect(b.URL, nats.UserCredentials(b.Authority.EngineCreds()))
	if err != nil {
		t.Fatalf("the new one: %v", err)
	}
	nc.Close()
}

func TestWhoReadsWhatWasIssuedChangesNothing(t *testing.T) {
	a := open(t, filepath.Join(t.TempDir(), "bus"))
	if _, err := a.Issue(bus.Request{Class: bus.Agent, Name: "s-1", Lifetime: time.Second}); err != nil {
		t.Fatal(err)
	}
	before := files(t, a.Dir())
	<-time.After(1100 * time.Millisecond) // until it has expired
	issued, err := bus.ReadIssued(a.Dir())
	if err != nil || len(issued) != 2 || len(files(t, a.Dir())) != len(before) {
		t.Errorf("got %+v, %v, want the engine's own, and every file still there", issued, err)
	}
	if _, err := a.List(); err != nil || len(files(t, a.Dir())) != len(before)-1 {
		t.Errorf("got %v, want what has expired forgotten", err)
	}
}

func TestACredentialThatExpiresIsCutOff(t *testing.T) {
	b, _ := bustest.Start(t)
	c, err := b.Authority.Issue(bus.Request{Class: bus.Agent, Name: "s-1", Lifetime: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	b.Use(c, nats.NoReconnect(), nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("the connection is still there")
	}
	if issued, err := b.Authority.List(); err != nil || len(issued) == 0 || issued[0].Class == bus.Agent {
		t.Errorf("got %+v, %v, want it forgotten", issued, err)
	}
}

func TestARevokedCredentialIsCutOffAtOnceAndForGood(t *testing.T) {
	b, s := bustest.Start(t)
	c, other := b.Credential(bus.Agent, "s-1"), b.Credential(bus.Agent, "s-2")
	closed := make(chan struct{})
	b.Use(c, nats.NoReconnect(), nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	stays := b.Use(other)
	if n, err := b.Authority.Revoke(bus.Agent, "s-1"); err != nil || n != 1 {
		t.Fatalf("got %d, %v", n, err)
	}
	tokens, err := b.Authority.Tokens()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.UpdateAccounts(tokens); err != nil {
		t.Fatal(err)
	}
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("the connection is still there")
	}
	if nc, err := nats.Connect(b.URL, nats.UserCredentialBytes(c.Text)); err == nil {
		nc.Close()
		t.Error("it connects again")
	}
	if err := stays.FlushTimeout(10 * time.Second); err != nil || stays.Stats().Reconnects != 0 {
		t.Errorf("another one: got %v", err)
	}
	b.Service()
	b.Connect(bus.Agent, "s-1") // a new one of that name is another one
	if _, err := b.Authority.Revoke(bus.Agent, "nobody"); !errors.Is(err, bus.ErrNotIssued) {
		t.Errorf("got %v, want ErrNotIssued", err)
	}
	// The next start still knows.
	if open(t, b.Authority.Dir()); strings.Count(files(t, b.Authority.Dir())["AGENT.jwt"], ".") != 2 {
		t.Error("the account's JWT is gone")
	}
	accounts, err := open(t, b.Authority.Dir()).Accounts()
	if err != nil || len(accounts[bus.AgentAccount].Revocations) != 1 {
		t.Errorf("got %v, %v, want one revocation", accounts[bus.AgentAccount].Revocations, err)
	}
}

// TestTheBusIsWholeAfterARevocation: exports and imports are as before.
func TestTheBusIsWholeAfterARevocation(t *testing.T) {
	b, s := bustest.Start(t)
	for _, class := range []string{bus.Human, bus.Agent, bus.Reviewer, bus.Auditor, bus.Engine} {
		b.Credential(class, "gone")
		if _, err := b.Authority.Revoke(class, "gone"); err != nil {
			t.Fatal(err)
		}
	}
	tokens, err := b.Authority.Tokens()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.UpdateAccounts(tokens); err != nil {
		t.Fatal(err)
	}
	bustest.Permissions(t, b)
}

// TestARequestUnderWayOutlivesTheRevocationOfAnother: its answers still arrive.
func TestARequestUnderWayOutlivesTheRevocationOfAnother(t *testing.T) {
	b, s := bustest.Start(t)
	asked := make(chan *nats.Msg, 1)
	engine := b.Connect(bus.Engine, "x")
	if _, err := engine.Subscribe("docket.v1.agent.>", func(m *nats.Msg) { asked <- m }); err != nil {
		t.Fatal(err)
	}
	if err := engine.FlushTimeout(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	nc := b.Connect(bus.Agent, "s-2")
	answers, err := nc.SubscribeSync(nc.NewInbox())
	if err != nil {
		t.Fatal(err)
	}
	if err := nc.PublishRequest("docket.v1.agent.s-2.call", answers.Subject, nil); err != nil {
		t.Fatal(err)
	}
	m := <-asked
	answered := func(text string) {
		t.Helper()
		if err := m.Respond([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := answers.NextMsg(10 * time.Second); err != nil || string(got.Data) != text {
			t.Errorf("got %v, %v, want %s", got, err, text)
		}
	}
	answered("before")
	b.Credential(bus.Agent, "s-1")
	if _, err := b.Authority.Revoke(bus.Agent, "s-1"); err != nil {
		t.Fatal(err)
	}
	tokens, err := b.Authority.Tokens()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.UpdateAccounts(tokens); err != nil {
		t.Fatal(err)
	}
	answered("after")
}
