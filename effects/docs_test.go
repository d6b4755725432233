package effects_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

var update = flag.Bool("update", false, "write the table of docs/effects.md anew")

// trickFiles are the files that the tricks' scripts are in.
type trickFiles struct{ fstest.MapFS }

func newTrickFiles() trickFiles {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }
	return trickFiles{fstest.MapFS{
		"workspace/demo/clean.sh":  file("#!/bin/sh\nrm -rf /\n"),
		"workspace/demo/greet.sh":  file("#!/bin/sh\necho hello\n"),
		"workspace/demo/Makefile":  file("wipe:\n\trm -rf /\n"),
		"workspace/demo/README.md": file("A demo.\n"),
	}}
}

func (f trickFiles) Lstat(name string) (fs.FileInfo, error) {
	return f.MapFS.Stat(strings.TrimPrefix(name, "/"))
}

// Readlink knows one link, which leads to a key.
func (f trickFiles) Readlink(name string) (string, error) {
	if name == "/workspace/demo/link-to-key" {
		return "/home/dev/.ssh/id_ed25519", nil
	}
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

func (f trickFiles) ReadFile(name string, limit int64) ([]byte, error) {
	text, err := f.MapFS.ReadFile(strings.TrimPrefix(name, "/"))
	if err == nil && int64(len(text)) > limit {
		err = fs.ErrInvalid
	}
	return text, err
}

// trickFacts are those of the tricks.
func trickFacts() effects.Facts {
	f := facts()
	f.Files = newTrickFiles()
	return f
}

func analyzeCommand(command string, f effects.Facts) effects.Answer {
	arguments, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err) // a string always can be
	}
	return effects.Analyze(effects.Call{Tool: "shell", Arguments: jsontext.Value(arguments)}, f)
}

// TestEachTrickIsSeenThrough: what hides a command is taken away, and what only looks
// like one is let through.
func TestEachTrickIsSeenThrough(t *testing.T) {
	for _, kind := range tricks() {
		t.Run(kind.kind, func(t *testing.T) {
			for _, k := range kind.cases {
				a := analyzeCommand(k.command, trickFacts())
				if a.Decision != k.want || k.rule != "" && !decidedBy(a, k.rule) {
					t.Errorf("%q: got %s by %v, want %s by %q", k.command, a.Decision, a.Findings, k.want, k.rule)
				}
			}
		})
	}
}

// decidedBy reports whether a rule is among those whose decision counted.
func decidedBy(a effects.Answer, rule string) bool {
	for _, f := range a.Findings {
		if f.Rule == rule && f.Decision == a.Decision {
			return true
		}
	}
	return false
}

const (
	tableFrom = "<!-- from here: written by go test ./effects -update -->\n"
	tableTo   = "<!-- to here -->\n"
)

// TestTheDocumentShowsEachTrick holds the table of docs/effects.md against the tests.
func TestTheDocumentShowsEachTrick(t *testing.T) { holdDocument(t, tableFrom, tableTo, trickTable()) }

// holdDocument holds what stands between two marks of docs/effects.md against what
// the tests say.
func holdDocument(t *testing.T, from, to, want string) {
	t.Helper()
	name := path.Join("..", "docs", "effects.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), from)
	got, after, ends := strings.Cut(rest, to)
	if !begins || !ends {
		t.Fatalf("%s has nothing between %q and %q", name, from, to)
	}
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the tests say; -update writes it", name)
	}
	if err := os.WriteFile(name, []byte(before+from+want+to+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func trickTable() string {
	var out strings.Builder
	out.WriteString("\n| kind | command | answer | by rule |\n|---|---|---|---|\n")
	for _, kind := range tricks() {
		for i, k := range kind.cases {
			title := kind.kind
			if i > 0 {
				title = ""
			}
			rule := "`" + k.rule + "`"
			if k.rule == "" {
				rule = ""
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", title, cell(k.command), k.want, rule)
		}
	}
	out.WriteString("\n")
	return out.String()
}

// cell is a command as a table shows it: on one line, with what cannot be seen
// spelled out.
func cell(command string) string {
	var b strings.Builder
	for _, r := range command {
		switch {
		case r == '\n':
			b.WriteString("⏎")
		case r == '|':
			b.WriteString("\\|")
		case r < ' ' || r >= 0x2000 && r < 0x2070:
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	fence := "`"
	if strings.Contains(b.String(), "`") {
		fence = "``"
	}
	return fence + b.String() + fence
}

// TestAHostileMegabyteIsAnsweredSoon with a bound that only an analysis which does
// not end would miss.
func TestAHostileMegabyteIsAnsweredSoon(t *testing.T) {
	const size = 1 << 20
	for name, command := range map[string]string{
		"open parentheses":   strings.Repeat("(", size),
		"open substitutions": strings.Repeat("$(", size/2),
		"open braces":        strings.Repeat("{a,", size/3),
		"many braces":        "echo " + strings.Repeat("{a,b}", size/5),
		"backquotes":         strings.Repeat("`", size),
		"quotes":             strings.Repeat("'\"", size/2),
		"semicolons":         strings.Repeat("ls;", size/3),
		"pipes":              strings.Repeat("ls|", size/3) + "ls",
		"here-documents":     strings.Repeat("cat <<E\nE\n", size/10),
		"words":              "echo " + strings.Repeat("a ", size/2),
		"one word":           "echo " + strings.Repeat("a", size),
		"stars":              "ls " + strings.Repeat("*", size),
		"backslashes":        "echo " + strings.Repeat("\\", size),
		"conditions":         strings.Repeat("if ", size/3),
		"cases":              strings.Repeat("case a in ", size/10),
		"slashes":            "cat " + strings.Repeat("/..", size/3),
		"nested shells":      strings.Repeat("bash -c '", size/9),
		"assignments":        strings.Repeat("A=$A$A;", size/7),
		"dollars":            "echo " + strings.Repeat("${A:-", size/5),
		"arithmetic":         "echo $((" + strings.Repeat("1+", size/2),
		"functions":          strings.Repeat("f() { f; };", size/11),
		"python":             "python3 -c '" + strings.Repeat("f(", size/2) + "'",
		"node":               "node -e '" + strings.Repeat("[`${", size/4) + "'",
		"sql":                "psql -c '" + strings.Repeat("/*", size/2) + "'",
	} {
		t.Run(name, func(t *testing.T) {
			done := make(chan effects.Answer, 1)
			go func() { done <- analyzeCommand(command, facts()) }()
			select {
			case a := <-done:
				t.Logf("%s, %d findings", a.Decision, len(a.Findings))
			case <-time.After(20 * time.Second):
				t.Fatal("no answer")
			}
		})
	}
}
