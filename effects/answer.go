package effects

// Decision is what a rule says of a call.
type Decision string

// The decisions, from the weakest to the strictest.
const (
	Allow  Decision = "allow"        // proven harmless
	Review Decision = "needs-review" // somebody has to weigh it
	Deny   Decision = "deny"         // not in this form, or never
)

// Answer is what is known of a call.
type Answer struct {
	// Decision is the strictest of the findings; Review if there is none.
	Decision Decision `json:"decision"`
	Effects  []Effect `json:"effects"`
	// Findings are the rules that speak, in the order of the places they speak about.
	Findings []Finding `json:"findings"`
	// Files are what the call would execute from disk, to be checked again when it is
	// dispatched.
	Files []File `json:"files"`
	// Undisclosable says that the call holds a secret which cannot be told from what
	// stands around it: no model may see the call, and a person decides.
	Undisclosable bool `json:"undisclosable,omitzero"`
}

// Effect is one thing that a call would do.
type Effect struct {
	Kind Kind `json:"kind"`
	// Target is what it is done to: an absolute path, a host, a database, an object.
	// "" where that cannot be known.
	Target string `json:"target"`
	// Certain is false for what may or may not happen, and for a target that is only
	// a beginning (a glob's deepest folder).
	Certain bool `json:"certain"`
	Span    Span `json:"span"`
}

// Kind says what an effect does.
type Kind string

// The kinds of effects (issue: effects; design section 8).
const (
	Read           Kind = "read"
	Write          Kind = "write" // of something that is or may be there
	Create         Kind = "create"
	Delete         Kind = "delete"
	Execute        Kind = "execute"
	Send           Kind = "network-send"    // data leaves
	Receive        Kind = "network-receive" // a request that only fetches
	Process        Kind = "process"         // others are stopped or signalled
	Privilege      Kind = "privilege"
	Configure      Kind = "configure" // what executes later
	Database       Kind = "database"
	Cloud          Kind = "cloud"
	Cluster        Kind = "cluster"
	Install        Kind = "package-install"
	VCSLocal       Kind = "vcs-local"
	VCSRemote      Kind = "vcs-remote"
	HistoryRewrite Kind = "history-rewrite"
	SecretRead     Kind = "secret-read"
)

// Span is a place: byte offsets into a text, End exclusive.
type Span struct {
	// Source is the text's name: "" for the command (or for the argument that the
	// effect rests on, then with Argument), a path for a script that would run.
	Source   string `json:"source,omitzero"`
	Argument string `json:"argument,omitzero"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
}

// Finding is a rule that speaks about a call.
type Finding struct {
	Rule     string   `json:"rule"`
	Decision Decision `json:"decision"`
	// Sentence says what the rule holds, for people.
	Sentence string `json:"sentence"`
	// Words are what it rests on, bounded, with secrets taken out.
	Words string `json:"words,omitzero"`
	Span  Span   `json:"span"`
}

// File is one that a call would execute from disk.
type File struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"` // hexadecimal, of the bytes that were analysed
	Size   int64  `json:"size"`
}
