package approvals_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/approvals"
)

func TestRepliesAreReadAndWritten(t *testing.T) {
	for wire, tc := range map[string]struct {
		want approvals.Reply
		back string // "" for the same
	}{
		`{"reply":"once"}`:                    {approvals.Reply{Kind: approvals.ReplyOnce}, ""},
		`{"reply":"always"}`:                  {approvals.Reply{Kind: approvals.ReplyAlways}, ""},
		`{"reply":"reject"}`:                  {approvals.Reply{Kind: approvals.ReplyReject}, ""},
		`{"reply":"once","feedback":"use a"}`: {approvals.Reply{Kind: approvals.ReplyOnce, Feedback: "use a"}, ""},
		`{"reply":"always","feedback":" x "}`: {approvals.Reply{Kind: approvals.ReplyAlways, Feedback: " x "}, ""},
		`{"reply":"reject","feedback":"不要"}`:  {approvals.Reply{Kind: approvals.ReplyReject, Feedback: "不要"}, ""},
		`{"feedback":" \t\n","reply":"once"}`: {approvals.Reply{Kind: approvals.ReplyOnce}, `{"reply":"once"}`},
		`"once"`:                              {approvals.Reply{Kind: approvals.ReplyOnce}, `{"reply":"once"}`},
		` "reject" `:                          {approvals.Reply{Kind: approvals.ReplyReject}, `{"reply":"reject"}`},
	} {
		t.Run(wire, func(t *testing.T) {
			got, err := approvals.ParseReply([]byte(wire))
			if err != nil {
				t.Fatal(err)
			}
			if got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
			back, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			if tc.back == "" {
				tc.back = wire
			}
			if string(back) != tc.back {
				t.Errorf("got %s back, want %s", back, tc.back)
			}
		})
	}
}

func TestRepliesAreRefused(t *testing.T) {
	for wire, code := range map[string]string{
		``:                                     approvals.CodeBadReply,
		`null`:                                 approvals.CodeBadReply,
		`{}`:                                   approvals.CodeBadReply,
		`[]`:                                   approvals.CodeBadReply,
		`"allow"`:                              approvals.CodeBadReply,
		`"Once"`:                               approvals.CodeBadReply,
		`{"reply":"ONCE"}`:                     approvals.CodeBadReply,
		`{"Reply":"once"}`:                     approvals.CodeBadReply,
		`{"reply":null}`:                       approvals.CodeBadReply,
		`{"reply":1}`:                          approvals.CodeBadReply,
		`{"reply":"once","feedback":null}`:     approvals.CodeBadReply,
		`{"reply":"once","feedback":1}`:        approvals.CodeBadReply,
		`{"reply":"once","scope":"always"}`:    approvals.CodeBadReply,
		`{"reply":"once","pattern":"*"}`:       approvals.CodeBadReply,
		`{"reply":"once","reply":"always"}`:    approvals.CodeBadReply,
		`{"reply":"once"} {"reply":"once"}`:    approvals.CodeBadReply,
		`{"reply":"once","feedback":"\ud800"}`: approvals.CodeBadReply,
		"{\"reply\":\"once\",\"feedback\":\"\xff\"}":                                     approvals.CodeBadReply,
		`{"reply":"once","feedback":"` + strings.Repeat("x", approvals.MaxNote+1) + `"}`: approvals.CodeNoteTooLong,
	} {
		_, err := approvals.ParseReply([]byte(wire))
		wantCode(t, err, code)
	}
}

func TestABatchIsReadWholeOrRefused(t *testing.T) {
	wire := `{"answers":[
		{"id":"q1","reply":"once","hash":"h1"},
		{"id":"q2","reply":"reject","feedback":"no","hash":"h2"},
		{"id":"q3","reply":{"reply":"always","feedback":"yes"},"hash":"h3"},
		{"id":"q4","reply":{"reply":"once"}}]}`
	got, err := approvals.ParseAnswers([]byte(wire), "ann")
	if err != nil {
		t.Fatal(err)
	}
	want := []approvals.Answer{
		{ID: "q1", Reply: approvals.Reply{Kind: approvals.ReplyOnce}, Hash: "h1", By: "ann"},
		{ID: "q2", Reply: approvals.Reply{Kind: approvals.ReplyReject, Feedback: "no"}, Hash: "h2", By: "ann"},
		{ID: "q3", Reply: approvals.Reply{Kind: approvals.ReplyAlways, Feedback: "yes"}, Hash: "h3", By: "ann"},
		{ID: "q4", Reply: approvals.Reply{Kind: approvals.ReplyOnce}, By: "ann"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("got other answers (-want +got):\n%s", diff)
	}
	many := strings.Repeat(`{"id":"q","reply":"once"},`, approvals.MaxAnswers+1)
	for wire, code := range map[string]string{
		`{}`:             approvals.CodeBadAnswers,
		`{"answers":[]}`: approvals.CodeBadAnswers,
		`{"answers":[{"id":"a","reply":"once"}],"by":"bob"}`:                                                    approvals.CodeBadAnswers,
		`{"answers":[{"id":"a","reply":"once","by":"bob"}]}`:                                                    approvals.CodeBadAnswers,
		`{"answers":[{"reply":"once"}]}`:                                                                        approvals.CodeBadAnswers,
		`{"answers":[{"id":"a"}]}`:                                                                              approvals.CodeBadReply,
		`{"answers":[{"id":"a","reply":"maybe"}]}`:                                                              approvals.CodeBadReply,
		`{"answers":[{"id":"a","reply":{"reply":"once"},"feedback":"x"}]}`:                                      approvals.CodeBadReply,
		`{"answers":[{"id":"a","reply":"once","feedback":7}]}`:                                                  approvals.CodeBadReply,
		`{"answers":[{"id":"a","reply":"once"},{"id":"a","reply":"reject"}]}`:                                   approvals.CodeBadAnswers,
		`{"answers":[` + strings.TrimSuffix(many, ",") + `]}`:                                                   approvals.CodeBadAnswers,
		`{"answers":[{"id":"a","reply":"once","feedback":"` + strings.Repeat("x", approvals.MaxNote+1) + `"}]}`: approvals.CodeNoteTooLong,
	} {
		_, err := approvals.ParseAnswers([]byte(wire), "ann")
		wantCode(t, err, code)
	}
	_, err = approvals.ParseAnswers([]byte(`{"answers":[{"id":"a","reply":"once"},{"id":"b","reply":"no"}]}`), "ann")
	if err == nil || !strings.HasPrefix(err.Error(), "answers.1.reply: ") {
		t.Errorf("got %v, want the place of the wrong answer", err)
	}
}

func TestABatchIsAppliedWholeOrNotAtAll(t *testing.T) {
	s := turn(t)
	q1, q2 := ask(t, s, asking("q1")), ask(t, s, asking("q2"))
	good := func(id, hash string, kind approvals.ReplyKind) approvals.Answer {
		return approvals.Answer{ID: id, Hash: hash, Reply: approvals.Reply{Kind: kind}, By: "ann"}
	}
	drafts, results := approvals.DecideAll(s, []approvals.Answer{good("q1", q1.Hash, "once"), good("q2", "stale", "reject"), good("q3", "", "once")})
	if drafts != nil || len(results) != 3 {
		t.Fatalf("got %d events and %d results, want none and three", len(drafts), len(results))
	}
	for i, code := range []string{approvals.CodeNotApplied, approvals.CodeStaleAnswer, approvals.CodeUnknownQuestion} {
		wantCode(t, results[i].Refusal, code)
	}
	drafts, results = approvals.DecideAll(s, []approvals.Answer{good("q1", q1.Hash, "always"), good("q2", q2.Hash, "reject")})
	want := "approval/decided {\"id\":\"q1\",\"outcome\":\"allowed-once\",\"scope\":\"always\",\"by\":\"ann\"}\n" +
		"approval/decided {\"id\":\"q2\",\"outcome\":\"rejected\",\"by\":\"ann\"}\n"
	if got := describe(t, drafts); got != want || results[0].Outcome != "allowed-once" || results[1].Outcome != "rejected" {
		t.Errorf("got %s and %+v, want %s", got, results, want)
	}
	drafts, results = approvals.DecideAll(s, []approvals.Answer{good("q1", q1.Hash, "once"), good("q1", q1.Hash, "reject")})
	if drafts != nil {
		t.Error("got events for a question that is answered twice")
	}
	wantCode(t, results[1].Refusal, approvals.CodeBadAnswers)
}

func FuzzParseReply(f *testing.F) {
	for _, seed := range []string{`{"reply":"once"}`, `{"reply":"always","feedback":"x"}`, `"reject"`, `{"reply":"once","feedback":" "}`, `{"reply":null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := approvals.ParseReply(data)
		if err != nil {
			if r != (approvals.Reply{}) && r.Kind == "" {
				t.Errorf("got %+v with %v", r, err)
			}
			return
		}
		wire, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := approvals.ParseReply(wire); err != nil || back != r {
			t.Errorf("got %+v, %v from %s, want %+v", back, err, wire, r)
		}
	})
}

func FuzzParseAnswers(f *testing.F) {
	f.Add([]byte(`{"answers":[{"id":"q1","reply":"once","hash":"h"}]}`))
	f.Add([]byte(`{"answers":[{"id":"q1","reply":{"reply":"always","feedback":"x"}},{"id":"q2","reply":"reject","feedback":"no"}]}`))
	f.Add([]byte(`{"answers":[{"id":"q1","reply":"once"},{"id":"q1","reply":"once"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		answers, err := approvals.ParseAnswers(data, "ann")
		if err != nil {
			if answers != nil {
				t.Errorf("got answers with %v", err)
			}
			return
		}
		s := turn(t)
		for _, a := range answers {
			if a.By != "ann" || a.ID == "" {
				t.Errorf("got %+v", a)
			}
		}
		if drafts, results := approvals.DecideAll(s, answers); drafts != nil || len(results) != len(answers) {
			t.Errorf("got %d events and %d results for questions that nobody asked", len(drafts), len(results))
		}
	})
}
