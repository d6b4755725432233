package events

// asRead gives what a reader finds of an event whose data has just been encoded from
// it, where it can be told without reading it back: the members are texts, which were
// written only if they are valid, and whole numbers; no member is kept as JSON text,
// and none is unknown. Others are not plain, and read back.
func asRead(ev Event) (read Event, plain bool) {
	switch ev := any(ev).(type) { // the most frequent ones: no complete switch
	case StepStart:
		return ev, ev.Unknown == nil
	case StepEnd:
		return ev, ev.Unknown == nil
	case ToolCall:
		plain = ev.Unknown == nil && ev.Arguments != nil // null is refused where it is read
		ev.Arguments = own(ev.Arguments)
		return ev, plain
	case ReviewRequested:
		plain = ev.Unknown == nil
		var same bool
		ev.Files, same = plainExecuted(ev.Files)
		plain = plain && same
		ev.Ancestors, same = plainAncestors(ev.Ancestors)
		return ev, plain && same
	case ReviewVerdict:
		return ev, ev.Unknown == nil && ev.Reason == nil && ev.Failure == nil && ev.Evidence == nil
	case ToolDispatched:
		ev.VerdictSeq, ev.DecisionSeq = own(ev.VerdictSeq), own(ev.DecisionSeq)
		ev.GrantSeq, ev.PresetSeq = own(ev.GrantSeq), own(ev.PresetSeq)
		ev.Files, plain = plainExecuted(ev.Files)
		return ev, plain && ev.Unknown == nil
	default:
		return nil, false
	}
}

// own is a copy that nobody else points to.
func own[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
