package events

// TurnStart opens a turn. Turns are numbered 1, 2, 3, … over the whole log.
type TurnStart struct {
	Turn    int     `json:"turn"`
	Unknown Unknown `json:",embed"`
}

// TurnEnd closes the open turn.
type TurnEnd struct {
	Turn    int           `json:"turn"`
	Reason  TurnEndReason `json:"reason"`
	Unknown Unknown       `json:",embed"`
}

// TurnEndReason says why a turn ended.
type TurnEndReason struct {
	// Kind is one of the EndKind constants.
	Kind string `json:"kind"`
	// Reason says who aborted; only with kind aborted.
	Reason *AbortReason `json:"reason,omitzero"`
	// Failure says what went wrong; only with kind error.
	Failure *Failure `json:"failure,omitzero"`
	Unknown Unknown  `json:",embed"`
}

// AbortReason is who aborted a turn: user, parent, hook (with its text),
// disposed or legacy.
type AbortReason struct {
	Kind    string  `json:"kind"`
	Text    string  `json:"text,omitzero"`
	Unknown Unknown `json:",embed"`
}

// Failure is a model request that failed for good.
type Failure struct {
	Message              string  `json:"message"`
	Code                 string  `json:"code"`
	Status               int     `json:"status,omitzero"`
	ProviderRetryAfterMs float64 `json:"providerRetryAfterMs,omitzero"`
	RequestID            string  `json:"requestId,omitzero"`
	Unknown              Unknown `json:",embed"`
}

// The kinds of a turn's end. Interrupted is written by crash repair alone,
// forked by a fork alone.
const (
	EndCompleted   = "completed"
	EndAborted     = "aborted"
	EndBlocked     = "blocked"
	EndError       = "error"
	EndMaxTokens   = "max-tokens"
	EndInterrupted = "interrupted"
	EndForked      = "forked"
)

// StepStart opens a step. Steps are numbered from 1 in each turn.
type StepStart struct {
	Turn    int     `json:"turn"`
	Step    int     `json:"step"`
	Unknown Unknown `json:",embed"`
}

// StepEnd closes the open step.
type StepEnd struct {
	Turn    int     `json:"turn"`
	Step    int     `json:"step"`
	Unknown Unknown `json:",embed"`
}

// Type is "turn/start".
func (TurnStart) Type() Type { return TypeTurnStart }

// Type is "turn/end".
func (TurnEnd) Type() Type { return TypeTurnEnd }

// Type is "step/start".
func (StepStart) Type() Type { return TypeStepStart }

// Type is "step/end".
func (StepEnd) Type() Type { return TypeStepEnd }

func (e TurnStart) check() error { return positive("turn", e.Turn) }
func (e StepStart) check() error { return checkStep(e.Turn, e.Step) }
func (e StepEnd) check() error   { return checkStep(e.Turn, e.Step) }

func (e TurnEnd) check() error {
	if err := positive("turn", e.Turn); err != nil {
		return err
	}
	return oneOf("reason.kind", e.Reason.Kind, EndCompleted, EndAborted, EndBlocked, EndError, EndMaxTokens, EndInterrupted, EndForked)
}
