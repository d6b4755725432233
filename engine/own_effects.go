package engine

import "github.com/docket-engine/docket/effects"

// touchedRule is the rule of the analysis about what belongs to the engine.
const touchedRule = "engine-touched"

// touched reports whether a call would reach what is the engine's without naming it as
// the text of its arguments would show: through another folder, a variable, a text for
// another shell. Files are not looked at, since the body may run on another machine.
func (o Own) touched(c PendingCall) bool {
	answer := effects.Analyze(
		effects.Call{Tool: c.Name, Arguments: c.Arguments},
		effects.Facts{Workspace: c.CWD, Home: o.Home, Engine: effects.Engine{Paths: o.Paths, Hosts: o.Addresses}},
	)
	for _, f := range answer.Findings {
		if f.Rule == touchedRule {
			return true
		}
	}
	return false
}
