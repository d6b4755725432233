package events_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
)

func TestErrorsSayWhatAPersonNeeds(t *testing.T) {
	reason := errors.New("the chain differs")
	for want, err := range map[string]error{
		"data.turn must be 2, is 3":                                       &events.FieldError{Field: "data.turn", Rule: "must be 2, is 3"},
		"session s is at seq 7, not at 3: the log has moved on":           &events.ConflictError{Session: "s", Expected: 3, Actual: 7},
		"session s is corrupt at seq 3: the chain differs":                &events.CorruptError{Session: "s", Seq: 3, Err: reason},
		"session s is corrupt at seq 3 (tool/call): the chain differs":    &events.CorruptError{Session: "s", Seq: 3, Type: "tool/call", Err: reason},
		"the turn is closed":                                              events.Refuse("TURN_CLOSED", "", "the turn is closed"),
		"turn: 3 is closed":                                               events.Refuse("TURN_CLOSED", "turn", "%d is closed", 3),
		`seq 3 has the unknown type "x/y", which is not marked ignorable`: &events.UnknownTypeError{Seq: 3, Type: "x/y"},
	} {
		if err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	}
}

func TestErrorsAreTold(t *testing.T) {
	reason := errors.New("why")
	corrupt := error(&events.CorruptError{Session: "s", Err: reason})
	if !errors.Is(corrupt, events.ErrCorrupt) || !errors.Is(corrupt, reason) || errors.Is(corrupt, events.ErrConflict) {
		t.Errorf("got %v for something else than corrupt, because of its reason", corrupt)
	}
	conflict := error(&events.ConflictError{Session: "s"})
	if !errors.Is(conflict, events.ErrConflict) || errors.Is(conflict, events.ErrCorrupt) {
		t.Errorf("got %v for something else than a conflict", conflict)
	}
}

// An error never repeats a long text of somebody else's whole, and stays text
// where it cuts it.
func TestErrorsClipForeignText(t *testing.T) {
	_, err := decode(events.Format4, line("sandbox/mode", `{"mode":"`+strings.Repeat("é", 5000)+`"}`))
	if err == nil || len(err.Error()) > 300 || !strings.Contains(err.Error(), "10000 bytes") || strings.Contains(err.Error(), "\ufffd") {
		t.Errorf("got %v, want a short error with the length", err)
	}
}

func TestAFindingIsOneLine(t *testing.T) {
	for want, f := range map[string]events.Finding{
		"corrupt: seq 3 (tool/call): the chain differs": {Kind: events.FindingCorrupt, Seq: 3, Type: "tool/call", Problem: "the chain differs"},
		"unproven: seq 0: no seal is there":             {Kind: events.FindingUnproven, Problem: "no seal is there"},
	} {
		if f.String() != want {
			t.Errorf("got %q, want %q", f, want)
		}
	}
}
