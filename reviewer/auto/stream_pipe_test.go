package auto

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
)

// pipes is a network in memory: a real client and a real server speak over it, and the
// time between them is a test's.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "pipe"} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// overPipes asks a server in a bubble of its own, and gives the answer's text and how
// long it took.
func overPipes(t *testing.T, limits reviewer.Limits, answer http.HandlerFunc) (text string, took time.Duration, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		network := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			answer(w, r)
		})}
		served := make(chan struct{})
		go func() { defer close(served); _ = server.Serve(network) }()
		client, made := model.New(model.Config{Environment: func(string) string { return "" }, Dial: network.dial})
		if made != nil {
			t.Fatal(made)
		}
		route := reviewer.Route{Provider: "p", Model: "m", API: reviewer.APICompletions, BaseURL: "http://localhost/v1", Limits: limits}
		begun := time.Now()
		text, err = collect(t.Context(), client, reviewer.Prompt{Route: route, System: "s", User: "u"})
		took = time.Since(begun)
		client.Close()
		server.Close()
		<-served
	})
	return text, took, err
}

// waits sends a text again and again until the time is over or the client is gone.
func waits(w http.ResponseWriter, r *http.Request, text string, each, long time.Duration) {
	for end := time.Now().Add(long); time.Now().Before(end) && r.Context().Err() == nil; {
		sends(w, text)
		select {
		case <-time.After(each):
		case <-r.Context().Done():
		}
	}
}

// TestWhateverComesEndsASilence: DeepSeek and OpenRouter keep a connection alive for
// minutes before a model gets its turn.
func TestWhateverComesEndsASilence(t *testing.T) {
	const each, long = 15 * time.Second, 9 * time.Minute
	for name, text := range map[string]string{
		"DeepSeek's comments":                     ": keep-alive\n\n",
		"OpenRouter's comments":                   ": OPENROUTER PROCESSING\n\n",
		"empty lines":                             "\n",
		"lines of two characters":                 "\r\n\r\n",
		"the comment that has nothing":            ":\n",
		"pieces that add nothing":                 `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}` + "\n\n",
		"pieces without choices":                  `data: {"choices":[]}` + "\n\n",
		"events of another name":                  "event: ping\ndata: {\"type\":\"ping\"}\n\n",
		"events without data":                     "event: keepalive\n\n",
		"a comment, a byte each":                  ":",
		"reasoning that is hidden":                `data: {"choices":[{"index":0,"delta":{"content":"","reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]}}]}` + "\n\n",
		"half a line, until the next one ends it": "id: 1",
	} {
		t.Run(name, func(t *testing.T) {
			got, took, err := overPipes(t, reviewer.Limits{}, func(w http.ResponseWriter, r *http.Request) {
				waits(w, r, text, each, long)
				sends(w, "\n\n", pieceOfText, pieceOfEnd)
				waits(w, r, ": still here\n\n", each, each)
				sends(w, "data: [DONE]\n\n")
			})
			if err != nil || got == "" || took != long+each {
				t.Errorf("got %q, %v after %s", got, err, took)
			}
		})
	}
}

func TestWhatKeepsAConnectionAliveDoesNotStopTheTimeInAll(t *testing.T) {
	_, took, err := overPipes(t, reviewer.Limits{}, func(w http.ResponseWriter, r *http.Request) {
		waits(w, r, ": keep-alive\n\n", 15*time.Second, 24*time.Hour)
	})
	if !errors.Is(err, ErrModelTotalTime) || took != 10*time.Minute {
		t.Errorf("got %v after %s, want MODEL_TOTAL_TIME after 10 minutes", err, took)
	}
}

func TestASilenceIsCountedFromTheLastByte(t *testing.T) {
	const minute = time.Minute
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		after  time.Duration
	}{
		"nothing at all": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, minute},
		"the head is something": {func(w http.ResponseWriter, r *http.Request) {
			<-time.After(minute / 2)
			sends(w, "")
			<-r.Context().Done()
		}, minute * 3 / 2},
		"a head before the head is too": {func(w http.ResponseWriter, r *http.Request) {
			<-time.After(minute / 2)
			w.WriteHeader(http.StatusProcessing)
			<-r.Context().Done()
		}, minute * 3 / 2},
		"behind a comment": {func(w http.ResponseWriter, r *http.Request) { sends(w, ": wait\n\n"); <-r.Context().Done() }, minute},
		"inside an event": {func(w http.ResponseWriter, r *http.Request) {
			sends(w, "data: {")
			<-time.After(minute / 2)
			sends(w, "\"choices\"")
			<-r.Context().Done()
		}, minute * 3 / 2},
		"behind the whole answer": {func(w http.ResponseWriter, r *http.Request) { sends(w, pieceOfText, pieceOfEnd); <-r.Context().Done() }, minute},
	} {
		t.Run(name, func(t *testing.T) {
			_, took, err := overPipes(t, reviewer.Limits{}, c.answer)
			if !errors.Is(err, ErrModelIdle) || took != c.after {
				t.Errorf("got %v after %s, want MODEL_IDLE after %s", err, took, c.after)
			}
		})
	}
}

// providerText is a stream of one text in pieces that a test gives, as they are escaped
// in JSON.
func providerText(pieces ...string) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(`data: {"choices":[{"index":0,"delta":{"content":"` + p + `"}}]}` + "\n\n")
	}
	return b.String() + pieceOfEnd + "data: [DONE]\n\n"
}

func TestHalfAPairIsHalfACharacterUntilTheOtherComes(t *testing.T) {
	const begin, end = `{\"risk\":\"high\",\"decision\":\"deny\",\"reason\":\"`, `\"}`
	for name, c := range map[string]struct {
		pieces []string
		want   string // the reason, empty for a failure
	}{
		"both halves in one piece":           {[]string{begin + `a\ud83d\ude00` + end}, `"a😀"`},
		"one half in each of two pieces":     {[]string{begin + `a\ud83d`, `\ude00b` + end}, `"a😀b"`},
		"each half in a piece of its own":    {[]string{begin, `\uD83D`, `\uDE00`, end}, `"😀"`},
		"pairs one behind the other":         {[]string{begin + `\ud83d`, `\ude00\ud83d`, `\ude01` + end}, `"😀😁"`},
		"an empty piece between the halves":  {[]string{begin + `\ud83d`, ``, `\ude00` + end}, `"😀"`},
		"a half alone in a reason":           {[]string{begin + `a\ud83d b` + end}, `"a\ud83d b"`},
		"a half alone across pieces":         {[]string{begin + `a\ud83d`, ` b` + end}, `"a\ud83d b"`},
		"a second half alone in a reason":    {[]string{begin + `\ude00` + end}, `"\ude00"`},
		"halves in the wrong order":          {[]string{begin + `\ude00\ud83d.` + end}, `"\ude00\ud83d."`},
		"the answer's own escape of a half":  {[]string{begin + `\\ud83d` + end}, `"\ud83d"`},
		"an escape that is cut in the midst": {[]string{begin + `\\ud8`, `3d\\ude00` + end}, `"\ud83d\ude00"`},
		"a half behind a backslash":          {[]string{begin + `\\\ud83d` + end}, ""},
		"a half behind a backslash as text":  {[]string{begin + `\\\\\ud83d` + end}, `"\\\ud83d"`},
		"a half at the very end":             {[]string{begin + end + `\ud83d`}, ""},
		"a half before everything":           {[]string{`\ud83d` + begin + end}, ""},
		"a half between the members":         {[]string{`{\"risk\":\"high\",\ud83d\"decision\":\"deny\"}`}, ""},
		"a half in a word":                   {[]string{`{\"risk\":\"high\ud83d\",\"decision\":\"deny\",\"reason\":\"a\"}`}, ""},
		"a half in a name":                   {[]string{`{\"risk\":\"high\",\"decision\":\"deny\",\"reason\ud83d\":\"a\"}`}, ""},
		"a half with an allowance":           {[]string{`{\"risk\":\"low\",\"decision\":\"allow\"}\ud83d `}, ""},
		"a half in an allowance's reason":    {[]string{`{\"risk\":\"low\",\"decision\":\"allow\",\"reason\":\"\ud83d.\"}`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text, _, err := overPipes(t, reviewer.Limits{}, func(w http.ResponseWriter, _ *http.Request) { sends(w, providerText(c.pieces...)) })
			if c.want == "" {
				failure, ok := errors.AsType[*reviewer.Failure](err)
				if !ok || failure.Class != reviewer.ClassMalformed || !strings.Contains(failure.Detail, "half a surrogate pair") {
					t.Errorf("got %q, %v; want a failure that says what stands alone", text, err)
				}
				return
			}
			verdict, wrong := parseAnswer(text)
			if err != nil || wrong != nil || verdict.Outcome != reviewer.Deny || string(verdict.Reason) != c.want {
				t.Errorf("got %q, %v, %v; want the reason %s", text, err, wrong, c.want)
			}
		})
	}
}
