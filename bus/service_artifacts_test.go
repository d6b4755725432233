package bus_test

import (
	"testing"
	"time"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// TestWhoLookedAtFilesIsSaidByTheEngine: what an agent reports proves nothing, unless its
// credential says that it confines what it runs.
func TestWhoLookedAtFilesIsSaidByTheEngine(t *testing.T) {
	for name, c := range map[string]struct {
		confines bool
		source   string
		made     int
	}{
		"a caller":          {false, events.SourceCaller, 0},
		"one that confines": {true, events.SourceExecutor, 1},
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			y.callers["agent.work"] = bus.Caller{Class: string(api.RoleAgent), Name: "work", Confines: c.confines}
			r := y.serve(allows)
			agent, x := y.begun("c1"), y.executor()
			p, err := x.Burn(*agent.call(x, "work", "c1").answer().Permit, time.Now())
			must(t, err)
			seen := api.Artifact{
				Path: "/w/a", Device: 1, Inode: 2, BirthTime: 3, Kind: "file", Change: "created", SHA256: "aa", Size: 4, ChangeTime: 5, ObservedAt: 6,
			}
			do[api.Done](agent, "settle", api.Settle{
				Command: agent.command(""), CallID: "c1", Nonce: p.Nonce, Content: []events.Block{events.TextBlock("done")}, Artifacts: []api.Artifact{seen},
			})
			source := ""
			for record, err := range r.log.Read(t.Context(), "work", 0) {
				must(t, err)
				decoded, err := record.Decode()
				must(t, err)
				for _, e := range decoded {
					if ev, ok := e.Event.(events.ArtifactObserved); ok {
						source = ev.Source
					}
				}
			}
			made := -1
			must(t, r.engine.View(t.Context(), "work", func(s *projections.Session) error {
				made = len(s.Artifacts.Made)
				return nil
			}))
			if source != c.source || made != c.made {
				t.Errorf("got source %q and %d files, want %q and %d", source, made, c.source, c.made)
			}
		})
	}
}
