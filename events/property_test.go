package events_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func TestRandomValidLogsAreAccepted(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := eventstest.Valid(rt)
		v := events.NewValidator(log.Header)
		for _, r := range log.Records() {
			if _, err := v.Record(r); err != nil {
				rt.Fatalf("seq %d: %v\n%s", r.Seq, err, r.Line)
			}
		}
		if err := v.Finish(); err != nil {
			rt.Fatal(err)
		}
	})
}
