package jetstream_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

func TestLogKeepsTheContractOfAudit(t *testing.T) {
	t.Parallel()
	nc := newStore(t).nc
	eventstest.TestAudit(t, func(tb testing.TB) events.Audit { return logOn(tb, nc) })
}

func reviewed(t *testing.T, log *jetstream.Log, id events.SessionID) []events.ReviewRecord {
	t.Helper()
	var out []events.ReviewRecord
	for r, err := range log.Reviews(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func mustRecord(t *testing.T, log *jetstream.Log, r events.ReviewRecord) {
	t.Helper()
	if err := log.RecordReview(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

// inner is the record of an inner call's review, in a schema's own spelling.
func inner(id events.SessionID) events.ReviewRecord {
	r := eventstest.Review(id, "c1:ptc:1")
	r.Mode = "ptc-inner"
	r.Schema = &events.ReviewSchema{Name: "read", Parameters: jsontext.Value(`{"title":"\u0061","maximum":1e2}`)}
	return r
}

func TestAReviewRecordIsSignedAndSaysNothingElse(t *testing.T) {
	s := newStore(t)
	mustRecord(t, logOn(t, s.nc), inner("s1"))
	got := reviewed(t, logOn(t, s.nc), "s1")
	if len(got) != 1 || got[0].Sig == "" {
		t.Fatalf("got %v, want one that is signed", got)
	}
	var members map[string]any
	stored := messagesOf(t, streams(t, s.nc), jetstream.AuditStream, "audit.review.s1")
	if err := json.Unmarshal(stored[0].Data, &members); err != nil {
		t.Fatal(err)
	}
	for name := range members {
		switch name {
		case "session", "turn", "step", "callId", "mode", "name", "reviewer", "route", "asOfSeq", "digest", "schema", "outcome", "startedAt", "endedAt", "sig":
		default:
			t.Errorf("the stored record has the member %s", name)
		}
	}
}

func TestReviewRecordsAndSealsDoNotMeet(t *testing.T) {
	s := newStore(t)
	log, flush := closing(t, jetstream.LogConfig{Conn: s.nc, Keys: testKeys(t)})
	create(t, log, "s1")
	mustAppend(t, log, "s1", turns(t, "a", 0, 1, 1))
	mustRecord(t, log, eventstest.Review("s1", "c1"))
	flush()
	log = logOn(t, s.nc)
	if seals, records := sealed(t, log, "s1"), reviewed(t, log, "s1"); len(seals) != 1 || len(records) != 1 {
		t.Errorf("got %d seals and %d review records, want one of each", len(seals), len(records))
	}
	if found := verified(t, log, "s1"); len(found) > 0 {
		t.Errorf("verify: got %v, want nothing", found)
	}
}

func TestAReviewRecordThatTheEngineDidNotMakeIsCorrupt(t *testing.T) {
	swap := func(old, new string) func(string) string {
		return func(good string) string { return strings.Replace(good, old, new, 1) }
	}
	for name, forge := range map[string]func(good string) string{
		"another session":  swap(`"session":"s1"`, `"session":"s2"`),
		"another outcome":  swap(`"outcome":"allow"`, `"outcome":"cancelled"`),
		"another digest":   swap(`"digest":"0a`, `"digest":"0b`),
		"another spelling": swap(`\u0061`, `a`),
		"another member":   swap(`{"session"`, `{"reason":"x","session"`),
		"a member twice":   swap(`{"session"`, `{"turn":1,"session"`),
		"no signature":     func(s string) string { return s[:strings.Index(s, `,"sig"`)] + "}" },
		"no record":        func(string) string { return "x" },
		"nothing":          func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			s, other := newStore(t), newStore(t)
			mustRecord(t, logOn(t, s.nc), inner("s1"))
			good := messagesOf(t, streams(t, s.nc), jetstream.AuditStream, "audit.review.s1")[0]
			forged := forge(string(good.Data))
			if forged == string(good.Data) {
				t.Fatal("nothing was forged")
			}
			publish(t, streams(t, other.nc), "audit.review.s1", forged)
			wantCorruptReviews(t, logOn(t, other.nc), "s1")
		})
	}
}

func wantCorruptReviews(t *testing.T, log *jetstream.Log, id events.SessionID) {
	t.Helper()
	yielded := 0
	for r, err := range log.Reviews(t.Context(), id) {
		yielded++
		if !errors.Is(err, events.ErrCorrupt) || r.CallID != "" {
			t.Errorf("got %v, %v, want a corrupt record", r, err)
		}
	}
	if yielded != 1 {
		t.Errorf("got %d, want one error", yielded)
	}
}

func TestAReviewRecordStaysWithItsSession(t *testing.T) {
	s := newStore(t)
	mustRecord(t, logOn(t, s.nc), inner("s1"))
	good := messagesOf(t, streams(t, s.nc), jetstream.AuditStream, "audit.review.s1")[0]
	publish(t, streams(t, s.nc), "audit.review.s2", string(good.Data))
	wantCorruptReviews(t, logOn(t, s.nc), "s2")
}

func TestAReviewRecordOfAnotherEngineNeedsItsKey(t *testing.T) {
	s := newStore(t)
	mustRecord(t, logOn(t, s.nc), inner("s1"))
	stranger, err := jetstream.TrustedKeys()
	if err != nil {
		t.Fatal(err)
	}
	wantCorruptReviews(t, newLog(t, jetstream.LogConfig{Conn: s.nc, Keys: stranger}), "s1")
	if err := newLog(t, jetstream.LogConfig{Conn: s.nc, Keys: stranger}).RecordReview(t.Context(), inner("s1")); err == nil {
		t.Error("a record was written without a key")
	}
}

func TestALostReviewRecordIsSentAgainAndARepeatedOneStoredOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		log, wire := s.behindWire(t)
		asked := 0
		wire.Sent(func(p *jetstreamtest.Passing) bool {
			if strings.HasPrefix(p.Subject, "audit.review.") {
				asked++
				return asked > 1
			}
			return true
		})
		mustRecord(t, log, inner("s1"))
		r := inner("s1")
		mustRecord(t, log, r)
		if got := reviewed(t, logOn(t, s.nc), "s1"); len(got) != 1 || asked != 3 {
			t.Errorf("got %d records after %d publishes, want one after 3", len(got), asked)
		}
	})
}

func TestAReviewRecordThatDoesNotFitIsTooLarge(t *testing.T) {
	s := newStore(t)
	r := inner("s1")
	r.Schema.Description = new(strings.Repeat("x", 1<<20))
	if err := logOn(t, s.nc).RecordReview(t.Context(), r); !errors.Is(err, events.ErrTooLarge) {
		t.Errorf("got %v, want too large", err)
	}
}
