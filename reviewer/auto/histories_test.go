package auto_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// TestHistories runs testdata/histories: a log, and what a review of one of its
// calls is asked with, or which failure keeps it from being asked.
//
//	given name=NAME [from=NAME]              the beginning of a log, for what follows
//	review [from=NAME] [call=ID] [show=all]  a request: all of it, or its entries
//
// Arguments child, seeded, nocwd and imported=N are of the session. The lines are
// those of [writer.line]; behind them "> name", "> arguments", "> root", "> schema"
// and "> mode" say otherwise what the executor asks for. Without a call the last one
// that was started is reviewed.
func TestHistories(t *testing.T) {
	datadriven.Walk(t, filepath.Join("testdata", "histories"), func(t *testing.T, path string) {
		given := map[string]string{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			log := d.Input + "\n"
			if d.HasArg("from") {
				log = given[argument(t, d, "from")] + log
			}
			if d.Cmd == "given" {
				given[argument(t, d, "name")] = log
				return "ok\n"
			}
			return reviewed(t, d, log)
		})
	})
}

func argument(t *testing.T, d *datadriven.TestData, name string) string {
	t.Helper()
	value := ""
	d.ScanArgs(t, name, &value)
	return value
}

func reviewed(t *testing.T, d *datadriven.TestData, log string) string {
	t.Helper()
	w := newWriter(t, d)
	var said []string
	for line := range strings.SplitSeq(log, "\n") {
		if other, ok := strings.CutPrefix(line, "> "); ok {
			said = append(said, other)
		} else if line != "" {
			w.line(line)
		}
	}
	v := reviewer.View{Session: w.session, History: w.history}
	c := w.started
	if d.HasArg("call") {
		c = w.calls[argument(t, d, "call")]
	}
	for _, s := range said {
		otherwise(t, &c, s)
	}
	request, err := auto.NewRequest(v, c)
	switch {
	case err != nil:
		return err.Error() + "\n"
	case d.HasArg("show"):
		return request.User + "\n"
	default:
		return entries(w, c)
	}
}

// otherwise changes what the executor asks for.
func otherwise(t *testing.T, c *reviewer.Call, text string) {
	t.Helper()
	what, value, _ := strings.Cut(text, " ")
	switch what {
	case "name":
		c.Name = value
	case "arguments":
		c.Arguments = jsontext.Value(value)
	case "root":
		c.RootCallID = value
	case "id":
		c.CallID = value
	case "mode":
		c.Mode = reviewer.Mode(value)
	case "step":
		c.Step++
	case "schema":
		c.Schema = readSchema(t, value)
	default:
		t.Fatalf("no word %q", what)
	}
}

// entries lists what a request shows in short.
func entries(w *writer, c reviewer.Call) string {
	var out strings.Builder
	for i := range w.history.Instructions(w.session) {
		fmt.Fprintf(&out, "constraint: %s\n", shortBlocks(i.Content))
	}
	pending := projections.CallRef{ID: c.CallID, Inner: c.Mode == reviewer.ModeInner}
	for e := range w.history.Entries(w.session, pending) {
		if e.Kind == projections.EntryCall {
			fmt.Fprintf(&out, "%s call: %s(%s)\n", e.Mode, e.Name, strings.Join(strings.Fields(e.Arguments), " "))
		} else {
			fmt.Fprintf(&out, "%s: %s\n", e.Role, shortBlocks([]events.Block{e.Block}))
		}
	}
	fmt.Fprintf(&out, "pending %s: %s(%s)\n", c.Mode, c.Name, c.Arguments)
	return out.String()
}

func shortBlocks(content []events.Block) string {
	var parts []string
	for _, b := range content {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		} else {
			parts = append(parts, "["+b.Type+"]")
		}
	}
	return strings.Join(parts, " | ")
}

// writer folds a log that is written in short.
type writer struct {
	t       *testing.T
	session *projections.Session
	history *projections.History
	turn    int
	step    int
	at      map[string]events.Seq // calls of the open step
	calls   map[string]reviewer.Call
	started reviewer.Call
}

func newWriter(t *testing.T, d *datadriven.TestData) *writer {
	t.Helper()
	h := eventstest.Header(t, "work", func(h *events.Header) {
		if h.IsSeeded = new(d.HasArg("seeded")); d.HasArg("seeded") {
			h.ParentSession = "parent"
		}
		if d.HasArg("child") {
			h.Origin, h.ParentSession, h.DelegationDepth = events.OriginSubagent, "parent", new(int64(1))
		}
		if h.CWD = "/workspace/demo"; d.HasArg("nocwd") {
			h.CWD = ""
		}
	})
	w := &writer{t: t, session: projections.NewSession(h), history: projections.NewHistory(), calls: map[string]reviewer.Call{}}
	if d.HasArg("imported") {
		w.session.Imported = events.MaxSafeInteger
	}
	return w
}

// put folds an event, as a log's reader gets it.
func (w *writer) put(name, data, marks string) {
	w.t.Helper()
	seq := w.session.Next()
	text := fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":%s%s}`, name, seq, 1000*(seq+1), data, marks)
	es, err := w.session.Record(eventstest.Line(w.t, events.Format4, text))
	if err != nil {
		w.t.Fatalf("seq %d: %v\n%s", seq, err, text)
	}
	for _, e := range es {
		w.history.Apply(w.session, e)
		if c, err := auto.CallAt(w.session, e, shippedSchema(e.Event)); err == nil {
			w.started, w.calls[c.CallID] = c, c
		}
	}
}
