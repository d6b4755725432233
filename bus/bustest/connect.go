package bustest

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/bus"
)

// connectForgeries connects with another's user, key and name beside one's own
// credential: the server's header repeats them, and nobody believes it.
func (b *Bus) connectForgeries(t *testing.T) {
	foreign := b.Credential(bus.Human, "ana")
	for name, claim := range map[string]map[string]any{
		"a foreign user": {"user": "ana", "pass": "x"},
		"a foreign key":  {"nkey": foreign.Key},
		"a foreign name": {"name": "ana"},
		"all of them":    {"user": "ana", "nkey": foreign.Key, "name": "ana", "auth_token": "x"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := b.rawCommand(t, b.Credential(bus.Agent, "s-1"), claim)
			switch {
			case err != nil: // the server turns it away altogether
				t.Logf("refused at once: %v", err)
			case got != "agent s-1":
				t.Errorf("got %q, want agent s-1", got)
			}
		})
	}
}

// errTurnedAway says that the server does not take the connection.
var errTurnedAway = errors.New("the server turned the connection away")

// rawCommand speaks the protocol itself: it puts more into CONNECT than a client
// library would, sends a command, and returns its second reply.
func (b *Bus) rawCommand(t *testing.T, c bus.Credential, claim map[string]any) (string, error) {
	t.Helper()
	u, err := url.Parse(b.URL)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.DialTimeout("tcp", u.Host, patience)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(conn)
	hello, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var server struct {
		Nonce string `json:"nonce"`
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(hello, "INFO ")), &server); err != nil {
		t.Fatal(err)
	}
	token, sign := signer(t, c)
	claim["jwt"], claim["sig"] = token, base64.RawURLEncoding.EncodeToString(sign([]byte(server.Nonce)))
	claim["verbose"], claim["pedantic"], claim["headers"], claim["no_responders"] = false, false, true, true
	text, err := json.Marshal(claim)
	if err != nil {
		t.Fatal(err)
	}
	inbox := bus.InboxPrefix(c.Class, c.Name) + ".1"
	fmt.Fprintf(conn, "CONNECT %s\r\nSUB %s 1\r\nPUB docket.v1.%s.%s.state %s 0\r\n\r\nPING\r\n", text, inbox, c.Class, c.Name, inbox)
	return readReplies(lines)
}

func readReplies(lines *bufio.Reader) (string, error) {
	replies := []string{}
	for len(replies) < 2 {
		line, err := lines.ReadString('\n')
		if err != nil {
			return "", errTurnedAway
		}
		switch {
		case strings.HasPrefix(line, "-ERR"):
			return "", fmt.Errorf("%w: %s", errTurnedAway, strings.TrimSpace(line))
		case strings.HasPrefix(line, "MSG "):
			body, err := lines.ReadString('\n')
			if err != nil {
				return "", errTurnedAway
			}
			replies = append(replies, strings.TrimSpace(body))
		}
	}
	return replies[1], nil
}

// reviewers asks one as the engine does.
func (b *Bus) reviewers(t *testing.T) {
	engine := b.Connect(bus.Engine, "asks")
	if _, err := engine.Request("docket.v1.review.auto", nil, patience); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("without a reviewer: got %v, want no responders at once", err)
	}
	nc := b.Connect(bus.Reviewer, "auto")
	// A queue group, so that several share the work.
	_, err := nc.QueueSubscribe("docket.v1.review.auto", "reviewers", func(m *nats.Msg) {
		_ = m.Respond([]byte("heard")) // the engine finds out
		_ = m.Respond([]byte("reviewer auto"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := nc.FlushTimeout(patience); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, engine, nats.NewMsg("docket.v1.review.auto")); got != "reviewer auto" {
		t.Errorf("got %q", got)
	}
	// Unasked it has no way to say anything, not even to the engine that has just asked.
	wantRefused(t, nc, false, "docket.v1.review.auto", "_R_.x.y", "_INBOX.engine.asks.1", "docket.v1.agent.s-1.call", "docket.v1.human.auto.approvals.answer",
		"docket.v1.reviewer.judge.read")
	wantRefused(t, nc, true, "docket.v1.review.judge", "docket.v1.review.>", "docket.v1.review.*")
	for _, class := range []string{bus.Human, bus.Agent, bus.Host, bus.Spawner, bus.Auditor} {
		other := b.Connect(class, "auto")
		wantRefused(t, other, true, "docket.v1.review.auto")
		wantRefused(t, other, false, "docket.v1.review.auto")
	}
}

// leafnodes shows that the accounts allow none and the credentials neither, so that
// it does not depend on a server's having no port for them.
func (b *Bus) leafnodes(t *testing.T) {
	tokens, err := b.Authority.Accounts()
	if err != nil {
		t.Fatal(err)
	}
	for name, claims := range tokens {
		if name == bus.SystemAccount {
			continue
		}
		if claims.Limits.LeafNodeConn != 0 || len(claims.Mappings) != 0 || !claims.Limits.DisallowBearer {
			t.Errorf("%s: got %d leafnodes, %d mappings, bearers disallowed %v, want 0, 0, true",
				name, claims.Limits.LeafNodeConn, len(claims.Mappings), claims.Limits.DisallowBearer)
		}
	}
}

// auditors read what an engine wrote, under the same sequence, and follow it.
func (b *Bus) auditors(t *testing.T) {
	engine := b.JetStream(bus.Engine, "writer")
	ack, err := engine.Publish(t.Context(), "session.0.0.audited", []byte("one"))
	if err != nil {
		t.Fatal(err)
	}
	js := b.JetStream(bus.Auditor, "ann")
	stream, err := js.Stream(t.Context(), "SESSIONS_0_0")
	if err != nil {
		t.Fatal(err)
	}
	follow, err := js.OrderedConsumer(t.Context(), "SESSIONS_0_0", natsjs.OrderedConsumerConfig{FilterSubjects: []string{"session.0.0.audited"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"one", "two"} {
		msg, err := follow.Next(natsjs.FetchMaxWait(patience))
		if err != nil || string(msg.Data()) != want {
			t.Fatalf("got %v, %v, want %s", msg, err, want)
		}
		if at, err := msg.Metadata(); err != nil || at.Sequence.Stream != ack.Sequence {
			t.Errorf("got %+v, %v, want sequence %d", at, err, ack.Sequence)
		}
		if got, err := stream.GetMsg(t.Context(), ack.Sequence); err != nil || string(got.Data) != want {
			t.Errorf("got %v, %v, want %s", got, err, want)
		}
		if want == "one" {
			if ack, err = engine.Publish(t.Context(), "session.0.0.audited", []byte("two")); err != nil {
				t.Fatal(err)
			}
		}
	}
	names := []string{}
	for s := range js.StreamNames(t.Context()).Name() {
		names = append(names, s)
	}
	slices.Sort(names)
	if want := []string{"AUDIT", "PROJECTS", "SESSIONS_0_0"}; !slices.Equal(names, want) {
		t.Errorf("got the streams %v, want %v", names, want)
	}
	cfg := stream.CachedInfo().Config
	if !cfg.DenyDelete || !cfg.DenyPurge || cfg.MirrorDirect {
		t.Errorf("got %+v, want a mirror that nothing is taken out of", cfg)
	}
	wantRefused(t, js.Conn(), false, "session.0.0.audited", "docket.mirror.API.CONSUMER.CREATE.SESSIONS_0_0", "docket.v1.human.ann.state",
		"$JS.API.CONSUMER.DURABLE.CREATE.SESSIONS_0_0.c", "$JS.API.CONSUMER.PAUSE.SESSIONS_0_0.c", "$JS.ACK.x", "$JS.FC.SESSIONS_0_0.x.y")
}
