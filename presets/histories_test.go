package presets_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/presets"
)

// TestHistories runs testdata: under each command stand the events of a log, a
// type and its data in each line, then what the command gives for it.
//
//	current                  the derived preset and what is effective
//	set preset=NAME          what a switch writes, and the preset afterwards
//	pin [user=NAME]          what the publication writes, and the preset afterwards
//	migrate integration=NAME what the removal of an integration writes
//
// installed=(NAME,…) are the integrations that are there, executor=MODE and
// configured=POLICY what holds where the log says nothing (workspace-write, ask),
// closing an integration that admits nobody.
func TestHistories(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if !strings.HasSuffix(path, ".txt") {
			return
		}
		datadriven.RunTest(t, path, run)
	})
}

func run(t *testing.T, d *datadriven.TestData) string {
	s, r := logged(t, d.Input), installed(t, d)
	c := r.Catalogue()
	switch d.Cmd {
	case "current":
		return fmt.Sprintf("%s: %s, %s\n", c.Current(s), c.Effective(s).Sandbox, c.Effective(s).Approval)
	case "set":
		drafts, err := presets.Set(c, s, argument(d, "preset"), r.Admit)
		return decided(t, c, s, drafts, err)
	case "pin":
		drafts, err := presets.Pin(c, s, argument(d, "user"), r.Admit)
		return decided(t, c, s, drafts, err)
	case "migrate":
		drafts, err := presets.Migrate(c, s, argument(d, "integration"))
		return decided(t, c, s, drafts, err)
	default:
		d.Fatalf(t, "no command %s", d.Cmd)
		return ""
	}
}

func decided(t *testing.T, c presets.Catalogue, s presets.State, drafts []events.Draft, err error) string {
	t.Helper()
	if err != nil {
		return refused(err) + "\n"
	}
	return describe(t, drafts) + "now " + c.Current(after(t, s, drafts)) + "\n"
}

func argument(d *datadriven.TestData, name string) string {
	for _, a := range d.CmdArgs {
		if a.Key == name && len(a.Vals) == 1 {
			return a.Vals[0]
		}
	}
	return ""
}

func installed(t *testing.T, d *datadriven.TestData) *presets.Registry {
	t.Helper()
	made := table(t, func(c *presets.Config) {
		c.Approval = argument(d, "configured")
		if mode := argument(d, "executor"); mode != "" {
			c.Executor = mode
		}
		if c.Executor == events.ModeReadOnly && c.Approval == events.PolicyNever {
			c.Default = presets.ReadOnly
		}
	})
	var names []string
	for _, a := range d.CmdArgs {
		if a.Key == "installed" {
			names = a.Vals
		}
	}
	r := registry(t, made, names...)
	if name := argument(d, "closing"); name != "" {
		if err := r.Close(name); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// logged folds the events of a history, which must be a valid log. In the middle
// the state is stored and loaded.
func logged(t *testing.T, input string) presets.State {
	t.Helper()
	v := events.NewValidator(eventstest.Header(t, "session", nil))
	var s presets.State
	for line := range strings.SplitSeq(strings.TrimSpace(input), "\n") {
		if line == "" || line == "empty" {
			continue
		}
		name, data, _ := strings.Cut(line, " ")
		r := eventstest.Line(t, events.Format4, fmt.Sprintf(`{"type":%q,"seq":%d,"time":1,"data":%s}`, name, v.Next(), data))
		es, err := v.Record(r)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for _, e := range es {
			s.Apply(e)
		}
		s = reloaded(t, s)
	}
	return s
}

func reloaded(t *testing.T, s presets.State) presets.State {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back presets.State
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, back); diff != "" {
		t.Fatalf("the snapshot is not the state (-state +snapshot):\n%s", diff)
	}
	return back
}
