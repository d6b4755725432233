package compaction

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// Start decides compaction/start, which takes the lock. It refuses what [Plan]
// refuses, so that nothing is started that cannot be finished.
func Start(s *State, r Request) ([]events.Draft, error) {
	if _, err := Plan(s, r); err != nil {
		return nil, err
	}
	return events.Drafts(events.CompactionStart{CompactionID: r.CompactionID, SourceCommandID: r.CommandID, Turn: turnValue(r.Turn)}), nil
}

// Completion is a summary for a compaction that has started.
type Completion struct {
	CompactionID string
	Range        Range // as [Plan] gave it
	// Messages are the events of the range, as the log has them: what people and the
	// parent say in them is kept beside the summary.
	Messages []events.Envelope
	// Summary is [Extractive]'s, or another one, which then stands behind an extract.
	Summary   Summary
	MessageID string // of the checkpoint message
	// Budget is [Request].Budget: the extract takes what the budget leaves for it.
	Budget int64
	// Restricts tells whether a sentence restricts, for kept words that are too many;
	// nil for every one.
	Restricts func(sentence string) bool `json:"-"`
}

// Ending is what ends a compaction: the drafts of one frame, to be appended as
// the very next events, since the checkpoint cites the summary by its seq.
type Ending struct {
	Drafts []events.Draft
	// Failure says why nothing is replaced; the drafts then record it. It is nil
	// where the checkpoint takes the range's place.
	Failure *events.Refusal
}

// Finish ends a compaction with its summary (reference 1.5): compaction/summary,
// the checkpoint message in the place of the range, compaction/end, and in an open
// step the project instructions that left the surface, which come back. A summary
// that does not save anything, or says nothing, and a surface that was replaced in
// since the plan end it as a failure. An error, a *[events.Refusal], is for what
// cannot be recorded at all: no such compaction is under way.
func Finish(s *State, c Completion) (Ending, error) {
	lock, err := s.locked(c.CompactionID)
	if err != nil {
		return Ending{}, err
	}
	if c.MessageID == "" {
		return Ending{}, events.Refuse(CodeMissing, "messageId", "must not be empty")
	}
	failed := func(why *events.Refusal) Ending {
		return Ending{Drafts: events.Drafts(end(lock, why.Text)), Failure: why}
	}
	if lock.Generation != s.Generation || !s.same(c.Range) {
		return failed(events.Refuse(CodeStalePlan, "range", "the surface changed since the compaction was planned")), nil
	}
	in, err := s.Input(c.Range, c.Messages, c.Restricts)
	if err != nil {
		return Ending{}, err
	}
	if refusal := c.Summary.check(); refusal != nil {
		return failed(refusal), nil
	}
	c.Summary.Blocks = s.told(in, c)
	content := checkpoint(in.Kept, c.Summary.Blocks)
	if refusal := s.unfit(c.Range, in.Kept, content); refusal != nil {
		return failed(refusal), nil
	}
	drafts := replacement(s.Next, lock, c, content)
	if s.Step {
		drafts = append(drafts, s.returning(c)...)
	}
	return Ending{Drafts: drafts}, nil
}

// Fail ends a compaction that came to nothing: the summarizer failed, or whoever
// held the lock is gone. The surface stays as it is.
func Fail(s *State, compactionID, reason string) ([]events.Draft, error) {
	lock, err := s.locked(compactionID)
	if err != nil {
		return nil, err
	}
	if reason == "" {
		return nil, events.Refuse(CodeMissing, "error", "must say what went wrong")
	}
	return events.Drafts(end(lock, reason)), nil
}

// locked is the lock of the compaction, if it is held and not stale.
func (s *State) locked(compactionID string) (*Lock, error) {
	held := s.Held()
	switch {
	case held != nil && held.CompactionID == compactionID:
		return held, nil
	case s.Lock != nil && s.Lock.CompactionID == compactionID:
		return nil, events.Refuse(CodeNotStarted, "compactionId", "%s was started before the session was opened again: its lock is stale", compactionID)
	default:
		return nil, events.Refuse(CodeNotStarted, "compactionId", "no compaction %s is under way", compactionID)
	}
}

// returning are the project instructions that leave the surface, as they come back
// in the open step.
func (s *State) returning(c Completion) []events.Draft {
	var out []events.Event
	for _, in := range s.leaving(s.Nodes[s.position(c.Range.Start) : s.position(c.Range.End)+1]) {
		out = append(out, in.again(c.MessageID))
	}
	return events.Drafts(out...)
}

// replacement is the frame that puts the checkpoint in the place of the range;
// its first event gets the seq next.
func replacement(next events.Seq, lock *Lock, c Completion, content []events.Block) []events.Draft {
	summary := events.CompactionSummary{
		CompactionID: lock.CompactionID, SourceCommandID: lock.CommandID, Summary: c.Summary.Blocks,
		ShadowedRange: events.SeqRange{Start: c.Range.Start, End: c.Range.End}, ShadowedSeqs: c.Range.Seqs,
		ShadowedTokenCount: count(c.Range.Tokens), Provider: c.Summary.Provider, Model: c.Summary.Model,
	}
	message := events.UserMessage{
		ID: c.MessageID, Role: "user", Content: content,
		Source: events.Source{Kind: events.SourceCheckpoint, CompactionID: lock.CompactionID, SourceCommandID: lock.CommandID},
	}
	return []events.Draft{
		{Event: summary},
		{
			Event: message, Surface: events.SurfaceReplace(c.Range.Start, c.Range.End),
			Sources: append([]events.Seq{lock.Seq, next}, c.Range.Seqs...),
		},
		{Event: end(lock, "")},
	}
}

func end(lock *Lock, failure string) events.CompactionEnd {
	e := events.CompactionEnd{CompactionID: lock.CompactionID, SourceCommandID: lock.CommandID, Turn: turnValue(lock.Turn)}
	if failure != "" {
		e.Error = &failure
	}
	return e
}

func count(tokens int64) jsontext.Value { return jsontext.Value(strconv.FormatInt(tokens, 10)) }
