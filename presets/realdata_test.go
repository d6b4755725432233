package presets_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/presets"
)

// recorded gives the events of the sessions that the reference harness recorded,
// by file.
func recorded(t *testing.T) map[string][]events.Envelope {
	t.Helper()
	dir := os.Getenv("DOCKET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(dir, "realdata", "dsh", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Skipf("the recorded sessions are absent: %v (set DOCKET_SHARED)", err)
	}
	logs := map[string][]events.Envelope{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		logs[strings.TrimSuffix(filepath.Base(file), ".jsonl")] = decode(t, text)
	}
	return logs
}

func decode(t *testing.T, text []byte) []events.Envelope {
	t.Helper()
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, 1<<20)
	scan.Scan()
	h, err := events.ParseHeader(scan.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	v := events.NewValidator(h)
	var all []events.Envelope
	for scan.Scan() {
		es, err := v.Record(eventstest.Line(t, h.Version, string(slices.Clone(scan.Bytes()))))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, es...)
	}
	return all
}

// TestRecordedSessionsAreOnWhatTheirHarnessRecorded: behind each switch that the
// reference wrote, the derived preset is the one that it wrote. Its first
// children, to which it handed down a mode and never alone, are custom.
func TestRecordedSessionsAreOnWhatTheirHarnessRecorded(t *testing.T) {
	c := registry(t, table(t, nil), "auto").Catalogue()
	ends := map[string]string{}
	for name, es := range recorded(t) {
		var s presets.State
		for i, e := range es {
			s.Apply(e)
			if last := i+1 == len(es) || !isFact(es[i+1]); isFact(e) && last && s.Preset != "" && c.Current(s) != s.Preset {
				t.Errorf("%s, seq %d: got %s, want %s", name, e.Seq, c.Current(s), s.Preset)
			}
		}
		ends[name] = c.Current(s)
	}
	want := map[string]string{
		"auto": presets.DangerFullAccess, "auto-child1": presets.Auto, "auto-code": presets.DangerFullAccess, "auto-compact": presets.DangerFullAccess,
		"child": presets.WorkspaceWrite, "child-child1": presets.Custom, "child-child2": presets.Custom, "child-child3": presets.Custom,
		"compact": presets.WorkspaceWrite, "crash": presets.WorkspaceWrite, "plain": presets.WorkspaceWrite,
		"presets": presets.WorkspaceWrite, "shutdown-while-asked": presets.WorkspaceWrite,
	}
	if diff := cmp.Diff(want, ends); diff != "" {
		t.Errorf("got other presets at the end (-want +got):\n%s", diff)
	}
}

func isFact(e events.Envelope) bool {
	switch e.Type() {
	case events.TypePermissionPreset, events.TypeSandboxMode, events.TypeApprovalPolicy:
		return true
	default:
		return false
	}
}
