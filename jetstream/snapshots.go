package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/frame"
)

const (
	headerVersion = "Docket-Version" // the fold's
	headerDigest  = "Docket-Digest"  // SHA-256 of the state, hex
	headerStream  = "Docket-Stream"  // sequence of the frame before the head
)

var _ events.Snapshots = (*Log)(nil)

// Save stores a snapshot under the engine's signature.
func (l *Log) Save(ctx context.Context, s events.Snapshot) error {
	a, err := l.snapshotAddress(s.Session)
	if err != nil {
		return err
	}
	if limit := int(l.nc.MaxPayload()) - frameReserve; len(s.State) > limit {
		return fmt.Errorf("jetstream: snapshot of session %s: %d bytes do not fit into %d: %w", s.Session, len(s.State), limit, events.ErrTooLarge)
	}
	at := l.placeOf(s.Session, s.Head)
	h := nats.Header{
		frame.HeaderSeq:   {strconv.FormatInt(int64(s.Head.Next), 10)},
		frame.HeaderChain: {s.Head.Chain.String()},
		headerVersion:     {url.PathEscape(s.Version)},
		headerDigest:      {digest(s.State)},
		frame.HeaderFrame: {strconv.FormatInt(at.index, 10)},
		headerStream:      {strconv.FormatUint(at.stream, 10)},
	}
	sig, err := l.signed(a.subject, h)
	if err != nil {
		return fmt.Errorf("jetstream: snapshot of session %s: %w", s.Session, err)
	}
	h[frame.HeaderSig] = []string{sig}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	if _, err := l.js.PublishMsg(ctx, &nats.Msg{Subject: a.subject, Header: h, Data: s.State}); err != nil {
		return fmt.Errorf("jetstream: snapshot of session %s: %w", s.Session, err)
	}
	return nil
}

// signed is the signature of a message that has these headers.
func (l *Log) signed(subject string, h nats.Header) (string, error) {
	text, err := frame.SignedText(subject, h)
	if err != nil {
		return "", err
	}
	return l.keys.sign(text)
}

// Load reads the session's snapshot. One of another fold version, or one that is
// not what the engine signed, counts as none.
func (l *Log) Load(ctx context.Context, id events.SessionID, version string) (events.Snapshot, bool, error) {
	a, err := l.snapshotAddress(id)
	if err != nil {
		return events.Snapshot{}, false, err
	}
	m, err := l.last(ctx, a)
	if errors.Is(err, errNoMessage) {
		return events.Snapshot{}, false, nil
	}
	if err != nil {
		return events.Snapshot{}, false, fmt.Errorf("jetstream: snapshot of session %s: %w", id, err)
	}
	s, at, err := l.readSnapshot(a, m)
	if err != nil {
		l.log.WarnContext(ctx, "a snapshot was dropped", "session", id, "error", err)
		return events.Snapshot{}, false, nil
	}
	if s.Version != version {
		return events.Snapshot{}, false, nil
	}
	return s, true, l.prime(ctx, id, at)
}

func (l *Log) readSnapshot(a address, m stored) (events.Snapshot, position, error) {
	if err := checkSignature(m, l.keys); err != nil {
		return events.Snapshot{}, position{}, err
	}
	p := frame.Parser{Headers: m.header}
	at := position{next: events.Seq(p.Number(frame.HeaderSeq)), chain: p.Chain(frame.HeaderChain), index: p.Number(frame.HeaderFrame), stream: uint64(p.Number(headerStream))}
	s := events.Snapshot{Session: a.id, Head: events.Head{Next: at.next, Chain: at.chain}, Version: p.Escaped(headerVersion), State: m.data}
	if p.Err == nil && p.Text(headerDigest) != digest(m.data) {
		p.Err = errors.New("its state is not the one that was signed")
	}
	return s, at, p.Err
}

func (l *Log) snapshotAddress(id events.SessionID) (address, error) {
	if err := id.Check(); err != nil {
		return address{}, fmt.Errorf("jetstream: snapshot: %w", err)
	}
	return address{id: id, stream: SnapshotsStream, subject: SnapshotSubject(string(id))}, nil
}

func digest(state []byte) string {
	sum := sha256.Sum256(state)
	return hex.EncodeToString(sum[:])
}

// placeOf is the place of a head, if it is remembered; its stream sequence is 0
// if not, and readers begin at the log's start.
func (l *Log) placeOf(id events.SessionID, head events.Head) position {
	s, _ := l.recall(id)
	at := s.before(head.Next)
	if at.next == head.Next && at.chain == head.Chain {
		return at
	}
	return position{}
}

// prime lets the next read of a session begin at a place that a snapshot names.
// Reading on from there checks the place: the chain has to go on.
func (l *Log) prime(ctx context.Context, id events.SessionID, at position) error {
	if at.stream == 0 {
		return nil
	}
	if _, cached := l.recall(id); !cached {
		a, err := l.address(id)
		if err != nil {
			return err
		}
		if _, err := l.load(ctx, a); err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sessions.prime(id, at)
	return nil
}
