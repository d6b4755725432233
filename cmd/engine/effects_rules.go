package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/effects"
)

func (a *app) effectsRulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rules [WORD...]",
		Short: "List the rules, each with a call that it speaks about and one that it does not",
		Long: `Rules lists every rule by which calls are judged: its name, what it decides, its
sentence, and two calls in a project: one that it speaks about and one that is like it.
A denial of the guard stands for ever; another one asks for another form of the same
work. WORDs choose rules whose name or sentence has all of them.`,
		RunE: func(_ *cobra.Command, args []string) error {
			rules := chosenRules(args)
			return a.print(ruleViews(rules), func(p *printer) { p.rules(rules) })
		},
	}
}

func chosenRules(words []string) []effects.Rule {
	var out []effects.Rule
	for _, r := range effects.Rules() {
		fits := true
		for _, w := range words {
			fits = fits && strings.Contains(strings.ToLower(r.ID+" "+r.Sentence+" "+string(r.Decision)), strings.ToLower(w))
		}
		if fits {
			out = append(out, r)
		}
	}
	return out
}

// ruleView is a rule as scripts read it.
type ruleView struct {
	ID       string           `json:"id"`
	Decision effects.Decision `json:"decision"`
	Guard    bool             `json:"guard"`
	Sentence string           `json:"sentence"`
	Hit      ruleExample      `json:"hit"`
	Miss     ruleExample      `json:"miss"`
}

type ruleExample struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

func ruleViews(rules []effects.Rule) []ruleView {
	out := []ruleView{}
	for _, r := range rules {
		out = append(out, ruleView{
			r.ID, r.Decision, r.Guard, r.Sentence,
			ruleExample{r.Hit.Tool, json.RawMessage(r.Hit.Arguments)},
			ruleExample{r.Miss.Tool, json.RawMessage(r.Miss.Arguments)},
		})
	}
	return out
}

func (p *printer) rules(rules []effects.Rule) {
	for i, r := range rules {
		if i > 0 {
			p.line("")
		}
		kind := string(r.Decision)
		if r.Guard {
			kind += ", for ever"
		}
		p.line("%s (%s)", r.ID, kind)
		p.line("  %s", r.Sentence)
		p.line("  speaks about  %s", exampleText(r.Hit))
		p.line("  but not about %s", exampleText(r.Miss))
	}
}

// exampleText is a call as people write it: a command, or the tool's name and what
// it is given.
func exampleText(e effects.Example) string {
	var shell struct {
		Command string `json:"command"`
	}
	if e.Tool == "shell" && json.Unmarshal([]byte(e.Arguments), &shell) == nil && shell.Command != "" {
		return plain(shell.Command, effectsColumn)
	}
	return plain(e.Tool+" "+e.Arguments, effectsColumn)
}
