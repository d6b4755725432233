package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// answers is a server's answer to a route's check: a status, a type and a body.
func answers(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// streams sends a text as a model's whole answer, with what a provider adds behind it.
func streams(text, more string) http.HandlerFunc {
	content, _ := json.Marshal(text)
	return answers(http.StatusOK, "text/event-stream", ": keep-alive\n\n"+
		fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", content)+
		"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"+more+"data: [DONE]\n\n")
}

// checkOf runs the check of a route to a server that answers so; members are more of the
// route's settings.
func checkOf(t *testing.T, answer http.HandlerFunc, members string, args ...string) ran {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	home := t.TempDir()
	settings := filepath.Join(home, "s.json")
	text := fmt.Sprintf(`{"routes":[{"provider":"p","model":"m","api":"chat-completions","baseUrl":%q%s}]}`, server.URL, members)
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return runIn(t.Context(), home, append([]string{"route", "check", "--settings", settings, "p/m"}, args...)...)
}

func TestARoutesCheckAsksWhatAReviewAsks(t *testing.T) {
	var asked struct {
		Model    string
		Messages []struct{ Role, Content string }
		Tools    []any
		Stream   bool
	}
	r := checkOf(t, func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		streams(`{"risk":"low","decision":"allow"}`, "")(w, r)
	}, "", "--json")
	var found routeCheck
	if err := json.Unmarshal([]byte(r.out), &found); err != nil || r.code != exitOK {
		t.Fatalf("got %+v, %v", r, err)
	}
	view, call, err := checkedCall(reviewer.RouteName{Provider: "p", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	request, err := auto.NewRequest(view, call)
	if err != nil {
		t.Fatal(err)
	}
	if len(asked.Messages) != 2 || asked.Messages[0].Content != auto.Policy() || asked.Messages[1].Content != request.User || asked.Model != "m" || len(asked.Tools) != 0 || !asked.Stream {
		t.Errorf("the model was asked %+v", asked)
	}
	if found.Digest != request.Digest() || found.Answer != reviewer.Allow || found.Reason != nil || found.Reviews {
		t.Errorf("got %+v", found)
	}
	for _, part := range []string{"PENDING_ACTION", `"name": "read"`, "README.md", checkSaid, "human-instruction"} {
		if !strings.Contains(request.User, part) {
			t.Errorf("the request has no %q:\n%s", part, request.User)
		}
	}
	again, _, _ := checkedCall(reviewer.RouteName{Provider: "p", Model: "m"})
	if second, err := auto.NewRequest(again, call); err != nil || second.Digest() != request.Digest() {
		t.Errorf("the second request is another one: %v", err)
	}
}

func TestARoutesCheckCountsTheAnswerAsAReviewWould(t *testing.T) {
	const allow = `{"risk":"low","decision":"allow"}`
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		members string
		says    string // of the table
	}{
		"an allowance":                       {streams(allow, ""), "", "allow"},
		"a denial is an answer":              {streams(`{"risk":"high","decision":"deny","reason":"no\nleave"}`, ""), "", "deny, which is an answer; the action is harmless: no leave"},
		"a denial without a reason":          {streams(`{"risk":"medium","decision":"deny"}`, ""), "", "The review gave no reason"},
		"a route that serves no reviews":     {streams(allow, ""), "", "do not list it for reviews"},
		"a route that serves reviews":        {streams(allow, ""), `,"reviews":true`, "yes"},
		"the finish reason twice, and usage": {streams(allow, `data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}],"usage":{}}`+"\n\n"), "", "allow"},
	} {
		t.Run(name, func(t *testing.T) {
			if r := checkOf(t, c.answer, c.members); r.code != exitOK || !strings.Contains(r.out, c.says) || r.err != "" {
				t.Errorf("got %+v, want %q", r, c.says)
			}
		})
	}
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		members string
		class   reviewer.Class
		code    string
	}{
		"a word":                     {streams("ready", ""), "", reviewer.ClassMalformed, "ANSWER_NOT_JSON"},
		"a code fence":               {streams("```json\n"+allow+"\n```", ""), "", reviewer.ClassMalformed, "ANSWER_NOT_JSON"},
		"thinking in the text":       {streams("<think></think>"+allow, ""), "", reviewer.ClassMalformed, "ANSWER_NOT_JSON"},
		"another shape":              {streams(`{"decision":"allow"}`, ""), "", reviewer.ClassMalformed, "ANSWER_SHAPE"},
		"text behind the end":        {streams(allow, `data: {"choices":[{"index":0,"delta":{"content":"x"}}]}`+"\n\n"), "", reviewer.ClassMalformed, "CHUNK_AFTER_FINISH"},
		"a closing object":           {streams(allow, `data: {"choices":[{"index":0,"message":{"content":"x"}}]}`+"\n\n"), "", reviewer.ClassMalformed, "STREAM_BROKEN"},
		"a limit of requests":        {answers(429, "application/json", `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`), "", reviewer.ClassProvider, "MODEL_ERROR"},
		"an error in an array":       {answers(400, "application/json", `[{"error":{"code":400,"message":"bad"}}]`), "", reviewer.ClassProvider, "MODEL_ERROR"},
		"a success with an error":    {answers(200, "application/json", `{"error":{"message":"no credits"}}`), "", reviewer.ClassProvider, "MODEL_ERROR"},
		"a page":                     {answers(200, "text/html", "<html>"), "", reviewer.ClassProvider, "RESPONSE_NOT_STREAM"},
		"a window that is too small": {answers(400, "application/json", `{"error":{"code":400,"type":"exceed_context_size_error","message":"m"}}`), "", reviewer.ClassTooLarge, "REQUEST_TOO_LARGE"},
		"a window that we know of":   {streams(allow, ""), `,"contextWindow":1000`, reviewer.ClassTooLarge, "REQUEST_TOO_LARGE"},
		"a key that is not there":    {streams(allow, ""), `,"keyEnv":"DOCKET_NO_SUCH_KEY"`, reviewer.ClassUnavailable, "KEY_UNUSABLE"},
		"a limit of the route":       {streams(allow, ""), `,"limits":{"bytes":10}`, reviewer.ClassTooLarge, "ANSWER_TOO_LARGE"},
	} {
		t.Run(name, func(t *testing.T) {
			r := checkOf(t, c.answer, c.members)
			if r.code != exitReview || !strings.Contains(r.err, "class "+string(c.class)+": "+c.code) || r.out != "" {
				t.Errorf("got %+v, want %s of the class %s", r, c.code, c.class)
			}
			r = checkOf(t, c.answer, c.members, "--json")
			var told errorReply
			if err := json.Unmarshal([]byte(r.err), &told); err != nil || r.code != exitReview || told.Code != c.code || told.Class != c.class || r.out != "" {
				t.Errorf("got %+v, %v; want %s of the class %s", r, err, c.code, c.class)
			}
		})
	}
}
