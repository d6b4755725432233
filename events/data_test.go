package events_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/docket-engine/docket/events"
)

// TestDataRules reads the histories of testdata/data: each line is a type and its
// data, and has one line of outcome. A line that begins with a space has the data
// of another event of the type before it.
func TestDataRules(t *testing.T) {
	datadriven.Walk(t, "testdata/data", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "decode" {
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			format := events.Format4
			if d.HasArg("format0") {
				format = events.Format0
			}
			var out strings.Builder
			var typ string
			for l := range strings.Lines(d.Input) {
				name, data, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
				if name != "" {
					typ = name
				}
				fmt.Fprintln(&out, outcome(format, typ, data))
			}
			return out.String()
		})
	})
}

// outcome is ok or the error of decoding an event with the data.
func outcome(format events.Format, typ, data string) string {
	more := ""
	if events.Type(typ).Surface() {
		more = `,"surfaceOp":"append"`
	}
	e, err := decode(format, line(typ, data, more))
	switch {
	case err != nil:
		return err.Error()
	case e.Type() != events.Type(typ):
		return "ok: " + string(e.Type())
	default:
		return "ok"
	}
}
