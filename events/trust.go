package events

// Trust is a level of trust: what an engine holds up against the processes of those
// whose calls it takes, as far as it knows (docs/threat-model.md). A store records it
// with what it stores. "" is no level: nobody has recorded one.
type Trust string

// The levels, from the strongest.
const (
	// TrustSeparate: engine and human credentials belong to another user or host than
	// the agents.
	TrustSeparate Trust = "separate"
	// TrustConfined: the same user, but every body runs confined, out of their reach.
	TrustConfined Trust = "confined"
	// TrustSameUser: good against mistakes and injected text, and not against code that
	// was allowed to run unconfined.
	TrustSameUser Trust = "same-user"
)

// Trusted is under which levels a session was worked with.
type Trusted struct {
	Began Trust // when it was created
	Last  Trust // when what stands last in its log was appended
}
