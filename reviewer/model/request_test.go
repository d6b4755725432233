package model_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
)

var update = flag.Bool("update", false, "write golden files anew")

// aTurn is a whole good answer in both protocols.
func aTurn(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/responses") {
		says(typed("response.output_text.delta", atMessage+`,"delta":"a"`, "response.completed", `"response":{"status":"completed"}`))(w, r)
		return
	}
	says(events(said(`"content":"a"`), ended("stop"), done))(w, r)
}

// request is what a server saw.
type request struct {
	method, path, query string
	header              http.Header
	body                []byte
}

// recorded serves good answers, and gives the only request that came.
func recorded(t *testing.T, change func(*reviewer.Route)) request {
	t.Helper()
	var mu sync.Mutex
	var seen []request
	route := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		seen = append(seen, request{r.Method, r.URL.Path, r.URL.RawQuery, r.Header.Clone(), body})
		mu.Unlock()
		aTurn(w, r)
	})
	if change != nil {
		change(&route)
	}
	prompt := reviewer.Prompt{Route: route, System: "Judge <this> & \"that\".\n", User: "PENDING_ACTION\n\n{\"é\": \"\\u2028\u2028 \U0001F600\"}"}
	for _, err := range newClient(t).Stream(t.Context(), prompt) {
		if err != nil {
			t.Fatal(err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(seen) != 1 {
		t.Fatalf("the server saw %d requests, want 1", len(seen))
	}
	return seen[0]
}

func TestARequestIsExactlyThePolicyAndOneMessage(t *testing.T) {
	noTemperature := func(r *reviewer.Route) { r.NoTemperature = true }
	responses := func(r *reviewer.Route) { r.API = reviewer.APIResponses }
	cases := map[string]struct {
		change func(*reviewer.Route)
		path   string
		golden string
	}{
		"completions":                     {nil, "/v1/chat/completions", "completions"},
		"completions without temperature": {noTemperature, "/v1/chat/completions", "completions-without-temperature"},
		"responses":                       {responses, "/v1/responses", "responses"},
		"responses without temperature":   {func(r *reviewer.Route) { responses(r); noTemperature(r) }, "/v1/responses", "responses-without-temperature"},
		"a base URL that ends in a slash": {func(r *reviewer.Route) { r.BaseURL += "/" }, "/v1/chat/completions", "completions"},
		"a base URL of more folders":      {func(r *reviewer.Route) { r.BaseURL += "/a/b" }, "/v1/a/b/chat/completions", "completions"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := recorded(t, c.change)
			if got.method != http.MethodPost || got.path != c.path || got.query != "" {
				t.Errorf("got %s %s?%s, want POST %s", got.method, got.path, got.query, c.path)
			}
			golden := filepath.Join("testdata", c.golden+".json")
			if *update {
				if err := os.WriteFile(golden, got.body, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got.body)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAPromptArrivesAsItIs(t *testing.T) {
	var body struct {
		Messages []struct{ Role, Content string }
	}
	got := recorded(t, nil)
	if err := json.Unmarshal(got.body, &body, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	want := []struct{ Role, Content string }{
		{"system", "Judge <this> & \"that\".\n"},
		{"user", "PENDING_ACTION\n\n{\"é\": \"\\u2028\u2028 \U0001F600\"}"},
	}
	if diff := cmp.Diff(want, body.Messages); diff != "" {
		t.Error(diff)
	}
}

func TestTheKeyIsInTheAuthorizationHeaderAlone(t *testing.T) {
	got := recorded(t, nil)
	if h := got.header["Authorization"]; !slices.Equal(h, []string{"Bearer " + secret}) {
		t.Errorf("got the Authorization %q", h)
	}
	got.header.Del("Authorization")
	for name, values := range got.header {
		if strings.Contains(strings.Join(values, " "), secret) {
			t.Errorf("the header %s has the key", name)
		}
	}
	if bytes.Contains(got.body, []byte(secret)) {
		t.Error("the body has the key")
	}
	if got := recorded(t, func(r *reviewer.Route) { r.KeyEnv = "" }); got.header.Get("Authorization") != "" {
		t.Errorf("a route without a key sent %q", got.header.Get("Authorization"))
	}
}

func TestTheEnvironmentDoesNotLeakIn(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "leak")
	t.Setenv("OPENAI_ADMIN_KEY", "leak")
	t.Setenv("OPENAI_BASE_URL", "http://leak.invalid")
	t.Setenv("OPENAI_ORG_ID", "leak")
	t.Setenv("OPENAI_PROJECT_ID", "leak")
	t.Setenv("OPENAI_WEBHOOK_SECRET", "leak")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Leak: leak")
	for _, api := range []reviewer.API{reviewer.APICompletions, reviewer.APIResponses} {
		got := recorded(t, func(r *reviewer.Route) { r.KeyEnv, r.API = "", api })
		names := make([]string, 0, len(got.header))
		for name, values := range got.header {
			names = append(names, name)
			if strings.Contains(strings.Join(values, " "), "leak") {
				t.Errorf("%s: the header %s has %q", api, name, values)
			}
		}
		slices.Sort(names)
		if diff := cmp.Diff([]string{"Accept", "Content-Length", "Content-Type", "User-Agent"}, names); diff != "" {
			t.Errorf("%s: other headers were sent:\n%s", api, diff)
		}
		if got.header.Get("Accept") != eventStream || got.header.Get("User-Agent") != "docket" {
			t.Errorf("%s: got %v", api, got.header)
		}
	}
}

func TestAPromptIsSentOnce(t *testing.T) {
	var count atomic.Int64
	counts := func(answer http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			count.Add(1)
			answer(w, r)
		}
	}
	for name, answer := range map[string]http.HandlerFunc{
		"an overloaded server": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "0")
			w.Header().Set("X-Should-Retry", "true")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"a broken server":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"no response":         func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"a stream that fails": says(events("oops")),
		"a redirect to the same host": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/v1/elsewhere", http.StatusTemporaryRedirect)
		},
	} {
		count.Store(0)
		chunks, err := ask(t.Context(), t, serve(t, counts(answer)))
		if count.Load() != 1 {
			t.Errorf("%s: the server saw %d requests, want 1", name, count.Load())
		}
		if err == nil && !strings.HasPrefix(shown(chunks), "finish error") {
			t.Errorf("%s: got %s", name, shown(chunks))
		}
	}
}

func TestAStreamIsRangedOverOnce(t *testing.T) {
	stream := newClient(t).Stream(t.Context(), reviewer.Prompt{Route: serve(t, aTurn), System: "s", User: "u"})
	for range stream {
		break // and whoever leaves early is not called again
	}
	for chunk, err := range stream {
		if chunk != nil || !errors.Is(err, model.ErrRequest) {
			t.Errorf("got %v, %v; want no second request", chunk, err)
		}
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	var followed atomic.Bool
	elsewhere := serve(t, func(w http.ResponseWriter, r *http.Request) {
		followed.Store(true)
		aTurn(w, r)
	})
	for _, status := range []int{301, 302, 303, 307, 308} {
		chunks, err := ask(t.Context(), t, serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.BaseURL, status)
		}))
		if err != nil || len(chunks) != 1 {
			t.Fatalf("%d: got %v, %v", status, chunks, err)
		}
		if finish := chunks[0].(reviewer.Finish); finish.Kind != reviewer.FinishError || finish.Status != status {
			t.Errorf("got %+v, want an error with the status %d", finish, status)
		}
	}
	if followed.Load() {
		t.Error("the other host was asked")
	}
}

func TestWhatCannotBeSentIsNotSent(t *testing.T) {
	asked := func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") }
	for name, c := range map[string]struct {
		prompt func(*reviewer.Prompt)
		want   *reviewer.Failure
	}{
		"a policy that is not UTF-8": {func(p *reviewer.Prompt) { p.System = "\xff" }, model.ErrRequest},
		"a text that is not UTF-8":   {func(p *reviewer.Prompt) { p.User = "a\xc0" }, model.ErrRequest},
		"the builtin API":            {func(p *reviewer.Prompt) { p.Route.API = reviewer.APIBuiltin }, model.ErrRequest},
		"no API":                     {func(p *reviewer.Prompt) { p.Route.API = "" }, model.ErrRequest},
		"a key that is not there":    {func(p *reviewer.Prompt) { p.Route.KeyEnv = "NO_SUCH_KEY" }, model.ErrKey},
	} {
		t.Run(name, func(t *testing.T) {
			prompt := reviewer.Prompt{Route: serve(t, asked)}
			c.prompt(&prompt)
			for chunk, err := range newClient(t).Stream(t.Context(), prompt) {
				if chunk != nil || !errors.Is(err, c.want) {
					t.Errorf("got %v, %v; want %s", chunk, err, c.want.Code)
				}
			}
		})
	}
	if _, err := model.New(model.Config{}); err == nil {
		t.Error("a client without an environment was made")
	}
}
