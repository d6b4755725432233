package model_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
)

func TestMain(m *testing.M) {
	os.Setenv("NO_PROXY", "*") // a proxy would answer where nobody is
	goleak.VerifyTestMain(m)
}

const (
	secret      = "sk-test-0123456789abcdef"
	eventStream = "text/event-stream"
)

// environment has the key, as a process would have it.
func environment(name string) string {
	if name == "TEST_KEY" {
		return secret
	}
	return ""
}

// serve starts a real server for the test and a route to it.
func serve(t *testing.T, answer http.HandlerFunc) reviewer.Route {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return reviewer.Route{
		Provider: "test", Model: "judge-1", BaseURL: server.URL + "/v1",
		API: reviewer.APICompletions, KeyEnv: "TEST_KEY",
	}
}

func newClient(t *testing.T) *model.Client {
	t.Helper()
	client, err := model.New(model.Config{Environment: environment})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// ask sends a prompt by the route, and gives all that came back before the error.
func ask(ctx context.Context, t *testing.T, route reviewer.Route) ([]reviewer.Chunk, error) {
	t.Helper()
	var chunks []reviewer.Chunk
	for chunk, err := range newClient(t).Stream(ctx, reviewer.Prompt{Route: route, System: "policy", User: "request"}) {
		if err != nil {
			if chunk != nil {
				t.Errorf("the chunk %v came with the error", chunk)
			}
			if _, ok := errors.AsType[*reviewer.Failure](err); !ok {
				t.Errorf("the error is a %T, want a failure", err)
			}
			return chunks, err
		}
		chunks = append(chunks, chunk)
	}
	return chunks, nil
}

// says answers each request with one text as an event stream.
func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		drain(r)
		w.Header().Set("Content-Type", eventStream)
		w.Header().Set("X-Request-Id", "req_42")
		io.WriteString(w, text)
	}
}

func drain(r *http.Request) { io.Copy(io.Discard, r.Body) }

// events writes each text as one event's data.
func events(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		fmt.Fprintf(&b, "data: %s\n\n", d)
	}
	return b.String()
}

// shown writes chunks in one line each, for comparing.
func shown(chunks []reviewer.Chunk) string {
	var b strings.Builder
	for _, chunk := range chunks {
		switch c := chunk.(type) {
		case reviewer.Delta:
			fmt.Fprintf(&b, "%d %s %q\n", c.Index, c.Kind, c.Text)
		case reviewer.BlockEnd:
			text := "nil"
			if c.Text != nil {
				text = strconv.Quote(*c.Text)
			}
			fmt.Fprintf(&b, "%d %s ends %s\n", c.Index, c.Kind, text)
		case reviewer.Usage:
			fmt.Fprintf(&b, "usage %d %d\n", c.Input, c.Output)
		case reviewer.Finish:
			fmt.Fprintf(&b, "finish %s %q %q %d %q\n", c.Kind, c.Code, c.Message, c.Status, c.RequestID)
		}
	}
	return b.String()
}

func lines(text ...string) string { return strings.Join(text, "\n") + "\n" }

// protocolCase is a stream and what becomes of it.
type protocolCase struct {
	stream string
	want   string            // the chunks
	err    *reviewer.Failure // and then, nil for none
	says   string            // what the error says
}

func checkProtocol(t *testing.T, api reviewer.API, cases map[string]protocolCase) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			route := serve(t, says(c.stream))
			route.API = api
			chunks, err := ask(t.Context(), t, route)
			if got := shown(chunks); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			switch {
			case c.err == nil && err != nil:
				t.Errorf("got %v", err)
			case c.err != nil && (!errors.Is(err, c.err) || !strings.Contains(err.Error(), c.says)):
				t.Errorf("got %v, want %s with %q", err, c.err.Code, c.says)
			}
		})
	}
}
