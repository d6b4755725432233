package eventstest_test

import (
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func TestMemoryKeepsTheContractOfLog(t *testing.T) {
	eventstest.TestLog(t, func(testing.TB) events.Log { return &eventstest.Memory{} })
}

func TestMemoryKeepsTheContractOfTail(t *testing.T) {
	eventstest.TestTail(t, func(testing.TB) (events.Log, events.Tail) {
		m := &eventstest.Memory{}
		return m, m
	})
}

func TestMemoryKeepsTheContractOfAudit(t *testing.T) {
	eventstest.TestAudit(t, func(testing.TB) events.Audit { return &eventstest.Memory{} })
}
