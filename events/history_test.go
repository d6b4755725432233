package events_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// TestHistories reads testdata/histories: events, and the state that a validator
// and its surface are in behind them, or the error of the first one that is
// refused. An event is a line
//
//	TYPE DATA [; append] [; replace START END] [; cites SEQ …] [; ignorable]
//
// and in format 0 a whole stored line is one, too. The command "log" begins a
// log, "more" goes on with it, as one frame.
func TestHistories(t *testing.T) {
	datadriven.Walk(t, "testdata/histories", func(t *testing.T, path string) {
		var h history
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "log":
				h = newHistory(t, d.HasArg("format0"), d.HasArg("seeded"))
			case "more":
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			return h.frame(t, d.Input) + h.state()
		})
	})
}

type history struct {
	format events.Format
	v      *events.Validator
}

func newHistory(t *testing.T, old, seeded bool) history {
	t.Helper()
	if old {
		return history{events.Format0, events.NewValidator(eventstest.Header0(t, "s"))}
	}
	header := eventstest.Header(t, "s", func(h *events.Header) { h.IsSeeded = &seeded })
	return history{events.Format4, events.NewValidator(header)}
}

// frame applies the events of an input as one; it gives what refuses them.
func (h history) frame(t *testing.T, input string) string {
	t.Helper()
	var frame []events.Envelope
	next := h.v.Next()
	for l := range strings.Lines(input) {
		r, err := events.ParseRecord(h.format, []byte(storedLine(t, next, strings.TrimSpace(l))))
		if err != nil {
			return fmt.Sprintf("refused at %d: %v\n", next, err)
		}
		es, err := r.Decode()
		if err != nil {
			return fmt.Sprintf("refused at %d: %v\n", next, err)
		}
		frame = append(frame, es...)
		next = r.End()
	}
	if err := h.v.Apply(frame...); err != nil {
		return fmt.Sprintf("refused: %v\n", err)
	}
	return ""
}

// storedLine writes an event as it is stored.
func storedLine(t *testing.T, seq events.Seq, text string) string {
	t.Helper()
	if strings.HasPrefix(text, "{") {
		return text
	}
	parts := strings.Split(text, "; ")
	typ, data, found := strings.Cut(parts[0], " ")
	if !found {
		data = "{}"
	}
	var out strings.Builder
	fmt.Fprintf(&out, `{"type":%q,"seq":%d,"time":%d,"data":%s`, typ, seq, seq, data)
	for _, p := range parts[1:] {
		words := strings.Fields(p)
		switch words[0] {
		case "append":
			out.WriteString(`,"surfaceOp":"append"`)
		case "replace":
			fmt.Fprintf(&out, `,"surfaceOp":{"op":"replace","startSeq":%s,"endSeq":%s}`, words[1], words[2])
		case "cites":
			fmt.Fprintf(&out, `,"sourceEventSeqs":[%s]`, strings.Join(words[1:], ","))
		case "ignorable":
			out.WriteString(`,"ignorable":true`)
		default:
			t.Fatalf("unknown word %s in %s", words[0], text)
		}
	}
	return out.String() + "}"
}

// state is what can be asked of a validator.
func (h history) state() string {
	open := "nothing is open"
	if turn, step, inStep := h.v.OpenStep(); inStep {
		open = fmt.Sprintf("turn %d, step %d are open", turn, step)
	} else if turn, inTurn := h.v.OpenTurn(); inTurn {
		open = fmt.Sprintf("turn %d is open", turn)
	}
	nodes := []string{"surface:"}
	for _, n := range h.v.Surface().Nodes() {
		nodes = append(nodes, strconv.Itoa(int(n)))
	}
	out := fmt.Sprintf("next %d, %s\n%s (generation %d)\n", h.v.Next(), open, strings.Join(nodes, " "), h.v.Surface().Generation())
	if n := h.v.InheritedCount(); n > 0 {
		out += fmt.Sprintf("inherited: %d\n", n)
	}
	if err := h.v.Finish(); err != nil {
		out += fmt.Sprintf("unfinished: %v\n", err)
	}
	return out
}
