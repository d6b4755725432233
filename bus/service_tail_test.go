package bus_test

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/events"
)

// following is a tail as its follower sees it.
type following struct {
	client  *client
	request api.Tail
	sub     *nats.Subscription
	next    events.Seq // everything before has come, without a gap
	end     *api.TailEnd
	failed  *api.Error
}

func (c *client) tail(id events.SessionID, from events.Seq) *following {
	c.t.Helper()
	f := &following{client: c, request: api.Tail{Query: api.Query{Session: id}, TailID: c.name("tail"), From: from}, next: from}
	inbox := c.nc.NewRespInbox()
	var err error
	f.sub, err = c.nc.SubscribeSync(inbox)
	must(c.t, err)
	must(c.t, c.nc.PublishRequest(c.subject("tail"), inbox, encode(c.t, f.request)))
	return f
}

// one takes one message, and checks that it goes on where the last one ended.
func (f *following) one() {
	t := f.client.t
	t.Helper()
	m, err := f.sub.NextMsg(10 * time.Second)
	must(t, err)
	if f.failed = errorIn(t, m); f.failed != nil {
		return
	}
	switch m.Header.Get(api.StateHeader) {
	case api.StateEvents:
		var e api.Events
		must(t, json.Unmarshal(m.Data, &e))
		if e.From != f.next || e.Next < e.From || (len(e.Records) == 0) != (e.Next == e.From) {
			t.Fatalf("got a part from %d to %d with %d records, want it from %d", e.From, e.Next, len(e.Records), f.next)
		}
		f.next = e.Next
	case api.StateFinal:
		f.end = &api.TailEnd{}
		must(t, json.Unmarshal(m.Data, f.end))
	}
}

// until takes what comes until everything before a seq has come.
func (f *following) until(next events.Seq) {
	f.client.t.Helper()
	for f.next < next && f.end == nil && f.failed == nil {
		f.one()
	}
}

// ended takes what comes until the tail's end.
func (f *following) ended() string {
	f.client.t.Helper()
	for f.end == nil && f.failed == nil {
		f.one()
	}
	if f.failed != nil {
		f.client.t.Fatalf("the tail failed: %v", f.failed)
	}
	return f.end.Reason
}

func (f *following) alive() api.UnderWay {
	f.client.t.Helper()
	return do[api.UnderWay](f.client, "tail.alive", api.TailAlive{TailID: f.request.TailID, Next: f.next})
}

func (f *following) stop() {
	f.client.t.Helper()
	do[api.UnderWay](f.client, "tail.stop", api.TailStop{TailID: f.request.TailID})
}

// TestATailGivesWhatIsStoredAndWhatComesWithoutAGap.
func TestATailGivesWhatIsStoredAndWhatComesWithoutAGap(t *testing.T) {
	y := newYard(t)
	r := y.serve(allows)
	ada, agent := y.client(api.RoleHuman, "ada"), y.begun("c1")
	f := ada.tail("work", 0)
	f.until(r.next("work"))
	k := agent.call(y.executor(), "work", "c1")
	k.answer()
	f.until(r.next("work"))
	if u := f.alive(); !u.Known {
		t.Error("the tail is not known")
	}
	again := ada.tail("work", 0)
	again.request.TailID = f.request.TailID
	wantCode(t, ada.try("tail", f.request), api.CodeConflict)
	again.until(r.next("work"))
	f.stop()
	if got := f.ended(); got != "stopped" || f.end.Next != f.next {
		t.Errorf("got %+v, want it to be stopped at %d", f.end, f.next)
	}
	again.client.nc.Close() // nobody says that it goes
}

// TestAnAgentFollowsItsOwnSessionAlone: what it may read page by page, and no more.
func TestAnAgentFollowsItsOwnSessionAlone(t *testing.T) {
	y := newYard(t)
	r := y.serve(allows)
	agent := y.begun("c1")
	y.client(api.RoleHuman, "ada").session("other", "")
	f := agent.tail("work", 0)
	f.until(r.next("work"))
	agent.call(y.executor(), "work", "c1").answer()
	f.until(r.next("work"))
	f.stop()
	if got := f.ended(); got != "stopped" {
		t.Errorf("got %q, want that it was stopped", got)
	}
	wantCode(t, agent.try("tail", api.Tail{Query: api.Query{Session: "other"}, TailID: "t"}), api.CodeUnauthorized)
	theirs := y.client(api.RoleHuman, "ada").tail("work", 0)
	if u := do[api.UnderWay](agent, "tail.stop", api.TailStop{TailID: theirs.request.TailID}); u.Known {
		t.Error("an agent knows of a person's tail")
	}
	theirs.until(r.next("work"))
}

func TestATailEndsWhenItsFollowerIsGone(t *testing.T) {
	y := newYard(t)
	y.serve(allows, impatient)
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", "")
	f := ada.tail("work", 0)
	for range 5 {
		f.one() // signs of life come, and are answered
		f.alive()
	}
	if got := f.ended(); got != "gone" {
		t.Errorf("got %s", got)
	}
	if f.alive().Known {
		t.Error("the tail is still known")
	}
}

func TestATailLivesItsTimeAndEndsWithItsEngine(t *testing.T) {
	y := newYard(t)
	r := y.serve(allows, func(cfg *bus.ServiceConfig) { cfg.Limits.TailLife = 100 * time.Millisecond })
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", "")
	if got := ada.tail("work", 0).ended(); got != "expired" {
		t.Errorf("got %s", got)
	}
	r.stop()
	other := y.serve(allows)
	f := ada.tail("work", 0)
	f.until(other.next("work"))
	other.stop()
	if got := f.ended(); got != "shutting-down" {
		t.Errorf("got %s", got)
	}
}

// TestATailIsNotFarAheadOfItsFollower: a slow one is not flooded, and goes on when it
// says what it has.
func TestATailIsNotFarAheadOfItsFollower(t *testing.T) {
	y := newYard(t)
	r := y.serve(allows, func(cfg *bus.ServiceConfig) { cfg.Limits.TailAhead = 64 << 10 })
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", "")
	for range 40 {
		do[api.Done](ada, "message.send", api.MessageSend{
			Command: ada.command("work"), MessageID: ada.name("m"), Content: []events.Block{events.TextBlock(string(make20k()))},
		})
	}
	f := ada.tail("work", 0)
	for {
		m, err := f.sub.NextMsg(300 * time.Millisecond)
		if err != nil {
			break // it waits
		}
		var e api.Events
		if m.Header.Get(api.StateHeader) == api.StateEvents {
			must(t, json.Unmarshal(m.Data, &e))
			f.next = e.Next
		}
	}
	if end := r.next("work"); f.next >= end {
		t.Fatalf("got all %d events at once", end)
	}
	for f.next < r.next("work") {
		f.alive()
		f.one()
	}
	f.stop()
}

func make20k() []byte {
	text := make([]byte, 20<<10)
	for i := range text {
		text[i] = 'x'
	}
	return text
}

func TestACallerHasSoManyTails(t *testing.T) {
	y := newYard(t)
	r := y.serve(allows, func(cfg *bus.ServiceConfig) { cfg.Limits.Tails = 1 })
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", "")
	f := ada.tail("work", 0)
	f.until(r.next("work"))
	wantCode(t, ada.try("tail", api.Tail{Query: api.Query{Session: "work"}, TailID: "other"}), api.CodeUnavailable)
	f.stop()
	f.ended()
}

// TestALogIsReadInPages of what is stored, byte for byte.
func TestALogIsReadInPages(t *testing.T) {
	y := newYard(t)
	r := y.serve(allows)
	ada := y.client(api.RoleHuman, "ada")
	ada.session("work", "")
	for range 40 {
		do[api.Done](ada, "message.send", api.MessageSend{
			Command: ada.command("work"), MessageID: ada.name("m"), Content: []events.Block{events.TextBlock(string(make20k()))},
		})
	}
	var lines []string
	pages := 0
	for next := events.Seq(0); next < r.next("work"); pages++ {
		p := do[api.Page](ada, "read", api.Read{Query: api.Query{Session: "work"}, From: next, Limit: 30})
		for _, l := range p.Records {
			lines = append(lines, string(l))
		}
		next = p.Next
	}
	i := 0
	for record, err := range r.log.Read(t.Context(), "work", 0) {
		must(t, err)
		if i >= len(lines) || lines[i] != string(record.Line) {
			t.Fatalf("record %d is not what is stored", i)
		}
		i++
	}
	if i != len(lines) || pages < 2 {
		t.Errorf("got %d lines in %d pages, want %d in several", len(lines), pages, i)
	}
	wantCode(t, ada.try("read", api.Read{Query: api.Query{Session: "work"}, From: 9999}), api.CodeInvalid)
}
