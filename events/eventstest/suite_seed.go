package eventstest

import (
	"testing"

	"github.com/docket-engine/docket/events"
)

// seedOf declares records as the seed of a log.
func seedOf(records []events.Record) events.Seed {
	return events.Seed{Kind: events.SeedImport, Next: records[len(records)-1].End(), Chain: events.ChainStart().Over(records...)}
}

func seeding(a events.Append) events.Append {
	a.Seeding = true
	return a
}

var seedPromises = []promise{
	{"A log whose seed is incomplete takes appends that say Seeding, up to the end of its seed", func(t *testing.T, log events.Log) {
		records := presets(t, 0, "one", "two", "three")
		id := newSeeded(t, log, seedOf(records))
		for i, a := range []events.Append{unit(t, "a", 0, "one"), unit(t, "b", 1, "two", "three")} {
			opened, err := log.Open(t.Context(), id)
			if err != nil || opened.Complete() {
				t.Fatalf("got complete, %v before append %d, want an incomplete seed", err, i)
			}
			mustAppend(t, log, id, seeding(a))
		}
		opened, err := log.Open(t.Context(), id)
		if err != nil || !opened.Complete() {
			t.Errorf("got incomplete, %v behind the seed, want a complete one", err)
		}
		wantLines(t, log, id, records...)
	}},
	{"Other appends to it are ErrSeedIncomplete", func(t *testing.T, log events.Log) {
		records := presets(t, 0, "one", "two", "three")
		id := newSeeded(t, log, seedOf(records))
		mustAppend(t, log, id, seeding(unit(t, "a", 0, "one")))
		_, err := log.Append(t.Context(), id, unit(t, "b", 1, "two"))
		wantErr(t, err, events.ErrSeedIncomplete)
		_, err = log.Append(t.Context(), id, seeding(unit(t, "c", 1, "two", "three", "too far")))
		wantErr(t, err, events.ErrSeedIncomplete)
		wantLines(t, log, id, records[:1]...)
	}},
	{"A complete seed leaves a log like any other", func(t *testing.T, log events.Log) {
		records := presets(t, 0, "one", "two")
		id := newSeeded(t, log, seedOf(records))
		mustAppend(t, log, id, seeding(unit(t, "a", 0, "one", "two")))
		mustAppend(t, log, id, unit(t, "b", 2, "three"))
		wantLines(t, log, id, presets(t, 0, "one", "two", "three")...)
	}},
	{"An append of the seed is repeatable too, also after the seed is complete", func(t *testing.T, log events.Log) {
		records := presets(t, 0, "one", "two")
		id := newSeeded(t, log, seedOf(records))
		for range 2 {
			mustAppend(t, log, id, seeding(unit(t, "a", 0, "one")))
		}
		mustAppend(t, log, id, seeding(unit(t, "b", 1, "two")))
		mustAppend(t, log, id, unit(t, "c", 2, "three"))
		for range 2 {
			mustAppend(t, log, id, seeding(unit(t, "a", 0, "one")))
			mustAppend(t, log, id, seeding(unit(t, "b", 1, "two")))
		}
		wantLines(t, log, id, presets(t, 0, "one", "two", "three")...)
	}},
	{"An append of the seed at another place is a conflict", func(t *testing.T, log events.Log) {
		records := presets(t, 0, "one", "two", "three", "four")
		id := newSeeded(t, log, seedOf(records))
		mustAppend(t, log, id, seeding(unit(t, "a", 0, "one", "two")))
		for _, next := range []events.Seq{0, 1, 3} {
			_, err := log.Append(t.Context(), id, seeding(unit(t, "b", next, "x")))
			wantConflict(t, err, events.ConflictError{Session: id, Expected: next, Actual: 2})
		}
		wantLines(t, log, id, records[:2]...)
	}},
	{"The seed has to lead to the chain that it declares", func(t *testing.T, log events.Log) {
		id := newSeeded(t, log, seedOf(presets(t, 0, "one", "two")))
		mustAppend(t, log, id, seeding(unit(t, "a", 0, "one")))
		_, err := log.Append(t.Context(), id, seeding(unit(t, "b", 1, "another")))
		wantFieldError(t, err)
		wantLines(t, log, id, presets(t, 0, "one")...)
		mustAppend(t, log, id, seeding(unit(t, "b", 1, "two")))
		wantLines(t, log, id, presets(t, 0, "one", "two")...)
	}},
	{"A seed may declare no chain", func(t *testing.T, log events.Log) {
		id := newSeeded(t, log, events.Seed{Kind: events.SeedImport, Next: 2})
		mustAppend(t, log, id, seeding(unit(t, "a", 0, "one", "two")))
		mustAppend(t, log, id, unit(t, "b", 2, "three"))
		wantLines(t, log, id, presets(t, 0, "one", "two", "three")...)
	}},
	{"Behind the end of the seed nothing says Seeding", func(t *testing.T, log events.Log) {
		records := presets(t, 0, "one")
		for _, id := range []events.SessionID{newSession(t, log), newSeeded(t, log, seedOf(records))} {
			opened, err := log.Open(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if !opened.Complete() {
				mustAppend(t, log, id, seeding(unit(t, "a", 0, "one")))
			} else {
				mustAppend(t, log, id, unit(t, "a", 0, "one"))
			}
			_, err = log.Append(t.Context(), id, seeding(unit(t, "b", 1, "two")))
			wantFieldError(t, err)
			wantLines(t, log, id, records...)
		}
	}},
	{"A log with an incomplete seed can be read", func(t *testing.T, log events.Log) {
		records := presets(t, 0, "one", "two", "three")
		id := newSeeded(t, log, seedOf(records))
		wantLines(t, log, id)
		mustAppend(t, log, id, seeding(unit(t, "a", 0, "one", "two")))
		wantLines(t, log, id, records[:2]...)
	}},
}
