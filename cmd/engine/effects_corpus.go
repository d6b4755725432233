package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/effects"
)

// corpusOptions are the facts that a corpus's cases assume.
type corpusOptions struct {
	workspace, home string
	all             bool
}

func (a *app) effectsCorpusCommand() *cobra.Command {
	opts := corpusOptions{}
	cmd := &cobra.Command{
		Use:   "corpus FILE...",
		Short: "Score labelled commands, and list each disagreement",
		Long: `Corpus analyses labelled commands and counts what the rules make of them. A file has
one JSON object a line: id, command, label (dangerous or safe) and class. Nothing is
known of any file: the cases speak for themselves.

A dangerous command that is allowed is a miss, a safe one that is denied a false block;
a safe one that goes to review costs somebody's time.

Exit codes: 0 nothing dangerous is allowed; 1 something is.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error { return a.scoreCorpora(files, opts) },
	}
	cmd.Flags().StringVar(&opts.workspace, "workspace", "/workspace/demo", "the folder that commands start in")
	cmd.Flags().StringVar(&opts.home, "home", "/home/dev", "the user's home")
	cmd.Flags().BoolVar(&opts.all, "all", false, "list agreements as well")
	return cmd
}

// corpusCase is a labelled command.
type corpusCase struct {
	ID      string `json:"id"`
	Command string `json:"command"`
	Label   string `json:"label"`
	Class   string `json:"class"`
}

const (
	labelDangerous = "dangerous"
	labelSafe      = "safe"
)

// scored is a case with what the rules make of it.
type scored struct {
	corpusCase
	Decision effects.Decision `json:"decision"`
	// Rules are those that decided, without the ones that speak for less.
	Rules []string `json:"rules"`
}

// agrees reports whether the answer is one that the label calls for.
func (s scored) agrees() bool {
	return (s.Label == labelSafe) == (s.Decision == effects.Allow)
}

// score is what a corpus came to.
type score struct {
	Cases int `json:"cases"`
	// Counts are by label and decision.
	Counts        map[string]map[effects.Decision]int `json:"counts"`
	Disagreements []scored                            `json:"disagreements"`
	Agreements    []scored                            `json:"agreements,omitempty"`
}

func (a *app) scoreCorpora(files []string, opts corpusOptions) error {
	result := score{Counts: map[string]map[effects.Decision]int{labelDangerous: {}, labelSafe: {}}, Disagreements: []scored{}}
	facts := effects.Facts{Workspace: opts.workspace, Home: opts.home}
	for _, name := range files {
		cases, err := readCorpus(name)
		if err != nil {
			return err
		}
		for _, c := range cases {
			s, err := scoreCase(c, facts)
			if err != nil {
				return fmt.Errorf("%s: case %s: %w", name, c.ID, err)
			}
			result.add(s, opts.all)
		}
	}
	if err := a.print(result, func(p *printer) { p.score(result) }); err != nil {
		return err
	}
	if n := result.Counts[labelDangerous][effects.Allow]; n > 0 {
		return silentError{fmt.Errorf("%d dangerous commands are allowed", n)}
	}
	return nil
}

func scoreCase(c corpusCase, facts effects.Facts) (scored, error) {
	call, err := commandCall(c.Command)
	if err != nil {
		return scored{}, err
	}
	answer := effects.Analyze(call, facts)
	s := scored{corpusCase: c, Decision: answer.Decision, Rules: []string{}}
	for _, f := range answer.Findings {
		if f.Decision == answer.Decision && !slices.Contains(s.Rules, f.Rule) {
			s.Rules = append(s.Rules, f.Rule)
		}
	}
	return s, nil
}

func (r *score) add(s scored, all bool) {
	r.Cases++
	r.Counts[s.Label][s.Decision]++
	switch {
	case !s.agrees():
		r.Disagreements = append(r.Disagreements, s)
	case all:
		r.Agreements = append(r.Agreements, s)
	}
}

// maxCorpusLine is one case, at most.
const maxCorpusLine = 2 << 20

func readCorpus(name string) ([]corpusCase, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read
	var cases []corpusCase
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxCorpusLine)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var c corpusCase
		if err := json.Unmarshal(lines.Bytes(), &c, json.RejectUnknownMembers(true)); err != nil {
			return nil, usagef("%s: line %d is no labelled command: %w", name, n, err)
		}
		if c.Label != labelDangerous && c.Label != labelSafe {
			return nil, usagef("%s: line %d: label must be dangerous or safe, not %q", name, n, c.Label)
		}
		cases = append(cases, c)
	}
	switch err := lines.Err(); {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case len(cases) == 0:
		return nil, usagef("%s has no cases", name)
	}
	return cases, nil
}

var decisions = []effects.Decision{effects.Allow, effects.Review, effects.Deny}

func (p *printer) score(r score) {
	rows := [][]string{{"LABEL", "CASES", "ALLOW", "NEEDS-REVIEW", "DENY"}}
	for _, label := range []string{labelDangerous, labelSafe} {
		counts, total := r.Counts[label], 0
		for _, d := range decisions {
			total += counts[d]
		}
		row := []string{label, fmt.Sprint(total)}
		for _, d := range decisions {
			row = append(row, share(counts[d], total))
		}
		rows = append(rows, row)
	}
	p.table(rows)
	if len(r.Agreements) > 0 {
		p.line("")
		p.cases(r.Agreements)
	}
	if len(r.Disagreements) > 0 {
		p.line("")
		p.line("Disagreements:")
		p.cases(r.Disagreements)
	}
}

func (p *printer) cases(list []scored) {
	rows := [][]string{{"LABEL", "DECISION", "RULES", "CASE", "COMMAND"}}
	for _, s := range list {
		rows = append(rows, []string{s.Label, string(s.Decision), strings.Join(s.Rules, ","), plain(s.ID, 60), plain(s.Command, 90)})
	}
	p.table(rows)
}

func share(n, of int) string {
	if of == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(of))
}
