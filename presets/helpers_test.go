package presets_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/presets"
)

// table is the base table behind an executor that confines in workspace-write,
// but for what change says.
func table(tb rapid.TB, change func(*presets.Config)) presets.Table {
	tb.Helper()
	c := presets.Config{Executor: events.ModeWorkspaceWrite}
	if change != nil {
		change(&c)
	}
	made, err := presets.NewTable(c)
	if err != nil {
		tb.Fatal(err)
	}
	return made
}

// registry has the named integrations installed, in this order.
func registry(tb rapid.TB, t presets.Table, installed ...string) *presets.Registry {
	tb.Helper()
	r := presets.NewRegistry(t, nil)
	for _, name := range installed {
		found := false
		for _, i := range presets.Integrations() {
			if i.Name == name {
				found = true
				if err := r.Install(i, nil); err != nil {
					tb.Fatal(err)
				}
			}
		}
		if !found {
			tb.Fatalf("no integration %s", name)
		}
	}
	return r
}

// everything is a catalogue with all four integrations.
func everything(tb rapid.TB) presets.Catalogue {
	tb.Helper()
	return registry(tb, table(tb, nil), "auto", "guardian", "judge", "auto-workspace").Catalogue()
}

// after applies what was decided.
func after(tb rapid.TB, s presets.State, drafts []events.Draft) presets.State {
	tb.Helper()
	for _, d := range drafts {
		e, err := d.At(100, eventstest.Epoch)
		if err != nil {
			tb.Fatal(err)
		}
		s.Apply(e)
	}
	return s
}

// describe writes drafts as type and data, a line each.
func describe(tb rapid.TB, drafts []events.Draft) string {
	tb.Helper()
	var b strings.Builder
	for _, d := range drafts {
		e, err := d.At(0, eventstest.Epoch)
		if err != nil {
			tb.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s\n", e.Type(), e.Data)
	}
	if len(drafts) == 0 {
		return "nothing\n"
	}
	return b.String()
}

func refused(err error) string {
	r, ok := errors.AsType[*events.Refusal](err)
	if !ok {
		return fmt.Sprintf("error without a code: %v", err)
	}
	return fmt.Sprintf("refused %s: %v", r.Code, r)
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	r, ok := errors.AsType[*events.Refusal](err)
	if !ok || r.Code != code {
		t.Errorf("got %v, want a refusal with code %s", err, code)
	}
}
