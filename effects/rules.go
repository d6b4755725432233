package effects

import "github.com/go-json-experiment/json"

// Rules are all rules there are, in the order in which people read them.
func Rules() []Rule { return rules }

var rules = joinRules(
	textRules(),
	toolRules(),
	fileRules(),
	everydayRules(),
	codeRules(),
	programRules(),
	guardRules(),
	serviceRules(),
	networkRules(),
)

func joinRules(tables ...[]Rule) []Rule {
	var all []Rule
	for _, t := range tables {
		all = append(all, t...)
	}
	return all
}

var ruleIndex = func() map[string]*Rule {
	index := make(map[string]*Rule, len(rules))
	for i := range rules {
		index[rules[i].ID] = &rules[i]
	}
	return index
}()

// ruleNamed finds a rule. Every name in the code has one, which a test holds.
func ruleNamed(id string) *Rule {
	if r, ok := ruleIndex[id]; ok {
		return r
	}
	return &Rule{ID: id, Sentence: "An unknown rule denies.", Decision: Deny, Guard: true}
}

// sh is an example of a shell command.
func sh(command string) Example {
	text, _ := json.Marshal(command) // a string always can be
	return Example{Tool: "shell", Arguments: `{"command":` + string(text) + `}`}
}
