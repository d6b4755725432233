package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// call shows the arguments that matter as they read, and those of other tools as
// JSON.
func (t *demoText) call(m moment) {
	var known struct {
		Path, Command, Content, OldText, NewText, Code, Prompt string
	}
	tool := t.dye(inkBold, plain(m.Tool, 60))
	at := fmt.Sprintf("call @%d", *m.Seq)
	if err := json.Unmarshal(m.Arguments, &known); err != nil {
		t.entry(m, at, inkNone, tool+" "+plain(string(m.Arguments)+m.Text, 200))
		return
	}
	var text string
	var more []string
	switch m.Tool {
	case "read", "delete":
		text = known.Path
	case "write":
		text, more = known.Path, t.some(known.Content)
	case "edit":
		text = fmt.Sprintf("%s: %q becomes %q", known.Path, known.OldText, known.NewText)
	case "shell":
		text = known.Command
	case "task":
		text = known.Prompt
	case "run_code":
		text, more = "a program", t.all(known.Code)
	default:
		text = string(m.Arguments)
	}
	t.entry(m, at, inkNone, tool+" "+plain(text, 300))
	for _, line := range more {
		t.entry(m, "", inkDim, "  "+line)
	}
}

// end shows what the body did, or that there was none, and what the files say.
func (t *demoText) end(m moment) {
	text := strings.ReplaceAll(m.Text, t.folder+"/", "")
	switch m.Ends {
	case endRan:
		i := inkNone
		if m.Error {
			i = inkYellow
		}
		t.entry(m, "body", i, t.some(text)...)
	case endCancelled:
		t.entry(m, "not run", inkYellow, plain(strings.TrimPrefix(text, "Error: "), -1))
	default:
		t.entry(m, "not run", inkRed, plain(strings.TrimPrefix(text, "Error: "), -1))
	}
	if f := m.Files; f != nil && !f.none() {
		t.entry(m, "files", inkGreen, f.line())
	} else if m.Ends != endRan {
		t.entry(m, "files", inkDim, "as they were")
	}
}

func (c fileChanges) line() string {
	var parts []string
	for _, group := range []struct {
		sign  string
		paths []string
	}{{"+", c.Made}, {"~", c.Changed}, {"-", c.Removed}} {
		for _, path := range group.paths {
			parts = append(parts, group.sign+" "+plain(path, 120))
		}
	}
	return strings.Join(parts, "  ")
}

// some are the first lines of a text.
func (t *demoText) some(text string) []string {
	lines := t.all(text)
	if len(lines) > demoLines {
		left := len(lines) - demoLines + 1
		lines = append(lines[:demoLines-1], fmt.Sprintf("… %d more lines", left))
	}
	return lines
}

func (t *demoText) all(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, plain(strings.TrimRight(line, "\n"), demoColumn))
	}
	if len(lines) == 0 {
		return []string{"(nothing)"}
	}
	return lines
}
