package auto

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
)

const (
	pieceOfText = `data: {"choices":[{"index":0,"delta":{"content":"{\"risk\":\"low\",\"decision\":\"allow\"}"}}]}` + "\n\n"
	pieceOfEnd  = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
)

// overHTTP asks a real server through the real client, and reports whether the server
// saw its client go away.
func overHTTP(ctx context.Context, t *testing.T, limits reviewer.Limits, answer http.HandlerFunc) (text string, gone bool, err error) {
	t.Helper()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	left := make(chan bool, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		answer(w, r)
		left <- r.Context().Err() != nil
	}))
	defer server.Close()
	client, err := model.New(model.Config{Environment: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	route := reviewer.Route{Provider: "p", Model: "m", API: reviewer.APICompletions, BaseURL: server.URL, Limits: limits}
	text, err = collect(ctx, client, reviewer.Prompt{Route: route, System: "s", User: "u"})
	return text, <-left, err
}

// sends writes pieces and sends them at once.
func sends(w http.ResponseWriter, pieces ...string) {
	io.WriteString(w, strings.Join(pieces, ""))
	http.NewResponseController(w).Flush()
}

func TestAnAnswerOverHTTPIsTakenIn(t *testing.T) {
	text, _, err := overHTTP(t.Context(), t, reviewer.Limits{}, func(w http.ResponseWriter, _ *http.Request) {
		sends(w, pieceOfText, pieceOfEnd, "data: [DONE]\n\n")
	})
	if err != nil {
		t.Fatal(err)
	}
	if verdict, err := parseAnswer(text); err != nil || verdict.Outcome != reviewer.Allow {
		t.Errorf("got %q, %v, %v", text, verdict, err)
	}
}

func TestALimitEndsTheRequestOverHTTP(t *testing.T) {
	short := 50 * time.Millisecond
	for name, c := range map[string]struct {
		limits reviewer.Limits
		answer http.HandlerFunc
		want   *reviewer.Failure
	}{
		"silence before the response": {reviewer.Limits{Idle: short}, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, ErrModelIdle},
		"silence behind an answer": {reviewer.Limits{Idle: short}, func(w http.ResponseWriter, r *http.Request) {
			sends(w, pieceOfText, pieceOfEnd)
			<-r.Context().Done()
		}, ErrModelIdle},
		"an answer without an end": {reviewer.Limits{Total: 2 * short}, func(w http.ResponseWriter, r *http.Request) {
			for tick := time.NewTicker(short / 10); r.Context().Err() == nil; <-tick.C {
				sends(w, pieceOfText)
			}
		}, ErrModelTotalTime},
		"an answer that is too large": {reviewer.Limits{Bytes: 100}, func(w http.ResponseWriter, r *http.Request) {
			sends(w, strings.Repeat(pieceOfText, 10))
			<-r.Context().Done()
		}, ErrAnswerTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			text, gone, err := overHTTP(t.Context(), t, c.limits, c.answer)
			if text != "" || !errors.Is(err, c.want) || !gone {
				t.Errorf("got %q, %v, client gone: %t; want %s", text, err, gone, c.want.Code)
			}
		})
	}
}

func TestACancelledReviewEndsItsRequestOverHTTP(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	text, gone, err := overHTTP(ctx, t, reviewer.Limits{}, func(w http.ResponseWriter, r *http.Request) {
		sends(w, pieceOfText)
		cancel()
		<-r.Context().Done()
	})
	if text != "" || !errors.Is(err, ErrCancelled) || !gone {
		t.Errorf("got %q, %v, client gone: %t", text, err, gone)
	}
}
