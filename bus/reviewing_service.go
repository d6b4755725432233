package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/reviewer"
)

const (
	// reviewGroup is shared by all processes of one reviewer: each request goes to one.
	reviewGroup = "reviewer"
	// reviewPlaces is how many reviews one process has under way.
	reviewPlaces = 64
)

// ReviewServiceConfig says what a [ReviewService] works with. All but what says
// otherwise is required.
type ReviewServiceConfig struct {
	Conn *nats.Conn // with the credential of the reviewer's name
	// Reviewer judges, in this process.
	Reviewer reviewer.Reviewer

	// CacheBytes bounds the folded sessions that are kept; default the engine's.
	CacheBytes int64
	// Places is how many reviews are under way at once; one more is refused at once, as
	// unavailable. Default 64.
	Places int
	// Beat is how often a review says that it is under way; default 3 s.
	Beat time.Duration
	// Logger is told of what went wrong, without bodies; default discards.
	Logger *slog.Logger
}

func (c *ReviewServiceConfig) validate() error {
	switch {
	case c.Conn == nil:
		return errors.New("bus: ReviewServiceConfig.Conn is missing")
	case c.Reviewer == nil:
		return errors.New("bus: ReviewServiceConfig.Reviewer is missing")
	case c.Places < 0 || c.Beat < 0:
		return errors.New("bus: ReviewServiceConfig.Places or Beat is negative")
	}
	if c.Places == 0 {
		c.Places = reviewPlaces
	}
	if c.Beat == 0 {
		c.Beat = reviewBeat
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return CheckName(c.Reviewer.Name())
}

// ReviewService answers engines that ask a reviewer of its name, in a process that has
// no log. It reads that of each review from the engine that asks, and keeps sessions
// folded between their reviews.
type ReviewService struct {
	cfg    ReviewServiceConfig
	log    askedLog
	engine *engine.Engine // of what is read; it decides nothing
	ctx    context.Context
	end    context.CancelCauseFunc

	mu      sync.Mutex // guards what follows; never held while calling out
	closing bool
	active  int
	idle    chan struct{} // closed when closing and nothing is active
	sub     *nats.Subscription
}

// NewReviewService makes a service that does not serve yet.
func NewReviewService(cfg ReviewServiceConfig) (*ReviewService, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &ReviewService{cfg: cfg, log: askedLog{nc: cfg.Conn, name: cfg.Reviewer.Name()}, idle: make(chan struct{})}
	var err error
	if s.engine, err = engine.New(engine.Config{Log: s.log, CacheBytes: cfg.CacheBytes}); err != nil {
		return nil, err
	}
	s.ctx, s.end = context.WithCancelCause(context.Background())
	return s, nil
}

// Start joins the reviewer's queue group.
func (s *ReviewService) Start() error {
	sub, err := s.cfg.Conn.QueueSubscribe(ReviewPrefix+s.cfg.Reviewer.Name(), reviewGroup, s.receive)
	if err == nil {
		s.mu.Lock()
		s.sub = sub
		s.mu.Unlock()
		err = s.cfg.Conn.FlushTimeout(flushTimeout) // from here on requests find it
	}
	if err != nil {
		return fmt.Errorf("bus: join the reviewers of the name %s: %w", s.cfg.Reviewer.Name(), err)
	}
	return nil
}

// errLeaving says that the reviewer's process ends.
var errLeaving = errors.New("the reviewer is shutting down")

// Shutdown leaves the queue group: requests go to others from then on. What is under
// way is answered; what has no answer when ctx ends is given up as lost.
func (s *ReviewService) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	first := !s.closing
	s.closing = true
	if first && s.active == 0 {
		close(s.idle)
	}
	sub := s.sub
	s.mu.Unlock()
	var errs []error
	if first && sub != nil {
		if err := sub.Drain(); err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
			errs = append(errs, fmt.Errorf("bus: leave the reviewers: %w", err))
		}
	}
	select {
	case <-s.idle:
	case <-ctx.Done():
	}
	s.end(errLeaving)
	select {
	case <-s.idle:
	case <-time.After(flushTimeout):
		errs = append(errs, errors.New("bus: leave the reviewers: a review does not end"))
	}
	if err := s.cfg.Conn.FlushTimeout(flushTimeout); err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
		errs = append(errs, fmt.Errorf("bus: send the last answers: %w", err))
	}
	return errors.Join(errs...)
}

// receive takes a request in, or refuses it at once.
func (s *ReviewService) receive(m *nats.Msg) {
	if m.Reply == "" {
		return
	}
	q, err := parseAsked(m.Data)
	if err != nil {
		s.cfg.Logger.Warn("a request for a review cannot be read", "error", err)
		var about struct {
			Nonce string `json:"nonce"`
		}
		if json.Unmarshal(m.Data, &about) == nil && about.Nonce != "" {
			said := s.says(about.Nonce)
			s.say(m, said.answered(reviewer.Verdict{}, errReviewerUnavailable.With("the reviewer cannot read the request: it may be of another version")))
		}
		return
	}
	s.mu.Lock()
	refused := s.closing || s.active >= s.cfg.Places
	if !refused {
		s.active++
	}
	s.mu.Unlock()
	if refused {
		s.say(m, s.says(q.Nonce).answered(reviewer.Verdict{}, errReviewerUnavailable.With("the reviewer has as much to do as it can, or is shutting down")))
		return
	}
	go s.review(m, q)
}

func (s *ReviewService) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active--; s.active == 0 && s.closing {
		close(s.idle)
	}
}

// says is what begins everything that is said to one request.
func (s *ReviewService) says(nonce string) reviewSaid {
	return reviewSaid{Nonce: nonce, Reviewer: s.cfg.Reviewer.Name(), State: saidWorking}
}

// say sends something to whoever asked. What does not arrive makes the review lost.
func (s *ReviewService) say(m *nats.Msg, said reviewSaid) {
	data, err := json.Marshal(said)
	if err == nil {
		err = m.Respond(data)
	}
	if err != nil {
		s.cfg.Logger.Warn("a review could not be answered", "error", err)
	}
}
