package client

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/frame"
)

// The streams of the auditors' mirror, and the subjects of what is in them.
const (
	sessionStreams = "SESSIONS_"
	auditStream    = "AUDIT"
	sessionPrefix  = "session."
	sealPrefix     = "audit.seal."
)

// Audit reads the auditors' mirror of all logs: what the engine stored, message by
// message, with the engine's signatures. It writes nothing, and asks no engine.
type Audit struct {
	c    *Client
	js   jetstream.JetStream
	keys frame.Trusted
}

// Audit gives what an auditor's credential is for. keys are the engines' public keys,
// by which what is read is checked. Without any it is refused: what nobody signed proves
// nothing, and must not look as if it did.
func (c *Client) Audit(keys ...ed25519.PublicKey) (*Audit, error) {
	if err := c.need(RoleAuditor); err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return nil, errors.New("client: audit: no public key of an engine is given, so that nothing could be checked")
	}
	js, err := jetstream.New(c.nc)
	if err != nil {
		return nil, fmt.Errorf("client: audit: %w", err)
	}
	trusted, err := frame.NewTrusted(keys...)
	if err != nil {
		return nil, fmt.Errorf("client: audit: %w", err)
	}
	return &Audit{c: c, js: js, keys: trusted}, nil
}

// Entry is a stored record, with who caused it to be stored.
type Entry struct {
	events.Record
	Actor events.Actor
	// Trust is the level that the engine was on when it stored it, "" for none.
	Trust events.Trust
	// Stream and Sequence are where the message stands, the same as in the engine's own
	// stream.
	Stream   string
	Sequence uint64
}

// List yields all sessions, stream by stream.
func (a *Audit) List(ctx context.Context) iter.Seq2[events.SessionID, error] {
	return func(yield func(events.SessionID, error) bool) {
		streams, err := a.streams(ctx)
		for _, name := range streams {
			var stream jetstream.Stream
			var state *jetstream.StreamInfo
			if stream, err = a.js.Stream(ctx, name); err == nil {
				state, err = stream.Info(ctx, jetstream.WithSubjectFilter(sessionPrefix+">"))
			}
			if err != nil {
				break
			}
			for _, id := range sessionsOf(name, state.State.Subjects) {
				if !yield(id, nil) {
					return
				}
			}
		}
		if err != nil {
			yield("", fmt.Errorf("client: list the sessions of the mirror: %w", err))
		}
	}
}

// streams are those that hold sessions.
func (a *Audit) streams(ctx context.Context) ([]string, error) {
	names := a.js.StreamNames(ctx)
	var out []string
	for name := range names.Name() {
		if strings.HasPrefix(name, sessionStreams) {
			out = append(out, name)
		}
	}
	return out, names.Err()
}

// subjectIn is a session's subject in a stream: SESSIONS_0_0 holds session.0.0.<id>.
func subjectIn(stream string, id events.SessionID) string {
	return sessionPrefix + strings.ReplaceAll(strings.TrimPrefix(stream, sessionStreams), "_", ".") + "." + string(id)
}

// place finds the stream that a session is in, and the sequence of its last message.
func (a *Audit) place(ctx context.Context, id events.SessionID) (stream jetstream.Stream, subject string, last uint64, err error) {
	if err := id.Check(); err != nil {
		return nil, "", 0, err
	}
	names, err := a.streams(ctx)
	if err != nil {
		return nil, "", 0, err
	}
	for _, name := range names {
		if stream, err = a.js.Stream(ctx, name); err != nil {
			return nil, "", 0, err
		}
		subject = subjectIn(name, id)
		m, err := stream.GetLastMsgForSubject(ctx, subject)
		switch {
		case err == nil:
			return stream, subject, m.Sequence, nil
		case !errors.Is(err, jetstream.ErrMsgNotFound):
			return nil, "", 0, err
		}
	}
	return nil, "", 0, ErrNotFound
}

// Read yields a session's records that are stored now, each checked: that the engine
// signed it for this place, behind the one before. An error is the last that is
// yielded; what does not hold is a *[events.CorruptError].
func (a *Audit) Read(ctx context.Context, id events.SessionID) iter.Seq2[Entry, error] {
	return a.entries(ctx, id, false)
}

// Follow is Read that goes on with what comes, until ctx ends, which is not an error.
// It looks for it twice a second.
func (a *Audit) Follow(ctx context.Context, id events.SessionID) iter.Seq2[Entry, error] {
	return a.entries(ctx, id, true)
}

func (a *Audit) entries(ctx context.Context, id events.SessionID, follow bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		log := a.logOf(id)
		for m, err := range a.messages(ctx, id, follow) {
			var entries []Entry
			if err == nil {
				entries, err = log.take(m)
			}
			if err != nil {
				if ctx.Err() == nil || !follow {
					yield(Entry{}, fmt.Errorf("client: audit of session %s: %w", id, err))
				}
				return
			}
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// messages yields a session's stored messages in their order.
func (a *Audit) messages(ctx context.Context, id events.SessionID, follow bool) iter.Seq2[*jetstream.RawStreamMsg, error] {
	return func(yield func(*jetstream.RawStreamMsg, error) bool) {
		stream, subject, last, err := a.place(ctx, id)
		for next := uint64(1); err == nil; {
			m, problem := stream.GetMsg(ctx, next, jetstream.WithGetMsgSubject(subject))
			switch {
			case problem == nil:
				if !yield(m, nil) {
					return
				}
				next = m.Sequence + 1
			case !errors.Is(problem, jetstream.ErrMsgNotFound):
				err = problem
			}
			if err == nil && !follow && next > last {
				return
			}
			if err == nil && problem != nil {
				err = a.c.link.pause(ctx, lookEvery)
			}
		}
		yield(nil, err)
	}
}

// sessionsOf are the sessions whose subjects a stream has, in order.
func sessionsOf(stream string, subjects map[string]uint64) []events.SessionID {
	var ids []events.SessionID
	prefix := subjectIn(stream, "")
	for subject := range subjects {
		if id, is := strings.CutPrefix(subject, prefix); is && events.SessionID(id).Check() == nil {
			ids = append(ids, events.SessionID(id))
		}
	}
	slices.Sort(ids)
	return ids
}
