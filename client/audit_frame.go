package client

import (
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/frame"
)

// auditedLog checks a session's messages one behind the other, as the engine does.
type auditedLog struct {
	audit  *Audit
	id     events.SessionID
	at     frame.Position // behind the messages so far
	header events.Header
}

func (a *Audit) logOf(id events.SessionID) *auditedLog {
	return &auditedLog{audit: a, id: id, at: frame.Start()}
}

// take checks a message and gives its records, none for the header.
func (l *auditedLog) take(m *jetstream.RawStreamMsg) ([]Entry, error) {
	entries, err := l.checked(m)
	if err != nil {
		return nil, &events.CorruptError{Session: l.id, Seq: l.at.Next, Err: fmt.Errorf("the message at sequence %d: %w", m.Sequence, err)}
	}
	return entries, nil
}

func (l *auditedLog) checked(m *jetstream.RawStreamMsg) ([]Entry, error) {
	f, err := frame.Parse(m.Header, m.Data)
	if err != nil {
		return nil, err
	}
	if err := l.audit.keys.CheckFrame(m.Subject, m.Header); err != nil {
		return nil, err
	}
	if l.at.Index < 0 {
		return nil, l.begin(f)
	}
	records, err := f.Follow(l.at)
	if err == nil {
		err = f.Behind(l.header.Line)
	}
	if err != nil {
		return nil, err
	}
	l.at = f.Position()
	entries := make([]Entry, len(records))
	for i, r := range records {
		entries[i] = Entry{Record: r, Actor: f.Actor, Trust: f.Trust, Stream: streamOf(m.Subject), Sequence: m.Sequence}
	}
	return entries, nil
}

// begin takes the header, which the next frame names.
func (l *auditedLog) begin(f frame.Frame) error {
	h, err := f.SessionHeader()
	switch {
	case err != nil:
		return err
	case h.ID != l.id:
		return fmt.Errorf("it is the header of session %s", h.ID)
	}
	l.header, l.at = h, f.Position()
	return nil
}

// streamOf is the stream of a session's subject.
func streamOf(subject string) string {
	parts := strings.Split(strings.TrimPrefix(subject, sessionPrefix), ".")
	if len(parts) != 3 {
		return ""
	}
	return sessionStreams + parts[0] + "_" + parts[1]
}
