package speech

// Language is all that is known of a language: words and phrases, each list with bars
// between its members. A word that ends in a star stands for all that begin so.
type Language struct {
	Code, Name string
	Traits     Traits
	// Frequent are words that are often used, by which the language is told, beside all others here.
	Frequent string
	// Shapes are endings by which a word that is in no list still looks like one of the
	// language's.
	Shapes string
	// Actions are the words for each kind of action, by its name.
	Actions map[string]Action
	// Kinds are the words for kinds of files, by the kind's name.
	Kinds    map[string]string
	Refusals Refusals
	Orders   Orders
}

// Traits are how a language puts words together.
type Traits struct {
	Joined       bool // words stand without spaces
	SubjectFirst bool // a negation behind a subject only describes
	VerbLast     bool // what is refused may stand before the word that refuses it
	Inflected    bool // what is ordered or forbidden has forms of its own
}

// Action is how a kind of action is said.
type Action struct {
	// Orders are the forms of an order, and those behind "you may".
	Orders string
	// Done are those behind "can be".
	Done string
	// Names are nouns: "editing", "edits". They and Wide only ever refuse.
	Names string
	Wide  string
	// Links are words between the verb and what it is done to or with.
	Links string
}

// Refusals are the words by which an agent is kept from something.
type Refusals struct {
	Never     string // before or behind the action: do not, never
	Not       string // negates a modal verb, and nothing by itself
	Describes string // a negation that only tells how things are
	None      string // no, nothing: before an action's name, or a word for all
	Without   string
	Avoid     string // before an action's name: avoid, no more
	Forbidden string // behind or before an action: is forbidden, not allowed
	Keep      string // with Same: leave … alone
	Spare     string // by itself: hands off, protect
	Same      string // unchanged, off limits: what it is said of is not to be changed
	Stops     string // as the first words of a clause, without an object
	Halts     string // before an action's name: stop, pause, hold off on
	Consults  string // ask me first: nothing happens before the speaker has spoken
	Shows     string // with First: let me see, show me
	First     string // before, first, until
	Modes     string // plan mode, dry run, code freeze
	Only      string
	Looks     string // with Only: actions that only look
	Except    string
	You       string
	Ensures   string // make sure: what comes behind it is how something has to be
	Than      string // makes "only" of a negation before it: ne … que
	Modal     string
	Leads     string // what may stand before an order
	Sub       string // begins a clause that speaks about something
	But       string
	And       string
	All       string // anything, files, code: whatever there is
	Acts      string // do, proceed: whatever could be done
	Harmless  string // nouns for what is neither a file nor an action
	Mental    string // verbs that no file is touched by
	Idioms    string // phrases that only look like a refusal
	Withdraws string // takes back what was said
	Said      string // what is taken back: restriction, instruction
	Questions string // the first words of a question
	Then      string // behind Shows: only afterwards comes what is to be done
	Others    string // subjects that are not the agent, with Inflected
	Endings   string // of the forms in which something is forbidden, with Inflected
}

// Orders are the words of the closed grammar, beside the actions. What is not in one
// of these lists is not understood.
type Orders struct {
	Leads     string // phrases before the verb: please, you may, go ahead and
	Asks      string // phrases that make an order of a question: can you please
	AsksSoft  string // so, if a word of politeness stands in the same sentence: can you
	Polite    string // please
	Tails     string // behind: now, for good, thanks
	Fillers   string // the, file, called
	Links     string // with, from
	Things    string // nouns that an agent works on: the tests, these files
	Pronouns  string // it, them
	And       string
	May       string // can be, should be: before Done
	MayGo     string // can go, is to go
	Useless   string // behind a name or pronoun: is obsolete
	Unneeded  string // before a name or pronoun: we no longer need
	Because   string
	Remarks   string // whole clauses that change nothing: the backup is done, thanks
	Withdraw  string // phrases that take back an earlier restriction
	Takes     string // before what is acted on: 把
	Marks     string // behind what is acted on: を
	Wishes    string // I want … deleted
	Never     string // before a verb, of restrictions beside an order
	KeepAsIs  string // keep, leave: in the same place
	Unchanged string // behind KeepAsIs
	Clitics   string // pronouns that are written together with the verb
}

// Languages are those with a table.
func languages() []*Language {
	return []*Language{english(), chinese(), german(), french(), spanish(), portuguese(), russian(), japanese()}
}
