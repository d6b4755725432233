package jetstream

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/atomicfile"
)

// copyAhead is how many messages may be on their way to another store.
const copyAhead = 256

// CopyTo puts the messages of the streams that never forget into the empty streams of
// another store, byte for byte and in their order, but for those of subjects that
// are left out. tell hears how many are done, of how many.
func (f *Files) CopyTo(ctx context.Context, nc *nats.Conn, leftOut func(subject string) bool, tell func(done, total int64)) error {
	js, err := natsjs.New(nc)
	if err != nil {
		return fmt.Errorf("jetstream: %w", err)
	}
	total, done := int64(0), int64(0)
	for name, s := range f.streams {
		if neverForgets(name) {
			total += int64(len(s.messages))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.streams)) {
		if !neverForgets(name) {
			continue
		}
		var sent []natsjs.PubAckFuture
		for _, m := range f.streams[name].messages {
			done++
			if leftOut(m.subject) {
				continue
			}
			if len(sent) == copyAhead {
				if err := stands(ctx, sent[0]); err != nil {
					return err
				}
				sent = sent[1:]
			}
			one, err := f.send(js, m)
			if err != nil {
				return fmt.Errorf("jetstream: copy message %d of %s: %w", m.seq, name, err)
			}
			sent = append(sent, one)
			tell(done, total)
		}
		for _, one := range sent {
			if err := stands(ctx, one); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *Files) send(js natsjs.JetStream, m filed) (natsjs.PubAckFuture, error) {
	stored, err := f.message(m)
	if err != nil {
		return nil, err
	}
	// What an append expected of the store that it went to holds in no other one. It is
	// not signed.
	maps.DeleteFunc(stored.header, func(name string, _ []string) bool { return strings.HasPrefix(name, "Nats-Expected-") })
	return js.PublishMsgAsync(&nats.Msg{Subject: stored.subject, Header: stored.header, Data: stored.data})
}

// stands waits until a message is stored.
func stands(ctx context.Context, one natsjs.PubAckFuture) error {
	select {
	case <-one.Ok():
		return nil
	case err := <-one.Err():
		return fmt.Errorf("jetstream: copy: %w", err)
	case <-ctx.Done():
		return fmt.Errorf("jetstream: copy: %w", context.Cause(ctx))
	}
}

// Good is the beginning of a session's log, up to where it is not what the engine wrote.
type Good struct {
	Header  events.Header
	Next    events.Seq // behind the last good event
	Frames  int64      // good ones, that of the header included
	Problem string     // what is wrong behind them; "" for nothing
}

// GoodOf reads a log of files from its beginning on, as far as each frame is signed and
// follows the one before it. One whose header cannot be read has no frames.
func (l *Log) GoodOf(ctx context.Context, id events.SessionID) (Good, error) {
	var g Good
	for _, err := range l.good(ctx, id, &g) {
		if err != nil {
			return g, err
		}
	}
	return g, nil
}

// GoodRecords yields the records of [Log.GoodOf].
func (l *Log) GoodRecords(ctx context.Context, id events.SessionID) iter.Seq2[events.Record, error] {
	return l.good(ctx, id, &Good{})
}

func (l *Log) good(ctx context.Context, id events.SessionID, g *Good) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		a, err := l.address(id)
		if err != nil {
			yield(events.Record{}, err)
			return
		}
		at := position{index: -1, chain: events.ChainStart()}
		for m, err := range l.walk(ctx, a) {
			if err != nil {
				yield(events.Record{}, err)
				return
			}
			f, records, problem := l.goodFrame(a, m, at, g)
			if problem != nil {
				g.Problem = problem.Error()
				return
			}
			g.Frames, g.Next, at = g.Frames+1, f.End(), f.position()
			for _, r := range records {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// goodFrame checks the frame behind a place. That of the header has no records.
func (l *Log) goodFrame(a address, m stored, at position, g *Good) (storedFrame, []events.Record, error) {
	f, err := l.checked(a, m)
	if err != nil {
		return f, nil, err
	}
	if at.index < 0 {
		g.Header, err = f.SessionHeader()
		if err == nil && g.Header.ID != a.id {
			err = fmt.Errorf("the session header says that it is of %s", g.Header.ID)
		}
		return f, nil, err
	}
	records, err := f.follow(at)
	if err == nil {
		err = f.Behind(g.Header.Line)
	}
	return f, records, err
}

// Repaired says, in a signed line of the anchors, that a store was made anew of what was
// whole in a damaged one.
type Repaired struct {
	Aside   string             `json:"aside"` // the folder that has what was there before
	Moved   int                `json:"moved"` // sessions that are what they were
	Cut     []CutSession       `json:"cut,omitempty"`
	Lost    []events.SessionID `json:"lost,omitempty"` // of which nothing can be read
	Damages []string           `json:"damages,omitempty"`
}

// CutSession is a session of which the beginning is left, as a log of its own.
type CutSession struct {
	Session events.SessionID `json:"session"`
	As      events.SessionID `json:"as"`
	Next    events.Seq       `json:"next"`          // behind the last event that is left
	Was     events.Seq       `json:"was,omitempty"` // where it is known to have been
	Problem string           `json:"problem"`
}

// AnchorRepaired writes the anchors of a store that was made anew: the record of it, over
// the old anchors, which do not count any more, and the heads that the log has now.
func AnchorRepaired(ctx context.Context, path string, l *Log, old *Anchors, rec Repaired) error {
	w := &AnchorWriter{cfg: AnchorConfig{Keys: l.keys}}
	now := time.Now().UnixMilli()
	accepted, err := w.sign(anchorLine{Time: now, Accepted: true, Repaired: &rec})
	if err != nil {
		return fmt.Errorf("jetstream: sign the repair: %w", err)
	}
	line, err := l.headsLine(ctx)
	if err != nil {
		return err
	}
	heads, err := w.sign(line)
	if err != nil {
		return fmt.Errorf("jetstream: sign the anchors: %w", err)
	}
	if err := atomicfile.Replace(path, bytes.Join(append(slices.Clone(old.accepted), accepted, heads), nil)); err != nil {
		return fmt.Errorf("jetstream: write the anchors: %w", err)
	}
	return nil
}

// headsLine has where each session, and each stream that never forgets, is now.
func (l *Log) headsLine(ctx context.Context) (anchorLine, error) {
	line := anchorLine{Time: time.Now().UnixMilli(), Streams: map[string]uint64{}}
	for _, name := range l.streams() { // before the sessions, which may grow meanwhile
		state, err := l.streamState(ctx, name)
		if err != nil {
			return line, fmt.Errorf("jetstream: anchor stream %s: %w", name, err)
		}
		line.Streams[name] = state.LastSeq
	}
	for id, err := range l.Sessions(ctx) {
		if err != nil {
			return line, err
		}
		o, err := l.Open(ctx, id)
		if err != nil {
			return line, err
		}
		line.Heads = append(line.Heads, anchorHead{Session: id, Next: o.Head.Next, Chain: o.Head.Chain.String()})
	}
	slices.SortFunc(line.Heads, func(a, b anchorHead) int { return cmp.Compare(a.Session, b.Session) })
	return line, nil
}

// Anchor is a signed line of where everything is now, to be kept where whoever can roll
// the state directory back cannot change it. [LoadAnchors] reads it.
func (l *Log) Anchor(ctx context.Context) ([]byte, error) {
	line, err := l.headsLine(ctx)
	if err != nil {
		return nil, err
	}
	text, err := (&AnchorWriter{cfg: AnchorConfig{Keys: l.keys}}).sign(line)
	if err != nil {
		return nil, fmt.Errorf("jetstream: sign the anchor: %w", err)
	}
	return text, nil
}

// Anchored is where a session is known to have been, by the anchors or its seals; 0 where
// nothing says so.
func (l *Log) Anchored(ctx context.Context, id events.SessionID) events.Seq {
	head, _ := l.anchors.head(id)
	was := head.next
	for seal, err := range l.Seals(ctx, id) {
		if err != nil {
			break
		}
		was = max(was, seal.Seq+1)
	}
	return was
}

// AnchoredSessions are those that the anchors know of.
func (a *Anchors) AnchoredSessions() []events.SessionID {
	return slices.Sorted(maps.Keys(a.sessions()))
}

// SubjectOf is the subject of a session's log, or of a project's for a log of projects.
func (l *Log) SubjectOf(id events.SessionID) (string, error) {
	a, err := l.address(id)
	return a.subject, err
}

// LockStore takes the files of a store, so that no server runs on them. The error is
// [ErrDirInUse] where one does.
func LockStore(dir string) (release func() error, err error) {
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	return lock.Unlock, nil
}
