package model_test

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
)

// fails answers with a status and a body.
func fails(status int, header http.Header, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		drain(r)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", "req_7")
		maps.Copy(w.Header(), header)
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func TestAProvidersErrorKeepsCodeStatusAndRequest(t *testing.T) {
	cases := map[string]struct {
		status int
		header http.Header
		body   string
		want   string
	}{
		"401":                 {401, nil, `{"error":{"message":"bad key","type":"invalid_request_error","code":"invalid_api_key"}}`, `"invalid_api_key" "bad key" 401`},
		"404":                 {404, nil, `{"error":{"message":"no such model","type":"not_found_error","code":null}}`, `"not_found_error" "no such model" 404`},
		"429 with a time":     {429, http.Header{"Retry-After": {"30"}}, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, `"rate_limit_exceeded" "slow down (Retry-After: 30)" 429`},
		"500":                 {500, nil, `{"error":{"message":"oops","code":"server_error"}}`, `"server_error" "oops" 500`},
		"503 in HTML":         {503, http.Header{"Content-Type": {"text/html"}}, "<html>busy</html>", `"" "the response has no error in JSON; its content type is text/html" 503`},
		"an empty body":       {502, nil, "", `"" "the response has no error in JSON; its content type is application/json" 502`},
		"an error as a text":  {400, nil, `{"error":"model not loaded"}`, `"" "model not loaded" 400`},
		"members without it":  {400, nil, `{"object":"error","message":"bad","type":"BadRequestError","code":400}`, `"400" "bad" 400`},
		"a number as a code":  {400, nil, `{"error":{"message":"bad","code":42}}`, `"42" "bad" 400`},
		"a repeated member":   {400, nil, `{"error":{"message":"a","message":"b"}}`, `"" "b" 400`},
		"an array":            {400, nil, `[{"error":{}}]`, `"" "the response has no error in JSON; its content type is application/json" 400`},
		"a success, no 200":   {204, nil, "", `"" "the response has no error in JSON; its content type is application/json" 204`},
		"a code with the key": {400, nil, `{"error":{"message":"m","code":"` + secret + `"}}`, `"[key]" "m" 400`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			chunks, err := ask(t.Context(), t, serve(t, fails(c.status, c.header, c.body)))
			if want := "finish error " + c.want + " \"req_7\"\n"; err != nil || shown(chunks) != want {
				t.Errorf("got %s, %v\nwant %s", shown(chunks), err, want)
			}
		})
	}
}

func TestARequestThatTheProviderFindsTooLongIsTooLarge(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"by its code":   fails(400, nil, `{"error":{"message":"too many tokens","code":"context_length_exceeded"}}`),
		"by its status": fails(413, nil, `{"error":{"message":"too many tokens","code":"tokens_limit_reached"}}`),
		"by its type":   fails(400, nil, `{"error":{"message":"too many tokens","type":"exceed_context_size_error"}}`),
	} {
		_, err := ask(t.Context(), t, serve(t, answer))
		failure, ok := errors.AsType[*reviewer.Failure](err)
		if !ok || failure.Class != reviewer.ClassTooLarge || !errors.Is(err, model.ErrRequestTooLarge) {
			t.Fatalf("%s: got %v, want REQUEST_TOO_LARGE", name, err)
		}
		for _, part := range []string{"request req_7", "too many tokens", "HTTP status 4"} {
			if !strings.Contains(failure.Detail, part) {
				t.Errorf("%s: %q does not say %q", name, failure.Detail, part)
			}
		}
	}
	chunks, err := ask(t.Context(), t, serve(t, fails(400, nil, `{"error":{"message":"maximum context length","code":"invalid_request_error"}}`)))
	if err != nil || len(chunks) != 1 {
		t.Errorf("got %v, %v: nothing is decided by a message", chunks, err)
	}
}

func TestAMessageIsBounded(t *testing.T) {
	long := strings.Repeat("é", 10_000)
	chunks, err := ask(t.Context(), t, serve(t, fails(500, http.Header{"Retry-After": {long}, "X-Request-Id": {long}}, `{"error":{"message":"`+long+`","code":"`+long+`"}}`)))
	if err != nil || len(chunks) != 1 {
		t.Fatalf("got %v, %v", chunks, err)
	}
	finish := chunks[0].(reviewer.Finish)
	if len(finish.Message) > 1100 || len(finish.Code) > 150 || len(finish.RequestID) > 150 {
		t.Errorf("got %d, %d and %d bytes", len(finish.Message), len(finish.Code), len(finish.RequestID))
	}
	if _, err := ask(t.Context(), t, serve(t, fails(500, nil, strings.Repeat("{", 1<<20)))); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestTheKeyIsScrubbedFromWhatAProviderSays(t *testing.T) {
	for name, message := range map[string]string{
		"as it is":      "no such key " + secret + "!",
		"quoted":        "key '" + secret + "' is wrong",
		"escaped":       `wrong: \u0073k-test-0123456789abcdef`,
		"its ends":      "Incorrect API key provided: sk-test-************cdef. See below.",
		"with dots":     "Incorrect API key provided: sk-te...bcdef",
		"as an address": "http://host/?key=" + secret,
	} {
		for _, answer := range []http.HandlerFunc{
			fails(401, http.Header{"X-Request-Id": {secret}}, `{"error":{"message":"`+message+`"}}`),
			fails(413, http.Header{"X-Request-Id": {secret}}, `{"error":{"message":"`+message+`"}}`),
			says(events(`{"error":{"message":"` + message + `"}}`)),
		} {
			chunks, err := ask(t.Context(), t, serve(t, answer))
			text := shown(chunks)
			if err != nil {
				text += err.Error()
			}
			if strings.Contains(text, "cdef") || strings.Contains(text, "sk-te") || !strings.Contains(text, "[key]") {
				t.Errorf("%s: got %s", name, text)
			}
		}
	}
}

func TestAKeyFileIsReadAtEachRequestAndOnlyIfItIsPrivate(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var seen string
	route := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("Authorization")
		aTurn(w, r)
	})
	route.KeyEnv, route.KeyFile = "", file("good", "first-key\n", 0o600)
	for _, want := range []string{"first-key", "second-key"} {
		file("good", want+"\n", 0o600)
		if _, err := ask(t.Context(), t, route); err != nil || seen != "Bearer "+want {
			t.Errorf("got %q, %v; want %s", seen, err, want)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file("open", secret, 0o604), link); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"others may read it":           filepath.Join(dir, "open"),
		"a link to such a file":        link,
		"its group may read it":        file("group", secret, 0o640),
		"others may write it":          file("writable", secret, 0o602),
		"it is a folder":               dir,
		"it does not exist":            filepath.Join(dir, "none"),
		"it is empty":                  file("empty", " \n", 0o600),
		"it has two words":             file("words", secret+" "+secret, 0o600),
		"it has two lines":             file("lines", secret+"\nX-Header: a", 0o600),
		"it has what is no ASCII":      file("script", secret+"é", 0o600),
		"it is larger than any key is": file("large", strings.Repeat("k", 100_000), 0o600),
	} {
		seen = ""
		route.KeyFile = path
		chunks, err := ask(t.Context(), t, route)
		if seen != "" || len(chunks) != 0 || !errors.Is(err, model.ErrKey) || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, %v after the header %q; want KEY_UNUSABLE that names the file", name, chunks, err, seen)
		}
	}
	route.KeyEnv = "TEST_KEY"
	if _, err := ask(t.Context(), t, route); !errors.Is(err, model.ErrKey) {
		t.Errorf("got %v for a route with two keys", err)
	}
}
