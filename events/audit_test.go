package events_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

func goodReview() events.ReviewRecord {
	return events.ReviewRecord{
		Session: "s1", Turn: 1, Step: 2, CallID: "c1", Mode: "ptc-inner", Reviewer: "auto", Route: "provider/model", AsOfSeq: 0,
		Digest: strings.Repeat("0f", 32), Outcome: events.VerdictFailure, StartedAt: 1, EndedAt: 1,
		Failure: &events.ReviewFailureCode{Class: "malformed", Code: "RESULT_NOT_JSON"},
		Schema:  &events.ReviewSchema{}, Usage: &events.ReviewUsage{},
	}
}

func TestAReviewRecordNamesTheMemberThatBreaksARule(t *testing.T) {
	outcome := func(r *events.ReviewRecord, o string) { r.Outcome, r.Failure = o, nil }
	for name, tt := range map[string]struct {
		change func(r *events.ReviewRecord)
		field  string
	}{
		"a whole one":                       {func(*events.ReviewRecord) {}, ""},
		"a cancelled one without a request": {func(r *events.ReviewRecord) { outcome(r, "cancelled"); r.Route, r.Digest = "", "" }, ""},
		"a session that is no id":           {func(r *events.ReviewRecord) { r.Session = "a.b" }, "session.id"},
		"no turn":                           {func(r *events.ReviewRecord) { r.Turn = 0 }, "turn"},
		"no step":                           {func(r *events.ReviewRecord) { r.Step = 0 }, "step"},
		"no call":                           {func(r *events.ReviewRecord) { r.CallID = "" }, "callId"},
		"another mode":                      {func(r *events.ReviewRecord) { r.Mode = "read-only" }, "mode"},
		"no reviewer":                       {func(r *events.ReviewRecord) { r.Reviewer = "" }, "reviewer"},
		"a negative seq":                    {func(r *events.ReviewRecord) { r.AsOfSeq = -1 }, "asOfSeq"},
		"no outcome":                        {func(r *events.ReviewRecord) { r.Outcome = "" }, "outcome"},
		"a route without a digest":          {func(r *events.ReviewRecord) { r.Digest = "" }, "route"},
		"an allow without a request":        {func(r *events.ReviewRecord) { outcome(r, "allow"); r.Route, r.Digest = "", "" }, "digest"},
		"a denial without a request":        {func(r *events.ReviewRecord) { outcome(r, "deny"); r.Route, r.Digest = "", "" }, "digest"},
		"a short digest":                    {func(r *events.ReviewRecord) { r.Digest = "0f" }, "digest"},
		"a digest of other letters":         {func(r *events.ReviewRecord) { r.Digest = strings.Repeat("0g", 32) }, "digest"},
		"a failure of a denial":             {func(r *events.ReviewRecord) { r.Outcome = "deny" }, "failure"},
		"a failure that is not named":       {func(r *events.ReviewRecord) { r.Failure = nil }, "failure"},
		"a failure without a class":         {func(r *events.ReviewRecord) { r.Failure.Class = "" }, "failure.class"},
		"a failure without a code":          {func(r *events.ReviewRecord) { r.Failure.Code = "" }, "failure.code"},
		"the schema of a native call":       {func(r *events.ReviewRecord) { r.Mode = "native" }, "schema"},
		"parameters that are no JSON":       {func(r *events.ReviewRecord) { r.Schema.Parameters = jsontext.Value(`{"a":1,"a":1}`) }, "schema.parameters.a"},
		"a start before 1970":               {func(r *events.ReviewRecord) { r.StartedAt = -1 }, "startedAt"},
		"an end before its start":           {func(r *events.ReviewRecord) { r.EndedAt = 0 }, "endedAt"},
		"a negative usage":                  {func(r *events.ReviewRecord) { r.Usage.Output = -1 }, "usage"},
	} {
		t.Run(name, func(t *testing.T) {
			r := goodReview()
			tt.change(&r)
			err := r.Check()
			f, _ := errors.AsType[*events.FieldError](err)
			switch {
			case tt.field == "" && err != nil:
				t.Errorf("got %v, want nothing", err)
			case tt.field != "" && (f == nil || f.Field != tt.field):
				t.Errorf("got %v, want a field error about %s", err, tt.field)
			}
		})
	}
}
