package speech

// Act is a kind of action, by the words that people have for it.
type Act int

// The kinds of actions.
const (
	Using    Act = iota // a tool that nothing is known of
	Reading             // of files
	Changing            // of files
	Creating            // of files that are not there yet
	Deleting            // of files
	Running             // of commands
	Testing             // running the tests
	Building            // running the build
	Committing
	Pushing
	Installing
	Publishing
	Deploying
	Sending
	Fetching
	Removing // of an object of a service
	Halting
	Starting
	Restarting
	Killing
	Merging
	Closing
	Rebasing
	Truncating
	Rewriting // of the history of a repository
	Operating // of databases, clouds and clusters
	Branching // making or changing branches
	Working   // whatever else an agent is asked to do
	actCount
)

// Acts is a set of kinds of actions.
type Acts uint64

// Of makes a set.
func Of(acts ...Act) Acts {
	var s Acts
	for _, a := range acts {
		s |= 1 << a
	}
	return s
}

// Has reports whether a kind is in the set.
func (s Acts) Has(a Act) bool { return s&(1<<a) != 0 }

// Meets reports whether two sets have a kind in common.
func (s Acts) Meets(other Acts) bool { return s&other != 0 }

// Kind is a kind of files that people have a word for.
type Kind int

// The kinds of files.
const (
	NoKind Kind = iota
	Tests
	Docs
	Settings
	Sources
	kindCount
)

// actNames are the kinds of actions as the tables of words call them.
var actNames = map[string]Act{
	"use": Using, "read": Reading, "change": Changing, "create": Creating, "delete": Deleting, "run": Running, "test": Testing, "build": Building,
	"commit": Committing, "push": Pushing, "install": Installing, "publish": Publishing, "deploy": Deploying, "send": Sending, "fetch": Fetching,
	"remove": Removing, "halt": Halting, "start": Starting, "restart": Restarting, "kill": Killing, "merge": Merging, "close": Closing,
	"rebase": Rebasing, "truncate": Truncating, "rewrite": Rewriting, "operate": Operating, "branch": Branching, "work": Working,
}

// kindNames are the kinds of files as the tables of words call them.
var kindNames = map[string]Kind{"tests": Tests, "docs": Docs, "settings": Settings, "sources": Sources}
