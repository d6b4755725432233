package jetstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/frame"
)

const (
	requestTimeout = 5 * time.Second
	// A leader that is there answers within leaderTimeout, and a stream that has
	// lost its leader has another one within leaderPatience.
	leaderTimeout  = 2 * time.Second
	leaderPatience = 15 * time.Second
	// publishPatience is how long an append is tried that was not plainly answered: a
	// command has no deadline of its own, and a disk may stay full for ever.
	publishPatience = time.Minute
	// frameReserve is what a frame leaves of the server's max_payload for headers.
	frameReserve = 64 << 10
	// cachedSessions is how many sessions' heads are kept. Losing one costs a read.
	cachedSessions = 4096

	backoffStart = 20 * time.Millisecond
	backoffLimit = 2 * time.Second

	codeStoreFailed      natsjs.ErrorCode = 10077
	codeDuplicateInBatch natsjs.ErrorCode = 10201
	// codeDuplicateInFlight: a replicated stream is about to store a message with
	// this id.
	codeDuplicateInFlight natsjs.ErrorCode = 10158
)

// LogConfig says how a [Log] is reached and what it signs with.
type LogConfig struct {
	Conn *nats.Conn // required, or Files
	// Files, instead of a connection, make it a log that can be read and verified, and not
	// be written to. Close them behind the log. It is then not safe for concurrent use.
	Files *Files
	Keys  Keys  // with a private key, to append
	Epoch Epoch // default [DefaultEpoch]
	// Projects makes it the log of projects, in the stream PROJECTS, instead of that
	// of sessions.
	Projects bool
	// Anchors are compared with each session that is opened; nil for none.
	Anchors *Anchors
	// Outside are anchors that were kept elsewhere, for a verification; nil for none.
	Outside *Anchors
	// Trust is the level that is recorded with each frame; nil for none. It is asked for
	// each, and must not wait.
	Trust  func() events.Trust
	Logger *slog.Logger // default discards
}

// Log keeps session logs in a stream. It is an [events.Log] and an
// [events.Tail]. Several Logs, also in several processes, may write to one
// stream: each append is guarded by the sequence of the frame before it.
type Log struct {
	nc    *nats.Conn // nil, as js is, for a log of files
	files *Files
	js    natsjs.JetStream
	api   string
	keys  Keys
	epoch Epoch
	// projects says that ids are of projects, which have a stream of their own.
	projects bool
	anchors  *Anchors
	outside  *Anchors
	trust    func() events.Trust
	log      *slog.Logger
	seals    *sealer
	acks     *acks
	own      own
	room     room

	mu       sync.Mutex // guards sessions; never held while calling out
	sessions sessionCache
}

var (
	_ events.Log  = (*Log)(nil)
	_ events.Tail = (*Log)(nil)
)

// NewLog makes a Log on streams that [Provision] has made. Close it.
func NewLog(cfg LogConfig) (*Log, error) {
	if (cfg.Conn == nil) == (cfg.Files == nil) {
		return nil, errors.New("jetstream: LogConfig needs Conn, or Files")
	}
	if cfg.Epoch == (Epoch{}) {
		cfg.Epoch = DefaultEpoch()
	}
	if err := cfg.Epoch.validate(); err != nil {
		return nil, err
	}
	if cfg.Trust == nil {
		cfg.Trust = func() events.Trust { return "" }
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	l := &Log{
		nc: cfg.Conn, files: cfg.Files, api: natsjs.DefaultAPIPrefix, keys: cfg.Keys, epoch: cfg.Epoch, projects: cfg.Projects,
		anchors: cfg.Anchors, outside: cfg.Outside, trust: cfg.Trust, log: cfg.Logger, sessions: newSessionCache(cachedSessions), acks: &acks{nc: cfg.Conn},
	}
	l.seals = startSealer(l)
	if cfg.Files != nil {
		return l, nil
	}
	var err error
	if l.js, err = natsjs.New(cfg.Conn); err != nil {
		return nil, fmt.Errorf("jetstream: %w", err)
	}
	return l, nil
}

// errFilesAlone says that a log has no server to write through.
var errFilesAlone = errors.New("jetstream: the log is read from its files, and cannot be written to")

// errFilesFollowed says that nobody tells when files change.
var errFilesFollowed = errors.New("jetstream: the log is read from its files, and cannot be followed")

// Close waits until the seals of what was appended are stored, for at most the
// context's time. The connection stays open.
func (l *Log) Close(ctx context.Context) error {
	defer l.acks.close()
	return l.seals.close(ctx)
}

// address is where a session's log is.
type address struct {
	id              events.SessionID
	stream, subject string
}

func (l *Log) address(id events.SessionID) (address, error) {
	if err := id.Check(); err != nil {
		return address{}, fmt.Errorf("jetstream: session %.140q: %w", id, err)
	}
	if l.projects {
		return address{id: id, stream: ProjectsStream, subject: ProjectSubject(string(id))}, nil
	}
	p := l.epoch.Place(string(id))
	return address{id: id, stream: p.Stream(), subject: p.Subject(string(id))}, nil
}

// Create stores a session's header as the first frame of its log.
func (l *Log) Create(ctx context.Context, c events.Creation) error {
	if l.files != nil {
		return errFilesAlone
	}
	if err := checkCreation(c); err != nil {
		return fmt.Errorf("jetstream: create session %.140q: %w", c.Header.ID, err)
	}
	header, err := events.ParseHeader(c.Header.Line) // a copy; what counts is the line
	if err != nil {
		return fmt.Errorf("jetstream: create session %.140q: %w", c.Header.ID, err)
	}
	c.Header = header
	a, err := l.address(c.Header.ID)
	if err != nil {
		return err
	}
	if _, anchored := l.anchors.head(a.id); anchored {
		if _, err := l.load(ctx, a); err != nil {
			return err // it was there, and is not what it was
		}
	}
	f := storedFrame{Frame: frame.NewHeader(c)}
	at, err := l.publish(ctx, a, position{index: -1}, f, nil)
	if errors.Is(err, events.ErrConflict) {
		err = fmt.Errorf("jetstream: create session %s: %w", a.id, events.ErrExists)
	}
	if err != nil {
		return err
	}
	l.remember(a.id, session{header: c.Header, seed: c.Seed, first: at, head: at})
	return nil
}

func checkCreation(c events.Creation) error {
	if err := c.ID.Check(); err != nil {
		return err
	}
	imported := c.Seed.Imported
	if !frame.KnownKind(c.Seed.Kind) || c.Seed.Next < 0 || c.Seed.Next > events.MaxSafeInteger || imported < 0 || imported > c.Seed.Next {
		return &events.FieldError{Field: "seed", Rule: "must be a fork's or an import's, up to some seq"}
	}
	return nil
}

// Open reads a session's first and last frame from the leader.
func (l *Log) Open(ctx context.Context, id events.SessionID) (events.Opened, error) {
	a, err := l.address(id)
	if err != nil {
		return events.Opened{}, err
	}
	s, err := l.load(ctx, a)
	if err != nil {
		return events.Opened{}, err
	}
	header, err := events.ParseHeader(s.header.Line) // a copy: what is remembered stays what it is
	if err != nil {
		return events.Opened{}, corrupt(a, 0, err)
	}
	if s, err = l.created(ctx, a, s); err != nil {
		return events.Opened{}, err
	}
	return events.Opened{
		Header: header, Seed: s.seed, Head: events.Head{Next: s.head.next, Chain: s.head.chain}, Creator: *s.creator,
		Trust: events.Trusted{Began: s.first.trust, Last: s.head.trust},
	}, nil
}

// created reads how a session was made, unless that is remembered.
func (l *Log) created(ctx context.Context, a address, s session) (session, error) {
	if s.creator != nil {
		return s, nil
	}
	first, err := l.firstFrame(ctx, a)
	if err != nil {
		return session{}, err
	}
	s.creator, s.first = first.creator, first.first
	l.remember(a.id, s)
	return s, nil
}

// load reads where a session is now. Its header never changes, so that it is
// read once.
func (l *Log) load(ctx context.Context, a address) (session, error) {
	anchor, _ := l.anchors.head(a.id)
	s, head, err := l.ends(ctx, a)
	if errors.Is(err, errNoMessage) {
		return session{}, corrupt(a, s.head.next, errLastUnreadable)
	}
	if err != nil {
		return session{}, err
	}
	switch {
	case head.stream < s.head.stream:
		return session{}, corrupt(a, head.next, errors.New("the log ends before a frame that was there"))
	case head.stream > s.head.stream && head.index <= s.head.index:
		return session{}, corrupt(a, s.head.next, errors.New("a frame was stored again behind later ones"))
	}
	if err := anchor.check(a.id, head); err != nil {
		return session{}, corrupt(a, head.next, err)
	}
	s.head = head
	l.remember(a.id, s)
	return s, nil
}

// ends gives what is remembered of a session, or else its first frame, and where
// the log ends now. Both are read at once: checking a signature takes longer than
// asking for it.
func (l *Log) ends(ctx context.Context, a address) (session, position, error) {
	if s, cached := l.recall(a.id); cached {
		head, err := l.current(ctx, a, s.head)
		return s, head, err
	}
	if l.files != nil { // which one at a time reads
		return l.endsOf(ctx, a)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var head position
	var headErr error
	read := make(chan struct{})
	go func() {
		defer close(read)
		head, headErr = l.readHead(ctx, a)
	}()
	s, err := l.firstFrame(ctx, a)
	if err != nil {
		cancel() // the other question is of no use any more
		<-read
		return session{}, position{}, err
	}
	<-read
	return s, head, headErr
}

func (l *Log) endsOf(ctx context.Context, a address) (session, position, error) {
	s, err := l.firstFrame(ctx, a)
	if err != nil {
		return session{}, position{}, err
	}
	head, err := l.readHead(ctx, a)
	return s, head, err
}

// current reads where a log ends that was at a position before. A leader that has
// lost touch with the others does not know of the latest frames, for some seconds,
// until it steps down: it is asked again before its word is taken for a loss.
func (l *Log) current(ctx context.Context, a address, known position) (position, error) {
	give := time.Now().Add(leaderPatience)
	for wait := backoffStart; ; wait = min(2*wait, backoffLimit) {
		head, err := l.readHead(ctx, a)
		if err != nil || head.stream >= known.stream || time.Now().After(give) {
			return head, err
		}
		if cause := pause(ctx, wait); cause != nil {
			return position{}, fmt.Errorf("jetstream: open session %s: its leader is behind: %w", a.id, cause)
		}
	}
}

// errLastUnreadable: the server does not say so of a message that is damaged
// where it lies, but that there is none.
var errLastUnreadable = errors.New("its last frame cannot be read")

// firstFrame reads the session's header.
func (l *Log) firstFrame(ctx context.Context, a address) (session, error) {
	anchor, _ := l.anchors.head(a.id)
	m, err := l.firstAfter(ctx, a, 0)
	if errors.Is(err, errNoMessage) {
		outside, _ := l.outside.head(a.id)
		if err := cmp.Or(anchor.check(a.id, position{}), outside.check(a.id, position{})); err != nil {
			return session{}, corrupt(a, 0, err)
		}
		return session{}, fmt.Errorf("session %s: %w", a.id, events.ErrNotFound)
	}
	if err != nil {
		return session{}, fmt.Errorf("jetstream: open session %s: %w", a.id, err)
	}
	f, err := l.checked(a, m)
	if err != nil {
		return session{}, err
	}
	h, err := f.SessionHeader()
	if err == nil && h.ID != a.id {
		err = fmt.Errorf("the session header says that it is of %s", h.ID)
	}
	if err != nil {
		return session{}, corrupt(a, 0, err)
	}
	return session{header: h, seed: f.Seed, creator: &f.Actor, first: f.position(), head: f.position()}, nil
}

// readHead reads where the log ends, from the leader.
func (l *Log) readHead(ctx context.Context, a address) (position, error) {
	m, err := l.last(ctx, a)
	if err != nil {
		return position{}, fmt.Errorf("jetstream: open session %s: %w", a.id, err)
	}
	f, err := l.checked(a, m)
	if err != nil {
		return position{}, err
	}
	return f.position(), nil
}

// checked parses a message and checks its signature.
func (l *Log) checked(a address, m stored) (storedFrame, error) {
	if m.subject != a.subject {
		return storedFrame{}, corrupt(a, 0, fmt.Errorf("the store gave a message of %s", m.subject))
	}
	f, err := parseFrame(m)
	if err == nil {
		err = checkSignature(m, l.keys)
	}
	if err != nil {
		return storedFrame{}, corruptFrame(a, f.Seq, f, err)
	}
	return f, nil
}

func corrupt(a address, seq events.Seq, err error) error {
	return &events.CorruptError{Session: a.id, Seq: seq, Err: err}
}

// corruptFrame names the frame that is wrong, and its first event.
func corruptFrame(a address, seq events.Seq, f storedFrame, err error) error {
	err = fmt.Errorf("frame at stream sequence %d: %w", f.stream, err)
	return &events.CorruptError{Session: a.id, Seq: seq, Type: f.FirstType(), Err: err}
}
