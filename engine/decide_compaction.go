package engine

import (
	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

// StartCompaction takes the lock of a compaction; see [compaction.Start].
type StartCompaction struct {
	compaction.Request
}

func (c StartCompaction) decide(s *projections.Session) ([]events.Draft, error) {
	return compaction.Start(heard(s), c.Request)
}

// FinishCompaction puts a checkpoint in the place of a range, or records why
// not; see [compaction.Finish].
type FinishCompaction struct {
	compaction.Completion
}

func (c FinishCompaction) decide(s *projections.Session) ([]events.Draft, error) {
	ending, err := compaction.Finish(heard(s), c.Completion)
	return ending.Drafts, err
}

// FailCompaction records that a compaction came to nothing.
type FailCompaction struct {
	CompactionID string
	Reason       string
}

func (c FailCompaction) decide(s *projections.Session) ([]events.Draft, error) {
	return compaction.Fail(&s.Compaction, c.CompactionID, c.Reason)
}

// PruneResult shortens one visible tool result; see [compaction.Prune].
type PruneResult struct {
	compaction.Pruning
}

func (c PruneResult) decide(s *projections.Session) ([]events.Draft, error) {
	return compaction.Prune(&s.Compaction, c.Pruning)
}
