package eventstest

import (
	"testing"

	"github.com/docket-engine/docket/events"
)

// Check reads a whole stored log and fails unless it is gapless and decodable,
// has the head that Open says, holds the seed that it declares, and is accepted
// by the [events.Validator]. It gives the log's events.
func Check(tb testing.TB, log events.Log, id events.SessionID) []events.Envelope {
	tb.Helper()
	opened, err := log.Open(tb.Context(), id)
	if err != nil {
		tb.Fatalf("check session %s: open: %v", id, err)
	}
	found, err := read(tb.Context(), log, id, 0)
	if err != nil {
		tb.Fatalf("check session %s: read: %v", id, err)
	}
	decoded := validate(tb, opened, found)
	head := headOf(tb, found, opened.Seed)
	if head != opened.Head {
		tb.Errorf("check session %s: got records up to %d with chain %s, open says %d with %s",
			id, head.Next, head.Chain, opened.Head.Next, opened.Head.Chain)
	}
	return decoded
}

// validate holds records against the rules of a session's log.
func validate(tb testing.TB, opened events.Opened, records []events.Record) []events.Envelope {
	tb.Helper()
	id := opened.Header.ID
	v := events.NewValidator(opened.Header)
	var decoded []events.Envelope
	for _, r := range records {
		es, err := v.Record(r)
		if err != nil {
			tb.Fatalf("check session %s: seq %d: %v\n%s", id, r.Seq, err, r.Line)
		}
		decoded = append(decoded, es...)
	}
	if err := v.Finish(); err != nil && opened.Complete() {
		tb.Errorf("check session %s: %v", id, err)
	}
	return decoded
}

// headOf adds records up, and compares the place where the seed ends with what
// it declared.
func headOf(tb testing.TB, records []events.Record, seed events.Seed) events.Head {
	tb.Helper()
	head := events.Head{Chain: events.ChainStart()}
	for _, r := range records {
		head = events.Head{Next: r.End(), Chain: head.Chain.Over(r)}
		if head.Next == seed.Next && seed.Chain != (events.Chain{}) && head.Chain != seed.Chain {
			tb.Errorf("got chain %s at the end of the seed, it declares %s", head.Chain, seed.Chain)
		}
	}
	return head
}
