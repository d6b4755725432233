package offline

import "github.com/docket-engine/docket/reviewer/offline/speech"

// class is a kind of action; what people call it is in package speech.
type class = speech.Act

const (
	using      = speech.Using
	reading    = speech.Reading
	changing   = speech.Changing
	deleting   = speech.Deleting
	running    = speech.Running
	committing = speech.Committing
	pushing    = speech.Pushing
	installing = speech.Installing
	publishing = speech.Publishing
	sending    = speech.Sending
	fetching   = speech.Fetching
	removing   = speech.Removing
	halting    = speech.Halting
	starting   = speech.Starting
	restarting = speech.Restarting
	killing    = speech.Killing
	merging    = speech.Merging
	closing    = speech.Closing
	rebasing   = speech.Rebasing
	truncating = speech.Truncating
	rewriting  = speech.Rewriting
	operating  = speech.Operating
)

// operations are the classes of the table of operators, by their words there.
var operations = map[string]class{
	"pushing": pushing, "installing": installing, "publishing": publishing, "sending": sending, "removing": removing, "stopping": halting,
	"starting": starting, "restarting": restarting, "killing": killing, "merging": merging, "closing": closing, "rebasing": rebasing,
	"truncating": truncating,
}
