package api

// The headers of replies. ErrorHeader and ErrorCodeHeader are those that every NATS
// micro service has, so that tools tell an error from a reply.
const (
	ErrorHeader     = "Nats-Service-Error"
	ErrorCodeHeader = "Nats-Service-Error-Code"
	// StateHeader says of one of several replies to a request which it is: one of the
	// State constants. A reply without it is the only one.
	StateHeader = "Docket-Reply"
)

// The replies of a request that has several.
const (
	// StateAccepted is the first reply of a long request, and comes again now and then
	// while the request is under way.
	StateAccepted = "accepted"
	// StateFinal is the last reply.
	StateFinal = "final"
	// StateEvents is a part of a tail.
	StateEvents = "events"
)
