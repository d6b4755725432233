package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
)

const (
	// acceptTimeout is how long a call waits to be accepted before it is asked for again.
	acceptTimeout = 3 * time.Second
	// giveUpAfter is how long the end of a call is waited for that was given up.
	giveUpAfter = 10 * time.Second
	// inboxSize is how many replies may wait: accepted ones, signs of life, the answer.
	inboxSize = 64
)

// awaiting is a call that is on its way through the gate. It is one goroutine's.
type awaiting struct {
	c     *Client
	call  []byte // the request, the same each time
	about []byte // the request of call.alive and call.cancel
	inbox string
	in    chan *nats.Msg
	subs  []*nats.Subscription // of the call's answers, and of those about it once there are

	again    *time.Timer // when to ask again
	alive    *time.Timer // when to say that the caller is there
	every    time.Duration
	heard    time.Time     // when the engine was heard of last
	gone     time.Duration // after which silence of the engine's to ask again
	back     backOff
	begun    time.Time
	givenUp  bool
	last     error
	refusals int
}

// await takes a call through the gate and waits for the answer. When ctx ends it
// gives the call up, and still waits a while for what became of it: a call that was
// asked for has its end on the log. An error says that there is no answer.
func (c *Client) await(ctx context.Context, r api.Call) (api.Answer, error) {
	call, err := encode("call", r)
	if err != nil {
		return api.Answer{}, err
	}
	about, err := encode("call", api.CallAlive{Query: api.Query{Session: r.Session}, CallID: r.CallID})
	if err != nil {
		return api.Answer{}, err
	}
	w := &awaiting{c: c, call: call, about: about, inbox: c.nc.NewInbox(), in: make(chan *nats.Msg, inboxSize), begun: time.Now()}
	defer w.unsubscribe()
	if err := w.subscribe(".call"); err != nil {
		return api.Answer{}, fmt.Errorf("client: call: %w", err)
	}
	answer, err := w.loop(ctx)
	if err != nil {
		return api.Answer{}, err
	}
	if (answer.Permit == nil) == (answer.Refused == nil) || answer.CallID != r.CallID {
		return api.Answer{}, errors.New("client: call: the reply is neither a permit nor a refusal of the call")
	}
	return answer, nil
}

// subscribe listens to one kind of answers. A server that carries answers over from
// another account searches all that are expected when a wildcard is unsubscribed from.
func (w *awaiting) subscribe(kind string) error {
	sub, err := w.c.nc.ChanSubscribe(w.inbox+kind, w.in)
	if err == nil {
		w.subs = append(w.subs, sub)
	}
	return err
}

func (w *awaiting) unsubscribe() {
	for _, sub := range w.subs {
		_ = sub.Unsubscribe() // a closed connection has none
	}
}

func (w *awaiting) loop(ctx context.Context) (api.Answer, error) {
	w.again, w.alive = time.NewTimer(acceptTimeout), time.NewTimer(time.Hour)
	defer w.again.Stop()
	defer w.alive.Stop()
	epoch, refusals := w.c.link.now()
	w.refusals = refusals
	w.ask()
	done, giveUp := ctx.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case m := <-w.in:
			if answer, over, err := w.take(m); over {
				return answer, err
			}
		case <-w.again.C:
			w.ask()
		case <-w.alive.C:
			w.sayAlive()
		case <-epoch.Done():
			if err := w.reconnected(); err != nil {
				return api.Answer{}, err
			}
			epoch, _ = w.c.link.now()
		case <-done:
			done, w.givenUp, giveUp = nil, true, time.After(giveUpAfter)
			w.cancel()
		case <-giveUp:
			return api.Answer{}, unanswered("call", context.Cause(ctx), w.last)
		}
	}
}

// ask sends the call, for the first time or again. What cannot be sent is sent again.
func (w *awaiting) ask() {
	w.send("call", w.call, ".call")
	w.again.Reset(acceptTimeout)
	if w.givenUp {
		w.cancel()
	}
}

func (w *awaiting) send(command string, body []byte, reply string) {
	if err := w.c.nc.PublishRequest(w.c.caller.subject(command), w.inbox+reply, body); err != nil {
		w.last = err
	}
}

func (w *awaiting) cancel() { w.sendAbout("call.cancel") }

// sendAbout says something about the call. Most calls end before there is anything to
// say.
func (w *awaiting) sendAbout(command string) {
	if len(w.subs) == 1 {
		if err := w.subscribe(".about"); err != nil {
			w.last = err
			return
		}
	}
	w.send(command, w.about, ".about")
}

// sayAlive also finds out whether the engine is there: one that is silent for too
// long is asked again, whichever it is.
func (w *awaiting) sayAlive() {
	w.alive.Reset(w.every)
	if time.Since(w.heard) >= w.gone {
		w.ask()
		return
	}
	w.sendAbout("call.alive")
	if w.givenUp {
		w.cancel()
	}
}

// reconnected asks again: replies may be lost.
func (w *awaiting) reconnected() error {
	switch refused := w.c.link.refused(w.refusals); {
	case w.c.link.over.Err() != nil:
		return fmt.Errorf("client: call: %w", ErrClosed)
	case refused != nil:
		return fmt.Errorf("client: call: %w", refused)
	}
	w.ask()
	return nil
}

// take reads one reply; over says that it is the last one.
func (w *awaiting) take(m *nats.Msg) (answer api.Answer, over bool, err error) {
	if len(m.Data) == 0 && m.Header.Get("Status") == "503" {
		w.last = nats.ErrNoResponders
		w.again.Reset(w.back.next())
		return answer, false, nil
	}
	if m.Subject == w.inbox+".about" {
		w.takeUnderWay(m)
		return answer, false, nil
	}
	if err := refusalIn(m); err != nil {
		if final(err, time.Since(w.begun), w.patience()) {
			return answer, true, fmt.Errorf("client: call: %w", err)
		}
		w.last = err
		w.again.Reset(w.back.next())
		return answer, false, nil
	}
	if m.Header.Get(api.StateHeader) == api.StateAccepted {
		w.accept(m.Data)
		return answer, false, nil
	}
	// A reason is what a model wrote, and may have lone surrogates among its escapes.
	if err := json.Unmarshal(m.Data, &answer, jsontext.AllowInvalidUTF8(true)); err != nil {
		return answer, true, fmt.Errorf("client: call: the reply is not what the interface says: %w", err)
	}
	return answer, true, nil
}

// patience is how long what cannot be done now is tried again: to the end for a call
// that was given up, which has one.
func (w *awaiting) patience() time.Duration {
	if w.givenUp {
		return forever
	}
	return patience
}

// accept begins to say that the caller is there.
func (w *awaiting) accept(data []byte) {
	var a api.Accepted
	if json.Unmarshal(data, &a) != nil || a.AliveMs <= 0 || a.GoneMs <= 0 {
		return // as if it had not come: the call is asked for again
	}
	w.again.Stop()
	w.back = backOff{}
	w.heard, w.every, w.gone = time.Now(), time.Duration(a.AliveMs)*time.Millisecond, time.Duration(a.GoneMs)*time.Millisecond
	w.alive.Reset(w.every)
	if w.givenUp {
		w.cancel()
	}
}

// takeUnderWay asks again where no engine has the call.
func (w *awaiting) takeUnderWay(m *nats.Msg) {
	var u api.UnderWay
	if refusalIn(m) != nil || json.Unmarshal(m.Data, &u) != nil {
		return
	}
	w.heard = time.Now()
	if !u.Known {
		w.again.Reset(w.back.next())
	}
}
