package bus

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

func asked() reviewAsked {
	text := "runs"
	return reviewAsked{
		Engine: "ENGINE", Nonce: "NONCE", Session: "work", Next: 7, Chain: events.ChainStart().String(),
		Turn: 1, Step: 1, CallID: "c1", RootCallID: "c0", Mode: string(reviewer.ModeInner), Name: "shell", Arguments: `{ "a" : 1.0 }`,
		Schema: &schemaText{Name: "shell", Description: &text, Parameters: `{"type": "object"}`},
	}
}

func TestARequestForAReviewKeepsItsBytes(t *testing.T) {
	data, err := json.Marshal(asked())
	if err != nil {
		t.Fatal(err)
	}
	got, err := parseAsked(data)
	if err != nil {
		t.Fatal(err)
	}
	c := got.call()
	if string(c.Arguments) != `{ "a" : 1.0 }` || string(c.Schema.Parameters) != `{"type": "object"}` || *c.Schema.Description != "runs" || c.Nonce != "NONCE" {
		t.Errorf("got %+v", c)
	}
}

func TestARequestForAReviewIsReadStrictly(t *testing.T) {
	for name, change := range map[string]func(*reviewAsked){
		"no engine":                   func(q *reviewAsked) { q.Engine = "" },
		"an engine that is a subject": func(q *reviewAsked) { q.Engine = "a.>" },
		"no nonce":                    func(q *reviewAsked) { q.Nonce = "" },
		"no session":                  func(q *reviewAsked) { q.Session = "" },
		"no log":                      func(q *reviewAsked) { q.Next = 0 },
		"no chain":                    func(q *reviewAsked) { q.Chain = "00" },
		"no mode":                     func(q *reviewAsked) { q.Mode = "" },
		"no arguments":                func(q *reviewAsked) { q.Arguments = "" },
		"arguments with a repetition": func(q *reviewAsked) { q.Arguments = `{"a":1,"a":2}` },
		"a broken schema":             func(q *reviewAsked) { q.Schema.Parameters = "{" },
	} {
		t.Run(name, func(t *testing.T) {
			q := asked()
			change(&q)
			data, err := json.Marshal(q)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parseAsked(data); err == nil {
				t.Errorf("%s is taken", data)
			}
		})
	}
}

func TestALongFailureIsCutToASentence(t *testing.T) {
	f := (&reviewer.Failure{Class: reviewer.ClassProvider, Code: "MODEL_ERROR"}).With("%s", strings.Repeat("é", maxFailureDetail))
	said := reviewSaid{Nonce: "N", Reviewer: "auto"}.answered(reviewer.Verdict{}, f)
	data, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseSaid(data); err != nil {
		t.Error(err)
	}
}

func TestAPageKeepsItsLines(t *testing.T) {
	lines := [][]byte{[]byte(`{"type": "a"}`), []byte(`{"type":"b"}`)}
	data, err := pageOf(readSaid{Records: []recordSaid{{Format: events.Format4, Append: "a1"}, {Format: events.Format0}}}, lines...)
	if err != nil {
		t.Fatal(err)
	}
	s, got, err := parsePage(data)
	if err != nil || len(s.Records) != 2 || !bytes.Equal(got[0], lines[0]) || !bytes.Equal(got[1], lines[1]) {
		t.Errorf("got %+v %q, %v", s, got, err)
	}
	for name, page := range map[string]string{
		"no line for a record":  `{"records":[{"format":4}]}`,
		"a line for no record":  "{}\n{}",
		"records and a header":  "{\"header\":{\"creatorClass\":\"\",\"creator\":\"\"},\"records\":[{\"format\":4}]}\n{}\n{}",
		"records of the closed": "{\"closed\":true,\"records\":[{\"format\":4}]}\n{}",
		"an unknown member":     `{"open":true}`,
	} {
		if _, _, err := parsePage([]byte(page)); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

func FuzzReviewAsked(f *testing.F) {
	data, err := json.Marshal(asked())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		q, err := parseAsked(data)
		if err != nil {
			return
		}
		again, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseAsked(again); err != nil {
			t.Errorf("%s was taken, %s is not: %v", data, again, err)
		}
	})
}

func FuzzReviewSaid(f *testing.F) {
	f.Add([]byte(`{"nonce":"N","reviewer":"auto","state":"working"}`))
	f.Add([]byte(`{"nonce":"N","reviewer":"auto","state":"answered","failure":{"class":"timeout","code":"MODEL_IDLE","detail":"x"}}`))
	f.Add([]byte(`{"nonce":"N","reviewer":"auto","state":"answered","route":"a/b","digest":"` + strings.Repeat("0", 64) + `","verdict":{"outcome":"deny","reason":"\"\\ud800\""}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parseSaid(data)
		if err != nil || s.State != saidAnswer {
			return
		}
		v, err := s.result()
		if (err == nil) != (v.Outcome == reviewer.Allow || v.Outcome == reviewer.Deny) {
			t.Errorf("%s gives %+v and %v", data, v, err)
		}
		if v.Outcome == reviewer.Allow && (v.Reason != nil || s.Digest == "") {
			t.Errorf("%s allows", data)
		}
	})
}

func FuzzReviewPage(f *testing.F) {
	f.Add([]byte("{\"records\":[{\"format\":4,\"append\":\"a\"}]}\n{}"))
	f.Add([]byte("{\"header\":{\"seed\":\"fork\",\"seedTo\":3,\"creatorClass\":\"human\",\"creator\":\"ada\"}}\n{}"))
	f.Add([]byte(`{"closed":true}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, lines, err := parsePage(data)
		if err != nil {
			return
		}
		again, err := pageOf(s, lines...)
		if err != nil {
			t.Fatal(err)
		}
		if _, got, err := parsePage(again); err != nil || len(got) != len(lines) {
			t.Errorf("%q was taken, %q is not: %v", data, again, err)
		}
	})
}
