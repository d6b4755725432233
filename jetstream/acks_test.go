package jetstream

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

func TestAnAnswerIsReadForWhatItSays(t *testing.T) {
	tests := map[string]struct {
		answer string
		status string
		want   natsjs.PubAck
		err    error
	}{
		"plain":          {answer: `{"stream":"S","seq":12}`, want: natsjs.PubAck{Stream: "S", Sequence: 12}},
		"with a space":   {answer: `{"stream":"S", "seq":12}`, want: natsjs.PubAck{Stream: "S", Sequence: 12}},
		"duplicate":      {answer: `{"stream":"S","seq":12,"duplicate":true}`, want: natsjs.PubAck{Stream: "S", Sequence: 12, Duplicate: true}},
		"of a domain":    {answer: `{"stream":"S","domain":"D","seq":12}`, want: natsjs.PubAck{Stream: "S", Domain: "D", Sequence: 12}},
		"escaped":        {answer: `{"stream":"\u0053","seq":12}`, want: natsjs.PubAck{Stream: "S", Sequence: 12}},
		"refused":        {answer: `{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 7"},"stream":"S","seq":0}`, err: &natsjs.APIError{ErrorCode: 10071}},
		"nobody":         {status: "503", err: natsjs.ErrNoStreamResponse},
		"no sequence":    {answer: `{"stream":"S","seq":0}`, err: natsjs.ErrInvalidJSAck},
		"no number":      {answer: `{"stream":"S","seq":}`, err: natsjs.ErrInvalidJSAck},
		"too large":      {answer: `{"stream":"S","seq":99999999999999999999}`, err: natsjs.ErrInvalidJSAck},
		"more behind it": {answer: `{"stream":"S","seq":12}{}`, err: natsjs.ErrInvalidJSAck},
		"no JSON":        {answer: `+OK`, err: natsjs.ErrInvalidJSAck},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := &nats.Msg{Data: []byte(tt.answer), Header: nats.Header{"Status": {tt.status}}}
			got, err := parseAck(m)
			if !errors.Is(err, tt.err) {
				t.Errorf("got error %v, want %v", err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

// anyone is a server with a subscriber to "slow", and acks on a connection to it.
func anyone(t *testing.T) (*acks, <-chan *nats.Msg) {
	t.Helper()
	s, err := StartServer(t.Context(), ServerConfig{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	nc, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	held := make(chan *nats.Msg, 2)
	if _, err := nc.ChanSubscribe("slow", held); err != nil {
		t.Fatal(err)
	}
	a := &acks{nc: nc}
	t.Cleanup(a.close)
	return a, held
}

func wantAnswer(t *testing.T, a *acks, sequence uint64) {
	t.Helper()
	got, err := a.publish(t.Context(), &nats.Msg{Subject: "slow"}, nil)
	if err != nil || got.Sequence != sequence {
		t.Errorf("got %+v, %v, want the answer %d", got, err, sequence)
	}
}

// An answer that comes when nobody waits for it any more is not the answer to the
// next publish.
func TestALateAnswerIsNobodyElses(t *testing.T) {
	a, held := anyone(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { // the first answer is held until the second publish is there
		first := <-held
		cancel()
		second := <-held
		_ = first.Respond([]byte(`{"stream":"S", "seq":1}`))
		_ = second.Respond([]byte(`{"stream":"S", "seq":2}`))
	}()
	if got, err := a.publish(ctx, &nats.Msg{Subject: "slow"}, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %+v, %v, want that nobody waited", got, err)
	}
	wantAnswer(t, a, 2)
}

func TestAnAnswerThatComesTwiceIsNobodyElses(t *testing.T) {
	a, held := anyone(t)
	go func() {
		first := <-held
		for range 3 {
			_ = first.Respond([]byte(`{"stream":"S", "seq":1}`))
		}
		_ = (<-held).Respond([]byte(`{"stream":"S", "seq":2}`))
	}()
	wantAnswer(t, a, 1)
	wantAnswer(t, a, 2)
}

// What there is to do while an answer is on its way is done when the message is sent,
// and before anybody waits.
func TestSentIsCalledBeforeTheAnswerIsWaitedFor(t *testing.T) {
	a, held := anyone(t)
	go func() { // answers only what was sent
		m := <-held
		_ = m.Respond([]byte(`{"stream":"S", "seq":1}`))
	}()
	called := 0
	got, err := a.publish(t.Context(), &nats.Msg{Subject: "slow"}, func() { called++ })
	if err != nil || got.Sequence != 1 || called != 1 {
		t.Errorf("got %+v, %v, and that it was called %d times, want once", got, err, called)
	}
}
