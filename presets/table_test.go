package presets_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

func TestTheTableIsTheShippedOneInItsOrder(t *testing.T) {
	type row struct{ name, sandbox, approval, reviewer string }
	var got []row
	for _, p := range everything(t).Options {
		got = append(got, row{p.Name, p.Sandbox, p.Approval, p.Reviewer})
	}
	want := []row{
		{"read-only", "read-only", "ask", ""},
		{"workspace-write", "workspace-write", "ask", ""},
		{"danger-full-access", "danger-full-access", "never", ""},
		{"auto", "danger-full-access", "ask", "auto"},
		{"request-approval", "workspace-write", "ask", ""},
		{"approve-for-me", "workspace-write", "ask", "guardian"},
		{"ai-auto", "workspace-write", "ask", "judge"},
		{"auto-workspace", "workspace-write", "ask", "auto-workspace"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("got another catalogue (-want +got):\n%s", diff)
	}
}

func TestNothingIsInstalledByDefault(t *testing.T) {
	c := table(t, nil).Catalogue()
	if diff := cmp.Diff(presets.Base(), c.Options); diff != "" {
		t.Errorf("got other options than the base table (-want +got):\n%s", diff)
	}
	if c.DefaultPreset != presets.WorkspaceWrite {
		t.Errorf("got default %s, want the entry that the composed defaults match", c.DefaultPreset)
	}
}

func TestATableIsRefused(t *testing.T) {
	entry := func(name, sandbox, approval string) presets.Preset {
		return presets.Preset{Name: name, Bundle: presets.Bundle{Sandbox: sandbox, Approval: approval}}
	}
	of := func(ps ...presets.Preset) presets.Config {
		return presets.Config{Presets: ps, Executor: events.ModeReadOnly}
	}
	good := entry("mine", events.ModeReadOnly, events.PolicyAsk)
	for name, tc := range map[string]struct {
		config presets.Config
		code   string
	}{
		"custom is reserved":                  {of(good, entry("custom", "read-only", "ask")), presets.CodeReservedPreset},
		"auto is reserved":                    {of(good, entry("auto", "danger-full-access", "ask")), presets.CodeReservedPreset},
		"an executor that does not confine":   {presets.Config{}, presets.CodeNotConfining},
		"an executor with an unknown mode":    {presets.Config{Executor: "jail"}, presets.CodeBadMode},
		"an unknown configured policy":        {presets.Config{Executor: "read-only", Approval: "always"}, presets.CodeBadPolicy},
		"no default, and defaults match none": {presets.Config{Executor: "read-only", Approval: "never"}, presets.CodeNoDefault},
		"an empty table":                      {presets.Config{Presets: []presets.Preset{}, Executor: "read-only"}, presets.CodeNoDefault},
		"a default that is not in the table":  {presets.Config{Executor: "read-only", Default: "auto"}, presets.CodeDefaultNotInTable},
		"a name twice":                        {of(good, good), presets.CodeDuplicatePreset},
		"no name":                             {of(entry("", "read-only", "ask")), presets.CodeBadPreset},
		"an unknown mode":                     {of(entry("mine", "jail", "ask")), presets.CodeBadMode},
		"an unknown policy":                   {of(entry("mine", "read-only", "sometimes")), presets.CodeBadPolicy},
		"an integration's preset":             {of(presets.JudgeIntegration().Presets...), presets.CodeBadPreset},
		"a reviewer without what it reviews":  {of(presets.Preset{Name: "mine", Bundle: good.Bundle, Reviewer: "r"}), presets.CodeBadPreset},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := presets.NewTable(tc.config)
			wantCode(t, err, tc.code)
		})
	}
}

func TestADefaultIsConfiguredOrComposed(t *testing.T) {
	for name, tc := range map[string]struct {
		config presets.Config
		want   string
	}{
		"composed":                              {presets.Config{Executor: "read-only"}, "read-only"},
		"configured":                            {presets.Config{Executor: "read-only", Default: "danger-full-access"}, "danger-full-access"},
		"configured where the composed is none": {presets.Config{Executor: "read-only", Approval: "never", Default: "read-only"}, "read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := presets.NewTable(tc.config)
			if err != nil {
				t.Fatal(err)
			}
			if got := made.Catalogue().DefaultPreset; got != tc.want {
				t.Errorf("got default %s, want %s", got, tc.want)
			}
		})
	}
}

func TestAStoredDefaultOfAnIntegrationIsRefusedWhenRead(t *testing.T) {
	_, err := table(t, nil).UserDefault(presets.Auto)
	wantCode(t, err, presets.CodeDefaultNotInTable)
	if p, err := table(t, nil).UserDefault(""); err != nil || p.Name != presets.WorkspaceWrite {
		t.Errorf("got %s, %v, want the table's own default", p.Name, err)
	}
}

func TestOnlyPresetsWithAGuardOrAReviewerAndFullAccessAreCaptured(t *testing.T) {
	c := everything(t)
	var got []string
	for _, p := range c.Options {
		if c.Captured(p.Name) {
			got = append(got, p.Name)
		}
	}
	want := []string{"danger-full-access", "auto", "approve-for-me", "ai-auto", "auto-workspace"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("got other captured presets (-want +got):\n%s", diff)
	}
	if c.Captured(presets.Custom) || table(t, nil).Catalogue().Captured(presets.Auto) {
		t.Error("got custom, or a preset that is not installed, captured")
	}
}

func TestNarrowerOrder(t *testing.T) {
	c := everything(t)
	// From the narrowest: by sandbox, then by who looks at calls, then by policy.
	order := []string{"read-only", "auto-workspace", "ai-auto", "workspace-write", "approve-for-me", "auto", "danger-full-access"}
	for i, a := range order {
		for j, b := range order {
			pa, _ := c.Find(a)
			pb, _ := c.Find(b)
			if got, want := presets.Narrower(pa, pb).Name, order[min(i, j)]; got != want {
				t.Errorf("got %s as the narrower of %s and %s, want %s", got, a, b, want)
			}
		}
	}
	same, _ := c.Find(presets.RequestApproval)
	base, _ := c.Find(presets.WorkspaceWrite)
	if presets.Narrower(same, base) != same || presets.Narrower(base, same) != base {
		t.Error("got the second of two equals, want the first")
	}
}

func TestNarrowerMode(t *testing.T) {
	order := []string{events.ModeReadOnly, events.ModeWorkspaceWrite, events.ModeDangerFullAccess, "unheard-of"}
	for i, a := range order {
		for j, b := range order {
			if got := presets.NarrowerMode(a, b); got != order[min(i, j)] {
				t.Errorf("got %s as the narrower of %s and %s", got, a, b)
			}
			if got := presets.WiderMode(a, b); got != (i > j) {
				t.Errorf("got %s wider than %s: %v", a, b, got)
			}
		}
	}
}

func TestACatalogueIsCompleteOrRefused(t *testing.T) {
	if err := everything(t).Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*presets.Catalogue){
		"nothing":                 func(c *presets.Catalogue) { *c = presets.Catalogue{} },
		"no options":              func(c *presets.Catalogue) { c.Options = nil },
		"no default options":      func(c *presets.Catalogue) { c.DefaultOptions = nil },
		"no default":              func(c *presets.Catalogue) { c.DefaultPreset = "" },
		"a default elsewhere":     func(c *presets.Catalogue) { c.DefaultPreset = presets.Auto },
		"a table that is cut":     func(c *presets.Catalogue) { c.Options = c.Options[1:] },
		"custom as an option":     func(c *presets.Catalogue) { c.Options[4].Name = presets.Custom },
		"an option twice":         func(c *presets.Catalogue) { c.Options = append(c.Options, c.Options[0]) },
		"an option without mode":  func(c *presets.Catalogue) { c.Options[4].Sandbox = "" },
		"no defaults":             func(c *presets.Catalogue) { c.Defaults = presets.Bundle{} },
		"more defaults than that": func(c *presets.Catalogue) { c.Options = c.Options[:2] },
	} {
		t.Run(name, func(t *testing.T) {
			c := everything(t)
			change(&c)
			if err := c.Check(); err == nil {
				t.Error("got no error")
			}
		})
	}
}

func TestShippedIntegrationsNameThemselves(t *testing.T) {
	seen := []string{}
	for _, i := range presets.Integrations() {
		for _, p := range i.Presets {
			if p.Integration != i.Name || slices.Contains(seen, p.Name) || p.DisplayName == "" || p.Description == "" {
				t.Errorf("got preset %+v of %s", p, i.Name)
			}
			if p.Experimental != (p.Name == presets.Auto) || p.Guard != (p.Name == presets.AutoWorkspace) {
				t.Errorf("got experimental %v, guard %v of %s", p.Experimental, p.Guard, p.Name)
			}
			seen = append(seen, p.Name)
		}
	}
}
