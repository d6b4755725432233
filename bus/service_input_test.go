package bus_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/events"
)

// good are requests that each command's endpoint would do, for a session of the
// caller's: what is wrong with a request in these tests is one thing alone. wrong is
// a member of another type than it must have, and missing one that must be there.
var good = map[string]struct {
	request        string
	wrong, missing string
}{
	"turn.start":        {`{"id":"ID","session":"SESSION"}`, "id", "id"},
	"turn.end":          {`{"id":"ID","session":"SESSION","reason":{"kind":"completed"}}`, "reason", "reason"},
	"step.start":        {`{"id":"ID","session":"SESSION"}`, "id", "id"},
	"step.end":          {`{"id":"ID","session":"SESSION"}`, "id", "id"},
	"request.set":       {`{"id":"ID","session":"SESSION","provider":"p","model":"m","reason":"initial"}`, "model", "provider"},
	"message.assistant": {`{"id":"ID","session":"SESSION","provider":"p","model":"m","content":[]}`, "content", "content"},
	"message.context":   {`{"id":"ID","session":"SESSION","messageId":"m","source":{"kind":"agent-instructions"},"content":[{"type":"text","text":"x"}]}`, "messageId", "source"},
	"attempt.failed":    {`{"id":"ID","session":"SESSION"}`, "id", "id"},
	"call":              {`{"id":"ID","session":"SESSION","callId":"c1","name":"shell","arguments":"{}","nonce":"n"}`, "callId", "nonce"},
	"call.alive":        {`{"session":"SESSION","callId":"c1"}`, "callId", "callId"},
	"call.cancel":       {`{"session":"SESSION","callId":"c1"}`, "callId", "callId"},
	"settle":            {`{"id":"ID","session":"SESSION","callId":"c1","nonce":"n","content":[]}`, "content", "nonce"},
	"return":            {`{"id":"ID","session":"SESSION","callId":"c1","proof":"p"}`, "proof", "proof"},
	"restart":           {`{"id":"ID","session":"SESSION"}`, "id", "id"},
	"compact":           {`{"id":"ID","session":"SESSION"}`, "id", "id"},
	"spawn":             {`{"id":"ID","session":"SESSION","spawnId":"s","child":"child","mode":"one-shot","provider":"spawn","prompt":"p","promptId":"m"}`, "child", "prompt"},
	"send":              {`{"id":"ID","session":"SESSION","to":"parent","messageId":"m","text":"x"}`, "to", "text"},
	"keys":              {`{}`, "", ""},
	"state":             {`{"session":"SESSION"}`, "session", ""},
	"read":              {`{"session":"SESSION"}`, "session", ""},

	"session.create":     {`{"id":"ID","session":"fresh","cwd":"/w"OWNER}`, "cwd", "cwd"},
	"session.list":       {`{}`, "limit", ""},
	"session.show":       {`{"session":"SESSION"}`, "session", "session"},
	"session.stop":       {`{"id":"ID","session":"SESSION"}`, "id", "session"},
	"session.fork":       {`{"id":"ID","session":"SESSION","child":"fresh"}`, "child", "child"},
	"session.adopt":      {`{"id":"ID","session":"SESSION"}`, "id", "session"},
	"session.share":      {`{"id":"ID","session":"SESSION","members":["bob"]}`, "members", "members"},
	"session.credential": {`{"session":"SESSION"}`, "session", "session"},
	"message.send":       {`{"id":"ID","session":"SESSION","messageId":"m","content":[{"type":"text","text":"x"}]}`, "content", "messageId"},
	"preset.set":         {`{"id":"ID","session":"SESSION","preset":"read-only"}`, "preset", "preset"},
	"preset.catalog":     {`{}`, "", ""},
	"policy.set":         {`{"id":"ID","session":"SESSION","policy":"never"}`, "policy", "policy"},
	"tier.set":           {`{"id":"ID","session":"SESSION","tier":"passive"}`, "tier", "tier"},
	"approvals.list":     {`{"session":"SESSION"}`, "session", ""},
	"approvals.answer":   {`{"id":"ID","session":"SESSION","answers":[{"id":"q","reply":"once","hash":"h"}]}`, "answers", "answers"},
	"route.allow":        {`{"id":"ID","session":"SESSION","provider":"p","model":"m2"}`, "model", "model"},
	"tail":               {`{"session":"SESSION","tailId":"t"}`, "tailId", "tailId"},
	"tail.alive":         {`{"tailId":"t"}`, "tailId", "tailId"},
	"tail.stop":          {`{"tailId":"t"}`, "tailId", "tailId"},
	"schema":             {`{"command":"COMMAND"}`, "command", "command"},
}

// inputYard has a session of each role's that makes sessions; the agent's is a
// person's, and another one is somebody else's.
type inputYard struct {
	*replica
	sessions map[api.Role]events.SessionID
	clients  map[api.Role]*client
}

func newInputYard(t *testing.T, opts ...option) *inputYard {
	t.Helper()
	y := newYard(t)
	y.callers["host.box"] = bus.Caller{Class: "host", Name: "box", Ceiling: "workspace-write"}
	y.callers["spawner.farm"] = bus.Caller{Class: "spawner", Name: "farm", Ceiling: "workspace-write"}
	in := &inputYard{
		replica:  y.serve(allows, opts...),
		sessions: map[api.Role]events.SessionID{api.RoleHuman: "of-ada", api.RoleAgent: "of-agent", api.RoleHost: "of-box", api.RoleSpawner: "of-farm"},
		clients: map[api.Role]*client{
			api.RoleHuman: y.client(api.RoleHuman, "ada"), api.RoleAgent: y.client(api.RoleAgent, "of-agent"),
			api.RoleHost: y.client(api.RoleHost, "box"), api.RoleSpawner: y.client(api.RoleSpawner, "farm"),
		},
	}
	in.clients[api.RoleHuman].session("of-ada", "")
	in.clients[api.RoleHuman].session("of-agent", "")
	in.clients[api.RoleHost].session("of-box", "")
	farm := in.clients[api.RoleSpawner]
	do[api.Created](farm, "session.create", api.SessionCreate{Command: farm.command("of-farm"), CWD: "/w", Owner: "bob"})
	y.client(api.RoleHuman, "eve").session("of-eve", "")
	return in
}

// text is an endpoint's good request.
func (in *inputYard) text(e api.Endpoint) string {
	owner := ""
	if e.Role == api.RoleSpawner {
		owner = `,"owner":"bob"`
	}
	r := strings.NewReplacer("ID", in.name("input"), "SESSION", string(in.sessions[e.Role]), "OWNER", owner, "COMMAND", e.Command)
	return r.Replace(good[e.Command].request)
}

// changed is a request with one member set, or taken out where value is nil.
func changed(t *testing.T, text, member string, value any) []byte {
	t.Helper()
	var m map[string]any
	must(t, json.Unmarshal([]byte(text), &m))
	if m[member] = value; value == nil {
		delete(m, member)
	}
	return encode(t, m)
}

// stored is what all logs hold: how many sessions, and how far each is.
func (in *inputYard) stored() map[events.SessionID]events.Seq {
	in.t.Helper()
	all := map[events.SessionID]events.Seq{}
	for id, err := range in.log.Sessions(in.t.Context()) {
		must(in.t, err)
		all[id] = in.next(id)
	}
	return all
}

// refused sends a request that must be refused, and fails if anything was stored.
func (in *inputYard) refused(t *testing.T, e api.Endpoint, data []byte, code api.Code, field string) {
	t.Helper()
	before := in.stored()
	reply, failed := in.clients[e.Role].request(e.Command, data, nil)
	if failed == nil || failed.Code != code || failed.Field != field && field != "*" {
		t.Errorf("got %+v %.200s, want %s of %q", failed, reply, code, field)
	}
	if after := in.stored(); !maps.Equal(before, after) {
		t.Errorf("something was stored: %v, before %v", after, before)
	}
}

// TestBadInputIsOneClearErrorAtEachEndpoint: a new endpoint without its cases fails
// this test.
func TestBadInputIsOneClearErrorAtEachEndpoint(t *testing.T) {
	in := newInputYard(t)
	for _, e := range api.Endpoints() {
		c, ok := good[e.Command]
		if !ok {
			t.Errorf("%s has no cases", e.Name())
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			text := in.text(e)
			in.refused(t, e, []byte("{not json"), api.CodeInvalid, "*")
			in.refused(t, e, []byte(`"text"`), api.CodeInvalid, "")
			in.refused(t, e, changed(t, text, "surfaceOp", "append"), api.CodeInvalid, "surfaceOp")
			in.refused(t, e, changed(t, text, "pad", strings.Repeat("x", api.MaxRequest)), api.CodeTooLarge, "")
			if c.wrong != "" {
				in.refused(t, e, changed(t, text, c.wrong, map[string]int{"x": 1}), api.CodeInvalid, "*")
				in.refused(t, e, []byte(strings.Replace(text, "{", `{"`+c.wrong+`":null,`, 1)), api.CodeInvalid, "*")
			}
			missing := c.missing
			if missing == "" && (e.Role == api.RoleHost || e.Role == api.RoleHuman) && strings.Contains(c.request, "SESSION") && e.Command != "approvals.list" {
				missing = "session"
			}
			if missing != "" {
				in.refused(t, e, changed(t, text, missing, nil), api.CodeInvalid, missing)
			}
		})
	}
	for command := range good {
		if !slices.ContainsFunc(api.Endpoints(), func(e api.Endpoint) bool { return e.Command == command }) {
			t.Errorf("there are cases of %s, which no endpoint serves", command)
		}
	}
}

// TestNobodyReachesAnotherOnesSession at any endpoint, and one that is not there is
// told in the same words as one that is somebody else's.
func TestNobodyReachesAnotherOnesSession(t *testing.T) {
	in := newInputYard(t)
	for _, e := range api.Endpoints() {
		if !strings.Contains(good[e.Command].request, "SESSION") {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			code := api.CodeNotFound
			if e.Role == api.RoleAgent {
				code = api.CodeUnauthorized
			}
			for _, other := range []string{"of-eve", "not-there"} {
				in.refused(t, e, changed(t, in.text(e), "session", other), code, "session")
			}
		})
	}
}

// TestWhoCannotBeToldIsRefused at each endpoint.
func TestWhoCannotBeToldIsRefused(t *testing.T) {
	in := newInputYard(t)
	for _, e := range api.Endpoints() {
		t.Run(e.Name(), func(t *testing.T) {
			before := in.stored()
			_, failed := in.clients[e.Role].request(e.Command, []byte(in.text(e)), nats.Header{"Test-Unknown": {"1"}})
			wantCode(t, failed, api.CodeUnauthorized)
			if after := in.stored(); !maps.Equal(before, after) {
				t.Errorf("something was stored: %v, before %v", after, before)
			}
		})
	}
}

// TestACallerOfAnotherClassThanTheSubjectIsRefused: whatever establishes it must
// agree with the subject.
func TestACallerOfAnotherClassThanTheSubjectIsRefused(t *testing.T) {
	in := newInputYard(t)
	in.callers["human.ada"] = bus.Caller{Class: "agent", Name: "ada"}
	in.callers["agent.of-agent"] = bus.Caller{Class: "agent", Name: "of-eve"}
	for _, e := range api.Endpoints() {
		if e.Role == api.RoleHuman || e.Role == api.RoleAgent {
			in.refused(t, e, []byte(in.text(e)), api.CodeUnauthorized, "")
		}
	}
}

// TestAfterAShutdownBeganEachEndpointSaysSo, and stores nothing.
func TestAfterAShutdownBeganEachEndpointSaysSo(t *testing.T) {
	in := newInputYard(t)
	in.service.RefuseRequests()
	for _, e := range api.Endpoints() {
		in.refused(t, e, []byte(in.text(e)), api.CodeShuttingDown, "")
	}
}

// TestAnIdIsOneRequest: a command whose id comes again does nothing more, and with
// another request behind it it is refused.
func TestAnIdIsOneRequest(t *testing.T) {
	in := newInputYard(t)
	// Those that need more than a fresh session are tested where they have it.
	tested := map[string]bool{
		"call": true, "approvals.answer": true, "settle": true, "return": true, "send": true, "compact": true, "session.stop": true, "session.adopt": true,
	}
	for _, c := range []struct {
		role          api.Role
		command       string
		first, second string
	}{
		{api.RoleAgent, "turn.start", `{"id":"i1"}`, `{"id":"i1","expect":99}`},
		{api.RoleAgent, "step.start", `{"id":"i2"}`, `{"id":"i2","system":[{"type":"text","text":"x"}],"systemId":"s"}`},
		{api.RoleAgent, "request.set", `{"id":"i3","provider":"p","model":"m","reason":"initial"}`, `{"id":"i3","provider":"p","model":"m2","reason":"change"}`},
		{api.RoleAgent, "message.context", `{"id":"i4","messageId":"m4","source":{"kind":"x"},"content":[{"type":"text","text":"x"}]}`, `{"id":"i4","messageId":"m5","source":{"kind":"x"},"content":[{"type":"text","text":"y"}]}`},
		{api.RoleAgent, "message.assistant", `{"id":"i5","provider":"p","model":"m","content":[]}`, `{"id":"i5","provider":"p","model":"m","content":[{"type":"text","text":"x"}]}`},
		{api.RoleAgent, "attempt.failed", `{"id":"i6"}`, `{"id":"i6","stream":[1]}`},
		{api.RoleAgent, "spawn", `{"id":"i7","spawnId":"s","child":"child","mode":"one-shot","provider":"spawn","prompt":"p","promptId":"m"}`, `{"id":"i7","spawnId":"s2","child":"child2","mode":"one-shot","provider":"spawn","prompt":"p","promptId":"m"}`},
		{api.RoleAgent, "step.end", `{"id":"i8"}`, `{"id":"i8","expect":99}`},
		{api.RoleAgent, "turn.end", `{"id":"i9","reason":{"kind":"completed"}}`, `{"id":"i9","reason":{"kind":"blocked"}}`},
		{api.RoleAgent, "restart", `{"id":"i10"}`, `{"id":"i10","expect":99}`},
		{api.RoleHuman, "session.create", `{"id":"i11","session":"new","cwd":"/w"}`, `{"id":"i11","session":"new","cwd":"/v"}`},
		{api.RoleHuman, "session.fork", `{"id":"i12","session":"of-ada","child":"forked"}`, `{"id":"i12","session":"of-ada","child":"forked","at":0}`},
		{api.RoleHuman, "session.share", `{"id":"i13","session":"of-ada","members":["bob"]}`, `{"id":"i13","session":"of-ada","members":["eve"]}`},
		{api.RoleHuman, "message.send", `{"id":"i14","session":"of-ada","messageId":"m14","content":[{"type":"text","text":"x"}]}`, `{"id":"i14","session":"of-ada","messageId":"m15","content":[{"type":"text","text":"y"}]}`},
		{api.RoleHuman, "preset.set", `{"id":"i15","session":"of-ada","preset":"read-only"}`, `{"id":"i15","session":"of-ada","preset":"danger-full-access"}`},
		{api.RoleHuman, "policy.set", `{"id":"i16","session":"of-ada","policy":"never"}`, `{"id":"i16","session":"of-ada","policy":"ask"}`},
		{api.RoleHuman, "tier.set", `{"id":"i17","session":"of-ada","tier":"passive"}`, `{"id":"i17","session":"of-ada","tier":"aggressive"}`},
		{api.RoleHuman, "route.allow", `{"id":"i18","session":"of-ada","provider":"p","model":"m2"}`, `{"id":"i18","session":"of-ada","provider":"p","model":"m3"}`},
		{api.RoleHost, "message.send", `{"id":"i19","session":"of-box","messageId":"m19","content":[{"type":"text","text":"x"}]}`, `{"id":"i19","session":"of-box","messageId":"m20","content":[{"type":"text","text":"y"}]}`},
		{api.RoleSpawner, "session.create", `{"id":"i20","session":"new2","cwd":"/w","owner":"bob"}`, `{"id":"i20","session":"new2","cwd":"/w","owner":"eve"}`},
	} {
		tested[c.command] = true
		t.Run(string(c.role)+" "+c.command, func(t *testing.T) {
			client := in.clients[c.role]
			if _, failed := client.request(c.command, []byte(c.first), nil); failed != nil {
				t.Fatalf("got %+v the first time", failed)
			}
			before := in.stored()
			data, failed := client.request(c.command, []byte(c.first), nil)
			var again struct {
				Already bool           `json:"already"`
				Rest    jsontext.Value `json:",embed"`
			}
			must(t, json.Unmarshal(data, &again))
			if failed != nil || !again.Already {
				t.Errorf("got %+v %s the second time, want already", failed, data)
			}
			_, failed = client.request(c.command, []byte(c.second), nil)
			wantCode(t, failed, api.CodeConflict)
			if after := in.stored(); !maps.Equal(before, after) {
				t.Errorf("something was stored: %v, before %v", after, before)
			}
		})
	}
	for _, e := range api.Endpoints() {
		if e.Writes && !tested[e.Command] {
			t.Errorf("%s is not tried with an id that was used", e.Name())
		}
	}
}
