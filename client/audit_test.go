package client_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

// audited is a session with one call, and who audits it.
func (y *yard) audited(keys ...ed25519.PublicKey) (*client.Session, *client.Audit) {
	y.t.Helper()
	s := y.session(y.human("ana"), presets.Auto)
	_, err := s.Run(y.t.Context(), wants(y.t, s, "a")[0], done)
	must(y.t, err)
	must(y.t, s.EndStep(y.t.Context()))
	must(y.t, s.EndTurn(y.t.Context()))
	a, err := y.dial(bus.Auditor, "ann").Audit(keys...)
	must(y.t, err)
	y.waitMirrored(s)
	return s, a
}

// waitMirrored waits until the mirror has all of a session: it follows the engine's
// stream a moment later.
func (y *yard) waitMirrored(s *client.Session) {
	y.t.Helper()
	state, err := s.State(y.t.Context())
	must(y.t, err)
	a, err := y.dial(bus.Auditor, "waits").Audit(y.public())
	must(y.t, err)
	ctx, cancel := context.WithTimeout(y.t.Context(), patience)
	defer cancel()
	if !eventually(ctx, func() bool {
		next := events.Seq(0)
		for e, err := range a.Read(ctx, s.ID()) {
			if err != nil {
				return false
			}
			next = e.End()
		}
		return next == state.Next
	}) {
		y.t.Fatal("the mirror does not have the session")
	}
}

func (y *yard) public() ed25519.PublicKey { return y.key.Public().(ed25519.PublicKey) }

func TestAnAuditorListsReadsFollowsAndVerifies(t *testing.T) {
	y := newYard(t)
	s, a := y.audited(y.public())
	var want []string
	for r, err := range s.Read(t.Context(), 0) {
		must(t, err)
		want = append(want, string(r.Line))
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var got []string
	var actors []string
	for e, err := range a.Follow(ctx, s.ID()) {
		must(t, err)
		got = append(got, string(e.Line))
		if actor := e.Actor.Class + " " + e.Actor.Name; !slices.Contains(actors, actor) {
			actors = append(actors, actor)
		}
		if len(got) == len(want) {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %d records, want the %d of the engine", len(got), len(want))
	}
	if !slices.Contains(actors, "human ana") || !slices.Contains(actors, "agent "+string(s.ID())) {
		t.Errorf("got the actors %v", actors)
	}
	var listed []events.SessionID
	for id, err := range a.List(ctx) {
		must(t, err)
		listed = append(listed, id)
	}
	if !slices.Equal(listed, []events.SessionID{s.ID()}) {
		t.Errorf("got %v, want %s", listed, s.ID())
	}
	y.waitSealed(ctx, a, s.ID())
	if found, err := a.Verify(ctx, s.ID()); err != nil || len(found) > 0 {
		t.Errorf("got %v, %v, want nothing", found, err)
	}
	for _, err := range a.Read(ctx, "another") {
		if !errors.Is(err, client.ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound", err)
		}
	}
}

// waitSealed waits until the seal of the session's turn is in the mirror: it is made
// behind the turn's end.
func (y *yard) waitSealed(ctx context.Context, a *client.Audit, id events.SessionID) {
	y.t.Helper()
	if !eventually(ctx, func() bool {
		found, err := a.Verify(ctx, id)
		return err == nil && !slices.ContainsFunc(found, func(f events.Finding) bool { return f.Kind == events.FindingUnproven })
	}) {
		y.t.Fatal("no seal came")
	}
}

func TestWithoutTheEnginesKeyNothingIsProven(t *testing.T) {
	y := newYard(t)
	other, _, err := ed25519.GenerateKey(nil)
	must(t, err)
	s, a := y.audited(other)
	found, err := a.Verify(t.Context(), s.ID())
	if err != nil || len(found) == 0 || found[0].Kind != events.FindingCorrupt || !strings.Contains(found[0].Problem, "not trusted") {
		t.Errorf("got %v, %v", found, err)
	}
	for _, err := range a.Read(t.Context(), s.ID()) {
		if !errors.Is(err, events.ErrCorrupt) {
			t.Errorf("got %v, want ErrCorrupt", err)
		}
	}
}

func TestAnAuditWithoutKeysIsRefused(t *testing.T) {
	y := newYard(t)
	if a, err := y.dial(bus.Auditor, "ann").Audit(); err == nil || a != nil || !strings.Contains(err.Error(), "public key") {
		t.Errorf("got %v, %v, want to be told of the missing key", a, err)
	}
}

// TestEachThingThatIsNotAsTheEngineStoredItIsFound changes what is read, one thing at
// a time.
func TestEachThingThatIsNotAsTheEngineStoredItIsFound(t *testing.T) {
	y := newYard(t)
	s, a := y.audited(y.public())
	messages := y.messages(s.ID())
	if err := a.Check(s.ID(), messages); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func([]*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg{
		"a byte of the header": func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg { m[0].Data[20] ^= 1; return m },
		"a byte of a record":   func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg { m[3].Data[20] ^= 1; return m },
		"who did it": func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg {
			m[3].Header.Set("Docket-Actor", "human/ana")
			return m
		},
		"a signature":          func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg { m[3].Header.Del("Docket-Sig"); return m },
		"the place":            func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg { m[3].Subject += "x"; return m },
		"a message is missing": func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg { return slices.Delete(m, 3, 4) },
		"two are exchanged":    func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg { m[3], m[4] = m[4], m[3]; return m },
		"one is there twice":   func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg { return slices.Insert(m, 3, m[3]) },
		"a record more": func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg {
			m[3].Data = append(m[3].Data, "\n{}"...)
			return m
		},
		"a header more": func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg { m[3].Header.Set("Docket-More", "x"); return m },
		"a header split in two": func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg {
			types := m[3].Header.Get("Docket-Types")
			m[3].Header["Docket-Types"] = []string{types[:2], types[2:]}
			return m
		},
		"a header in other cases": func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg {
			m[3].Header["docket-types"] = []string{"turn/end"}
			return m
		},
		"one twice": func(m []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg {
			m[3].Header["Docket-Seq"] = append(m[3].Header["Docket-Seq"], "9")
			return m
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := a.Check(s.ID(), change(copies(messages))); !errors.Is(err, events.ErrCorrupt) {
				t.Errorf("got %v, want ErrCorrupt", err)
			}
		})
	}
	if err := a.Check("another", copies(messages)); !errors.Is(err, events.ErrCorrupt) {
		t.Errorf("got %v of another session's messages, want ErrCorrupt", err)
	}
}

// messages are a session's as the mirror has them.
func (y *yard) messages(id events.SessionID) []*natsjs.RawStreamMsg {
	y.t.Helper()
	creds, err := y.credential(bus.Auditor, "raw")
	must(y.t, err)
	nc, err := nats.Connect(y.url(), nats.UserCredentialBytes(creds), nats.CustomInboxPrefix(bus.InboxPrefix(bus.Auditor, "raw")))
	must(y.t, err)
	defer nc.Close()
	js, err := natsjs.New(nc)
	must(y.t, err)
	stream, err := js.Stream(y.t.Context(), "SESSIONS_0_0")
	must(y.t, err)
	var all []*natsjs.RawStreamMsg
	for next := uint64(1); ; {
		m, err := stream.GetMsg(y.t.Context(), next, natsjs.WithGetMsgSubject("session.0.0."+string(id)))
		if errors.Is(err, natsjs.ErrMsgNotFound) {
			return all
		}
		must(y.t, err)
		all, next = append(all, m), m.Sequence+1
	}
}

func copies(messages []*natsjs.RawStreamMsg) []*natsjs.RawStreamMsg {
	out := make([]*natsjs.RawStreamMsg, len(messages))
	for i, m := range messages {
		c := *m
		c.Data = slices.Clone(m.Data)
		c.Header = nats.Header{}
		for k, v := range m.Header {
			c.Header[k] = slices.Clone(v)
		}
		out[i] = &c
	}
	return out
}

func TestACredentialIsForItsOwnRole(t *testing.T) {
	y := newYard(t)
	h := y.human("ana")
	s := y.session(h, presets.Auto)
	for class, name := range map[string]string{bus.Human: "ana", bus.Agent: string(s.ID()), bus.Spawner: "nightly", bus.Auditor: "ann"} {
		c := y.dial(class, name)
		_, session := c.Session("")
		_, human := c.Human()
		_, spawner := c.Spawner()
		_, audit := c.Audit()
		for as, err := range map[string]error{bus.Agent: session, bus.Human: human, bus.Spawner: spawner, bus.Auditor: audit} {
			if errors.Is(err, client.ErrRole) == (as == class) {
				t.Errorf("a %s as a %s: got %v", class, as, err)
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	creds, err := y.credential(bus.Human, "ana")
	must(t, err)
	// Whoever says that the credential is another one's is told by the server.
	if _, err := client.Dial(ctx, client.Config{URL: y.url(), Creds: creds, Role: "agent"}); !errors.Is(err, client.ErrNotPermitted) {
		t.Errorf("got %v, want ErrNotPermitted", err)
	}
}
