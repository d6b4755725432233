package presets_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/presets"
)

func optionNames(c presets.Catalogue) []string {
	var names []string
	for _, p := range c.Options {
		names = append(names, p.Name)
	}
	return names
}

func TestAnIntegrationComesAndGoesWithItsPresets(t *testing.T) {
	r := registry(t, table(t, nil), "guardian")
	if diff := cmp.Diff([]string{"read-only", "workspace-write", "danger-full-access", "request-approval", "approve-for-me"}, optionNames(r.Catalogue())); diff != "" {
		t.Errorf("got other options (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(presets.Base(), r.Catalogue().DefaultOptions); diff != "" {
		t.Errorf("got other default options (-want +got):\n%s", diff)
	}
	if err := r.Remove("guardian"); err != nil {
		t.Fatal(err)
	}
	if got := r.Catalogue(); len(got.Options) != 3 {
		t.Errorf("got %v after the removal, want the table", optionNames(got))
	}
	if err := r.Install(presets.GuardianIntegration(), nil); err != nil {
		t.Errorf("got %v for another installation", err)
	}
}

func TestAnInstallationIsRefused(t *testing.T) {
	r := registry(t, table(t, nil), "auto")
	mine := func(name string) presets.Integration {
		p := presets.Base()[0]
		p.Name, p.Integration = name, "mine"
		return presets.Integration{Name: "mine", Presets: []presets.Preset{p}}
	}
	foreign, bad := mine("x"), mine("x")
	foreign.Presets[0].Integration = "other"
	bad.Presets[0].Sandbox = "jail"
	for name, tc := range map[string]struct {
		integration presets.Integration
		code        string
	}{
		"a second time":         {presets.AutoIntegration(), presets.CodeInstalled},
		"a name of the table":   {mine("read-only"), presets.CodeDuplicatePreset},
		"custom":                {mine("custom"), presets.CodeReservedPreset},
		"auto by somebody else": {mine("auto"), presets.CodeReservedPreset},
		"another one's preset":  {foreign, presets.CodeBadPreset},
		"a bad preset":          {bad, presets.CodeBadMode},
		"without presets":       {presets.Integration{Name: "mine"}, presets.CodeBadPreset},
		"without a name":        {presets.Integration{Presets: presets.Base()}, presets.CodeBadPreset},
		"the same name twice":   {presets.Integration{Name: "mine", Presets: slices.Concat(mine("x").Presets, mine("x").Presets)}, presets.CodeDuplicatePreset},
	} {
		t.Run(name, func(t *testing.T) {
			before := r.Catalogue()
			wantCode(t, r.Install(tc.integration, nil), tc.code)
			if diff := cmp.Diff(before, r.Catalogue()); diff != "" {
				t.Errorf("got another catalogue (-before +after):\n%s", diff)
			}
		})
	}
}

func TestAClosingIntegrationIsListedAndAdmitsNobody(t *testing.T) {
	r := registry(t, table(t, nil), "auto")
	auto, _ := r.Catalogue().Find(presets.Auto)
	if err := r.Admit(auto); err != nil {
		t.Fatal(err)
	}
	if err := r.Close("auto"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, r.Admit(auto), presets.CodeClosing)
	if _, listed := r.Catalogue().Find(presets.Auto); !listed {
		t.Error("got no auto in the catalogue while its reviews drain")
	}
	if err := r.Remove("auto"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, r.Admit(auto), presets.CodeNotInstalled)
	wantCode(t, r.Remove("auto"), presets.CodeNotInstalled)
	wantCode(t, r.Close("auto"), presets.CodeNotInstalled)
}

func TestTheIntegrationsOwnAdmissionIsAskedBeforeAnythingIsWritten(t *testing.T) {
	r := presets.NewRegistry(table(t, nil), nil)
	full := errors.New("no more sessions")
	asked := 0
	admit := func(presets.Preset) error { asked++; return full }
	if err := r.Install(presets.AutoIntegration(), admit); err != nil {
		t.Fatal(err)
	}
	drafts, err := presets.Set(r.Catalogue(), presets.State{}, presets.Auto, r.Admit)
	if !errors.Is(err, full) || drafts != nil || asked != 1 {
		t.Errorf("got %v, %v, asked %d times, want its error once", drafts, err, asked)
	}
	if _, err := presets.Set(r.Catalogue(), presets.State{}, presets.ReadOnly, r.Admit); err != nil || asked != 1 {
		t.Errorf("got %v, asked %d times for a preset of the table", err, asked)
	}
	if _, err := presets.Pin(r.Catalogue(), presets.State{Preset: presets.Auto}, "", r.Admit); !errors.Is(err, full) || asked != 2 {
		t.Errorf("got %v, asked %d times at publication, want one admission", err, asked)
	}
}

func TestSubscribersAreToldOfEachChangeAndContained(t *testing.T) {
	var failures []string
	r := presets.NewRegistry(table(t, nil), func(err error) { failures = append(failures, err.Error()) })
	told := 0
	r.Subscribe(func() { panic("broken") })
	cancel := r.Subscribe(func() {
		told++
		r.Catalogue() // a subscriber may read
	})
	if err := r.Install(presets.AutoIntegration(), nil); err != nil {
		t.Fatal(err)
	}
	wantCode(t, r.Install(presets.AutoIntegration(), nil), presets.CodeInstalled)
	if err := r.Close("auto"); err != nil {
		t.Fatal(err)
	}
	if told != 1 {
		t.Errorf("got told %d times after one change", told)
	}
	if err := r.Remove("auto"); err != nil || told != 2 {
		t.Errorf("got %v, told %d times after two changes", err, told)
	}
	cancel()
	if err := r.Install(presets.AutoIntegration(), nil); err != nil || told != 2 {
		t.Errorf("got %v, told %d times after the end of the subscription", err, told)
	}
	if len(failures) != 3 || !strings.Contains(failures[0], "broken") {
		t.Errorf("got failures %q, want one for each change", failures)
	}
}

func TestTheRegistryIsSafeForConcurrentUse(t *testing.T) {
	r := presets.NewRegistry(table(t, nil), nil)
	r.Subscribe(func() { r.Catalogue() })
	var wg sync.WaitGroup
	for _, i := range presets.Integrations() {
		for range 4 {
			wg.Go(func() {
				if r.Install(i, nil) == nil {
					if err := r.Remove(i.Name); err != nil {
						t.Error(err)
					}
				}
				if err := r.Catalogue().Check(); err != nil {
					t.Errorf("got an incomplete catalogue: %v", err)
				}
				r.Subscribe(func() {})()
			})
		}
	}
	wg.Wait()
	if got := r.Catalogue(); len(got.Options) != 3 {
		t.Errorf("got %v in the end, want the table", optionNames(got))
	}
}

// TestACatalogueThatWasLookedAtStaysAsItWas: it is shared by all who look, so that
// neither a change nor what somebody puts behind his own copy shows in another's.
func TestACatalogueThatWasLookedAtStaysAsItWas(t *testing.T) {
	r := registry(t, table(t, nil), "auto")
	before := r.Catalogue()
	names := optionNames(before)
	mine := append(before.Options, presets.Preset{Name: "mine"})
	others := append(r.Catalogue().Options, presets.Preset{Name: "other"})
	if got := mine[len(mine)-1].Name; got != "mine" || len(others) != len(mine) {
		t.Errorf("got %s behind the options, want mine", got)
	}
	if err := r.Remove("auto"); err != nil {
		t.Fatal(err)
	}
	if err := r.Install(presets.GuardianIntegration(), nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(names, optionNames(before)); diff != "" {
		t.Errorf("the catalogue has changed (-before +after):\n%s", diff)
	}
	if _, there := r.Catalogue().Find("approve-for-me"); !there {
		t.Error("the change is not in the catalogue")
	}
}
