package projections_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/projections"
)

// contents are logs that leave much of one kind to be kept; n says how much.
func contents() map[string]func(s *eventstest.Script, n int) {
	long := strings.Repeat("x", 200)
	return map[string]func(s *eventstest.Script, n int){
		"visible messages": func(s *eventstest.Script, n int) {
			s.StartTurn()
			s.StartStep()
			for range n {
				s.User("hello")
			}
		},
		"visible calls": func(s *eventstest.Script, n int) {
			s.StartTurn()
			for range n {
				s.StartStep()
				id := s.ID("call")
				s.Assistant("", events.ToolCallBlock(id, "bash", "{}"))
				s.Call(id, "bash", "{}")
				s.Result(id, "ok")
				s.EndStep()
			}
		},
		"open calls": func(s *eventstest.Script, n int) {
			s.StartTurn()
			s.StartStep()
			var blocks []events.Block
			for i := range n {
				blocks = append(blocks, events.ToolCallBlock(fmt.Sprint("c", i), "bash", `{"x":"`+long+`"}`))
			}
			s.Assistant("", blocks...)
			for i := range n {
				s.Call(fmt.Sprint("c", i), "bash", `{"x":"`+long+`"}`)
			}
		},
		"open inner calls": func(s *eventstest.Script, n int) {
			s.StartTurn()
			s.StartStep()
			for i := range n {
				s.Add(events.PTCDispatchStart{RootCallID: "c", ParentCallID: "c", SubCallID: fmt.Sprint("c:ptc:", i), Name: "bash", Arguments: jsontext.Value(`{"x":"` + long + `"}`)})
			}
		},
		"waiting messages": func(s *eventstest.Script, n int) {
			for range n {
				s.Add(events.InboxSpliced{Target: events.InboxNextTurn, Inserted: []events.UserMessage{
					{ID: s.ID("m"), Role: "user", Source: events.Source{Kind: events.SourceUser}, Content: []events.Block{events.TextBlock(long)}},
				}})
			}
		},
		"tools": func(s *eventstest.Script, n int) {
			s.StartTurn()
			var tools []events.ToolDefinition
			for i := range n {
				tools = append(tools, events.ToolDefinition{Name: fmt.Sprint("t", i), Description: jsontext.Value(`"` + long + `"`), Parameters: jsontext.Value(`{"x":"` + long + `"}`)})
			}
			s.Add(events.RequestHeader{Reason: "initial", Header: events.RequestConfiguration{Config: events.RequestConfig{Provider: "p", Model: "m"}, Tools: tools}})
		},
		"children": func(s *eventstest.Script, n int) {
			for i := range n {
				s.Add(events.SubagentCatalog{
					ChildID: events.SessionID(fmt.Sprint("child-", i)), ChildHeaderHash: long[:64],
					Descriptor: jsontext.Value(`{"version":3,"mode":"continuable","provider":"spawn","label":"` + long + `"}`),
				})
			}
		},
		"questions": func(s *eventstest.Script, n int) {
			s.StartTurn()
			for range n {
				s.Add(events.ApprovalAsked{ID: s.ID("q"), ToolName: "bash", Reason: long, Shown: &events.ApprovalShown{
					Hash: strings.Repeat("0", 64), Action: "shell.exec", Resources: []string{long}, Pattern: long,
				}})
			}
		},
	}
}

func folded(tb testing.TB, script *eventstest.Script) *projections.Session {
	tb.Helper()
	s := projections.NewSession(script.Header)
	for _, r := range script.Records() {
		if _, err := s.Record(r); err != nil {
			tb.Fatal(err)
		}
	}
	return s
}

// TestSizeGrowsWithWhatIsKept: the estimate follows the memory that a kind of
// content takes, from half of it to three times as much.
func TestSizeGrowsWithWhatIsKept(t *testing.T) {
	const copies = 6
	for name, fill := range contents() {
		t.Run(name, func(t *testing.T) {
			measured := func(n int) (heap, estimate int64) {
				script := eventstest.NewScript(t, eventstest.Header(t, "size", nil))
				fill(script, n)
				kept := make([]*projections.Session, 0, copies)
				before := heapBytes()
				for range copies {
					kept = append(kept, folded(t, script))
				}
				after := heapBytes()
				runtime.KeepAlive(script)
				return (after - before) / copies, kept[0].Size()
			}
			smallHeap, small := measured(1)
			largeHeap, large := measured(200)
			ratio := float64(large-small) / float64(largeHeap-smallHeap)
			t.Logf("%d bytes of heap each, estimated at %d: %.2f", (largeHeap-smallHeap)/199, (large-small)/199, ratio)
			if ratio < 0.5 || ratio > 3 {
				t.Errorf("the estimate grows %.2f times as much as the memory, want from 0.5 to 3", ratio)
			}
		})
	}
}

func heapBytes() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
