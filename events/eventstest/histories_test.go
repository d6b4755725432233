package eventstest_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// TestValidDrawsEveryType looks at a fixed set of draws, so that a type that is
// forgotten in the generator is found each time.
func TestValidDrawsEveryType(t *testing.T) {
	missing := map[events.Type]bool{}
	for _, typ := range events.Types() {
		missing[typ] = true
	}
	for _, elsewhere := range []events.Type{
		events.TypeAssistantChunk, // format 0
		events.TypeProjectSensitiveResources, events.TypeProjectWriteSensitiveResources,
		events.TypeProjectGrant, events.TypeProjectGrantRevoked, // project logs
	} {
		delete(missing, elsewhere)
	}
	logs := rapid.Custom(eventstest.Valid)
	for seed := range 100 {
		for _, e := range logs.Example(seed).Events {
			delete(missing, e.Type())
		}
	}
	for typ := range missing {
		t.Errorf("got no %s in 100 logs", typ)
	}
}
