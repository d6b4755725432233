package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/docket-engine/docket/fixtures/demo"
)

// modelSettings are those of a real server that has a double's judgement: denies
// is asked about the pending action's text.
func modelSettings(t *testing.T, denies func(action string) bool) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		at := strings.LastIndex(string(body), "PENDING_ACTION")
		if err != nil || at < 0 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		answer := `{"risk":"medium","decision":"allow"}`
		if denies(string(body[at:])) {
			answer = `{"risk":"medium","decision":"deny","reason":"double: no"}`
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", answer)
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "settings.json")
	text := fmt.Sprintf(`{"routes":[{"provider":"p","model":"m","api":"chat-completions","baseUrl":%q,"reviews":true}]}`, server.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func wantSaid(t *testing.T, r ran, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(r.out, want) {
			t.Errorf("there is no %q in\n%s", want, r.out)
		}
	}
	if r.code != exitOK {
		t.Errorf("got exit code %d and %s", r.code, r.err)
	}
}

// TestAModelsJudgementIsShownAndNotFailed: the double of a model denies everything.
func TestAModelsJudgementIsShownAndNotFailed(t *testing.T) {
	settings := modelSettings(t, func(string) bool { return true })
	r, tmp := demoRun(t, t.Context(), t.TempDir(), "--model", "p/m", "--settings", settings)
	wantSaid(t, r, "p/m, a model", "asked of auto …", "denied by auto: double: no", "rejects it", "otherwise than the recording expects", "call c1: got review deny, want allow")
	if strings.Contains(r.out, "files     +") {
		t.Errorf("something was made\n%s", r.out)
	}
	nothingLeft(t, tmp)
}

// TestAModelReviewsProgramsAndChildrenToo: the double allows everything but the
// two commands that go furthest.
func TestAModelReviewsProgramsAndChildrenToo(t *testing.T) {
	settings := modelSettings(t, func(action string) bool {
		return strings.Contains(action, "curl -s") || strings.Contains(action, "rm -r drafts")
	})
	r, tmp := demoRun(t, t.Context(), t.TempDir(), "--model", "p/m", "--settings", settings)
	wantSaid(t, r, "files     - inbox.txt", "│ files     - summary.md", "call k3: got review allow, want deny", "goes away before there is an answer")
	nothingLeft(t, tmp)
}

func TestWhatComesOutOtherwiseIsSaid(t *testing.T) {
	call := demo.Call{ID: "c", Action: demo.Action{Tool: "write", Arguments: []byte(`{"path":"a"}`), Review: "allow", Ends: demo.Ran, Makes: []string{"a"}}}
	r := demo.Recording{Scenes: []demo.Scene{{Steps: []demo.Step{{Calls: []demo.Call{call}}}}}}
	as := func(review string, end callEnd, made ...string) []moment {
		return []moment{
			{Moment: momentCall, Call: "c", Tool: "write", Arguments: []byte(`{ "path": "a" }`)},
			{Moment: momentReview, Call: "c", Outcome: review},
			{Moment: momentEnd, Call: "c", Ends: end, Files: &fileChanges{Made: made}},
		}
	}
	for name, c := range map[string]struct {
		seen []moment
		want []string
	}{
		"nothing is otherwise": {as("allow", endRan, "a"), nil},
		"the review":           {as("deny", endRan, "a"), []string{"call c: got review deny, want allow"}},
		"the end":              {as("allow", endFailed, "a"), []string{"call c: got end failed, want ran"}},
		"the files":            {as("allow", endRan), []string{"call c: got files made none, want [a]"}},
		"a call too many":      {append(as("allow", endRan, "a"), moment{Moment: momentCall, Call: "d"}), []string{"call d: it is not in the recording"}},
		"it was not made": {nil, []string{
			"call c: got tool none, want write", "call c: got arguments none, want {\"path\":\"a\"}", "call c: got review none, want allow",
			"call c: got end none, want ran", "call c: got files made none, want [a]",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, differences(r, c.seen), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
