// Package bustest tries over real connections, with real credentials, what each class
// of credential must and must not be able to do on a bus.
//
// It is used against the embedded server and against a server with a printed
// configuration alike: what holds for one has to hold for the other.
package bustest

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/jetstream"
)

const (
	fsync    = jetstream.Fsync(250 * time.Millisecond)
	patience = 10 * time.Second
)

// Bus is a server with the accounts of an authority.
type Bus struct {
	Authority *bus.Authority
	URL       string

	tb testing.TB
}

// Start starts an embedded server that listens, with streams and mirrors.
func Start(tb testing.TB) (*Bus, *jetstream.Server) {
	tb.Helper()
	dir := tb.TempDir()
	authority, err := bus.OpenAuthority(dir + "/bus")
	if err != nil {
		tb.Fatal(err)
	}
	trust, err := authority.Trust()
	if err != nil {
		tb.Fatal(err)
	}
	s, err := jetstream.StartServer(tb.Context(), jetstream.ServerConfig{Dir: dir, Fsync: fsync, Listen: true, Trust: trust})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("close the server: %v", err)
		}
	})
	return At(tb, authority, s.ClientURL()), s
}

// At takes a server that runs already, and makes the streams and mirrors on it.
func At(tb testing.TB, authority *bus.Authority, url string) *Bus {
	tb.Helper()
	b := &Bus{Authority: authority, URL: url, tb: tb}
	if _, err := jetstream.Provision(tb.Context(), b.JetStream(bus.Engine, "bench"), jetstream.Layout{}); err != nil {
		tb.Fatal(err)
	}
	if err := bus.ProvisionMirrors(tb.Context(), b.Connect(bus.Mirror, "bench"), jetstream.Layout{}); err != nil {
		tb.Fatal(err)
	}
	return b
}

// Credential issues one of a class and name.
func (b *Bus) Credential(class, name string) bus.Credential {
	b.tb.Helper()
	r := bus.Request{Class: class, Name: name}
	if class == bus.Host || class == bus.Spawner {
		r.Ceiling = "workspace-write"
	}
	c, err := b.Authority.Issue(r)
	if err != nil {
		b.tb.Fatal(err)
	}
	return c
}

// Connect connects over TCP with a credential of that class and name, until the test
// ends.
func (b *Bus) Connect(class, name string, opts ...nats.Option) *nats.Conn {
	b.tb.Helper()
	return b.Use(b.Credential(class, name), opts...)
}

// Use connects with a credential.
func (b *Bus) Use(c bus.Credential, opts ...nats.Option) *nats.Conn {
	b.tb.Helper()
	own := []nats.Option{
		nats.UserCredentialBytes(c.Text), nats.CustomInboxPrefix(bus.InboxPrefix(c.Class, c.Name)),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // refusals are expected
	}
	nc, err := nats.Connect(b.URL, append(own, opts...)...)
	if err != nil {
		b.tb.Fatalf("connect as %s %s: %v", c.Class, c.Name, err)
	}
	b.tb.Cleanup(nc.Close)
	return nc
}

// JetStream is the JetStream client of such a connection.
func (b *Bus) JetStream(class, name string) natsjs.JetStream {
	b.tb.Helper()
	js, err := natsjs.New(b.Connect(class, name))
	if err != nil {
		b.tb.Fatal(err)
	}
	return js
}

// Service answers every command with who sent it, in two replies, as the engine tells
// it, until the test ends. It returns when it is heard.
func (b *Bus) Service() {
	b.tb.Helper()
	nc, table := b.Connect(bus.Engine, "service"), b.Authority.Table()
	for _, class := range []string{bus.Human, bus.Agent, bus.Host, bus.Spawner, bus.Reviewer} {
		_, err := nc.Subscribe(bus.SubjectPrefix+class+".>", func(m *nats.Msg) {
			text := "refused"
			if c, err := table.Establish(m.Header, m.Subject); err == nil {
				text = c.Class + " " + c.Name
			} else if !errors.Is(err, bus.ErrUnidentified) {
				text = "no reason"
			}
			_ = m.Respond([]byte("heard")) // the caller finds out
			_ = m.Respond([]byte(text))
		})
		if err != nil {
			b.tb.Fatal(err)
		}
	}
	if err := nc.FlushTimeout(patience); err != nil {
		b.tb.Fatal(err)
	}
}

// ask sends a command and returns its last reply.
func ask(tb testing.TB, nc *nats.Conn, m *nats.Msg) string {
	tb.Helper()
	sub, err := nc.SubscribeSync(nc.NewInbox())
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	m.Reply = sub.Subject
	if err := nc.PublishMsg(m); err != nil {
		tb.Fatal(err)
	}
	last := ""
	for range 2 {
		reply, err := sub.NextMsg(patience)
		if err != nil {
			tb.Fatalf("no reply on %s: %v (%v)", m.Subject, err, nc.LastError())
		}
		last = string(reply.Data)
	}
	return last
}

// signer reads the parts of a credential, as a client of one's own would use them.
func signer(tb testing.TB, c bus.Credential) (token string, sign func([]byte) []byte) {
	tb.Helper()
	token, err := jwt.ParseDecoratedJWT(c.Text)
	if err != nil {
		tb.Fatal(err)
	}
	pair, err := jwt.ParseDecoratedUserNKey(c.Text)
	if err != nil {
		tb.Fatal(err)
	}
	return token, func(nonce []byte) []byte {
		text, err := pair.Sign(nonce)
		if err != nil && !errors.Is(err, io.EOF) {
			tb.Error(err)
		}
		return text
	}
}
