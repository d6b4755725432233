package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
)

// course is a log of one step, one event a line:
//
//	call ID TOOL ARGUMENTS      inner ID TOOL ARGUMENTS
//	verdict ID OUTCOME          asked QUESTION ID
//	decided QUESTION OUTCOME    dispatched ID
//	result ID [CODE]            settled ID [CODE]
func course(t *testing.T, lines string) []events.Envelope {
	t.Helper()
	all := []events.Envelope{{Event: events.StepStart{Turn: 1, Step: 1}}}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 4)
		words = append(words, "", "")
		failure := &events.ToolError{Name: "E", Code: words[2]}
		if words[2] == "" {
			failure = nil
		}
		failed := failure != nil
		var e events.Event
		switch words[0] {
		case "call":
			e = events.ToolCall{CallID: words[1], Name: words[2], Arguments: &words[3]}
		case "inner":
			e = events.PTCDispatchStart{SubCallID: words[1], Name: words[2], Arguments: []byte(words[3])}
		case "verdict":
			e = events.ReviewVerdict{CallID: words[1], Outcome: words[2]}
		case "asked":
			e = events.ApprovalAsked{ID: words[1], CallID: words[2]}
		case "decided":
			e = events.ApprovalDecided{ID: words[1], Outcome: words[2]}
		case "dispatched":
			e = events.ToolDispatched{CallID: words[1]}
		case "result":
			m := events.Message{Source: &events.Source{Kind: events.SourceTool, CallID: words[1]}, IsError: failed}
			e = events.ToolResult{Message: m, Error: failure}
		case "settled":
			e = events.PTCDispatch{SubCallID: words[1], IsError: &failed, Error: failure}
		case "step":
			e = events.StepStart{Turn: 1, Step: 2}
		default:
			t.Fatalf("what is %q?", line)
		}
		all = append(all, events.Envelope{Seq: events.Seq(len(all)), Event: e})
	}
	return all
}

func TestACallEndsAsTheLogSays(t *testing.T) {
	for name, c := range map[string]struct {
		log  string
		want callEnd
	}{
		"it was allowed and ran":                   {"call c t {}\nverdict c allow\ndispatched c\nresult c", endRan},
		"its body failed":                          {"call c t {}\nverdict c allow\ndispatched c\nresult c FAILED", endRan},
		"nobody reviewed it":                       {"call c t {}\ndispatched c\nresult c", endRan},
		"it was denied":                            {"call c t {}\nverdict c deny\nresult c AUTO_REVIEW_DENIED", endDenied},
		"a program's was denied":                   {"inner c t {}\nverdict c deny\nsettled c AUTO_REVIEW_DENIED", endDenied},
		"a person rejected it":                     {"call c t {}\nverdict c deny\nasked q c\ndecided q rejected\nresult c", endDenied},
		"a person rejected what nobody reviewed":   {"call c t {}\nasked q c\ndecided q rejected\nresult c", endDenied},
		"a person allowed it against the reviewer": {"call c t {}\nverdict c deny\nasked q c\ndecided q allowed-once\ndispatched c\nresult c", endRan},
		"the question was cancelled":               {"call c t {}\nverdict c deny\nasked q c\ndecided q cancelled\nresult c", endCancelled},
		"nobody was there to answer":               {"call c t {}\nverdict c deny\nasked q c\ndecided q unavailable\nresult c", endUnavailable},
		"the review failed":                        {"call c t {}\nverdict c failure\nresult c", endFailed},
		"the review was cancelled":                 {"call c t {}\nverdict c cancelled\nresult c ABORTED_BEFORE_DISPATCH", endCancelled},
		"it was cancelled behind its permit":       {"call c t {}\nverdict c allow\ndispatched c\nresult c ABORTED_BEFORE_DISPATCH", endCancelled},
		"its permit came back unused":              {"call c t {}\nverdict c allow\ndispatched c\nresult c PERMIT_RETURNED_UNUSED", endFailed},
		"something refused it without a verdict":   {"call c t {}\nresult c NOT_ALLOWED", endFailed},
	} {
		t.Run(name, func(t *testing.T) {
			var k callCourses
			var last *callCourse
			for _, e := range course(t, c.log) {
				last = k.apply(e)
			}
			if last == nil || !last.settled || last.end() != c.want {
				t.Errorf("got %+v, want it %s", last, c.want)
			}
		})
	}
}

// TestIdenticalDeniedCallsAreCounted: alike are those of one tool whose arguments
// have one value, however they are spelled and in whichever step they are.
func TestIdenticalDeniedCallsAreCounted(t *testing.T) {
	var d denials
	for _, e := range course(t, `
call a delete {"path":"x","really":true}
verdict a deny
result a DENIED
call b delete { "really": true, "path": "x" }
verdict b deny
asked q b
decided q rejected
result b
call c delete {"path":"x"}
verdict c deny
result c DENIED
step
inner a remove {"path":"x","really":true}
verdict a deny
settled a DENIED
call b delete {"path":"x","really":true}
verdict b allow
dispatched b
result b
call c delete {"path":"x","really":true}
verdict c deny
asked q c
decided q cancelled
result c
call d delete {"path":"x","really":true}
verdict d failure
result d
call e delete {"path":"x","really":true}
verdict e deny
result e DENIED
call f delete {"path":"x","really":true}
verdict f deny
`) {
		d.apply(e)
	}
	var got []string
	for _, one := range d.most() {
		got = append(got, fmt.Sprint(one.Times, " ", one.Tool, " ", one.Arguments))
	}
	want := []string{`3 delete {"path":"x","really":true}`, `1 delete {"path":"x"}`, `1 remove {"path":"x","really":true}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyTheFirstDenialsAreShown(t *testing.T) {
	all := make([]denial, shownDenials+2)
	rows := denialRows(all)
	if len(rows) != shownDenials+1 || rows[shownDenials][1] != "and 2 other calls" {
		t.Errorf("got %d rows, the last one %q", len(rows), rows[len(rows)-1])
	}
	if rows := denialRows(nil); len(rows) != 0 {
		t.Errorf("got %v", rows)
	}
}

// TestNothingDecidesByDenials: the count has its names in this package alone, which
// no other one can import, and here in what shows it.
func TestNothingDecidesByDenials(t *testing.T) {
	may := map[string]bool{"denials.go": true, "demo_summary.go": true, "session_show.go": true}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "denials") && !may[file] && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s reads denials", file)
		}
	}
}
