package events

import "slices"

// checkNesting holds an event against the open turn and step (reference 1.4,
// relation checks). A tool/result that replaces another and a checkpoint message
// are exempt, in every format (reference 8, item 7).
func (v *Validator) checkNesting(e Envelope) error {
	switch ev := e.Event.(type) {
	case TurnStart:
		return v.checkTurnStart(ev)
	case TurnEnd:
		return v.checkTurnEnd(ev)
	case StepStart:
		return v.checkStepStart(ev)
	case StepEnd:
		return v.inStep(ev.Turn, ev.Step)
	case UserMessage:
		if ev.Source.Checkpoint() {
			return nil
		}
		return v.inAnyStep(e.Type())
	case AgentMessage, ReviewNotice:
		return v.inAnyStep(e.Type())
	case SystemMessage:
		return v.inStep(ev.Turn, ev.Step)
	case DeveloperMessage:
		return firstError(v.inStep(ev.Turn, ev.Step), v.checkAdditions(ev))
	case AssistantMessage:
		return v.inStep(ev.Turn, ev.Step)
	case AssistantAttempt:
		return v.inStep(ev.Turn, ev.Step)
	case AssistantChunk:
		return v.inStep(ev.Turn, ev.Step)
	case ToolCall:
		return v.inStep(ev.Turn, ev.Step)
	case ToolResult:
		return v.checkResult(e, ev)
	case PTCDispatchStart, PTCDispatch, RequestHeader, RequestContext, ApprovalAsked:
		return v.inAnyTurn(e.Type())
	case ApprovalDecided:
		return firstError(v.inAnyTurn(e.Type()), v.checkDecided(ev))
	case ReviewVerdict:
		return v.inStep(ev.Turn, ev.Step)
	case EndSeed:
		return v.checkEndSeed(ev)
	case ReviewRequested, ToolDispatched:
		return v.inAnyTurn(e.Type())
	case PermissionPreset, SandboxMode, ApprovalPolicy, ApprovalTier, ReviewRoute, SessionAdopted, SessionMembers,
		SubagentDescriptor, SubagentCatalog,
		CompactionStart, CompactionSummary, CompactionPrune, CompactionEnd,
		ArtifactObserved, GrantIssued, GrantConsumed, InboxSpliced, Opaque:
		return nil // anywhere
	case ProjectSensitiveResources, ProjectWriteSensitiveResources, ProjectGrant, ProjectGrantRevoked:
		return fieldf("type", "%s belongs into a project's log, not into a session's", e.Type())
	}
	return fieldf("type", "%s has no rule", e.Type())
}

func (v *Validator) checkTurnStart(ev TurnStart) error {
	if v.turnOpen {
		return fieldf("data.turn", "must not start: turn %d is still open", v.turn)
	}
	if ev.Turn != v.turn+1 {
		return fieldf("data.turn", "must be %d, is %d", v.turn+1, ev.Turn)
	}
	return nil
}

func (v *Validator) checkTurnEnd(ev TurnEnd) error {
	switch {
	case !v.turnOpen:
		return fieldf("data.turn", "must be the open turn: none is open")
	case ev.Turn != v.turn:
		return fieldf("data.turn", "must be the open turn %d, is %d", v.turn, ev.Turn)
	case v.stepOpen:
		return fieldf("data.turn", "must not end: step %d is still open", v.step)
	default:
		return nil
	}
}

func (v *Validator) checkStepStart(ev StepStart) error {
	switch {
	case !v.turnOpen:
		return fieldf("data.turn", "must be the open turn: none is open")
	case ev.Turn != v.turn:
		return fieldf("data.turn", "must be the open turn %d, is %d", v.turn, ev.Turn)
	case v.stepOpen:
		return fieldf("data.step", "must not start: step %d is still open", v.step)
	case ev.Step != v.step+1:
		return fieldf("data.step", "must be %d, is %d", v.step+1, ev.Step)
	default:
		return nil
	}
}

// inStep checks that an event names the step that is open.
func (v *Validator) inStep(turn, step int) error {
	switch {
	case !v.stepOpen:
		return fieldf("data.step", "must be the open step: none is open")
	case turn != v.turn:
		return fieldf("data.turn", "must be the open turn %d, is %d", v.turn, turn)
	case step != v.step:
		return fieldf("data.step", "must be the open step %d, is %d", v.step, step)
	default:
		return nil
	}
}

func (v *Validator) inAnyStep(t Type) error {
	if !v.stepOpen {
		return fieldf("type", "%s must be inside a step: none is open", t)
	}
	return nil
}

func (v *Validator) inAnyTurn(t Type) error {
	if !v.turnOpen {
		return fieldf("type", "%s must be inside a turn: none is open", t)
	}
	return nil
}

// checkResult: a result answers a call of its step and cites it, unless it
// repairs a call that never started.
func (v *Validator) checkResult(e Envelope, ev ToolResult) error {
	if _, _, replaces := e.Surface.Replace(); replaces {
		return nil
	}
	if err := v.inStep(ev.Turn, ev.Step); err != nil {
		return err
	}
	call, started := v.calls[ev.CallID()]
	switch {
	case started && e.Format != Format0 && !slices.Contains(e.Sources, call):
		return fieldf("sourceEventSeqs", "must name the tool/call at %d", call)
	case !started && !ev.NotStarted():
		return fieldf("data.message.source.callId", "must be a call of this step, %q is not", clip(ev.CallID()))
	default:
		return nil
	}
}

func (v *Validator) checkDecided(ev ApprovalDecided) error {
	if !v.asked[ev.ID] {
		return fieldf("data.id", "must be a question without a decision, %q is not", clip(ev.ID))
	}
	return nil
}

// checkAdditions: headerSeq is there exactly when tools are added, and names an
// earlier request/header that defines each of them once.
func (v *Validator) checkAdditions(ev DeveloperMessage) error {
	added := ev.additions()
	if (ev.HeaderSeq != nil) != (len(added) > 0) {
		return fieldf("data.headerSeq", "must be there exactly when tools are added")
	}
	if ev.HeaderSeq == nil {
		return nil
	}
	tools, earlier := v.tools[*ev.HeaderSeq]
	if !earlier {
		return fieldf("data.headerSeq", "must be an earlier request/header, %d is not", *ev.HeaderSeq)
	}
	for _, name := range added {
		defined := 0
		for _, n := range tools {
			if n == name {
				defined++
			}
		}
		if defined != 1 {
			return fieldf("data.headerSeq", "must define the tool %q once, defines it %d times", clip(name), defined)
		}
	}
	return nil
}

// checkEndSeed: only a seeded log has an inherited part to end.
func (v *Validator) checkEndSeed(ev EndSeed) error {
	if ev.Inherited && !v.header.Seeded() && v.header.Version != Format0 {
		return fieldf("data.inherited", "must not be in a log whose header says that it is not seeded")
	}
	return nil
}
