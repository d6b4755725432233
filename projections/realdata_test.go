package projections_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// recorded folds the sessions that the reference harness wrote, by file name.
func recorded(t *testing.T) map[string]*projections.Session {
	t.Helper()
	dir := os.Getenv("DOCKET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(dir, "realdata", "dsh", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Skipf("the recorded sessions are absent from %s (set DOCKET_SHARED)", dir)
	}
	sessions := map[string]*projections.Session{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sessions[filepath.Base(file)] = foldFile(t, file, text)
	}
	return sessions
}

func foldFile(t *testing.T, name string, text []byte) *projections.Session {
	t.Helper()
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	header, err := events.ParseHeader(first)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s := projections.NewSession(header)
	s.Imported = events.MaxSafeInteger // all of it was
	for line := range bytes.Lines(rest) {
		r, err := events.ParseRecord(header.Version, bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := s.Record(r); err != nil {
			t.Fatalf("%s seq %d: %v", name, r.Seq, err)
		}
	}
	return s
}

// said is what the harness's own records say of a session at its end.
type said struct {
	Preset, Sandbox, Approval string
	OpenQuestions             int
	Compactions               string // of the last one: none, done, or why it failed
	TurnOpen                  bool
}

func TestRecordedSessionsFoldToWhatTheirHarnessRecorded(t *testing.T) {
	notSmaller := "summary is not smaller than the shadowed content (150 estimated framed tokens >= 150)"
	full, write := events.ModeDangerFullAccess, events.ModeWorkspaceWrite
	want := map[string]said{
		"auto-child1.jsonl":          {"auto", full, "never", 0, "none", false},
		"auto-code.jsonl":            {full, full, "never", 0, "none", false},
		"auto-compact.jsonl":         {full, full, "never", 0, "done", false},
		"auto.jsonl":                 {full, full, "never", 0, "none", false},
		"child-child1.jsonl":         {"", write, "never", 0, "none", false},
		"child-child2.jsonl":         {"", write, "never", 0, "none", false},
		"child-child3.jsonl":         {"", write, "never", 0, "none", false},
		"child.jsonl":                {write, write, "ask", 0, "none", false},
		"compact.jsonl":              {write, write, "ask", 0, notSmaller, false},
		"crash.jsonl":                {write, write, "ask", 0, "none", false},
		"plain.jsonl":                {write, write, "ask", 0, "none", false},
		"presets.jsonl":              {write, write, "ask", 0, "none", false},
		"shutdown-while-asked.jsonl": {write, write, "ask", 1, "none", true},
	}
	got := map[string]said{}
	for name, s := range recorded(t) {
		got[name] = sayings(s)
		again := restored(t, s)
		if diff := cmp.Diff(text(t, s), text(t, again)); diff != "" {
			t.Errorf("%s: a snapshot is another session:\n%s", name, diff)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func sayings(s *projections.Session) said {
	out := said{
		Preset: s.Presets.Preset, Sandbox: s.Presets.Sandbox.Mode, Approval: s.Presets.Approval.Policy,
		OpenQuestions: len(s.Approvals.Questions()), Compactions: "none",
	}
	if last := s.Compaction.Last; last != nil {
		out.Compactions = "done"
		if last.Failed {
			out.Compactions = last.Error
		}
	}
	_, out.TurnOpen = s.OpenTurn()
	return out
}

func TestRecordedChildrenAreLinkedByTheirHeadersAndUnverified(t *testing.T) {
	var kin []lineage.Kin
	for _, s := range recorded(t) {
		kin = append(kin, s.Kin())
	}
	children := 0
	var visit func(r lineage.Relative)
	visit = func(r lineage.Relative) {
		if r.Relation == lineage.RelationChild {
			children++
			if r.Verified || r.Unverified == "" {
				t.Errorf("%s: got verified %v, %q", r.ID, r.Verified, r.Unverified)
			}
		}
		for _, c := range r.Children {
			visit(c)
		}
	}
	for _, r := range lineage.Tree(kin) {
		visit(r)
	}
	if children != 4 {
		t.Errorf("got %d children, want 4", children)
	}
}
