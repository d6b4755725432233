package compaction

// The codes of this package's refusals ([events.Refusal]).
const (
	// CodeLocked says that a compaction is under way.
	CodeLocked = "compaction-locked"
	// CodeNotStarted says that no compaction of that id is under way.
	CodeNotStarted = "compaction-not-started"
	// CodeTurn says that a compaction between turns was asked for inside one, or
	// one inside a turn that is not the open one.
	CodeTurn = "compaction-turn"
	// CodeRepeated says that the id was used by the last compaction.
	CodeRepeated = "compaction-repeated"
	// CodeWithinBudget says that the surface is not larger than it may be.
	CodeWithinBudget = "within-budget"
	// CodeNoBoundary says that calls without a result are in the way everywhere.
	CodeNoBoundary = "no-boundary"
	// CodeNothingToGain says that a checkpoint would not be smaller than what it
	// could replace.
	CodeNothingToGain = "nothing-to-gain"
	// CodeRange says that the range is not one that may be replaced.
	CodeRange = "compaction-range"
	// CodeStalePlan says that the surface was replaced in since the plan.
	CodeStalePlan = "stale-plan"
	// CodeNotSmaller says that the summary takes as many tokens as what it stands
	// for, or more.
	CodeNotSmaller = "summary-not-smaller"
	// CodeSummary says that the summary is empty or not text.
	CodeSummary = "invalid-summary"
	// CodeNoResult says that the event is not a visible tool/result, or not the
	// one that was given.
	CodeNoResult = "not-a-visible-result"
	// CodeTooLarge says that what stays of the range does not fit into one message.
	CodeTooLarge = "too-large"
	// CodeMissing says that a member is empty that must not be.
	CodeMissing = "missing-member"
)
