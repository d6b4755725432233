package engine

// Progress says how far long work is.
type Progress struct {
	Stage Stage
	// Done and Total count what the stage says; Total is 0 where it is not known.
	Done, Total int64
}

// Stage is a part of long work, and says in what it is counted.
type Stage string

const (
	// StageCheck reads and checks what is to be stored: bytes of a session file as
	// it lies there, events of a fork's parent.
	StageCheck Stage = "check"
	// StageStore appends: events.
	StageStore Stage = "store"
	// StageRead reads a stored log, to verify or to export it: events.
	StageRead Stage = "read"
)

// Observer is told how far long work is, now and then and at a stage's end, on
// the caller's goroutine. A nil Observer is told nothing.
type Observer func(Progress)

func (o Observer) tell(stage Stage, done, total int64) {
	if o != nil {
		o(Progress{Stage: stage, Done: done, Total: total})
	}
}
