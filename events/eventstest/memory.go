package eventstest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/docket-engine/docket/events"
)

// DefaultFrameLimit is what a frame holds unless a [Memory] says otherwise.
const DefaultFrameLimit = 960 << 10

// Memory is an [events.Log], an [events.Tail] and an [events.Audit] that keeps
// everything in memory: the shortest complete example of these contracts, and the
// model that other logs are compared with. The zero Memory is empty and ready for use.
type Memory struct {
	// FrameLimit bounds the bytes of one append, a newline for each line
	// included; 0 means [DefaultFrameLimit]. It is set before the first use.
	FrameLimit int

	mu       sync.Mutex // guards what follows and what it holds; never held while calling out
	sessions map[events.SessionID]*session
	reviews  map[events.SessionID][]events.ReviewRecord
}

// session is one log. Frames are only ever added, and nothing in one changes, so
// a reader may go on with the slice that it took under the lock.
type session struct {
	created events.AppendID
	creator events.Actor
	header  []byte
	seed    events.Seed
	frames  []frame
	head    events.Head
	grown   chan struct{} // closed, and replaced, when a frame is added
}

// frame is one append as it is stored.
type frame struct {
	id      events.AppendID
	records []events.Record
}

func (f frame) next() events.Seq { return f.records[0].Seq }
func (f frame) end() events.Seq  { return f.records[len(f.records)-1].End() }

// Create stores a new session.
func (m *Memory) Create(ctx context.Context, c events.Creation) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.ID.Check(); err != nil {
		return err
	}
	// What counts is the line: it is what is stored, and fields beside it cannot
	// say anything else.
	h, err := events.ParseHeader(c.Header.Line)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, there := m.sessions[h.ID]; there {
		if s.created == c.ID && bytes.Equal(s.header, h.Line) && s.seed == c.Seed {
			return nil
		}
		return fmt.Errorf("create session %s: %w", h.ID, events.ErrExists)
	}
	if m.sessions == nil {
		m.sessions = map[events.SessionID]*session{}
	}
	m.sessions[h.ID] = &session{
		creator: c.Actor,
		created: c.ID, header: h.Line, seed: c.Seed,
		head:  events.Head{Chain: events.ChainStart()},
		grown: make(chan struct{}),
	}
	return nil
}

// Open gives a session's header, seed and head.
func (m *Memory) Open(ctx context.Context, id events.SessionID) (events.Opened, error) {
	s, err := m.look(ctx, id)
	if err != nil {
		return events.Opened{}, err
	}
	h, err := events.ParseHeader(s.header) // a new copy for each caller
	return events.Opened{Header: h, Seed: s.seed, Head: s.head, Creator: s.creator}, err
}

// Append stores records behind a session's last one.
func (m *Memory) Append(ctx context.Context, id events.SessionID, a events.Append) (events.Seq, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := a.Check(); err != nil {
		return 0, err
	}
	if m.frameSize() < size(a.Records) {
		return 0, fmt.Errorf("append %d bytes to session %s: %w", size(a.Records), id, events.ErrTooLarge)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, there := m.sessions[id]
	if !there {
		return 0, fmt.Errorf("append to session %s: %w", id, events.ErrNotFound)
	}
	if s.stands(a) {
		return a.End(), nil
	}
	if err := s.admits(id, a); err != nil {
		return 0, err
	}
	return s.add(a), nil
}

// stands reports whether this very append is stored already: its id, its place
// and its bytes.
func (s *session) stands(a events.Append) bool {
	i := s.frameAt(a.Next)
	if i == len(s.frames) || s.frames[i].next() != a.Next || s.frames[i].id != a.ID {
		return false
	}
	return slices.EqualFunc(s.frames[i].records, a.Records, func(x, y events.Record) bool {
		return x.Format == y.Format && bytes.Equal(x.Line, y.Line)
	})
}

// admits reports whether the append may be stored now.
func (s *session) admits(id events.SessionID, a events.Append) error {
	complete := s.head.Next >= s.seed.Next
	within := a.End() <= s.seed.Next
	ends := a.Seeding && a.End() == s.seed.Next && s.seed.Chain != events.Chain{}
	switch {
	case !complete && !(a.Seeding && within):
		return fmt.Errorf("append to session %s: %w", id, events.ErrSeedIncomplete)
	case a.Next != s.head.Next:
		return &events.ConflictError{Session: id, Expected: a.Next, Actual: s.head.Next}
	case complete && a.Seeding:
		return &events.FieldError{Field: "seeding", Rule: "must not be said behind the end of the seed"}
	case ends && s.head.Chain.Over(a.Records...) != s.seed.Chain:
		return &events.FieldError{Field: "records", Rule: "must be the seed that was declared: the chain differs"}
	default:
		return nil
	}
}

// add stores a checked append and wakes those who wait.
func (s *session) add(a events.Append) events.Seq {
	f := frame{id: a.ID, records: clone(a.Records)}
	for i := range f.records {
		f.records[i].Append = a.ID
	}
	s.frames = append(s.frames, f)
	s.head = events.Head{Next: f.end(), Chain: s.head.Chain.Over(f.records...)}
	close(s.grown)
	s.grown = make(chan struct{})
	return s.head.Next
}

// frameAt finds the first frame with events at or behind seq.
func (s *session) frameAt(seq events.Seq) int {
	i, _ := slices.BinarySearchFunc(s.frames, seq, func(f frame, seq events.Seq) int {
		if f.end() <= seq {
			return -1
		}
		return 1
	})
	return i
}

// Read yields a session's stored records from a seq on.
func (m *Memory) Read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	s, err := m.look(ctx, id)
	return func(yield func(events.Record, error) bool) {
		if err != nil {
			yield(events.Record{}, err)
			return
		}
		if _, _, err := s.each(ctx, from, yield); err != nil {
			yield(events.Record{}, err)
		}
	}
}

// Tail yields a session's records from a seq on as they are stored.
func (m *Memory) Tail(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for more := true; more && ctx.Err() == nil; {
			s, err := m.look(ctx, id)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				yield(events.Record{}, err)
				return
			}
			if from, more, err = s.each(ctx, from, yield); err != nil || !more {
				return
			}
			select {
			case <-s.grown:
			case <-ctx.Done():
			}
		}
	}
}

// each yields the records from a seq on and gives the seq behind the last one,
// and whether the reader wants more.
func (s *session) each(ctx context.Context, from events.Seq, yield func(events.Record, error) bool) (next events.Seq, more bool, err error) {
	next = from
	for _, f := range s.frames[s.frameAt(from):] {
		for _, r := range f.records {
			if r.End() <= from {
				continue
			}
			if err := ctx.Err(); err != nil {
				return next, true, err
			}
			if !yield(cloneRecord(r), nil) {
				return next, false, nil
			}
			next = r.End()
		}
	}
	return next, true, nil
}

// Sessions yields the ids of all stored sessions.
func (m *Memory) Sessions(ctx context.Context) iter.Seq2[events.SessionID, error] {
	return func(yield func(events.SessionID, error) bool) {
		m.mu.Lock()
		ids := slices.Collect(maps.Keys(m.sessions))
		m.mu.Unlock()
		for _, id := range ids {
			if err := ctx.Err(); err != nil {
				yield("", err)
				return
			}
			if !yield(id, nil) {
				return
			}
		}
	}
}

// look gives a session as it is now; the copy stays so while the log grows.
func (m *Memory) look(ctx context.Context, id events.SessionID) (session, error) {
	if err := ctx.Err(); err != nil {
		return session{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, there := m.sessions[id]
	if !there {
		return session{}, fmt.Errorf("session %s: %w", id, events.ErrNotFound)
	}
	return *s, nil
}

func (m *Memory) frameSize() int {
	if m.FrameLimit == 0 {
		return DefaultFrameLimit
	}
	return m.FrameLimit
}

func size(records []events.Record) int {
	n := 0
	for _, r := range records {
		n += len(r.Line) + 1
	}
	return n
}

func clone(records []events.Record) []events.Record {
	out := make([]events.Record, len(records))
	for i, r := range records {
		out[i] = cloneRecord(r)
	}
	return out
}

func cloneRecord(r events.Record) events.Record {
	r.Line = bytes.Clone(r.Line)
	return r
}
