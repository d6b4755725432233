package lineage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
)

func TestRepairLeavesABalancedLogWhereverItWasCut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := eventstest.Valid(rt)
		es := validate(rt, s.Header, s.Records()...)
		cut := events.Seq(rapid.IntRange(0, len(es)).Draw(rt, "cut"))
		closers, err := lineage.Repair(fold(es[:cut]))
		if err != nil {
			rt.Fatal(err)
		}
		v := events.NewValidator(s.Header)
		whole := append(es[:cut:cut], closers...)
		if err := v.Apply(whole...); err != nil {
			rt.Fatalf("the log that was cut at %d and repaired is not valid: %v", cut, err)
		}
		again, err := lineage.Repair(fold(whole))
		if err != nil || len(again) > 0 {
			rt.Fatalf("got %v, %v for a repaired log, want nothing", describeAll(again), err)
		}
		for _, e := range closers {
			if e.Time != es[cut-1].Time {
				rt.Errorf("got time %d at seq %d, want the last event's, %d", e.Time, e.Seq, es[cut-1].Time)
			}
		}
	})
}

// TestRepairIsThatOfTheReference cuts the recorded log of a killed harness where
// it was killed, and compares what the harness appended at its restart.
func TestRepairIsThatOfTheReference(t *testing.T) {
	const killed = 94
	h, records := recorded(t, "crash.jsonl")
	var before []events.Record
	for _, r := range records {
		if r.End() <= killed {
			before = append(before, r)
		}
	}
	all := validate(t, h, records...)
	closers, err := lineage.Repair(fold(validate(t, h, before...)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(describeAll(all[killed:killed+4]), describeAll(closers)); diff != "" {
		t.Errorf("got other closers than the reference (-reference +ours):\n%s", diff)
	}
	for i, e := range closers {
		ours, isResult := e.Event.(events.ToolResult)
		if !isResult {
			continue
		}
		theirs, _ := all[killed+i].Event.(events.ToolResult)
		if ours.Message.ID != theirs.Message.ID || ours.Error.Name != theirs.Error.Name || !ours.Message.IsError {
			t.Errorf("got %s %s, want %s %s", ours.Message.ID, ours.Error.Name, theirs.Message.ID, theirs.Error.Name)
		}
	}
}
