package bus_test

import (
	"context"
	"iter"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/bus/bustest"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// The answers of a model, as auto takes them.
const (
	modelAllows = `{"risk":"low","decision":"allow"}`
	modelDenies = `{"risk":"high","decision":"deny","reason":"too \ud800 much"}`
)

// modelDouble stands for a model's judgement, and for nothing else.
type modelDouble struct {
	answer func(context.Context) (string, error)
	asked  chan struct{} // has a value for each prompt; never full in a test
	times  atomic.Int32
}

func answering(text string) *modelDouble {
	return &modelDouble{answer: func(context.Context) (string, error) { return text, nil }, asked: make(chan struct{}, 1000)}
}

// pondering answers nothing before it is told to.
func pondering(text string) (m *modelDouble, answer func()) {
	told := make(chan struct{})
	m = answering(text)
	m.answer = func(ctx context.Context) (string, error) {
		select {
		case <-told:
			return text, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return m, sync.OnceFunc(func() { close(told) })
}

func (m *modelDouble) Stream(ctx context.Context, _ reviewer.Prompt) iter.Seq2[reviewer.Chunk, error] {
	return func(yield func(reviewer.Chunk, error) bool) {
		m.times.Add(1)
		m.asked <- struct{}{}
		text, err := m.answer(ctx)
		if err != nil {
			yield(nil, &reviewer.Failure{Class: reviewer.ClassProvider, Code: "DOUBLE_FAILED", Detail: err.Error(), Err: err})
			return
		}
		_ = yield(reviewer.Delta{Kind: reviewer.BlockText, Text: text}, nil) &&
			yield(reviewer.BlockEnd{Kind: reviewer.BlockText}, nil) && yield(reviewer.Finish{Kind: reviewer.FinishStop}, nil)
	}
}

// apart is a yard on real accounts whose engines ask reviewers in other processes.
type apart struct {
	*yard
	bus    *bustest.Bus
	asking chan *nats.Conn // the engines' connections to their reviewers
	locals sync.Map        // the digest that a reviewer beside the engine would have, by call
}

func newApart(t *testing.T, silence time.Duration) *apart {
	t.Helper()
	y, b := newBankedYard(t)
	a := &apart{yard: y, bus: b, asking: make(chan *nats.Conn, 10)}
	y.reviewer = func(r *replica) reviewer.Reviewer {
		nc := y.connect()
		remote, err := bus.NewRemoteReviewer(bus.RemoteConfig{Conn: nc, Name: auto.Name, Log: r.log, Establish: y.establish, Silence: silence})
		must(t, err)
		t.Cleanup(remote.Close)
		a.asking <- nc
		return beside{remote, a}
	}
	return a
}

// beside notes what a reviewer in the engine's own process would be asked.
type beside struct {
	reviewer.Reviewer
	apart *apart
}

func (b beside) Prepare(v reviewer.View, c reviewer.Call) (reviewer.Review, error) {
	local, err := auto.New(auto.Config{}).Prepare(v, c)
	if err != nil {
		return nil, err
	}
	b.apart.locals.Store(c.CallID, local.Digest())
	return b.Reviewer.Prepare(v, c)
}

// join starts a reviewer, which leaves when the test ends.
func (a *apart) join(m reviewer.Model, change ...func(*bus.ReviewServiceConfig)) *bus.ReviewService {
	a.t.Helper()
	cfg := bus.ReviewServiceConfig{
		Conn: a.bus.Connect(bus.Reviewer, auto.Name), Reviewer: auto.New(auto.Config{Model: m}), Logger: slog.New(slog.NewTextHandler(a.t.Output(), nil)), Beat: 50 * time.Millisecond,
	}
	for _, c := range change {
		c(&cfg)
	}
	s, err := bus.NewReviewService(cfg)
	must(a.t, err)
	must(a.t, s.Start())
	a.t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := s.Shutdown(ctx); err != nil {
			a.t.Errorf("shut down: %v", err)
		}
	})
	return s
}

// raw joins as a reviewer that says whatever a test wants.
func (a *apart) raw(receive func(*nats.Msg)) {
	a.t.Helper()
	nc := a.bus.Connect(bus.Reviewer, auto.Name)
	_, err := nc.QueueSubscribe(bus.ReviewPrefix+auto.Name, "reviewer", receive)
	must(a.t, err)
	must(a.t, nc.Flush())
}

// nonceOf is the nonce of a request for a review.
func nonceOf(m *nats.Msg) string {
	var q struct {
		Nonce string `json:"nonce"`
	}
	_ = json.Unmarshal(m.Data, &q)
	return q.Nonce
}

// verdict is what the log has of the review of a call.
func (r *replica) verdict(id events.SessionID, call string) events.ReviewVerdict {
	r.t.Helper()
	for record, err := range r.log.Read(r.t.Context(), id, 0) {
		must(r.t, err)
		if record.Type() != events.TypeReviewVerdict {
			continue
		}
		envelopes, err := record.Decode()
		must(r.t, err)
		if v := envelopes[0].Event.(events.ReviewVerdict); v.CallID == call {
			return v
		}
	}
	r.t.Fatalf("the log has no verdict on %s", call)
	return events.ReviewVerdict{}
}

// recorded is the audit's record of the review of a call, once it is there.
func (r *replica) recorded(id events.SessionID, call string) events.ReviewRecord {
	r.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		for record, err := range r.log.Reviews(r.t.Context(), id) {
			must(r.t, err)
			if record.CallID == call {
				return record
			}
		}
		select {
		case <-tick.C:
		case <-r.t.Context().Done():
			r.t.Fatalf("the review of %s is not recorded", call)
		}
	}
}

// wantFailure holds the log and the audit's record against a failure.
func (r *replica) wantFailure(call string, class reviewer.Class, code string) {
	r.t.Helper()
	v := r.verdict("work", call)
	if v.Outcome != events.VerdictFailure || v.Failure == nil || v.Failure.Class != string(class) {
		r.t.Errorf("got the verdict %+v %+v, want a failure of the class %s", v, v.Failure, class)
	}
	if got := r.recorded("work", call).Failure; got == nil || got.Code != code {
		r.t.Errorf("got %+v, want the failure %s", got, code)
	}
}

// readOf is the subject on which a review's log is read, by a reviewer of a name.
func readOf(m *nats.Msg, name string) string {
	var q struct {
		Engine string `json:"engine"`
	}
	_ = json.Unmarshal(m.Data, &q)
	return "docket.v1.reviewer." + name + ".read." + q.Engine
}

// read reports whether the engine answers a read with what was wanted.
func read(t *testing.T, nc *nats.Conn, m *nats.Msg, nonce, want string) bool {
	t.Helper()
	got, err := nc.Request(readOf(m, auto.Name), []byte(`{"nonce":"`+nonce+`","want":"`+want+`"}`), 5*time.Second)
	must(t, err)
	return string(got.Data) != `{"closed":true}`
}
