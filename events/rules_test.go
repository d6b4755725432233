package events_test

import (
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// rule is a log that is valid, what comes next, and which field it breaks a rule
// with; an empty field where it breaks none.
type rule struct {
	header func(*events.Header)
	log    func(s *eventstest.Script)
	next   func(s *eventstest.Script)
	field  string
}

// checkRules holds the validator against rules: it accepts or refuses what comes
// next, and where it refuses, all that it holds is as it was.
func checkRules(t *testing.T, rules map[string]rule) {
	t.Helper()
	for name, r := range rules {
		t.Run(name, func(t *testing.T) {
			s := eventstest.NewScript(t, eventstest.Header(t, "s", r.header))
			if r.log != nil {
				r.log(s)
			}
			before := len(s.Events)
			r.next(s)
			v, want := after(t, s.Header, s.Events[:before]), after(t, s.Header, s.Events[:before])
			err := v.Apply(s.Events[before:]...)
			wantField(t, err, r.field)
			if err != nil {
				sameState(t, v, want)
			}
		})
	}
}

// after is a validator behind events that it accepts.
func after(tb testing.TB, h events.Header, es []events.Envelope) *events.Validator {
	tb.Helper()
	v := events.NewValidator(h)
	for _, e := range es {
		if err := v.Apply(e); err != nil {
			tb.Fatalf("seq %d (%s): %v", e.Seq, e.Type(), err)
		}
	}
	return v
}

// put adds an event with anything about it changed.
func put(tb testing.TB, s *eventstest.Script, ev events.Event, change func(*events.Envelope)) {
	tb.Helper()
	e := eventstest.Envelope(tb, s.Next(), ev)
	change(&e)
	s.Events = append(s.Events, e)
}

// inStep opens a turn and a step.
func inStep(s *eventstest.Script) {
	s.StartTurn()
	s.StartStep()
}

// inSecondStep opens the second step of the second turn.
func inSecondStep(s *eventstest.Script) {
	inStep(s)
	s.EndStep()
	s.EndTurn(events.EndCompleted)
	inStep(s)
	s.EndStep()
	s.StartStep()
}

// add is a rule's next that is one event.
func add(ev events.Event) func(*eventstest.Script) {
	return func(s *eventstest.Script) { s.Add(ev) }
}
