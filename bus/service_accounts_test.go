package bus_test

import (
	"context"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/bus/bustest"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/presets"
)

// newBankedYard is a yard on a server with the bus's real accounts: who calls is what
// the server says, and clients have real credentials.
func newBankedYard(t *testing.T) (*yard, *bustest.Bus) {
	t.Helper()
	b, _ := bustest.Start(t)
	y := newKeys(t)
	y.connect = func() *nats.Conn { return b.Connect(bus.Engine, "engine") }
	y.establish = b.Authority.Table().Establish
	y.credential = func(role api.Role, identity string) *nats.Conn { return b.Connect(string(role), identity) }
	return y, b
}

func issuer(b *bustest.Bus) option {
	return func(cfg *bus.ServiceConfig) {
		cfg.Issue = func(_ context.Context, id events.SessionID) (api.Credential, error) {
			c, err := b.Authority.Issue(bus.Request{Class: bus.Agent, Name: string(id)})
			return api.Credential{Session: id, Creds: string(c.Text), ExpiresAt: c.Expires.UnixMilli()}, err
		}
	}
}

// TestWithRealAccountsACallGoesAllTheWay: a person begins the session, its agent's
// credential is given to them, and all answers of a long call come through the
// accounts.
func TestWithRealAccountsACallGoesAllTheWay(t *testing.T) {
	y, b := newBankedYard(t)
	r := y.serve(allows, issuer(b))
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", presets.Auto)
	c := do[api.Credential](ada, "session.credential", api.SessionCredential{Query: api.Query{Session: "work"}})
	agent := &client{yard: y, role: api.RoleAgent, identity: "work", nc: b.Use(bus.Credential{
		Issued: bus.Issued{Class: bus.Agent, Name: "work"}, Text: []byte(c.Creds),
	})}
	agent.wants("", "c1", delegation)
	x := y.executor()
	a := agent.call(x, "work", "c1").answer()
	if a.Permit == nil {
		t.Fatalf("got %+v, want a permit", a)
	}
	p, err := x.Burn(*a.Permit, time.Now())
	must(t, err)
	spawned, _ := agent.spawns(x, "work", api.Spawn{SpawnID: "s1", Child: "child", Mode: "one-shot", Provider: "spawn", Credential: true})
	do[api.Done](agent, "settle", api.Settle{Command: agent.command(""), CallID: "c1", Nonce: p.Nonce, Content: []events.Block{events.TextBlock("done")}})
	child := &client{yard: y, role: api.RoleAgent, identity: "child", nc: b.Use(bus.Credential{
		Issued: bus.Issued{Class: bus.Agent, Name: "child"}, Text: []byte(spawned.Credential.Creds),
	})}
	if s := do[api.State](child, "state", api.StateQuery{}); s.Owner != "ada" || s.Parent != "work" {
		t.Errorf("got %+v, want ada's child of work", s)
	}
	wantCode(t, child.try("read", api.Read{Query: api.Query{Session: "work"}}), api.CodeUnauthorized)
	o, err := r.log.Open(t.Context(), "work")
	must(t, err)
	if o.Creator != (events.Actor{Class: "human", Name: "ada"}) {
		t.Errorf("got the creator %+v", o.Creator)
	}
}

// TestWithRealAccountsAForgedCallerIsNobody: what a client says of itself changes
// nothing.
func TestWithRealAccountsAForgedCallerIsNobody(t *testing.T) {
	y, b := newBankedYard(t)
	r := y.serve(allows)
	y.client(api.RoleHuman, "ada").session("work", "")
	eve := y.client(api.RoleHuman, "eve")
	forged := nats.Header{"Nats-Request-Info": {`{"acc":"` + b.Authority.PublicKey(bus.HumanAccount) + `","name_tag":"ada","kind":"Client"}`}}
	_, failed := eve.request("session.show", encode(t, api.SessionShow{Query: api.Query{Session: "work"}}), forged)
	wantCode(t, failed, api.CodeNotFound)
	next := r.next("work")
	_, failed = eve.request("preset.set", encode(t, api.PresetSet{Command: eve.command("work"), Preset: "danger-full-access"}), forged)
	wantCode(t, failed, api.CodeNotFound)
	if got := r.next("work"); got != next {
		t.Errorf("got %d events, want %d", got, next)
	}
}

// TestNATSMicroToolsFindTheService in the engine's own account.
func TestNATSMicroToolsFindTheService(t *testing.T) {
	y, b := newBankedYard(t)
	y.serve(allows)
	ada := y.client(api.RoleHuman, "ada")
	wantCode(t, ada.try("session.show", api.SessionShow{}), api.CodeInvalid)
	admin := b.Connect(bus.Admin, "root")
	var listing struct {
		Name      string `json:"name"`
		Endpoints []struct {
			Name     string            `json:"name"`
			Subject  string            `json:"subject"`
			Metadata map[string]string `json:"metadata"`
		} `json:"endpoints"`
	}
	ask(t, admin, "$SRV.INFO.docket", &listing)
	if listing.Name != bus.ServiceName || len(listing.Endpoints) != len(api.Endpoints()) {
		t.Fatalf("got %s with %d endpoints, want %d", listing.Name, len(listing.Endpoints), len(api.Endpoints()))
	}
	for i, e := range api.Endpoints() {
		got := listing.Endpoints[i]
		if got.Name != e.Name() || got.Subject != api.Pattern(e.Role, e.Command) || got.Metadata["request"] == "" {
			t.Errorf("got %+v, want %s", got, e.Name())
		}
	}
	var stats struct {
		Endpoints []struct {
			Name string            `json:"name"`
			Data bus.EndpointStats `json:"data"`
		} `json:"endpoints"`
	}
	ask(t, admin, "$SRV.STATS.docket", &stats)
	for _, e := range stats.Endpoints {
		if e.Name == "human-session-show" && (e.Data.Requests != 1 || e.Data.Refused != 1 || e.Data.Active != 0) {
			t.Errorf("got %+v, want one request that was refused", e.Data)
		}
	}
}

func ask(t *testing.T, nc *nats.Conn, subject string, into any) {
	t.Helper()
	m, err := nc.Request(subject, nil, 5*time.Second)
	must(t, err)
	must(t, json.Unmarshal(m.Data, into))
}

// newKeys is a yard without a server.
func newKeys(t *testing.T) *yard {
	t.Helper()
	y := &yard{t: t, callers: establishDouble{}}
	y.key = newKey(t)
	var err error
	y.keys, err = jetstream.NewKeys(y.key)
	must(t, err)
	return y
}

// TestAChangeOfTheCatalogueReachesEverybody: all engines, and people; it says nothing,
// and what is there now is asked for. An engine that shuts down changes nothing.
func TestAChangeOfTheCatalogueReachesEverybody(t *testing.T) {
	y, b := newBankedYard(t)
	ada := y.client(api.RoleHuman, "ada")
	told, err := ada.nc.SubscribeSync(api.CatalogueSubject)
	must(t, err)
	must(t, ada.nc.Flush())
	changed := make(chan struct{}, 100)
	first := y.serve(allows)
	second := y.serve(allows, func(c *bus.ServiceConfig) { c.Changed = func() { changed <- struct{}{} } })
	for range 2 { // each engine that begins
		_, err := told.NextMsg(5 * time.Second)
		must(t, err)
	}
	<-changed
	must(t, first.gate.Uninstall(t.Context(), presets.IntegrationAuto, events.Actor{Class: "human", Name: "ada"}))
	<-changed
	m, err := told.NextMsg(5 * time.Second)
	must(t, err)
	if len(m.Data) > 0 || len(m.Header) > 0 {
		t.Errorf("got %v %q, want an empty message", m.Header, m.Data)
	}
	second.stop()
	must(t, b.Connect(bus.Engine, "engine").Flush())
	if m, err := told.NextMsg(100 * time.Millisecond); err == nil {
		t.Errorf("an engine that shuts down says %q", m.Data)
	}
}
