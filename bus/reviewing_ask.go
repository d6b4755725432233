package bus

import (
	"context"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/reviewer"
)

// remoteReview is a request to a reviewer in another process.
type remoteReview struct {
	remote *RemoteReviewer
	asked  reviewAsked

	mu            sync.Mutex // guards what follows
	sent          bool
	route, digest string // of the request that the reviewer has made, once it says so
}

// Digest is that of the request which the reviewer has made of the log; "" where it
// made none.
func (r *remoteReview) Digest() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.digest
}

// Route is the one that the reviewer has asked; "" where it asked none.
func (r *remoteReview) Route() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.route
}

// Ask sends the request and waits for the one answer to it. What is said by anybody
// else, to another request, or later is not heard.
func (r *remoteReview) Ask(ctx context.Context) (reviewer.Verdict, error) {
	r.mu.Lock()
	again := r.sent
	r.sent = true
	r.mu.Unlock()
	nc := r.remote.cfg.Conn
	switch {
	case again:
		return reviewer.Verdict{}, errReviewAskedTwice
	case ctx.Err() != nil:
		return reviewer.Verdict{}, errReviewEnded.Because(ctx.Err())
	case !nc.IsConnected():
		return reviewer.Verdict{}, errReviewerUnavailable.With("the engine has no connection to its reviewers")
	}
	if err := r.remote.begin(r.asked); err != nil {
		return reviewer.Verdict{}, err
	}
	defer r.remote.over(r.asked.Nonce)
	lost := nc.StatusChanged(nats.DISCONNECTED, nats.RECONNECTING, nats.CLOSED)
	defer nc.RemoveStatusListener(lost)
	said, end, err := r.send(nc)
	if err != nil {
		return reviewer.Verdict{}, err
	}
	defer end()
	return r.hear(ctx, said, lost)
}

// send publishes the request; what is said to it comes on an inbox of its own.
func (r *remoteReview) send(nc *nats.Conn) (said chan *nats.Msg, end func(), err error) {
	data, err := json.Marshal(r.asked)
	if err != nil {
		return nil, nil, errReviewBroken.With("the request cannot be written").Because(err)
	}
	if int64(len(data)) > nc.MaxPayload() {
		return nil, nil, errReviewTooLarge
	}
	said = make(chan *nats.Msg, reviewHeld)
	inbox := nc.NewInbox()
	sub, err := nc.ChanSubscribe(inbox, said)
	if err != nil {
		return nil, nil, errReviewerUnavailable.Because(err)
	}
	end = func() { _ = sub.Unsubscribe() } // a closed connection has none
	if err := nc.PublishRequest(ReviewPrefix+r.remote.cfg.Name, inbox, data); err != nil {
		end()
		return nil, nil, errReviewerUnavailable.Because(err)
	}
	return said, end, nil
}

// hear waits for the answer. A reviewer that is silent for too long is lost, and so is
// one whose connection to here is gone: nobody else is asked.
func (r *remoteReview) hear(ctx context.Context, said <-chan *nats.Msg, lost <-chan nats.Status) (reviewer.Verdict, error) {
	silence := time.NewTimer(r.remote.cfg.Silence)
	defer silence.Stop()
	for heard := false; ; heard = true {
		select {
		case <-ctx.Done():
			return reviewer.Verdict{}, errReviewEnded.Because(ctx.Err())
		case <-lost:
			return reviewer.Verdict{}, errReviewerGone.With("the connection was lost while the call was under review, and nobody is asked twice")
		case <-silence.C:
			return reviewer.Verdict{}, errReviewerGone
		case m := <-said:
			if !heard && noResponders(m) {
				return reviewer.Verdict{}, errReviewerUnavailable
			}
			s, err := parseSaid(m.Data)
			switch {
			case err == nil && (s.Nonce != r.asked.Nonce || s.Reviewer != r.remote.cfg.Name):
				r.remote.cfg.Logger.Warn("a reviewer answers what it was not asked", "session", r.asked.Session)
				continue
			case err != nil:
				return reviewer.Verdict{}, errReviewerMalformed.Because(err)
			case !r.note(s):
				return reviewer.Verdict{}, errReviewerMalformed.With("the reviewer answers another request than the one that it has made")
			case s.State == saidAnswer:
				return s.result()
			}
			silence.Reset(r.remote.cfg.Silence)
		}
	}
}

// note keeps which request was made, and reports whether it is still the same.
func (r *remoteReview) note(s reviewSaid) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.digest == "" {
		r.route, r.digest = s.Route, s.Digest
		return true
	}
	return s.Digest == "" || s.Digest == r.digest && s.Route == r.route
}

func noResponders(m *nats.Msg) bool { return len(m.Data) == 0 && m.Header.Get("Status") == "503" }
