package events_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func TestSeqsHaveNoGaps(t *testing.T) {
	at := func(seq events.Seq) func(*eventstest.Script) {
		return func(s *eventstest.Script) {
			put(t, s, events.PermissionPreset{Preset: "p"}, func(e *events.Envelope) { e.Seq = seq })
		}
	}
	two := func(s *eventstest.Script) { s.Add(events.EndSeed{}); s.Add(events.EndSeed{}) }
	checkRules(t, map[string]rule{
		"the first is 0":     {next: at(0)},
		"the first is not 1": {next: at(1), field: "seq"},
		"the third is 2":     {log: two, next: at(2)},
		"the third is not 1": {log: two, next: at(1), field: "seq"},
		"the third is not 3": {log: two, next: at(3), field: "seq"},
	})
}

func TestASeededLogIsNotFinishedBeforeItsSeedEnds(t *testing.T) {
	seeded := func(h *events.Header) { h.IsSeeded = new(true) }
	cases := map[string]struct {
		header func(*events.Header)
		log    func(*eventstest.Script)
		err    error
	}{
		"an empty log":                   {nil, func(*eventstest.Script) {}, nil},
		"an open turn and step":          {nil, withCall, nil},
		"an empty fork":                  {seeded, func(*eventstest.Script) {}, events.ErrSeedIncomplete},
		"a fork without its end":         {seeded, withCall, events.ErrSeedIncomplete},
		"a fork with the end of restart": {seeded, add(events.EndSeed{}), events.ErrSeedIncomplete},
		"a fork with its end":            {seeded, add(events.EndSeed{Inherited: true}), nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := eventstest.NewScript(t, eventstest.Header(t, "s", c.header))
			c.log(s)
			if err := after(t, s.Header, s.Events).Finish(); !errors.Is(err, c.err) {
				t.Errorf("got %v, want %v", err, c.err)
			}
		})
	}
}

func TestTheValidatorSaysWhatIsOpen(t *testing.T) {
	type state struct {
		Turn, Step         int
		TurnOpen, StepOpen bool
		Next, Inherited    events.Seq
	}
	s := eventstest.NewScript(t, eventstest.Header(t, "s", func(h *events.Header) { h.IsSeeded = new(true) }))
	s.StartTurn()
	s.EndTurn(events.EndCompleted)
	s.Add(events.EndSeed{Inherited: true})
	s.StartTurn()
	s.StartStep()
	s.EndStep()
	s.EndTurn(events.EndCompleted)
	want := []state{
		{Turn: 1, TurnOpen: true, Next: 1},
		{Turn: 1, Next: 2},
		{Turn: 1, Next: 3, Inherited: 2},
		{Turn: 2, TurnOpen: true, Next: 4, Inherited: 2},
		{Turn: 2, Step: 1, TurnOpen: true, StepOpen: true, Next: 5, Inherited: 2},
		{Turn: 2, Step: 1, TurnOpen: true, Next: 6, Inherited: 2},
		{Turn: 2, Step: 1, Next: 7, Inherited: 2},
	}
	v := events.NewValidator(s.Header)
	for i, e := range s.Events {
		if err := v.Apply(e); err != nil {
			t.Fatal(err)
		}
		got := state{Next: v.Next(), Inherited: v.InheritedCount()}
		got.Turn, got.TurnOpen = v.OpenTurn()
		_, got.Step, got.StepOpen = v.OpenStep()
		if diff := cmp.Diff(want[i], got); diff != "" {
			t.Errorf("got another state behind seq %d than want (-want +got):\n%s", i, diff)
		}
	}
}

func TestARecordMustBeWhereItSays(t *testing.T) {
	good := eventstest.Record(t, 0, events.PermissionPreset{Preset: "p"})
	elsewhere, twice := good, good
	elsewhere.Seq = 1
	twice.Count = 2
	for name, r := range map[string]events.Record{"another seq": elsewhere, "another count": twice} {
		t.Run(name, func(t *testing.T) {
			v := events.NewValidator(eventstest.Header(t, "s", nil))
			_, err := v.Record(r)
			if _, ok := errors.AsType[*events.FieldError](err); !ok || v.Next() != 0 {
				t.Errorf("got %v at %d, want a field error at 0", err, v.Next())
			}
		})
	}
}

// A frame is taken or refused as one: whichever of its events breaks a rule, the
// ones before it are taken back.
func TestApplyIsAllOrNone(t *testing.T) {
	frames := map[string]func(*eventstest.Script){
		"turns and steps": func(s *eventstest.Script) {
			s.EndStep()
			s.EndTurn(events.EndCompleted)
			inStep(s)
			s.Call("new", "bash", "{}")
		},
		"questions": func(s *eventstest.Script) {
			s.Add(events.ApprovalAsked{ID: "a", ToolName: "bash"})
			s.Add(events.ApprovalDecided{ID: "a", Outcome: events.OutcomeRejected})
			s.Add(events.ApprovalDecided{ID: "old", Outcome: events.OutcomeRejected})
		},
		"calls and headers": func(s *eventstest.Script) {
			s.Call("c", "bash", "{}")
			s.Call("d", "bash", "{}")
			s.Add(examples()[events.TypeRequestHeader][0])
			s.Add(events.EndSeed{Inherited: true})
		},
		"replacements": func(s *eventstest.Script) {
			replacing(t, result(), 7, 7, 7)(s)
			replacing(t, user(), 3, 9, 3, 4, 5, 9)(s)
			replacing(t, system(), 2, 2, 2)(s)
			s.User("more")
			replacing(t, user(), 10, 12, 10, 12)(s)
		},
	}
	for name, frame := range frames {
		t.Run(name, func(t *testing.T) {
			s := eventstest.NewScript(t, eventstest.Header(t, "s", func(h *events.Header) { h.IsSeeded = new(true) }))
			visible(s)
			s.Add(events.ApprovalAsked{ID: "old", ToolName: "bash"})
			before := len(s.Events)
			frame(s)
			for cut := before; cut <= len(s.Events); cut++ {
				v, want := after(t, s.Header, s.Events[:before]), after(t, s.Header, s.Events[:before])
				bad := eventstest.Envelope(t, events.Seq(cut), events.TurnStart{Turn: 99})
				if err := v.Apply(append(append([]events.Envelope{}, s.Events[before:cut]...), bad)...); err == nil {
					t.Fatalf("got no error for turn 99 at %d", cut)
				}
				sameState(t, v, want)
				if err := v.Apply(s.Events[before:]...); err != nil {
					t.Fatalf("got %v behind what was refused, want none", err)
				}
				sameState(t, v, after(t, s.Header, s.Events))
			}
		})
	}
}

func TestStageIsTakenBack(t *testing.T) {
	s := eventstest.NewScript(t, eventstest.Header(t, "s", nil))
	visible(s)
	for cut := range len(s.Events) + 1 {
		v := after(t, s.Header, s.Events[:cut])
		undo, err := v.Stage(s.Events[cut:]...)
		if err != nil {
			t.Fatal(err)
		}
		sameState(t, v, after(t, s.Header, s.Events))
		undo()
		sameState(t, v, after(t, s.Header, s.Events[:cut]))
	}
}

func TestApplyOfNothingIsNothing(t *testing.T) {
	s := eventstest.NewScript(t, eventstest.Header(t, "s", nil))
	visible(s)
	v := after(t, s.Header, s.Events)
	if err := v.Apply(); err != nil {
		t.Error(err)
	}
	sameState(t, v, after(t, s.Header, s.Events))
}
