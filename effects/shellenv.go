package effects

import "github.com/docket-engine/docket/effects/shell"

// environment is what a shell that runs a command knows.
func (a *analysis) environment() shell.Env {
	return shell.Env{Home: a.facts.Home}
}
