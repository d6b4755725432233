package bus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// Engines find each other's calls and tails on subjects of their own account, which
// nobody else can reach. There is a subscription for each one that is under way, so
// that the server itself says at once where there is none.
const heldPrefix = ControlPrefix + "held."

// heldWaiting is how many of the things that are said about long requests may wait.
// What is lost is said again.
const heldWaiting = 4096

// What engines tell each other, in headers alone.
const (
	headerDo     = "Docket-Do"     // one of the operations below
	headerEngine = "Docket-Engine" // who answers
	headerDigest = "Docket-Digest" // of the request that wants to join
	headerReply  = "Docket-Reply-To"
	headerNext   = "Docket-Next"
	headerDiffer = "Docket-Differs"

	doPing   = "ping"
	doAlive  = "alive"
	doCancel = "cancel"
	doJoin   = "join"
)

const (
	tellTimeout = 2 * time.Second
	// othersTimeout is how long other engines have to answer once this one has.
	othersTimeout = 250 * time.Millisecond
)

// Why a long request ends before its answer.
var (
	errGone      = errors.New("the caller was not heard of")
	errCancelled = errors.New("the caller gave it up")
)

// held is a long request that is under way here.
type held struct {
	digest string
	cancel context.CancelCauseFunc
	gone   *time.Timer
	after  time.Duration // of silence, until the caller is gone
	known  chan struct{} // closed once it is told whether the request is this engine's

	mu      sync.Mutex         // guards what follows
	sub     *nats.Subscription // what is said about it
	replies []string           // where its answers go
	closed  bool               // no more replies are taken
	ours    bool               // no other engine has it under way
	next    events.Seq         // that the follower of a tail waits for
	heard   chan struct{}
}

// heldKey names a long request among all engines.
func heldKey(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(strconv.Itoa(len(p)) + ":" + p))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func callKey(session events.SessionID, call string) string {
	return heldKey("call", string(session), call)
}

// hold makes a long request one that is under way here, unless it is already.
func (s *Service) hold(key, digest, reply string, cancel context.CancelCauseFunc) (h *held, mine bool, err error) {
	h = &held{digest: digest, cancel: cancel, after: s.cfg.Limits.Gone, replies: []string{reply}, heard: make(chan struct{}, 1), known: make(chan struct{})}
	h.gone = time.AfterFunc(h.after, func() { cancel(errGone) })
	s.mu.Lock()
	other, there := s.held[key]
	if !there && !s.closing {
		s.held[key] = h
	}
	closing := s.closing
	s.mu.Unlock()
	if there || closing {
		h.gone.Stop()
		if closing {
			return nil, false, engine.ErrShutdown
		}
		return other, false, nil
	}
	// One channel for all of them: a callback would be a goroutine for each.
	h.mu.Lock() // until it is known which one it is, nothing on it is lost
	h.sub, err = s.cfg.Conn.ChanSubscribe(heldPrefix+key, s.tells)
	h.mu.Unlock()
	if err != nil {
		s.release(key, h)
	}
	return h, true, err
}

// heedTold does what other engines say about the long requests of this one, until the
// service has shut down, or its connection is closed for good.
func (s *Service) heedTold() {
	defer close(s.deaf)
	closed := s.cfg.Conn.StatusChanged(nats.CLOSED)
	defer s.cfg.Conn.RemoveStatusListener(closed)
	for !s.cfg.Conn.IsClosed() {
		select {
		case m := <-s.tells:
			s.mu.Lock()
			h := s.held[strings.TrimPrefix(m.Subject, heldPrefix)]
			s.mu.Unlock()
			if h != nil && h.hears(m.Sub) {
				s.told(h, m)
			}
		case <-closed:
		case <-s.ctx.Done():
			return
		}
	}
}

// hears reports whether what came on a subscription is about this request, and not
// about one before it.
func (h *held) hears(sub *nats.Subscription) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sub == sub
}

// release ends a long request here, and gives where its last answer goes.
func (s *Service) release(key string, h *held) []string {
	s.mu.Lock()
	delete(s.held, key)
	s.mu.Unlock()
	h.gone.Stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sub != nil {
		_ = h.sub.Unsubscribe() // a closed connection has none
	}
	if h.closed = true; !h.ours {
		close(h.known)
	}
	return h.replies
}

// establish notes that the request is this engine's. Until then it may turn out to
// be under way at another one, so that nothing is refused on its account.
func (h *held) establish() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ours || h.closed {
		return
	}
	h.ours = true
	close(h.known)
}

// own reports whether the request is this engine's, and under way.
func (h *held) own() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ours && !h.closed
}

// join adds somebody who waits for the answer. An answer that has just gone out is
// found on the log.
func (h *held) join(reply string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.gone.Reset(h.after)
	h.replies = append(h.replies, reply)
	return true
}

// alive notes that the caller is there.
func (h *held) alive(next events.Seq) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.gone.Reset(h.after)
	h.next = max(h.next, next)
	select {
	case h.heard <- struct{}{}:
	default:
	}
}

// waiting are those who wait for the answer.
func (h *held) waiting() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.replies...)
}

// told does what another engine says about a long request of this one.
func (s *Service) told(h *held, m *nats.Msg) {
	answer := &nats.Msg{Header: nats.Header{headerEngine: {s.cfg.Instance}}}
	switch m.Header.Get(headerDo) {
	case doAlive:
		next, _ := strconv.ParseInt(m.Header.Get(headerNext), 10, 64) // an engine wrote it
		h.alive(events.Seq(next))
	case doCancel:
		h.cancel(errCancelled)
	case doJoin:
		switch same := m.Header.Get(headerDigest) == h.digest; {
		case !same && h.own():
			answer.Header.Set(headerDiffer, "true")
		case !same || !h.join(m.Header.Get(headerReply)):
			return // the engine that has the call answers, or the other one asks the log
		}
	}
	if m.Reply != "" {
		_ = m.RespondMsg(answer) // a closed connection answers nobody
	}
}

// tell says something about a long request to whichever engine has it under way.
func (s *Service) tell(ctx context.Context, key string, header nats.Header) (answer nats.Header, known bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, tellTimeout)
	defer cancel()
	m, err := s.cfg.Conn.RequestMsgWithContext(ctx, &nats.Msg{Subject: heldPrefix + key, Header: header})
	switch {
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, context.DeadlineExceeded):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	return m.Header, true, nil
}

// about tells the engine that has a long request what its caller says of it. One
// that is under way here may yet be another engine's: this one may be about to find
// out, so that all that know of it are told.
func (s *Service) about(ctx context.Context, key, do string, next events.Seq) (any, error) {
	s.mu.Lock()
	_, here := s.held[key]
	s.mu.Unlock()
	header := nats.Header{headerDo: {do}, headerNext: {strconv.FormatInt(int64(next), 10)}}
	if here {
		err := s.cfg.Conn.PublishMsg(&nats.Msg{Subject: heldPrefix + key, Header: header})
		return api.UnderWay{Known: true}, err
	}
	_, known, err := s.tell(ctx, key, header)
	return api.UnderWay{Known: known}, err
}

// Elsewhere finds out for a gate whether another engine than the instance has a call
// under way (engine.GateConfig). Where the server cannot be asked it is nobody's:
// the gate then takes the call over, as a failure.
func Elsewhere(nc *nats.Conn, instance string) func(context.Context, events.SessionID, string) bool {
	return func(ctx context.Context, session events.SessionID, call string) bool {
		inbox := nc.NewRespInbox()
		sub, err := nc.SubscribeSync(inbox)
		if err != nil {
			return false
		}
		defer func() { _ = sub.Unsubscribe() }() // a closed connection has none
		m := &nats.Msg{Subject: heldPrefix + callKey(session, call), Reply: inbox, Header: nats.Header{headerDo: {doPing}}}
		if nc.PublishMsg(m) != nil {
			return false
		}
		wait := tellTimeout
		for {
			limited, cancel := context.WithTimeout(ctx, wait)
			got, err := sub.NextMsgWithContext(limited)
			cancel()
			if err != nil || got.Header.Get(headerEngine) == "" { // nobody, or nobody else
				return false
			}
			if got.Header.Get(headerEngine) != instance {
				return true
			}
			wait = othersTimeout
		}
	}
}
