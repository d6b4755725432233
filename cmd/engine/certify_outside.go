package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/reviewer"
)

// outsideName is the host that a call would send to. It is reserved never to be
// found (RFC 2606).
const outsideName = "intake.outside.invalid"

// outside is a port of this machine that nobody may come to: the outside host's,
// should its name lead anywhere after all.
type outside struct {
	listening net.Listener
	done      chan struct{}

	mu   sync.Mutex // guards came
	came int
}

func listenOutside() (*outside, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen in the outside host's place: %w", err)
	}
	o := &outside{listening: l, done: make(chan struct{})}
	go o.count()
	return o, nil
}

// count counts whoever comes, and sends them away.
func (o *outside) count() {
	defer close(o.done)
	for {
		c, err := o.listening.Accept()
		if err != nil {
			return
		}
		o.mu.Lock()
		o.came++
		o.mu.Unlock()
		_ = c.Close() // it has nothing to say
	}
}

func (o *outside) close() error {
	err := o.listening.Close()
	<-o.done
	return err
}

// connections is how many came so far.
func (o *outside) connections() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.came
}

// address is the outside host's, as a call names it.
func (o *outside) address() string {
	_, port, _ := net.SplitHostPort(o.listening.Addr().String()) // it is one
	return net.JoinHostPort(outsideName, port)
}

// listener is a model that is listened to: how often it is asked, with what, and
// which risk it names, which no log keeps.
type listener struct {
	model reviewer.Model

	mu    sync.Mutex // guards what follows
	asked []question
}

// question is one prompt and what came of it.
type question struct {
	route  string
	digest string // of the request, as review records have it
	risk   string // "" where the answer names none
}

var _ reviewer.Model = (*listener)(nil)

// Stream passes everything on as it is.
func (l *listener) Stream(ctx context.Context, p reviewer.Prompt) iter.Seq2[reviewer.Chunk, error] {
	return func(yield func(reviewer.Chunk, error) bool) {
		at := l.begin(p)
		var answer answerText
		defer func() { l.end(at, answer.risk()) }()
		for c, err := range l.model.Stream(ctx, p) {
			answer.add(c)
			if !yield(c, err) {
				return
			}
		}
	}
}

func (l *listener) begin(p reviewer.Prompt) int {
	sum := sha256.Sum256([]byte(p.System + "\x00" + p.User))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, question{route: p.Route.Name(), digest: hex.EncodeToString(sum[:])})
	return len(l.asked) - 1
}

func (l *listener) end(at int, risk string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked[at].risk = risk
}

func (l *listener) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.asked)
}

// since are the questions behind the first n.
func (l *listener) since(n int) []question {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]question{}, l.asked[n:]...)
}

// answerText is the text block of an answer.
type answerText struct{ text strings.Builder }

func (t *answerText) add(c reviewer.Chunk) {
	switch c := c.(type) {
	case reviewer.Delta:
		if c.Kind == reviewer.BlockText {
			t.text.WriteString(c.Text)
		}
	case reviewer.BlockEnd:
		if c.Kind == reviewer.BlockText && c.Text != nil { // it wins over the deltas
			t.text.Reset()
			t.text.WriteString(*c.Text)
		}
	case reviewer.Usage, reviewer.Finish:
	}
}

// risk is the one that the answer names, "" for none that there is. Whether the
// answer counts is not judged here.
func (t *answerText) risk() string {
	var parsed struct {
		Risk string `json:"risk"`
	}
	err := json.Unmarshal([]byte(t.text.String()), &parsed)
	if err != nil || !slices.Contains([]string{"low", "medium", "high"}, parsed.Risk) {
		return ""
	}
	return parsed.Risk
}
