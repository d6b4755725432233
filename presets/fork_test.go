package presets_test

import (
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

// TestAForkKeepsWhatTightened: what holds in a fork is what it inherits, or what its
// source is on by now, whichever lets less through.
func TestAForkKeepsWhatTightened(t *testing.T) {
	c := everything(t)
	on := func(preset, mode, policy string) presets.State {
		s := presets.State{Preset: preset, Seeded: true, At: new(events.Seq)}
		s.Sandbox.Mode, s.Approval.Policy = mode, policy
		return s
	}
	full := on("danger-full-access", "danger-full-access", "never")
	auto := on("auto", "danger-full-access", "ask")
	ro := on("read-only", "read-only", "ask")
	for name, tc := range map[string]struct {
		then, now presets.State
		want      string
	}{
		"the same":                      {full, full, ""},
		"wider by now":                  {ro, full, ""},
		"narrower by now":               {full, ro, "read-only read-only ask"},
		"under review by now":           {full, auto, "auto ask"},
		"reviewed then":                 {auto, full, ""},
		"nobody is asked any more":      {auto, on("auto", "danger-full-access", "never"), "never"},
		"narrower by its parts":         {full, on("danger-full-access", "read-only", "never"), "read-only read-only"},
		"narrower, and custom":          {full, on("danger-full-access", "workspace-write", "never"), "read-only read-only"},
		"not installed then":            {on("gone", "danger-full-access", "ask"), ro, "read-only read-only"},
		"not installed, and not since":  {on("gone", "danger-full-access", "ask"), full, ""},
		"it says nothing":               {presets.State{}, ro, "workspace-write workspace-write ask read-only read-only"},
		"it says nothing, neither does": {presets.State{Seeded: true}, presets.State{}, "workspace-write workspace-write ask"},
	} {
		t.Run(name, func(t *testing.T) {
			drafts, err := presets.Fork(c, tc.then, tc.now, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range drafts {
				switch ev := any(d.Event).(type) {
				case events.PermissionPreset:
					got = append(got, ev.Preset)
				case events.SandboxMode:
					got = append(got, ev.Mode)
				case events.ApprovalPolicy:
					got = append(got, ev.Policy)
				}
			}
			if s := strings.Join(got, " "); s != tc.want {
				t.Errorf("got %q, want %q", s, tc.want)
			}
		})
	}
}
