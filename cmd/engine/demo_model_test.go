package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/docket-engine/docket/fixtures/demo"
)

// denyingModel is a real server with a double's judgement: no to everything.
func denyingModel(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		answer := `{"risk":"medium","decision":"deny","reason":"double: no to everything"}`
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", answer)
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	return server.URL
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
