package events_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// A visible log: 0 turn, 1 step, 2 system, 3 user, 4 user, 5 assistant, 6 call,
// 7 result.
func visible(s *eventstest.Script) {
	inStep(s)
	s.System("be good")
	s.User("one")
	s.User("two")
	s.Assistant("", events.ToolCallBlock("c", "bash", "{}"))
	s.Call("c", "bash", "{}")
	s.Result("c", "done")
}

func user() events.Event {
	return events.UserMessage{ID: "m", Role: "user", Source: events.Source{Kind: "other"}, Content: []events.Block{}}
}

func system() events.Event {
	return events.SystemMessage{Turn: 1, Step: 1, Message: events.Message{Content: []events.Block{}}}
}

// result is the one of the visible log with other content.
func result() events.ToolResult {
	return events.ToolResult{Turn: 1, Step: 1, Message: events.Message{
		ID: "message-5", Role: "tool", Source: &events.Source{Kind: events.SourceTool, CallID: "c"}, Content: []events.Block{},
	}}
}

// replacing puts an event in the place of a range, citing what is given.
func replacing(tb testing.TB, ev events.Event, start, end events.Seq, sources ...events.Seq) func(*eventstest.Script) {
	return func(s *eventstest.Script) {
		put(tb, s, ev, func(e *events.Envelope) { e.Surface, e.Sources = events.SurfaceReplace(start, end), sources })
	}
}

func TestOnlyVisibleEventsHaveASurfaceOp(t *testing.T) {
	with := func(op events.SurfaceOp, sources ...events.Seq) func(*events.Envelope) {
		return func(e *events.Envelope) { e.Surface, e.Sources = op, sources }
	}
	none, appends := events.SurfaceOp{}, events.SurfaceAppend()
	for typ, all := range examples() {
		if !typ.Surface() {
			continue
		}
		checkRules(t, map[string]rule{
			string(typ) + " needs one": {log: inStep, next: func(s *eventstest.Script) { put(t, s, fit(all[0]), with(none)) }, field: "surfaceOp"},
		})
	}
	for typ, all := range examples() {
		if typ.Surface() {
			continue
		}
		checkRules(t, map[string]rule{
			string(typ) + " must not have one":    {log: inStep, next: func(s *eventstest.Script) { put(t, s, all[0], with(appends)) }, field: "surfaceOp"},
			string(typ) + " must not replace":     {log: visible, next: func(s *eventstest.Script) { put(t, s, all[0], with(events.SurfaceReplace(3, 3), 3)) }, field: "surfaceOp"},
			string(typ) + " must not cite others": {log: inStep, next: func(s *eventstest.Script) { put(t, s, all[0], with(none, 0)) }, field: "surfaceOp"},
		})
	}
	checkRules(t, map[string]rule{
		"an event that is known by name must not have one": {next: func(s *eventstest.Script) {
			s.Opaque("todo/write", "{}")
			s.Events[0].Surface = appends
		}, field: "surfaceOp"},
		"what is ignored may carry anything": {log: inStep, next: func(s *eventstest.Script) {
			s.Opaque("someone/else", "{}")
			s.Events[2].Surface, s.Events[2].Sources = appends, []events.Seq{9}
		}},
	})
}

// fit moves an example into step 1 of turn 1.
func fit(ev events.Event) events.Event {
	switch ev := any(ev).(type) {
	case events.SystemMessage:
		ev.Step = 1
		return ev
	case events.DeveloperMessage:
		ev.Step, ev.HeaderSeq = 1, nil
		return ev
	case events.AssistantMessage:
		ev.Step = 1
		return ev
	case events.ToolResult:
		ev.Step = 1
		return ev
	case events.UserMessage:
		return ev
	case events.AgentMessage:
		return ev
	case events.ReviewNotice:
		return ev
	default:
		return nil
	}
}

func TestWhatIsIgnoredNeverTouchesTheSurface(t *testing.T) {
	s := eventstest.NewScript(t, eventstest.Header(t, "s", nil))
	visible(s)
	s.Opaque("someone/else", "{}")
	s.Events[8].Surface = events.SurfaceReplace(3, 4)
	v := after(t, s.Header, s.Events)
	if diff := cmp.Diff([]events.Seq{2, 3, 4, 5, 7}, v.Surface().Nodes()); diff != "" || v.Surface().Generation() != 0 {
		t.Errorf("got generation %d and other nodes than want (-want +got):\n%s", v.Surface().Generation(), diff)
	}
}

func TestAReplacementTakesTheRangeByPosition(t *testing.T) {
	// 8 stands in the place of 3 and 4, so that behind it stand lower seqs.
	replaced := func(s *eventstest.Script) { visible(s); replacing(t, user(), 3, 4, 3, 4)(s) }
	checkRules(t, map[string]rule{
		"one node":                        {log: visible, next: replacing(t, user(), 3, 3, 3)},
		"two nodes":                       {log: visible, next: replacing(t, user(), 3, 4, 3, 4)},
		"to the end":                      {log: visible, next: replacing(t, user(), 3, 7, 3, 4, 5, 7)},
		"start must be visible":           {log: visible, next: replacing(t, user(), 6, 7, 6, 7), field: "surfaceOp.startSeq"},
		"end must be visible":             {log: visible, next: replacing(t, user(), 3, 6, 3, 4, 5), field: "surfaceOp.endSeq"},
		"start must still be visible":     {log: replaced, next: replacing(t, user(), 3, 5, 3, 4, 5), field: "surfaceOp.startSeq"},
		"end must be earlier":             {log: visible, next: replacing(t, user(), 3, 8, 3, 4, 5, 7), field: "surfaceOp.endSeq"},
		"start must be earlier":           {log: visible, next: replacing(t, user(), 8, 8, 3), field: "surfaceOp.startSeq"},
		"start must not stand behind end": {log: visible, next: replacing(t, user(), 4, 3, 3, 4), field: "surfaceOp.startSeq"},
		"start may be the greater number": {log: replaced, next: replacing(t, user(), 8, 5, 8, 5)},
		"and not in the other order":      {log: replaced, next: replacing(t, user(), 5, 8, 8, 5), field: "surfaceOp.startSeq"},
		"on an empty surface nothing is":  {log: inStep, next: replacing(t, user(), 0, 0, 0), field: "surfaceOp.startSeq"},
	})
}

func TestSourcesAreEarlierEvents(t *testing.T) {
	cite := func(sources ...events.Seq) func(*eventstest.Script) {
		return func(s *eventstest.Script) { s.Add(user(), sources...) }
	}
	checkRules(t, map[string]rule{
		"some":                                {log: visible, next: cite(0, 7)},
		"log-only ones, too":                  {log: visible, next: cite(6)},
		"not the event itself":                {log: visible, next: cite(8), field: "sourceEventSeqs"},
		"not later ones":                      {log: visible, next: cite(99), field: "sourceEventSeqs"},
		"not negative ones":                   {log: visible, next: cite(-1), field: "sourceEventSeqs"},
		"none twice":                          {log: visible, next: cite(3, 4, 3), field: "sourceEventSeqs"},
		"all that is replaced":                {log: visible, next: replacing(t, user(), 3, 5, 3, 4, 5)},
		"in any order":                        {log: visible, next: replacing(t, user(), 3, 5, 5, 3, 4)},
		"and more":                            {log: visible, next: replacing(t, user(), 3, 5, 0, 5, 3, 4)},
		"not less":                            {log: visible, next: replacing(t, user(), 3, 5, 3, 5), field: "sourceEventSeqs"},
		"not none":                            {log: visible, next: replacing(t, user(), 3, 5), field: "sourceEventSeqs"},
		"not on an assistant/message":         {log: visible, next: func(s *eventstest.Script) { s.Add(stepEvents(1, 1)["assistant/message"], 3) }, field: "sourceEventSeqs"},
		"so that none replaces what is there": {log: visible, next: replacing(t, stepEvents(1, 1)["assistant/message"], 5, 5, 5), field: "sourceEventSeqs"},
	})
}

func TestAResultReplacesOneVisibleResult(t *testing.T) {
	twoResults := func(s *eventstest.Script) { visible(s); s.Call("d", "bash", "{}"); s.Result("d", "done") } // at 9
	checkRules(t, map[string]rule{
		"one":                                 {log: visible, next: replacing(t, result(), 7, 7, 7)},
		"not two":                             {log: twoResults, next: replacing(t, result(), 7, 9, 7, 9), field: "surfaceOp"},
		"not another message":                 {log: visible, next: replacing(t, result(), 5, 5, 5), field: "surfaceOp"},
		"not one and another message":         {log: visible, next: replacing(t, result(), 5, 7, 5, 7), field: "surfaceOp"},
		"another message may replace results": {log: visible, next: replacing(t, user(), 5, 7, 5, 7)},
		"the new one can be replaced again":   {log: func(s *eventstest.Script) { visible(s); replacing(t, result(), 7, 7, 7)(s) }, next: replacing(t, result(), 8, 8, 8)},
		"the old one cannot":                  {log: func(s *eventstest.Script) { visible(s); replacing(t, result(), 7, 7, 7)(s) }, next: replacing(t, result(), 7, 7, 7), field: "surfaceOp.startSeq"},
		"nor what took a result's place":      {log: func(s *eventstest.Script) { visible(s); replacing(t, user(), 7, 7, 7)(s) }, next: replacing(t, result(), 8, 8, 8), field: "surfaceOp"},
	})
}

func TestAResultThatReplacesAnotherChangesContentOnly(t *testing.T) {
	failed := func(r *events.ToolResult, reason string) {
		r.Message.IsError = true
		r.Error = &events.ToolError{Name: "n", Code: "c", Reason: jsontext.Value(reason)}
	}
	settled := func(s *eventstest.Script) { visible(s); s.Call("d", "bash", "{}"); s.Failed("d", "ABORTED") } // at 9
	rules := map[string]rule{
		"the content":          {log: visible, next: replacing(t, result(), 7, 7, 7)},
		"not another result's": {log: settled, next: replacing(t, result(), 9, 9, 9), field: "data"},
	}
	for name, change := range map[string]func(r *events.ToolResult){
		"not the turn":             func(r *events.ToolResult) { r.Turn = 2 },
		"not the step":             func(r *events.ToolResult) { r.Step = 2 },
		"not the call":             func(r *events.ToolResult) { r.Message.Source.CallID = "d" },
		"not the rest of it":       func(r *events.ToolResult) { r.Message.Source.Form = "x" },
		"not the id":               func(r *events.ToolResult) { r.Message.ID = "other" },
		"not the role":             func(r *events.ToolResult) { r.Message.Role = "user" },
		"not that it failed":       func(r *events.ToolResult) { r.Message.IsError = true },
		"not how":                  func(r *events.ToolResult) { failed(r, `"r"`) },
		"not how, unreadably":      func(r *events.ToolResult) { failed(r, `"\ud83d"`) },
		"not its meta":             func(r *events.ToolResult) { r.Meta = jsontext.Value(`{}`) },
		"not what others added":    func(r *events.ToolResult) { r.Unknown = events.Unknown(`{"x":1}`) },
		"not what is in a message": func(r *events.ToolResult) { r.Message.Unknown = events.Unknown(`{"x":1}`) },
	} {
		r := result()
		change(&r)
		rules[name] = rule{log: visible, next: replacing(t, r, 7, 7, 7), field: "data"}
	}
	checkRules(t, rules)
}

func TestTheSystemMessageAtTheHeadStays(t *testing.T) {
	noSystem := func(s *eventstest.Script) { inStep(s); s.User("one"); s.System("late") } // at 2 and 3
	checkRules(t, map[string]rule{
		"a system message replaces it":              {log: visible, next: replacing(t, system(), 2, 2, 2)},
		"alone":                                     {log: visible, next: replacing(t, system(), 2, 3, 2, 3), field: "surfaceOp"},
		"no other message does":                     {log: visible, next: replacing(t, user(), 2, 2, 2), field: "surfaceOp"},
		"nor one over it and more":                  {log: visible, next: replacing(t, user(), 2, 7, 2, 3, 4, 5, 7), field: "surfaceOp"},
		"the new one stays, too":                    {log: func(s *eventstest.Script) { visible(s); replacing(t, system(), 2, 2, 2)(s) }, next: replacing(t, user(), 8, 8, 8), field: "surfaceOp"},
		"a system message that is not at the head":  {log: noSystem, next: replacing(t, user(), 3, 3, 3)},
		"does not, nor a head that is not one":      {log: noSystem, next: replacing(t, user(), 2, 3, 2, 3)},
		"a head that became a system message does":  {log: func(s *eventstest.Script) { noSystem(s); replacing(t, system(), 2, 2, 2)(s) }, next: replacing(t, user(), 4, 4, 4), field: "surfaceOp"},
		"and may be replaced by a system message":   {log: func(s *eventstest.Script) { noSystem(s); replacing(t, system(), 2, 3, 2, 3)(s) }, next: replacing(t, system(), 4, 4, 4)},
		"a later system message is like any other":  {log: func(s *eventstest.Script) { visible(s); s.System("more") }, next: replacing(t, user(), 8, 8, 8)},
		"a range from it to the end takes it along": {log: func(s *eventstest.Script) { visible(s); s.System("more") }, next: replacing(t, user(), 3, 8, 3, 4, 5, 7, 8)},
	})
}

func TestTheGenerationCountsReplacements(t *testing.T) {
	s := eventstest.NewScript(t, eventstest.Header(t, "s", nil))
	visible(s)
	want := []int{0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2}
	replacing(t, user(), 3, 4, 3, 4)(s)
	replacing(t, result(), 7, 7, 7)(s)
	s.User("three")
	v := events.NewValidator(s.Header)
	for i, e := range s.Events {
		if err := v.Apply(e); err != nil {
			t.Fatal(err)
		}
		if got := v.Surface().Generation(); got != want[i] {
			t.Errorf("got generation %d behind seq %d, want %d", got, i, want[i])
		}
	}
	if diff := cmp.Diff([]events.Seq{2, 8, 5, 9, 10}, v.Surface().Nodes()); diff != "" {
		t.Errorf("got other nodes than want (-want +got):\n%s", diff)
	}
}
