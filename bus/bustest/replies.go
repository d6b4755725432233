package bustest

import (
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/bus"
)

// settle is how long is waited for what must not happen.
const settle = 200 * time.Millisecond

// replies lets servers answer on subjects that a client may not publish on: a reply's
// subject is the client's choice, and no permission is asked for it.
func (b *Bus) replies(t *testing.T) {
	heard := make(chan string, 100)
	engine, table := b.Connect(bus.Engine, "listens"), b.Authority.Table()
	for _, class := range []string{bus.Human, bus.Agent, bus.Host, bus.Spawner, bus.Reviewer} {
		if _, err := engine.Subscribe(bus.SubjectPrefix+class+".victim.>", func(m *nats.Msg) {
			if c, err := table.Establish(m.Header, m.Subject); err == nil {
				heard <- c.Class + " " + c.Name + " on " + m.Subject
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := engine.FlushTimeout(patience); err != nil {
		t.Fatal(err)
	}
	for class, name := range callers() {
		nc := b.Connect(class, name)
		for _, victim := range []string{bus.Human, bus.Agent, bus.Host, bus.Spawner, bus.Reviewer} {
			for _, reply := range []string{
				"docket.v1." + victim + ".victim.turn.start", "session.0.0.victim", "$JS.API.STREAM.DELETE.SESSIONS_0_0", "live.session.0.0.victim",
			} {
				if err := nc.PublishRequest("docket.v1."+class+"."+name+".state", reply, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = nc.FlushTimeout(patience) // some replies are refused
	}
	select {
	case got := <-heard:
		t.Errorf("the engine took an answer for a command of %s", got)
	case <-time.After(settle):
	}
}

// auditorReplies lets the JetStream of the auditors' account answer, with a body and
// without, on subjects that an auditor may not publish on.
func (b *Bus) auditorReplies(t *testing.T) {
	before, mirrors := b.stored(t), b.mirrors(t)
	nc := b.Connect(bus.Auditor, "ann")
	targets := []string{
		"$JS.API.STREAM.DELETE.SESSIONS_0_0", "$JS.API.STREAM.PURGE.SESSIONS_0_0", "$JS.API.STREAM.UPDATE.SESSIONS_0_0",
		"$JS.API.STREAM.MSG.DELETE.SESSIONS_0_0", "docket.mirror.API.CONSUMER.CREATE.SESSIONS_0_0", "session.0.0.victim", "deliver.audit.x",
		"$JS.FC.SESSIONS_0_0.x.y",
	}
	pull := `{"stream_name":"SESSIONS_0_0","config":{"name":"pull","deliver_policy":"new","ack_policy":"none","replay_policy":"instant"}}`
	if _, err := nc.Request("$JS.API.CONSUMER.CREATE.SESSIONS_0_0.pull", []byte(pull), patience); err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		for subject, body := range map[string]string{
			"$JS.API.STREAM.INFO.SESSIONS_0_0":                        "",
			"$JS.API.STREAM.NAMES":                                    "",
			"$JS.API.DIRECT.GET.SESSIONS_0_0":                         `{"seq":99999999}`,           // a status without a body
			"$JS.API.CONSUMER.MSG.NEXT.SESSIONS_0_0.pull":             `{"batch":1,"no_wait":true}`, // likewise
			"$JS.API.DIRECT.GET.SESSIONS_0_0.session.0.0.nothing-yet": "",
		} {
			if err := nc.PublishRequest(subject, target, []byte(body)); err != nil {
				t.Fatal(err)
			}
		}
		_ = nc.FlushTimeout(patience) // some replies are refused
		push := `{"stream_name":"SESSIONS_0_0","config":{"name":"push","deliver_subject":"` + target +
			`","headers_only":true,"deliver_policy":"all","ack_policy":"none","replay_policy":"instant"}}`
		_, _ = nc.Request("$JS.API.CONSUMER.CREATE.SESSIONS_0_0.push", []byte(push), patience) // what becomes of it is looked at below
		_, _ = nc.Request("$JS.API.CONSUMER.DELETE.SESSIONS_0_0.push", nil, patience)
	}
	<-time.After(settle)
	if after := b.stored(t); !slices.Equal(before, after) {
		t.Errorf("got %v messages in the streams, want %v", after, before)
	}
	if after := b.mirrors(t); !slices.Equal(mirrors, after) {
		t.Errorf("got the mirrors %v, want %v", after, mirrors)
	}
	b.wantNoConsumers(t, b.JetStream(bus.Engine, "looks"))
}

// mirrors are how many messages each mirror has.
func (b *Bus) mirrors(t *testing.T) []uint64 {
	t.Helper()
	js := b.JetStream(bus.Auditor, "counts")
	var counts []uint64
	for _, name := range []string{"SESSIONS_0_0", "PROJECTS", "AUDIT"} {
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Errorf("the mirror %s: %v", name, err)
			continue
		}
		counts = append(counts, stream.CachedInfo().State.Msgs)
	}
	return counts
}
