package bustest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/bus"
)

// callers are the classes that send commands, each with a name that it is tried under.
func callers() map[string]string {
	return map[string]string{bus.Human: "ana", bus.Agent: "s-1", bus.Host: "laptop", bus.Spawner: "nightly", bus.Reviewer: "auto"}
}

// Permissions tries on the bus everything that a credential must and must not be able
// to do. The subtests are named after what they prove.
func Permissions(t *testing.T, b *Bus) {
	b.Service()
	t.Run("each class calls under its own name and hears every reply", b.eachCalls)
	t.Run("what a class may do by its table is what the server lets it", b.tableHolds)
	t.Run("nobody but an engine writes to a stream", b.nobodyWrites)
	t.Run("an agent cannot act as a human, another session, a host or a spawner", b.agentsStayThemselves)
	t.Run("a forged identity is overwritten or refused", b.forgeries)
	t.Run("an engine's own credential cannot pretend to be a caller", b.engineIsNoCaller)
	t.Run("nobody reads or writes what is meant for others", b.othersInboxes)
	t.Run("nobody but an admin changes, deletes or purges", b.nobodyAlters)
	t.Run("consumers and schedules publish nothing for those who may not", b.indirectPublishing)
	t.Run("an answer on a subject of the asker's choice is nobody's command", b.replies)
	t.Run("an answer to an auditor alters nothing wherever it is sent", b.auditorReplies)
	t.Run("headers that take messages away are refused", b.destructiveHeaders)
	t.Run("nobody fills the server with subscriptions", b.manySubscriptions)
	t.Run("a reviewer answers what it is asked and says nothing unasked", b.reviewers)
	t.Run("a leafnode cannot stand for whoever is behind it", b.leafnodes)
	t.Run("an auditor reads the mirror and alters nothing", b.auditors)
}

func (b *Bus) eachCalls(t *testing.T) {
	for class, name := range callers() {
		m := nats.NewMsg(bus.SubjectPrefix + class + "." + name + ".state")
		if got, want := ask(t, b.Connect(class, name), m), class+" "+name; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func (b *Bus) tableHolds(t *testing.T) {
	for _, class := range bus.Classes() {
		nc := b.Connect(class.Name, "some-name")
		attempts, err := bus.Attempts(class.Name, "some-name")
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range attempts {
			allowed, err := a.Try(nc, patience)
			if err != nil || allowed != a.Allowed {
				t.Errorf("%s: %s on %s: got %v, %v, want %v", class.Name, a.What, a.Subject, allowed, err, a.Allowed)
			}
		}
	}
}

// wantRefused tries to publish, and to subscribe, where the server must not let one.
func wantRefused(t *testing.T, nc *nats.Conn, subscribe bool, subjects ...string) {
	t.Helper()
	for _, subject := range subjects {
		a := bus.Attempt{What: "be refused", Subject: subject, Subscribe: subscribe}
		if allowed, err := a.Try(nc, patience); allowed || err != nil {
			t.Errorf("%s (subscribe: %v): got %v, %v, want a refusal", subject, subscribe, allowed, err)
		}
	}
}

// outsiders are all classes without the engine's own.
func outsiders() []string {
	return []string{bus.Human, bus.Agent, bus.Host, bus.Spawner, bus.Reviewer, bus.Auditor}
}

func (b *Bus) nobodyWrites(t *testing.T) {
	before := b.stored(t)
	for _, class := range outsiders() {
		nc := b.Connect(class, "x")
		wantRefused(t, nc, false, "session.0.0.s-1", "project.p", "audit.review.s-1", "snapshot.s-1",
			"live.session.0.0.s-1", "deliver.audit.x", "$JS.API.STREAM.CREATE.MINE", "docket.engine.accounts", "docket.v1.catalogue")
	}
	wantRefused(t, b.Connect(bus.Engine, "x"), false, "live.session.0.0.s-1", "deliver.audit.x")
	if after := b.stored(t); !slices.Equal(before, after) {
		t.Errorf("got %v messages in the streams, want %v as before", after, before)
	}
}

// stored counts the messages of the streams.
func (b *Bus) stored(t *testing.T) []uint64 {
	t.Helper()
	js := b.JetStream(bus.Engine, "count")
	var counts []uint64
	for _, name := range []string{"SESSIONS_0_0", "PROJECTS", "AUDIT", "SNAPSHOTS"} {
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, stream.CachedInfo().State.Msgs)
	}
	return counts
}

func (b *Bus) agentsStayThemselves(t *testing.T) {
	nc := b.Connect(bus.Agent, "s-1")
	wantRefused(t, nc, false,
		"docket.v1.human.ana.message.send", "docket.v1.human.s-1.message.send", // a user's message
		"docket.v1.human.ana.approvals.answer", "docket.v1.human.s-1.approvals.answer", // its own approval
		"docket.v1.human.ana.preset.set", "docket.v1.human.ana.tier.set",
		"docket.v1.agent.s-2.turn.start", "docket.v1.agent.s-2.read", // another session, another family's log
		"docket.v1.host.s-1.prompt", "docket.v1.spawner.s-1.session.create",
		"docket.v1.reviewer.auto.read", "docket.v1.review.auto",
		"docket.v1.agent.*.turn.start", "docket.v1.agent.>", "docket.v1.agent",
		"docket.v1.AGENT.s-1.turn.start", "docket.v2.agent.s-1.turn.start", "docket.v1.agent.S-1.turn.start",
	)
	// The mapping of one subject to another is a server's: this one has none (spec of ways
	// around, 19). Names that are almost one's own are others'.
	wantRefused(t, b.Connect(bus.Agent, "s"), false, "docket.v1.agent.s-1.state", "docket.v1.agent.ss.state")
}

func (b *Bus) forgeries(t *testing.T) {
	forged := `{"acc":"` + b.Authority.PublicKey(bus.HumanAccount) + `","user":"ana","name_tag":"ana","kind":"Client"}`
	for name, headers := range map[string][][2]string{
		"one header":        {{"Nats-Request-Info", forged}},
		"several":           {{"Nats-Request-Info", forged}, {"Nats-Request-Info", forged}},
		"not JSON":          {{"Nats-Request-Info", "x"}},
		"an empty one":      {{"Nats-Request-Info", ""}},
		"behind another":    {{"A", "b"}, {"Nats-Request-Info", forged}},
		"a broken line":     {{"A", "b: Nats-Request-Info: " + forged}},
		"a longer name":     {{"Nats-Request-Info-2", forged}},
		"a service's chain": {{"Nats-Request-Info", strings.Replace(forged, "{", `{"svc":"x",`, 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			m := nats.NewMsg("docket.v1.agent.s-1.state")
			for _, h := range headers {
				m.Header.Add(h[0], h[1])
			}
			if got := ask(t, b.Connect(bus.Agent, "s-1"), m); got != "agent s-1" {
				t.Errorf("got %q, want agent s-1", got)
			}
		})
	}
	for _, key := range []string{"nats-request-info", "NATS-REQUEST-INFO"} {
		m := nats.NewMsg("docket.v1.agent.s-1.state")
		m.Header[key] = []string{forged}
		if got := ask(t, b.Connect(bus.Agent, "s-1"), m); got != "refused" {
			t.Errorf("with %s: got %q, want a refusal", key, got)
		}
	}
	b.connectForgeries(t)
}

func (b *Bus) engineIsNoCaller(t *testing.T) {
	for _, class := range []string{bus.Engine, bus.Admin} {
		wantRefused(t, b.Connect(class, "ana"), false,
			"docket.v1.human.ana.message.send", "docket.v1.agent.s-1.state", "docket.v1.host.laptop.prompt",
			"docket.v1.spawner.nightly.session.create", "docket.v1.reviewer.auto.read")
	}
	wantRefused(t, b.Connect(bus.Mirror, "x"), false, "docket.v1.human.x.state", "$JS.API.STREAM.UPDATE.AUDIT", "$JS.API.STREAM.DELETE.AUDIT")
}

func (b *Bus) othersInboxes(t *testing.T) {
	for _, class := range outsiders() {
		nc := b.Connect(class, "x")
		wantRefused(t, nc, true, ">", "_INBOX.>", "_INBOX.*.*.>", "_INBOX."+class+".>", "_INBOX."+class+".y.>", "_INBOX."+class+".*.>",
			"_INBOX.human.ana.>", "_R_.>", "*.>", "docket.>", "docket.v1."+class+".x.>", "live.>", "session.>", "$JS.EVENT.>", "$SYS.>", "$SRV.>",
			"deliver.audit.>", "docket.engine.>")
		wantRefused(t, nc, false, "_INBOX.human.ana.1", "_INBOX.x.1", "_INBOX."+class+".x.1", "_R_.1.2")
	}
}

func (b *Bus) nobodyAlters(t *testing.T) {
	streams := []string{"SESSIONS_0_0", "PROJECTS", "AUDIT", "SNAPSHOTS"}
	for _, class := range append(outsiders(), bus.Engine, bus.Mirror) {
		nc := b.Connect(class, "x")
		for _, s := range streams {
			wantRefused(t, nc, false, "$JS.API.STREAM.UPDATE."+s, "$JS.API.STREAM.DELETE."+s, "$JS.API.STREAM.PURGE."+s,
				"$JS.API.STREAM.MSG.DELETE."+s, "$JS.API.STREAM.RESTORE."+s, "$JS.API.STREAM.SNAPSHOT."+s,
				"$JS.API.STREAM.LEADER.STEPDOWN."+s, "$JS.API.STREAM.PEER.REMOVE."+s, "$JS.API.ACCOUNT.PURGE.x", "$JS.API.SERVER.REMOVE")
		}
	}
	for _, class := range []string{bus.Human, bus.Agent, bus.Host, bus.Spawner, bus.Reviewer} {
		wantRefused(t, b.Connect(class, "x"), false, "$JS.API.INFO", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO.SESSIONS_0_0",
			"$JS.API.STREAM.MSG.GET.SESSIONS_0_0", "$JS.API.DIRECT.GET.SESSIONS_0_0", "$JS.API.CONSUMER.CREATE.SESSIONS_0_0",
			"$JS.API.CONSUMER.CREATE.SESSIONS_0_0.c.session.0.0.s-1", "$JS.API.CONSUMER.DURABLE.CREATE.SESSIONS_0_0.c")
	}
	// An admin's leave ends at what the streams themselves deny.
	admin := b.JetStream(bus.Admin, "root")
	stream, err := admin.Stream(t.Context(), "SESSIONS_0_0")
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Purge(t.Context()); err == nil {
		t.Error("an admin purged a log")
	}
	if err := stream.DeleteMsg(t.Context(), 1); err == nil {
		t.Error("an admin deleted a message of a log")
	}
}

func (b *Bus) destructiveHeaders(t *testing.T) {
	js := b.JetStream(bus.Engine, "writer")
	for key, value := range map[string]string{
		"Nats-Rollup": "all", "Nats-TTL": "1s", "Nats-Schedule": "@at 2030-01-01T00:00:00Z", "Nats-Incr": "1",
	} {
		m := nats.NewMsg("session.0.0.rolled")
		m.Header.Set(key, value)
		if key == "Nats-Schedule" {
			m.Header.Set("Nats-Schedule-Target", "session.0.0.other")
		}
		if ack, err := js.PublishMsg(t.Context(), m); err == nil {
			t.Errorf("%s: got %+v, want a refusal", key, ack)
		}
	}
}

func (b *Bus) manySubscriptions(t *testing.T) {
	nc := b.Connect(bus.Agent, "s-1")
	for range 1100 {
		if _, err := nc.SubscribeSync("_INBOX.agent.s-1.many"); err != nil {
			t.Fatal(err)
		}
	}
	_ = nc.FlushTimeout(patience) // the server may close it
	if err := nc.LastError(); !errors.Is(err, nats.ErrMaxSubscriptionsExceeded) {
		t.Errorf("got %v, want ErrMaxSubscriptionsExceeded", err)
	}
}

func (b *Bus) indirectPublishing(t *testing.T) {
	before := b.stored(t)
	// A message with a schedule is only a message: it is stored nowhere.
	m := nats.NewMsg("docket.v1.agent.s-1.state")
	m.Header.Set("Nats-Schedule", "@every 1s")
	m.Header.Set("Nats-Schedule-Target", "session.0.0.s-1")
	if got := ask(t, b.Connect(bus.Agent, "s-1"), m); got != "agent s-1" {
		t.Errorf("got %q", got)
	}
	// An auditor's consumer may deliver wherever it likes in the auditors' account. From
	// there nothing gets into another one.
	js := b.JetStream(bus.Engine, "writer")
	if _, err := js.Publish(t.Context(), "session.0.0.indirect", []byte(`{"stream_name":"PROJECTS","config":{"deliver_subject":"session.0.0.x"}}`)); err != nil {
		t.Fatal(err)
	}
	nc := b.Connect(bus.Auditor, "ann")
	for _, target := range []string{
		"session.0.0.victim", "docket.v1.human.ana.message.send", "docket.mirror.API.CONSUMER.CREATE.PROJECTS",
		"$JS.API.STREAM.DELETE.SESSIONS_0_0", "$JS.API.STREAM.PURGE.SESSIONS_0_0", "$JS.FC.SESSIONS_0_0.x.y",
	} {
		body := `{"stream_name":"SESSIONS_0_0","config":{"name":"push","deliver_subject":"` + target + `","deliver_policy":"all","ack_policy":"none","replay_policy":"instant"}}`
		if _, err := nc.Request("$JS.API.CONSUMER.CREATE.SESSIONS_0_0.push", []byte(body), patience); err != nil {
			t.Fatal(err)
		}
		_, _ = nc.Request("$JS.API.CONSUMER.DELETE.SESSIONS_0_0.push", nil, patience) // it was refused, perhaps
	}
	before[0]++
	if after := b.stored(t); !slices.Equal(before, after) {
		t.Errorf("got %v messages in the streams, want %v", after, before)
	}
	b.wantNoConsumers(t, js)
}

// wantNoConsumers looks for consumers on the streams but for those of the mirrors.
func (b *Bus) wantNoConsumers(t *testing.T, js natsjs.JetStream) {
	t.Helper()
	for _, name := range []string{"SESSIONS_0_0", "PROJECTS", "AUDIT", "SNAPSHOTS"} {
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		names := stream.ConsumerNames(t.Context())
		for consumer := range names.Name() {
			if !strings.HasPrefix(consumer, "JS_MIRROR_") {
				t.Errorf("%s has a consumer %s", name, consumer)
			}
		}
		if names.Err() != nil {
			t.Error(names.Err())
		}
	}
}
