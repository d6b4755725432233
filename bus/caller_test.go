package bus_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/bus"
)

const infoHeader = "Nats-Request-Info"

// table knows the keys that the cases of a test speak of.
func table() bus.Table {
	var t bus.Table
	t.Add("A-HUMAN", "K-HUMAN", bus.Human)
	t.Add("A-AGENT", "K-AGENT", bus.Agent)
	t.Add("A-AGENT", "K-HOST", bus.Host)
	t.Add("A-AGENT", "K-SPAWNER", bus.Spawner)
	t.Add("A-ENGINE", "K-ENGINE", bus.Engine)
	return t
}

func told(text string) nats.Header { return nats.Header{infoHeader: {text}} }

func TestACallerIsWhoTheServerSays(t *testing.T) {
	tests := map[string]struct {
		text, subject string
		want          bus.Caller
	}{
		"a human": {
			`{"acc":"A-HUMAN","issuer_key":"K-HUMAN","name_tag":"ana","kind":"Client","user":"bob","name":"bob","host":"bob","jwt":"e.y.J"}`,
			"docket.v1.human.ana.message.send",
			bus.Caller{Class: bus.Human, Name: "ana"},
		},
		"an agent whose executor confines": {
			`{"acc":"A-AGENT","issuer_key":"K-AGENT","name_tag":"S_1-a","kind":"Client","tags":["confines:yes","other:x"]}`,
			"docket.v1.agent.S_1-a.call",
			bus.Caller{Class: bus.Agent, Name: "S_1-a", Confines: true},
		},
		"a spawner, told by the key that issued it": {
			`{"acc":"A-AGENT","issuer_key":"K-SPAWNER","name_tag":"ci","kind":"Client","tags":["ceiling:read-only","owner:ana"]}`,
			"docket.v1.spawner.ci.session.create",
			bus.Caller{Class: bus.Spawner, Name: "ci", Ceiling: "read-only", Owner: "ana"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := table().Establish(told(tt.text), tt.subject)
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("got %v, (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestACallerIsRefusedWhereADetailIsMissingOrDoesNotFit(t *testing.T) {
	const good, subject = `{"acc":"A-HUMAN","issuer_key":"K-HUMAN","name_tag":"ana","kind":"Client"}`, "docket.v1.human.ana.message.send"
	change := func(old, with string) nats.Header { return told(strings.Replace(good, old, with, 1)) }
	tests := map[string]struct {
		header  nats.Header
		subject string
		want    string
	}{
		"no header":                      {nil, subject, "from within the account"},
		"an empty header":                {told(""), subject, "from within the account"},
		"two headers":                    {nats.Header{infoHeader: {good, good}}, subject, "more than one"},
		"another case":                   {nats.Header{strings.ToLower(infoHeader): {good}}, subject, "misspelt"},
		"two cases":                      {nats.Header{infoHeader: {good}, strings.ToUpper(infoHeader): {good}}, subject, "more than one"},
		"too large":                      {told(good + strings.Repeat(" ", 1<<16)), subject, "bytes"},
		"not JSON":                       {told("x"), subject, "not what a server writes"},
		"a member twice":                 {change(`"kind"`, `"acc":"A-HUMAN","kind"`), subject, "not what a server writes"},
		"a wrong type":                   {change(`"ana"`, `7`), subject, "not what a server writes"},
		"more behind it":                 {told(good + "{}"), subject, "not what a server writes"},
		"no account":                     {change(`"acc":"A-HUMAN",`, ``), subject, "which account"},
		"not shared: account and rtt":    {told(`{"acc":"A-HUMAN","rtt":7}`), subject, "lacks share"},
		"no name":                        {change(`,"name_tag":"ana"`, ``), subject, "lacks share"},
		"a leafnode":                     {change(`"Client"`, `"Leafnode"`), subject, "kind"},
		"no kind":                        {change(`,"kind":"Client"`, ``), subject, "kind"},
		"through another account":        {change(`"kind"`, `"svc":"X","kind"`), subject, "another account"},
		"a foreign account":              {change(`A-HUMAN`, `A-OTHER`), subject, "not known"},
		"a key of another account":       {change(`K-HUMAN`, `K-AGENT`), subject, "not known"},
		"the account's own key":          {change(`K-HUMAN`, `A-HUMAN`), subject, "not known"},
		"an engine":                      {told(`{"acc":"A-ENGINE","issuer_key":"K-ENGINE","name_tag":"ana","kind":"Client"}`), subject, "class"},
		"another class in the subject":   {told(good), "docket.v1.agent.ana.call", "class"},
		"another name in the subject":    {told(good), "docket.v1.human.bob.message.send", "name"},
		"another case in the subject":    {told(good), "docket.v1.human.Ana.message.send", "name"},
		"no command in the subject":      {told(good), "docket.v1.human.ana", "no command"},
		"an empty command":               {told(good), "docket.v1.human.ana.", "no name"},
		"a wildcard in the subject":      {told(good), "docket.v1.human.*.message.send", "no name"},
		"another version":                {told(good), "docket.v2.human.ana.message.send", "no command"},
		"a class that does not call":     {told(good), "docket.v1.auditor.ana.read", "nobody calls"},
		"a name with a wildcard":         {change(`"ana"`, `"*"`), "docket.v1.human.*.x", "no name"},
		"members that differ in case":    {told(strings.Replace(good, `"acc"`, `"ACC"`, 1)), subject, "which account"},
		"a spawner without a ceiling":    {told(`{"acc":"A-AGENT","issuer_key":"K-SPAWNER","name_tag":"ci","kind":"Client"}`), "docket.v1.spawner.ci.session.create", "ceiling"},
		"a ceiling twice":                {told(`{"acc":"A-AGENT","issuer_key":"K-HOST","name_tag":"h","kind":"Client","tags":["ceiling:a","ceiling:b"]}`), "docket.v1.host.h.prompt", "twice"},
		"a host that calls as an agent":  {told(`{"acc":"A-AGENT","issuer_key":"K-HOST","name_tag":"h","kind":"Client","tags":["ceiling:a"]}`), "docket.v1.agent.h.call", "class"},
		"an agent that calls as spawner": {told(`{"acc":"A-AGENT","issuer_key":"K-AGENT","name_tag":"h","kind":"Client","tags":["ceiling:a"]}`), "docket.v1.spawner.h.call", "class"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := table().Establish(tt.header, tt.subject)
			if !errors.Is(err, bus.ErrUnidentified) || !strings.Contains(err.Error(), tt.want) || got != (bus.Caller{}) {
				t.Errorf("got %+v, %v, want nobody and %q", got, err, tt.want)
			}
		})
	}
}

func TestTheZeroTableKnowsNobody(t *testing.T) {
	var none bus.Table
	if got, err := none.Establish(told(`{"acc":"","issuer_key":"","name_tag":"ana","kind":"Client"}`), "docket.v1.human.ana.x"); err == nil {
		t.Errorf("got %+v", got)
	}
}

func TestAJWTInTheHeaderIsInNoError(t *testing.T) {
	for _, text := range []string{`{"jwt":"e.geheim.J"}`, `{"jwt":"e.geheim.J"`, `{"acc":"e.geheim.J","jwt":7,"issuer_key":"geheim"}`} {
		if _, err := table().Establish(told(text), "docket.v1.human.ana.x"); err == nil || strings.Contains(err.Error(), "geheim") {
			t.Errorf("got %v, want an error that repeats nothing", err)
		}
	}
}

// FuzzEstablish: whoever is established is who header and subject both name, by a key
// of that class.
func FuzzEstablish(f *testing.F) {
	f.Add(`{"acc":"A-HUMAN","issuer_key":"K-HUMAN","name_tag":"ana","kind":"Client"}`, "docket.v1.human.ana.message.send")
	f.Add(`{"acc":"A-AGENT","issuer_key":"K-SPAWNER","name_tag":"ci","kind":"Client","tags":["ceiling:read-only"]}`, "docket.v1.spawner.ci.session.create")
	f.Add(`{"acc":"A-AGENT","acc":"A-HUMAN","issuer_key":"K-HUMAN","name_tag":"*","kind":"Client"}`, "docket.v1.human.*.x")
	f.Fuzz(func(t *testing.T, text, subject string) {
		c, err := table().Establish(told(text), subject)
		if err != nil {
			if c != (bus.Caller{}) || !errors.Is(err, bus.ErrUnidentified) {
				t.Errorf("got %+v with %v", c, err)
			}
			return
		}
		if !strings.HasPrefix(subject, bus.SubjectPrefix+c.Class+"."+c.Name+".") || bus.CheckName(c.Name) != nil || strings.ContainsAny(subject, "*> ") {
			t.Errorf("got %+v on %q", c, subject)
		}
		if !strings.Contains(text, "K-"+strings.ToUpper(c.Class)) && !strings.Contains(text, `\`) {
			t.Errorf("got %+v by the key of another class: %s", c, text)
		}
	})
}
