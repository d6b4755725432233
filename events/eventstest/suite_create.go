package eventstest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
)

var createPromises = []promise{
	{"Create stores the header of a new session, whose log is then empty", func(t *testing.T, log events.Log) {
		c := newCreation(t, events.Seed{})
		if err := log.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		wantOpened(t, log, events.Opened{Creator: c.Actor, Header: c.Header, Head: events.Head{Chain: events.ChainStart()}})
		wantLines(t, log, c.Header.ID)
	}},
	{"Repeating it with the same id, header and seed succeeds", func(t *testing.T, log events.Log) {
		c := newCreation(t, events.Seed{Kind: events.SeedFork, Next: 7, Chain: events.ChainStart().Next(nil), Imported: 5})
		for range 3 {
			if err := log.Create(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		wantOpened(t, log, events.Opened{Creator: c.Actor, Header: c.Header, Seed: c.Seed, Head: events.Head{Chain: events.ChainStart()}})
	}},
	{"Repeating it leaves alone what was appended since", func(t *testing.T, log events.Log) {
		c := newCreation(t, events.Seed{})
		if err := log.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		a := unit(t, "a", 0, "one", "two")
		mustAppend(t, log, c.Header.ID, a)
		if err := log.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		wantLines(t, log, c.Header.ID, a.Records...)
	}},
	{"Any other session of that name is ErrExists", func(t *testing.T, log events.Log) {
		c := newCreation(t, events.Seed{})
		if err := log.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		for name, other := range otherCreations(t, c) {
			t.Run(name, func(t *testing.T) { wantErr(t, log.Create(t.Context(), other), events.ErrExists) })
		}
		wantOpened(t, log, events.Opened{Creator: c.Actor, Header: c.Header, Head: events.Head{Chain: events.ChainStart()}})
	}},
	{"A creation without a header line or an id is refused", func(t *testing.T, log events.Log) {
		c := newCreation(t, events.Seed{})
		noLine, noID := c, c
		noLine.Header.Line, noID.ID = nil, ""
		wantFieldError(t, log.Create(t.Context(), noLine))
		wantFieldError(t, log.Create(t.Context(), noID))
		_, err := log.Open(t.Context(), c.Header.ID)
		wantErr(t, err, events.ErrNotFound)
	}},
}

// otherCreations differ from one in a single thing each.
func otherCreations(tb testing.TB, c events.Creation) map[string]events.Creation {
	tb.Helper()
	id, header, seed := c, c, c
	id.ID += "-2"
	header.Header = Header(tb, c.Header.ID, func(h *events.Header) { h.CWD = "/workspace/other" })
	seed.Seed = events.Seed{Kind: events.SeedFork, Next: 1}
	return map[string]events.Creation{"another id": id, "another header": header, "another seed": seed}
}

func wantOpened(tb testing.TB, log events.Log, want events.Opened) {
	tb.Helper()
	got, err := log.Open(tb.Context(), want.Header.ID)
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Fatalf("got another session than want (-want +got):\n%s", diff)
	}
}

var openPromises = []promise{
	{"Open gives a session's header, seed, head and creator", func(t *testing.T, log events.Log) {
		c := newCreation(t, events.Seed{})
		if err := log.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		head := events.Head{Chain: events.ChainStart()}
		for _, a := range []events.Append{unit(t, "a", 0, "one"), unit(t, "b", 1, "two", "three"), unit(t, "c", 3, "four")} {
			mustAppend(t, log, c.Header.ID, a)
			head = events.Head{Next: a.End(), Chain: head.Chain.Over(a.Records...)}
			wantOpened(t, log, events.Opened{Creator: c.Actor, Header: c.Header, Head: head})
		}
	}},
	{"The head counts events, not records", func(t *testing.T, log events.Log) {
		id, records := packedLog(t, log)
		opened, err := log.Open(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		want := events.Head{Next: records[len(records)-1].End(), Chain: events.ChainStart().Over(records...)}
		if opened.Head != want {
			t.Errorf("got head %v, want %v", opened.Head, want)
		}
	}},
	{"A session that is not there is ErrNotFound", func(t *testing.T, log events.Log) {
		_, err := log.Open(t.Context(), newID())
		wantErr(t, err, events.ErrNotFound)
	}},
	{"The header does not alias what the caller may change", func(t *testing.T, log events.Log) {
		c := newCreation(t, events.Seed{})
		mine := c
		mine.Header.Line = slices.Clone(c.Header.Line)
		if err := log.Create(t.Context(), mine); err != nil {
			t.Fatal(err)
		}
		scribble(mine.Header.Line)
		opened, err := log.Open(t.Context(), c.Header.ID)
		if err != nil {
			t.Fatal(err)
		}
		scribble(opened.Header.Line)
		*opened.Header.DelegationDepth = 9
		wantOpened(t, log, events.Opened{Creator: c.Actor, Header: c.Header, Head: events.Head{Chain: events.ChainStart()}})
	}},
}

// scribble spoils bytes that a log may not have kept for its own.
func scribble(b []byte) {
	for i := range b {
		b[i] = '#'
	}
}

// packedLog is a session of format 0 whose records stand for 1, 1, 4, 1 and 2
// events, in three frames.
func packedLog(tb testing.TB, log events.Log) (events.SessionID, []events.Record) {
	tb.Helper()
	h := Header0(tb, newID())
	if err := log.Create(tb.Context(), events.Creation{ID: "c", Actor: actor, Header: h}); err != nil {
		tb.Fatal(err)
	}
	records := []events.Record{
		Line(tb, events.Format0, `{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`),
		Line(tb, events.Format0, `{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":1}}`),
		Packed(tb, 2, "a", "b", "c", "d"),
		Line(tb, events.Format0, `{"type":"session/title","seq":6,"time":1,"data":{"title":"t"}}`),
		Packed(tb, 7, "e", "f"),
	}
	mustAppend(tb, log, h.ID, events.Append{ID: "1", Next: 0, Records: records[:2]})
	mustAppend(tb, log, h.ID, events.Append{ID: "2", Next: 2, Records: records[2:4]})
	mustAppend(tb, log, h.ID, events.Append{ID: "3", Next: 7, Records: records[4:]})
	return h.ID, records
}
