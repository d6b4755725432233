package bus

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

const (
	// reviewBeat is how often a reviewer says that it still works.
	reviewBeat = 3 * time.Second
	// reviewSilence is how long nothing may be heard of it: then it is lost.
	reviewSilence = 15 * time.Second
	// reviewHeld is how much of what a reviewer says waits to be read.
	reviewHeld = 64
)

// RemoteConfig says what a [RemoteReviewer] works with. All but what says otherwise
// is required.
type RemoteConfig struct {
	Conn *nats.Conn // as an engine
	// Name is the reviewer's: of its credential, and of review/requested.
	Name string
	// Log is what the reviewer reads while a review is open.
	Log events.Log
	// Establish says who asks for a part of it, from header and subject alone.
	Establish func(nats.Header, string) (Caller, error)

	// Silence is how long nothing may be heard of a reviewer before it is lost;
	// default 15 s.
	Silence time.Duration
	// Logger is told of what went wrong, without bodies; default discards.
	Logger *slog.Logger
}

func (c *RemoteConfig) validate() error {
	for name, missing := range map[string]bool{"Conn": c.Conn == nil, "Log": c.Log == nil, "Establish": c.Establish == nil} {
		if missing {
			return fmt.Errorf("bus: RemoteConfig.%s is missing", name)
		}
	}
	if err := CheckName(c.Name); err != nil {
		return fmt.Errorf("bus: RemoteConfig.Name: %w", err)
	}
	if c.Silence < 0 {
		return fmt.Errorf("bus: RemoteConfig.Silence is negative: %s", c.Silence)
	}
	if c.Silence == 0 {
		c.Silence = reviewSilence
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return nil
}

// RemoteReviewer asks reviewers in other processes, as a [reviewer.Reviewer] for the
// gate. Each review is one request to their queue group, which one of them answers;
// while it is open that one may read the session's log here.
type RemoteReviewer struct {
	cfg    RemoteConfig
	engine string // names the read service among those of all engines
	sub    *nats.Subscription
	work   sync.WaitGroup // reads under way; added to under mu
	ctx    context.Context
	end    context.CancelFunc

	mu     sync.Mutex // guards what follows; never held while calling out
	closed bool
	open   map[string]*openReview // by nonce
}

var _ reviewer.Reviewer = (*RemoteReviewer)(nil)

// openReview is a review that is asked for and has no answer yet.
type openReview struct {
	asked   reviewAsked
	reading bool // guarded by the RemoteReviewer's mu
}

// NewRemoteReviewer begins to serve the reads of its reviewers.
func NewRemoteReviewer(cfg RemoteConfig) (*RemoteReviewer, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	r := &RemoteReviewer{cfg: cfg, engine: rand.Text(), open: map[string]*openReview{}}
	r.ctx, r.end = context.WithCancel(context.Background())
	var err error
	if r.sub, err = cfg.Conn.Subscribe(readSubject(cfg.Name, r.engine), r.received); err == nil {
		err = cfg.Conn.FlushTimeout(flushTimeout) // from here on reads find it
	}
	if err != nil {
		r.end()
		return nil, fmt.Errorf("bus: serve the reads of reviewer %s: %w", cfg.Name, err)
	}
	return r, nil
}

func readSubject(name, engine string) string {
	return SubjectPrefix + Reviewer + "." + name + "." + readCommand + "." + engine
}

// Close ends the reads. Reviews that are under way are ended by the gate before.
func (r *RemoteReviewer) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	_ = r.sub.Unsubscribe() // a closed connection has none
	r.end()
	r.work.Wait()
}

// Name is the reviewer's.
func (r *RemoteReviewer) Name() string { return r.cfg.Name }

// Prepare makes the request: what is under review, and up to where its log is. What a
// model is asked is made of that log by whoever answers.
func (r *RemoteReviewer) Prepare(v reviewer.View, c reviewer.Call) (reviewer.Review, error) {
	if CheckName(c.Nonce) != nil || v.Head.Next != v.Session.Next() {
		return nil, errReviewBroken.With("the call has no nonce, or its session no head")
	}
	q := askedAbout(v, c)
	q.Engine = r.engine
	return &remoteReview{remote: r, asked: q}, nil
}

// begin opens a review: its reviewer may read from here on.
func (r *RemoteReviewer) begin(q reviewAsked) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errReviewerUnavailable.With("the engine is shutting down")
	}
	if _, there := r.open[q.Nonce]; there {
		return errReviewAskedTwice
	}
	r.open[q.Nonce] = &openReview{asked: q}
	return nil
}

// over closes a review: nothing is read for it any more.
func (r *RemoteReviewer) over(nonce string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, nonce)
}

// received answers a read. Only the reviewer of the name that was asked may read, only
// the session that it was asked about, only as far as it was asked, and only until it
// has answered.
func (r *RemoteReviewer) received(m *nats.Msg) {
	if m.Reply == "" {
		return
	}
	caller, err := r.cfg.Establish(m.Header, m.Subject)
	if err != nil || caller.Class != Reviewer || caller.Name != r.cfg.Name {
		r.cfg.Logger.Warn("a reader of reviews cannot be told", "error", err)
		r.reply(m, readSaid{Closed: true})
		return
	}
	q, err := parseReadAsked(m.Data)
	if err != nil {
		r.reply(m, readSaid{Closed: true})
		return
	}
	o, ok := r.take(q)
	switch {
	case !ok:
		r.reply(m, readSaid{Closed: true})
	case q.Want == wantAlive:
		r.reply(m, readSaid{})
	default:
		go r.read(m, q, o)
	}
}

// take finds the review of a read. One is read for by one request at a time.
func (r *RemoteReviewer) take(q readAsked) (openReview, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o, ok := r.open[q.Nonce]
	if !ok || r.closed || q.Want != wantAlive && o.reading {
		return openReview{}, false
	}
	if q.Want != wantAlive {
		o.reading = true
		r.work.Add(1)
	}
	return *o, true
}

// read answers with a part of the log.
func (r *RemoteReviewer) read(m *nats.Msg, q readAsked, o openReview) {
	defer r.work.Done()
	ctx, cancel := context.WithTimeout(r.ctx, readTimeout)
	defer cancel()
	data, err := r.page(ctx, q, o)
	r.mu.Lock()
	if now, ok := r.open[q.Nonce]; ok {
		now.reading = false
	}
	r.mu.Unlock()
	if err == nil {
		err = m.Respond(data)
	}
	if err != nil {
		r.cfg.Logger.Warn("a log could not be read for its reviewer", "session", o.asked.Session, "error", err)
		r.reply(m, readSaid{Failed: true})
	}
}

// page is the part that is asked for, up to where the review's log ends.
func (r *RemoteReviewer) page(ctx context.Context, q readAsked, o openReview) ([]byte, error) {
	end, ok := o.asked.end(cmp.Or(q.Session, o.asked.Session))
	if !ok {
		return pageOf(readSaid{Closed: true})
	}
	if q.Want == wantHeader {
		opened, err := r.cfg.Log.Open(ctx, end.Session)
		if err != nil {
			return nil, err
		}
		return headerPage(opened)
	}
	var s readSaid
	var lines [][]byte
	size := 0
	if q.From < end.Next {
		for record, err := range r.cfg.Log.Read(ctx, end.Session, q.From) {
			if err != nil {
				return nil, err
			}
			size += len(record.Line) + len(record.Append) + recordOverhead
			if record.End() > end.Next || size > pageSize && len(lines) > 0 {
				break
			}
			s.Records = append(s.Records, recordSaid{Format: record.Format, Append: record.Append})
			lines = append(lines, record.Line)
			if record.End() == end.Next {
				break
			}
		}
	}
	return pageOf(s, lines...)
}

const (
	// readTimeout is how long one part of a log may take.
	readTimeout = 10 * time.Second
	// recordOverhead is what an answer says of a record beside its line and append.
	recordOverhead = 32
)

func (r *RemoteReviewer) reply(m *nats.Msg, s readSaid) {
	data, err := pageOf(s)
	if err == nil {
		err = m.Respond(data)
	}
	if err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
		r.cfg.Logger.Warn("a read could not be answered", "error", err)
	}
}
