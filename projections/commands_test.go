package projections_test

import (
	"fmt"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// TestTheLastCommandsAreKnown: at least 192 of them and at most 256, each with
// the seq behind its last event, also behind a snapshot.
func TestTheLastCommandsAreKnown(t *testing.T) {
	s := projections.NewSession(eventstest.Header(t, "session", nil))
	const commands = 1000
	for n := range commands {
		for range 1 + n%3 { // a frame of one to three events
			r := eventstest.Record(t, s.Next(), events.PermissionPreset{Preset: fmt.Sprint("p", n)})
			r.Append = events.AppendID(fmt.Sprint("command-", n))
			if _, err := s.Record(r); err != nil {
				t.Fatal(err)
			}
		}
		want := s.Next()
		if n%100 == 0 {
			s = restored(t, s)
		}
		id := events.AppendID(fmt.Sprint("command-", n))
		if end, ok := s.Commands.Find(id); !ok || end != want {
			t.Fatalf("%s: got %d, %t, want %d", id, end, ok, want)
		}
		if kept := len(s.Commands.Recent); kept > 256 {
			t.Fatalf("got %d commands, want at most 256", kept)
		}
		if n < 192 {
			continue
		}
		if _, ok := s.Commands.Find(events.AppendID(fmt.Sprint("command-", n-191))); !ok {
			t.Fatalf("command %d is forgotten behind command %d", n-191, n)
		}
	}
	if _, ok := s.Commands.Find("command-0"); ok {
		t.Error("the first command of a thousand is still known")
	}
	if _, ok := s.Commands.Find(""); ok {
		t.Error("no id is a command")
	}
}

// TestAMessageIsKnownLongerThanItsCommand: people send more rarely than agents do
// something.
func TestAMessageIsKnownLongerThanItsCommand(t *testing.T) {
	s := projections.NewSession(eventstest.Header(t, "session", nil))
	for n := range 1000 {
		id := fmt.Sprint("m", n)
		e := eventstest.Envelope(t, s.Next(), events.InboxSpliced{Target: events.InboxNextTurn, Inserted: []events.UserMessage{
			{ID: id, Role: "user", Source: events.Source{Kind: events.SourceUser}, Content: []events.Block{}},
		}})
		claimed := eventstest.Envelope(t, s.Next()+1, events.InboxSpliced{Target: events.InboxNextTurn, RemovedCount: 1, Inserted: []events.UserMessage{}})
		if err := s.Apply(e, claimed); err != nil {
			t.Fatal(err)
		}
		if !s.Inbox.Has(id) || n >= 192 && !s.Inbox.Has(fmt.Sprint("m", n-191)) {
			t.Fatalf("a message is forgotten at %d", n)
		}
		if kept := len(s.Inbox.Known); kept > 256 {
			t.Fatalf("got %d messages, want at most 256", kept)
		}
	}
	if len(s.Inbox.NextTurn) > 0 || s.Inbox.Has("m0") {
		t.Errorf("got %d waiting messages and the first one known: %t", len(s.Inbox.NextTurn), s.Inbox.Has("m0"))
	}
}

// TestASnapshotThatIsNoneIsRefused: an unknown member, a header that is none, a
// place that cannot be.
func TestASnapshotThatIsNoneIsRefused(t *testing.T) {
	good := text(t, projections.NewSession(eventstest.Header(t, "session", nil)))
	for _, bad := range []string{"", "{}", "null", good[:len(good)-1], `{"more":1,` + good[1:], good + good} {
		if s, err := projections.Restore([]byte(bad)); err == nil || s != nil {
			t.Errorf("%s: got %v, %v, want an error", bad, s, err)
		}
	}
	if _, err := projections.Restore([]byte(good)); err != nil {
		t.Error(err)
	}
}
