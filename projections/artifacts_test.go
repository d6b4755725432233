package projections_test

import (
	"fmt"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// TestWhatASessionMadeIsProvenByWhatWasObserved follows one path through what was
// observed of it.
func TestWhatASessionMadeIsProvenByWhatWasObserved(t *testing.T) {
	file := func(change string, inode uint64, sum string, before *events.Replaced) events.Artifact {
		return events.Artifact{
			Path: "/w/a.txt", Device: 1, Inode: inode, BirthTime: int64(inode), Kind: events.ArtifactFile, Change: change, SHA256: sum, Before: before,
		}
	}
	was := func(inode uint64, sum string) *events.Replaced {
		return &events.Replaced{Device: 1, Inode: inode, BirthTime: int64(inode), SHA256: sum}
	}
	created := file(events.ArtifactCreated, 1, "aa", nil)
	without := func(change func(*events.Artifact)) events.Artifact {
		a := created
		change(&a)
		return a
	}
	for name, tc := range map[string]struct {
		seen   []events.Artifact
		source string // of the last one
		want   string // the hash of what is the session's
	}{
		"created":                              {[]events.Artifact{created}, "engine", "aa"},
		"created, by one that confines":        {[]events.Artifact{created}, "executor", "aa"},
		"created, a caller says":               {[]events.Artifact{created}, "caller", ""},
		"created, nobody says who says so":     {[]events.Artifact{created}, "", ""},
		"as older logs have it":                {[]events.Artifact{file("", 1, "", nil)}, "engine", ""},
		"its own, edited":                      {[]events.Artifact{created, file("changed", 2, "bb", was(1, "aa"))}, "engine", "bb"},
		"edited twice":                         {[]events.Artifact{created, file("changed", 2, "bb", was(1, "aa")), file("changed", 3, "cc", was(2, "bb"))}, "engine", "cc"},
		"its own, edited by a person between":  {[]events.Artifact{created, file("changed", 2, "bb", was(1, "person"))}, "engine", ""},
		"its own, replaced by a person":        {[]events.Artifact{created, file("changed", 3, "bb", was(2, "aa"))}, "engine", ""},
		"written over something":               {[]events.Artifact{file("changed", 2, "bb", was(1, "aa"))}, "engine", ""},
		"written over something, and again":    {[]events.Artifact{file("changed", 2, "bb", was(1, "aa")), file("changed", 3, "cc", was(2, "bb"))}, "engine", ""},
		"changed, from what is not said":       {[]events.Artifact{created, file("changed", 2, "bb", nil)}, "engine", ""},
		"deleted":                              {[]events.Artifact{created, file("deleted", 1, "", nil)}, "engine", ""},
		"deleted, and made anew":               {[]events.Artifact{created, file("deleted", 1, "", nil), file("created", 9, "dd", nil)}, "engine", "dd"},
		"its own, changed, a caller says":      {[]events.Artifact{created, file("changed", 2, "bb", was(1, "aa"))}, "caller", ""},
		"its own, said to be as it is":         {[]events.Artifact{created, created}, "caller", ""},
		"without its bytes":                    {[]events.Artifact{without(func(a *events.Artifact) { a.SHA256 = "" })}, "engine", ""},
		"without its birth":                    {[]events.Artifact{without(func(a *events.Artifact) { a.BirthTime = 0 })}, "engine", ""},
		"a folder":                             {[]events.Artifact{without(func(a *events.Artifact) { a.Kind = "directory" })}, "engine", ""},
		"a link":                               {[]events.Artifact{without(func(a *events.Artifact) { a.Kind = "symlink" })}, "engine", ""},
		"another path, and its own stays":      {[]events.Artifact{created, without(func(a *events.Artifact) { a.Path, a.Change = "/w/b.txt", "changed" })}, "engine", "aa"},
		"its own, and a folder took its place": {[]events.Artifact{created, without(func(a *events.Artifact) { a.Kind = "directory" })}, "engine", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var a projections.Artifacts
			for i, seen := range tc.seen {
				source := "engine"
				if i == len(tc.seen)-1 {
					source = tc.source
				}
				a.Apply(events.Envelope{Event: events.ArtifactObserved{CallID: "c", Source: source, Artifacts: []events.Artifact{seen}}})
			}
			if got, _ := a.Find("/w/a.txt"); got.SHA256 != tc.want {
				t.Errorf("got %q, want %q", got.SHA256, tc.want)
			}
		})
	}
}

// TestAForkMadeNothing, nor is more kept than there is room for.
func TestAForkMadeNothing(t *testing.T) {
	var a projections.Artifacts
	many := events.ArtifactObserved{CallID: "c", Source: "engine"}
	for i := range 1000 {
		many.Artifacts = append(many.Artifacts, events.Artifact{Path: fmt.Sprint("/w/", i), Inode: 1, BirthTime: 1, Kind: "file", SHA256: "aa"})
	}
	a.Apply(events.Envelope{Event: many})
	if _, first := a.Find("/w/0"); first || len(a.Made) != 256 {
		t.Errorf("got %d files, with the first %v", len(a.Made), first)
	}
	if _, last := a.Find("/w/999"); !last {
		t.Error("the last one is not there")
	}
	a.Apply(events.Envelope{Event: events.EndSeed{}})
	if len(a.Made) == 0 {
		t.Error("a restart has taken what was made")
	}
	a.Apply(events.Envelope{Event: events.EndSeed{Inherited: true}})
	if len(a.Made) != 0 {
		t.Error("a fork has made something")
	}
}
