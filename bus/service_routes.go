package bus

// table says what serves each command. A command is served alike for all roles
// that have it; what differs is which sessions they may name.
func (s *Service) table() map[string]route {
	return map[string]route{
		"turn.start":        decoded(s, s.turnStart),
		"turn.end":          decoded(s, s.turnEnd),
		"step.start":        decoded(s, s.stepStart),
		"step.end":          decoded(s, s.stepEnd),
		"request.set":       decoded(s, s.requestSet),
		"message.assistant": decoded(s, s.messageAssistant),
		"message.context":   decoded(s, s.messageContext),
		"attempt.failed":    decoded(s, s.attemptFailed),
		"call":              decoded(s, s.call),
		"call.alive":        decoded(s, s.callAlive),
		"call.cancel":       decoded(s, s.callCancel),
		"settle":            decoded(s, s.settle),
		"return":            decoded(s, s.giveBack),
		"restart":           decoded(s, s.restart),
		"compact":           decoded(s, s.compact),
		"spawn":             decoded(s, s.spawn),
		"send":              decoded(s, s.sendMessage),
		"keys":              free(s.keys),
		"state":             decoded(s, s.stateOf),
		"read":              decoded(s, s.read),

		"session.create":     free(s.create),
		"session.list":       free(s.list),
		"session.show":       decoded(s, s.show),
		"session.stop":       decoded(s, s.stop),
		"session.fork":       decoded(s, s.fork),
		"session.adopt":      decoded(s, s.adopt),
		"session.share":      decoded(s, s.share),
		"session.credential": decoded(s, s.credential),
		"message.send":       decoded(s, s.messageSend),
		"preset.set":         decoded(s, s.presetSet),
		"preset.catalog":     free(s.presetCatalog),
		"policy.set":         decoded(s, s.policySet),
		"tier.set":           decoded(s, s.tierSet),
		"approvals.list":     free(s.approvalsList),
		"approvals.answer":   decoded(s, s.approvalsAnswer),
		"route.allow":        decoded(s, s.routeAllow),
		"tail":               decoded(s, s.tail),
		"tail.alive":         free(s.tailAlive),
		"tail.stop":          free(s.tailStop),
		"schema":             free(s.schema),
	}
}
