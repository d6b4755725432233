package model_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
)

func TestAStreamIsReadAsTheStandardWritesIt(t *testing.T) {
	a, end := said(`"content":"a"`), ended("stop")
	want := lines(`0 text "a"`, stop)
	cases := map[string]string{
		"line ends of two characters":          strings.ReplaceAll(events(a, end, done), "\n", "\r\n"),
		"line ends of the other character":     strings.ReplaceAll(events(a, end, done), "\n", "\r"),
		"comments that keep it alive":          ": ping\n\n:\n\n" + events(a) + ": ping\n" + events(end) + ":\n\n" + events(done),
		"a byte order mark":                    "\uFEFF" + events(a, end, done),
		"data in more lines":                   "data: {\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":\"a\"}}]}\n\n" + events(end, done),
		"no blank behind the colon":            "data:" + a + "\n\ndata:" + end + "\n\ndata:[DONE]\n\n",
		"names, ids and times":                 "event: message\nid: 1\nretry: 10\ndata: " + a + "\n\nid\n\n" + events(end, done),
		"empty lines, and events without data": "\n\n\nevent: x\n\n" + events(a, end) + "\n\n" + events(done) + "\n\r\n",
	}
	checked := make(map[string]protocolCase)
	for name, stream := range cases {
		checked[name] = protocolCase{stream: stream, want: want}
	}
	checkProtocol(t, reviewer.APICompletions, checked)
}

func TestAStreamThatIsCutIsAFailure(t *testing.T) {
	a, end := said(`"content":"a"`), ended("stop")
	text := lines(`0 text "a"`)
	checkProtocol(t, reviewer.APICompletions, map[string]protocolCase{
		"inside a line":                    {stream: events(a) + "data: {\"cho", want: text, err: model.ErrStreamCut},
		"inside the name of a field":       {stream: events(a, end) + "da", want: text, err: model.ErrStreamCut},
		"before an event's empty line":     {stream: events(a) + "data: " + end + "\n", want: text, err: model.ErrStreamCut},
		"between two lines of an event":    {stream: events(a, end) + "event: x\n", want: text, err: model.ErrStreamCut},
		"inside [DONE]":                    {stream: events(a, end) + "data: [DO", want: text, err: model.ErrStreamCut},
		"a line that is no field":          {stream: events(a) + "502 Bad Gateway\n\n", want: text, err: model.ErrStreamBroken, says: "no field"},
		"a byte order mark in the middle":  {stream: events(a) + "\uFEFF" + events(end, done), want: text, err: model.ErrStreamBroken},
		"a field in upper case":            {stream: "DATA: " + a + "\n\n", err: model.ErrStreamBroken},
		"a document in the stream":         {stream: "<html>\n</html>\n", err: model.ErrStreamBroken},
		"JSON that is no stream of events": {stream: `{"choices":[]}`, err: model.ErrStreamCut},
	})
}

func TestAConnectionThatBreaksIsAFailure(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   *reviewer.Failure
	}{
		"before the response": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, model.ErrConnectionLost},
		"between events": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", eventStream)
			io.WriteString(w, events(said(`"content":"a"`), ended("stop")))
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, model.ErrConnectionLost},
		"inside an event": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", eventStream)
			io.WriteString(w, "data: {")
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, model.ErrConnectionLost},
		"short of its declared length": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", eventStream)
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, events(said(`"content":"a"`), ended("stop"), done))
		}, model.ErrConnectionLost},
	} {
		t.Run(name, func(t *testing.T) {
			route := serve(t, c.answer)
			chunks, err := ask(t.Context(), t, route)
			if !errors.Is(err, c.want) || strings.Contains(shown(chunks), "finish") {
				t.Errorf("got %s, %v; want %s", shown(chunks), err, c.want.Code)
			}
		})
	}
}

func TestNobodyThereIsUnavailable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := listener.Addr().String()
	listener.Close()
	untrusted := httptest.NewUnstartedServer(http.HandlerFunc(aTurn))
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	plain := serve(t, aTurn)
	for name, url := range map[string]string{
		"nobody listens":                  "http://" + free,
		"a name that does not exist":      "http://docket.invalid/v1",
		"a certificate that nobody knows": untrusted.URL,
		"a server that speaks no TLS":     strings.Replace(plain.BaseURL, "http:", "https:", 1),
		"no host":                         "http:///v1",
		"another scheme":                  "ftp://127.0.0.1/v1",
		"no URL":                          "://",
	} {
		t.Run(name, func(t *testing.T) {
			chunks, err := ask(t.Context(), t, reviewer.Route{Provider: "p", Model: "m", BaseURL: url, API: reviewer.APICompletions, KeyEnv: "TEST_KEY"})
			if len(chunks) != 0 || !errors.Is(err, model.ErrUnreachable) || strings.Contains(err.Error(), secret) {
				t.Errorf("got %v, %v; want MODEL_UNREACHABLE", chunks, err)
			}
		})
	}
}

func TestOnlyAnEventStreamIsRead(t *testing.T) {
	good := events(said(`"content":"a"`), ended("stop"), done)
	for name, c := range map[string]struct {
		header http.Header
		says   string // of the failure, empty where the answer is read
	}{
		"an event stream":                  {http.Header{"Content-Type": {eventStream}}, ""},
		"with parameters":                  {http.Header{"Content-Type": {"Text/Event-Stream; charset=utf-8"}}, ""},
		"HTML":                             {http.Header{"Content-Type": {"text/html; charset=utf-8"}}, `"text/html; charset=utf-8"`},
		"JSON":                             {http.Header{"Content-Type": {"application/json"}}, `"application/json"`},
		"a type that only begins so":       {http.Header{"Content-Type": {"text/event-stream-x"}}, "event-stream-x"},
		"no type":                          {http.Header{"Content-Type": {""}}, `""`},
		"a type with the key":              {http.Header{"Content-Type": {"text/" + secret}}, "[key]"},
		"an encoding nobody asked for":     {http.Header{"Content-Type": {eventStream}, "Content-Encoding": {"gzip"}}, `"gzip"`},
		"an encoding that changes nothing": {http.Header{"Content-Type": {eventStream}, "Content-Encoding": {"identity"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			chunks, err := ask(t.Context(), t, serve(t, func(w http.ResponseWriter, r *http.Request) {
				drain(r)
				maps.Copy(w.Header(), c.header)
				io.WriteString(w, good)
			}))
			if c.says == "" {
				if err != nil || shown(chunks) != lines(`0 text "a"`, stop) {
					t.Errorf("got %s, %v", shown(chunks), err)
				}
				return
			}
			if !errors.Is(err, model.ErrNotStream) || !strings.Contains(err.Error(), c.says) || len(chunks) != 0 {
				t.Errorf("got %s, %v; want RESPONSE_NOT_STREAM with %s", shown(chunks), err, c.says)
			}
		})
	}
}

// pours sends one text until the client is gone.
func pours(first, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		drain(r)
		w.Header().Set("Content-Type", eventStream)
		io.WriteString(w, first)
		for range 100_000 {
			if _, err := io.WriteString(w, text); err != nil || r.Context().Err() != nil {
				return
			}
		}
	}
}

func TestAStreamWithoutAnEndIsBounded(t *testing.T) {
	block := strings.Repeat("x", 4<<10)
	for name, answer := range map[string]http.HandlerFunc{
		"a line":            pours("data: ", block),
		"an event":          pours("", "data: "+block+"\n"),
		"comments":          pours("", ": "+block+"\n"),
		"empty lines":       pours("", strings.Repeat("\n", 4<<10)),
		"events of nothing": pours("", strings.Repeat("data: {}\n\n", 400)),
		"behind [DONE]":     pours(events(ended("stop"), done), strings.Repeat("\n", 4<<10)),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ask(t.Context(), t, serve(t, answer))
			if failure, _ := errors.AsType[*reviewer.Failure](err); !errors.Is(err, model.ErrStreamTooLarge) || failure.Class != reviewer.ClassTooLarge {
				t.Errorf("got %v, want STREAM_TOO_LARGE", err)
			}
		})
	}
}

func TestALongAnswerOfSmallPiecesIsRead(t *testing.T) {
	const pieces = 30_000 // as many tokens as ten minutes hold
	chunks, err := ask(t.Context(), t, serve(t, says(strings.Repeat(events(said(`"reasoning":"some"`)), pieces)+events(said(`"content":"a"`), ended("stop"), done))))
	if err != nil || len(chunks) != pieces+2 {
		t.Errorf("got %d chunks, %v", len(chunks), err)
	}
}

func TestACancelledRequestEndsAtOnce(t *testing.T) {
	for name, first := range map[string]string{"before the response": "", "in the stream": events(said(`"content":"a"`))} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			route := serve(t, func(w http.ResponseWriter, r *http.Request) {
				drain(r)
				if first != "" {
					w.Header().Set("Content-Type", eventStream)
					io.WriteString(w, first)
					http.NewResponseController(w).Flush()
				} else {
					cancel()
				}
				<-r.Context().Done()
			})
			start := time.Now()
			for chunk, err := range newClient(t).Stream(ctx, reviewer.Prompt{Route: route}) {
				if err == nil {
					cancel()
					continue
				}
				if chunk != nil || !errors.Is(err, model.ErrCancelled) {
					t.Errorf("got %v, %v; want REVIEW_CANCELLED", chunk, err)
				}
			}
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("it took %s", d)
			}
		})
	}
}

func TestASlowStreamArrivesPieceByPiece(t *testing.T) {
	next := make(chan string)
	route := serve(t, func(w http.ResponseWriter, r *http.Request) {
		drain(r)
		w.Header().Set("Content-Type", eventStream)
		for text := range next {
			io.WriteString(w, text)
			http.NewResponseController(w).Flush()
		}
	})
	// Each piece is sent only when the one before it has arrived, so that a client which
	// waits for more than an event's end would wait for ever.
	go func() { next <- events(said(`"content":"0"`)) }()
	arrived := 0
	for chunk, err := range newClient(t).Stream(t.Context(), reviewer.Prompt{Route: route}) {
		if err != nil {
			t.Fatal(err)
		}
		if _, over := chunk.(reviewer.Finish); over {
			break
		}
		if arrived++; arrived < 5 {
			next <- strings.ReplaceAll(events(said(fmt.Sprintf(`"content":"%d"`, arrived))), "\n", "\r\n")
			continue
		}
		next <- events(ended("stop"))
		close(next)
	}
	if arrived != 5 {
		t.Errorf("%d pieces arrived, want 5", arrived)
	}
}
