package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeCommandsDoWhatTheySay runs the blocks of the README that are marked
//
//	```sh test
//	$ command
//	what it prints
//	```
//
// one after the other, in one directory that holds the sample sessions and nothing
// else. Both outputs count. In what is printed, … stands for anything on a line, a
// line ... for any lines, and spaces for spaces. A command may go on in the next line
// behind a backslash; one that fails says so in a comment, as # exit code 1.
func TestReadmeCommandsDoWhatTheySay(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands, err := readmeCommands(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(commands) == 0 {
		t.Fatal("the README has no block that is marked: sh test")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../fixtures/sessions")); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		if complaint := c.run(t.Context(), dir); complaint != "" {
			t.Errorf("README.md line %d: %s\n%s", c.line, c.text, complaint)
		}
	}
}

// readmeCommand is a command and what it must print.
type readmeCommand struct {
	line int
	text string
	want []string
}

// readmeCommands finds the commands of all marked blocks, in order.
func readmeCommands(text string) ([]readmeCommand, error) {
	var found []readmeCommand
	marked, goesOn := false, false
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		command, isCommand := strings.CutPrefix(line, "$ ")
		last := len(found) - 1
		switch {
		case strings.HasPrefix(line, "```"):
			marked, goesOn = !marked && strings.TrimSpace(line) == "```sh test", false
			if marked {
				found = append(found, readmeCommand{}) // so that output cannot stand before a command
			}
			continue
		case !marked:
			continue
		case goesOn:
			found[last].text += "\n" + strings.TrimPrefix(line, "> ")
		case isCommand:
			found = append(found, readmeCommand{line: n, text: command})
		case found[last].text == "":
			return nil, fmt.Errorf("README.md line %d stands before the block's first command", n)
		default:
			found[last].want = append(found[last].want, line)
		}
		goesOn = (goesOn || isCommand) && strings.HasSuffix(line, `\`)
	}
	commands := found[:0]
	for _, c := range found {
		if c.text != "" {
			commands = append(commands, c)
		}
	}
	return commands, nil
}

var exitComment = regexp.MustCompile(`# exit code (\d+)$`)

// run gives what is wrong, "" if nothing is.
func (c readmeCommand) run(ctx context.Context, dir string) string {
	ctx, cancel := context.WithTimeout(ctx, scriptPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", c.text)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(filepath.Dir(dir), "home"), "TZ=UTC", "GORACE=atexit_sleep_ms=0",
	}
	out, err := cmd.CombinedOutput()
	want := "0"
	if m := exitComment.FindStringSubmatch(c.text); m != nil {
		want = m[1]
	}
	if got := fmt.Sprint(cmd.ProcessState.ExitCode()); got != want {
		return fmt.Sprintf("got exit code %s (%v), want %s; it printed\n%s", got, err, want, out)
	}
	if !c.printed(string(out)) {
		return fmt.Sprintf("got\n%s\nwant\n%s", out, strings.Join(c.want, "\n"))
	}
	return ""
}

var (
	spaces  = regexp.MustCompile(` +`)
	closing = regexp.MustCompile(`(?m) +$`)
)

// printed reports whether the output is what the README shows.
func (c readmeCommand) printed(out string) bool {
	var pattern strings.Builder
	for _, line := range c.want {
		if line == "..." {
			pattern.WriteString(`(.*\n)*`)
			continue
		}
		for i, part := range strings.Split(line, "…") {
			if i > 0 {
				pattern.WriteString(`.*`)
			}
			pattern.WriteString(regexp.QuoteMeta(spaces.ReplaceAllString(part, " ")))
		}
		pattern.WriteString(`\n`)
	}
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	out = closing.ReplaceAllString(spaces.ReplaceAllString(out, " "), "")
	return regexp.MustCompile(`^` + pattern.String() + `$`).MatchString(out)
}

func TestReadmeBlocksAreRead(t *testing.T) {
	text := "text\n```sh\n$ not this\n```\n```sh test\n$ one \\\n  --flag\nout\n...\n$ two\n```\n$ nor this\n```sh test\n$ three # exit code 2\n```\n"
	got, err := readmeCommands(text)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"6 one \\\n  --flag [out ...]", "10 two []", "14 three # exit code 2 []"}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %d commands", got, len(want))
	}
	for i, c := range got {
		if s := fmt.Sprint(c.line, " ", c.text, " ", c.want); s != want[i] {
			t.Errorf("got %q, want %q", s, want[i])
		}
	}
	if _, err := readmeCommands("```sh test\nout\n$ one\n```\n"); err == nil {
		t.Error("got no error for output without a command")
	}
}

func TestReadmeOutputIsCompared(t *testing.T) {
	tests := map[string]struct {
		want []string
		out  string
		ok   bool
	}{
		"same":             {[]string{"a b"}, "a b\n", true},
		"other":            {[]string{"a b"}, "a c\n", false},
		"columns":          {[]string{"A  B"}, "A      B   \n", true},
		"no newline":       {[]string{"a"}, "a", true},
		"nothing":          {nil, "", true},
		"something":        {nil, "a\n", false},
		"missing":          {[]string{"a"}, "", false},
		"anything":         {[]string{"a … c"}, "a b c\n", true},
		"not over lines":   {[]string{"a … c"}, "a b\nd c\n", false},
		"any lines":        {[]string{"a", "...", "z"}, "a\nb\nc\nz\n", true},
		"no lines":         {[]string{"a", "...", "z"}, "a\nz\n", true},
		"lines at the end": {[]string{"a", "..."}, "a\nb\n", true},
		"meaning nothing":  {[]string{"a.c*"}, "abcc\n", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := (readmeCommand{want: tt.want}).printed(tt.out); got != tt.ok {
				t.Errorf("got %v, want %v", got, tt.ok)
			}
		})
	}
}

// TestReadmeCommandsFailForAReason: each way in which a README can lie.
func TestReadmeCommandsFailForAReason(t *testing.T) {
	for text, ok := range map[string]bool{
		"true":                  true,
		"false":                 false,
		"exit 3 # exit code 3":  true,
		"exit 3 # exit code 4":  false,
		"echo a":                false,
		"engine version >out":   true,
		"engine nope 2>err":     false,
		"test ! -e demo-x.json": true,
	} {
		if got := (readmeCommand{text: text}).run(t.Context(), t.TempDir()); (got == "") != ok {
			t.Errorf("%s: got %q", text, got)
		}
	}
}
