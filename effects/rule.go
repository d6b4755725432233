package effects

// Rule is one that speaks about calls: the whole table is in [Rules].
type Rule struct {
	ID string
	// Sentence says what holds, for people and models; one sentence.
	Sentence string
	Decision Decision
	// Guard says that nothing may overrule a denial: no reviewer, no person's general
	// instruction. Other denials ask for another form of the same work.
	Guard bool
	// Hit is a call that the rule speaks about; Miss is like it, and the rule does not.
	Hit, Miss Example
}

// Example is a call in the folder /workspace/demo, of a user whose home is elsewhere.
type Example struct {
	Tool      string
	Arguments string // JSON
	Platform  string // a GOOS; "" is linux
	// Destructive is what the tool's maker says.
	Destructive bool
}
