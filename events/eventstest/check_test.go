package eventstest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// spy is a test's handle that keeps what it is told.
type spy struct {
	testing.TB
	said []string
}

func (s *spy) Helper() {}

func (s *spy) Errorf(format string, args ...any) {
	s.said = append(s.said, fmt.Sprintf(format, args...))
}

// stop ends a function that called Fatalf.
type stop struct{}

func (s *spy) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	panic(stop{})
}

// said is what Check says of a log.
func said(t *testing.T, log events.Log, id events.SessionID) string {
	t.Helper()
	s := &spy{TB: t}
	func() {
		defer func() {
			if r := recover(); r != nil && r != (stop{}) {
				panic(r)
			}
		}()
		eventstest.Check(s, log, id)
	}()
	return strings.Join(s.said, "\n")
}

// damaged is a log whose reader or whose head is not what was appended.
type damaged struct {
	events.Log
	record func(events.Record) (events.Record, bool)
	head   func(*events.Opened)
}

func (d damaged) Read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for r, err := range d.Log.Read(ctx, id, from) {
			if d.record != nil && err == nil {
				var keep bool
				if r, keep = d.record(r); !keep {
					continue
				}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

func (d damaged) Open(ctx context.Context, id events.SessionID) (events.Opened, error) {
	o, err := d.Log.Open(ctx, id)
	if d.head != nil {
		d.head(&o)
	}
	return o, err
}

// storedScript is a log of one turn.
func storedScript(t *testing.T) (*eventstest.Memory, events.SessionID) {
	t.Helper()
	s := eventstest.NewScript(t, eventstest.Header(t, "s", nil))
	s.StartTurn()
	s.StartStep()
	s.User("do it")
	s.Assistant("", events.ToolCallBlock("c", "bash", "{}"))
	s.Call("c", "bash", "{}")
	s.Result("c", "done")
	s.EndStep()
	s.EndTurn(events.EndCompleted)
	log := &eventstest.Memory{}
	if err := log.Create(t.Context(), events.Creation{ID: "create", Header: s.Header}); err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append(t.Context(), "s", events.Append{ID: "a", Records: s.Records()}); err != nil {
		t.Fatal(err)
	}
	return log, "s"
}

func TestCheckAcceptsAValidLog(t *testing.T) {
	log, id := storedScript(t)
	if got := said(t, log, id); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
	if got := eventstest.Check(t, log, id); len(got) != 8 {
		t.Errorf("got %d events, want 8", len(got))
	}
}

func TestCheckFindsDamage(t *testing.T) {
	log, id := storedScript(t)
	change := func(old, with string) func(events.Record) (events.Record, bool) {
		return func(r events.Record) (events.Record, bool) {
			r.Line = bytes.ReplaceAll(r.Line, []byte(old), []byte(with))
			return r, true
		}
	}
	drop := func(seq events.Seq) func(events.Record) (events.Record, bool) {
		return func(r events.Record) (events.Record, bool) { return r, r.Seq != seq }
	}
	cases := map[string]struct {
		log  events.Log
		want string
	}{
		"a changed word":  {damaged{Log: log, record: change("do it", "do so")}, "chain"},
		"a lost record":   {damaged{Log: log, record: drop(3)}, "seq must be 3, is 4"},
		"a lost tail":     {damaged{Log: log, record: drop(7)}, "got records up to 7"},
		"an unknown type": {damaged{Log: log, record: change("tool/call", "tool/cull")}, "unknown type"},
		"a broken rule":   {damaged{Log: log, record: change(`"step":1`, `"step":2`)}, "data.step"},
		"half a line":     {damaged{Log: log, record: change(`}`, ``)}, "strict JSON"},
		"another head":    {damaged{Log: log, head: func(o *events.Opened) { o.Head.Next++ }}, "open says 9"},
		"another chain":   {damaged{Log: log, head: func(o *events.Opened) { o.Head.Chain = events.ChainStart() }}, "chain"},
		"a seed of another chain": {damaged{Log: log, head: func(o *events.Opened) {
			o.Seed = events.Seed{Kind: events.SeedImport, Next: 2, Chain: events.ChainStart()}
		}}, "end of the seed"},
		"a seed that never ended": {damaged{Log: log, head: func(o *events.Opened) { o.Header.IsSeeded = new(true) }}, "session/end-seed"},
		"no session":              {&eventstest.Memory{}, "session not found"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := said(t, c.log, id); !strings.Contains(got, c.want) {
				t.Errorf("got %q, want it to say %q", got, c.want)
			}
		})
	}
}

func TestMemoryHasAFrameLimit(t *testing.T) {
	a := events.Append{ID: "a", Records: []events.Record{eventstest.Record(t, 0, events.PermissionPreset{Preset: "auto"})}}
	size := len(a.Records[0].Line) + 1
	for limit, want := range map[int]error{size: nil, size - 1: events.ErrTooLarge} {
		log := &eventstest.Memory{FrameLimit: limit}
		if err := log.Create(t.Context(), events.Creation{ID: "c", Header: eventstest.Header(t, "s", nil)}); err != nil {
			t.Fatal(err)
		}
		if _, err := log.Append(t.Context(), "s", a); !errors.Is(err, want) {
			t.Errorf("limit %d: got %v, want %v", limit, err, want)
		}
	}
}
