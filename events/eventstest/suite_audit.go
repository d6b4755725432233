package eventstest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/docket-engine/docket/events"
)

// TestAudit holds a store against every sentence of [events.Audit] about review
// records. open gives a store that other subtests may have used.
func TestAudit(t *testing.T, open func(testing.TB) events.Audit) {
	for _, p := range auditPromises {
		t.Run(p.sentence, func(t *testing.T) { p.holds(t, open(t)) })
	}
}

type auditPromise struct {
	sentence string
	holds    func(t *testing.T, audit events.Audit)
}

var auditPromises = []auditPromise{
	{"Reviews yields a session's records whole and in the order in which they were recorded", func(t *testing.T, audit events.Audit) {
		id, other := newID(), newID()
		want := []events.ReviewRecord{Review(id, "c1"), failedReview(id), innerReview(id)}
		for _, r := range want {
			record(t, audit, Review(other, "other"))
			record(t, audit, r)
		}
		wantReviews(t, audit, id, want...)
	}},
	{"Reviews yields nothing for a session without records", func(t *testing.T, audit events.Audit) {
		wantReviews(t, audit, newID())
	}},
	{"Reviews yields what is stored when it is called, however many", func(t *testing.T, audit events.Audit) {
		id := newID()
		var want []events.ReviewRecord
		for i := range 70 {
			r := Review(id, "c")
			r.Step = i + 1
			want = append(want, r)
			record(t, audit, r)
		}
		wantReviews(t, audit, id, want...)
	}},
	{"a record that breaks a rule is a field error and not stored", func(t *testing.T, audit events.Audit) {
		r := Review(newID(), "c1")
		r.Digest = strings.ToUpper(r.Digest)
		err := audit.RecordReview(t.Context(), r)
		if f, ok := errors.AsType[*events.FieldError](err); !ok || f.Field != "digest" {
			t.Errorf("got %v, want a field error about digest", err)
		}
		wantReviews(t, audit, r.Session)
	}},
	{"an id that cannot be one is an error", func(t *testing.T, audit events.Audit) {
		if _, err := reviews(t.Context(), audit, "a.b"); err == nil {
			t.Error("got nothing, want an error")
		}
	}},
	{"an ended context is an error", func(t *testing.T, audit events.Audit) {
		r := Review(newID(), "c1")
		record(t, audit, r)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := audit.RecordReview(ctx, r); !errors.Is(err, context.Canceled) {
			t.Errorf("record: got %v, want the cancellation", err)
		}
		if _, err := reviews(ctx, audit, r.Session); !errors.Is(err, context.Canceled) {
			t.Errorf("read: got %v, want the cancellation", err)
		}
	}},
	{"records do not alias what the caller may change", func(t *testing.T, audit events.Audit) {
		id := newID()
		r, want := innerReview(id), innerReview(id)
		record(t, audit, r)
		r.Schema.Parameters[0], *r.Schema.Description, r.Usage.Input = '!', "other", 0
		wantReviews(t, audit, id, want)
	}},
}

// Review is the record of an allowed native call.
func Review(id events.SessionID, call string) events.ReviewRecord {
	return events.ReviewRecord{
		Session: id, Turn: 1, Step: 1, CallID: call, Mode: "native", Name: "read", Reviewer: "auto", Route: "provider/model",
		AsOfSeq: 7, Digest: strings.Repeat("0a", 32), Outcome: events.VerdictAllow, StartedAt: Epoch, EndedAt: Epoch + 5,
	}
}

func failedReview(id events.SessionID) events.ReviewRecord {
	r := Review(id, "c2")
	r.Route, r.Digest, r.Outcome = "", "", events.VerdictFailure
	r.Failure = &events.ReviewFailureCode{Class: "inconsistent-log", Code: "CWD_MISSING"}
	return r
}

func innerReview(id events.SessionID) events.ReviewRecord {
	r := Review(id, "c3:ptc:1")
	r.Mode, r.Outcome, r.Usage = "ptc-inner", events.VerdictDeny, &events.ReviewUsage{Input: 4000, Output: 12}
	r.Schema = &events.ReviewSchema{
		Name: "read", Description: new("reads a file"),
		Parameters: jsontext.Value(`{"type":"object","title":"\u0061\/","maximum":1e2}`),
	}
	return r
}

func record(tb testing.TB, audit events.Audit, r events.ReviewRecord) {
	tb.Helper()
	if err := audit.RecordReview(tb.Context(), r); err != nil {
		tb.Fatalf("record the review of %s: %v", r.CallID, err)
	}
}

// reviews collects what Reviews yields, up to an error.
func reviews(ctx context.Context, audit events.Audit, id events.SessionID) ([]events.ReviewRecord, error) {
	var out []events.ReviewRecord
	for r, err := range audit.Reviews(ctx, id) {
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

// wantReviews compares everything but the signatures, which not every store has.
func wantReviews(tb testing.TB, audit events.Audit, id events.SessionID, want ...events.ReviewRecord) {
	tb.Helper()
	got, err := reviews(tb.Context(), audit, id)
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(events.ReviewRecord{}, "Sig")); diff != "" {
		tb.Errorf("review records (-want +got):\n%s", diff)
	}
}
