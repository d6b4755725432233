package effects

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// verbTables are the texts of all tables of verbs in the package's source.
func verbTables(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, tablesIn(file)...)
	}
	return found
}

func tablesIn(file *ast.File) []string {
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.HasPrefix(lit.Value, "`\n") {
			text, err := strconv.Unquote(lit.Value)
			if first, _, _ := strings.Cut(strings.TrimSpace(text), " "); err == nil && acts[strings.TrimSuffix(first, ":")] != noAct {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}

// TestEachLineOfATableOfVerbsIsRead: a slip of the pen must not take verbs away, or
// give them to several acts of one line.
func TestEachLineOfATableOfVerbsIsRead(t *testing.T) {
	tables := verbTables(t)
	if len(tables) < 80 {
		t.Fatalf("only %d tables are found", len(tables))
	}
	for _, table := range tables {
		for line := range strings.Lines(table) {
			line = strings.TrimSpace(line)
			head, words, ok := strings.Cut(line, ": ")
			fields := strings.Fields(head)
			switch {
			case line == "":
			case !ok || len(fields) == 0 || strings.TrimSpace(words) == "":
				t.Errorf("%q is no act, words, a colon and verbs", line)
			case acts[fields[0]] == noAct:
				t.Errorf("%q begins with no act", line)
			case strings.Contains(words, ":") && !strings.Contains(words, "module:"):
				t.Errorf("%q has a colon among its verbs", line)
			}
		}
	}
}

// TestAVerbHasOneAct: that a table says of the same words that they only ask, and that
// they change something, is a mistake in it.
func TestAVerbHasOneAct(t *testing.T) {
	for _, table := range verbTables(t) {
		seen := map[string]string{}
		for line := range strings.Lines(table) {
			head, words, ok := strings.Cut(strings.TrimSpace(line), ":")
			fields := strings.Fields(head)
			if !ok || len(fields) == 0 {
				continue
			}
			for _, path := range choices(fields[1:]) {
				for w := range strings.FieldsSeq(words) {
					key := joinVerb(path, w)
					if was := seen[key]; was == "asks" != (fields[0] == "asks") && was != "" {
						t.Errorf("%q both %s and %s, in the table that begins %q", key, was, fields[0], strings.TrimSpace(table)[:40])
					}
					seen[key] = fields[0]
				}
			}
		}
	}
}

// choices are all words that a line's front stands for.
func choices(front []string) []string {
	all := []string{""}
	for _, f := range front {
		var next []string
		for _, path := range all {
			for w := range strings.SplitSeq(f, "|") {
				next = append(next, joinVerb(path, w))
			}
		}
		all = next
	}
	return all
}

// FuzzAddress: an address that can be taken apart has a host that no program reads in
// another way, and never more than it was made of.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"https://example.com/a?b#c", "http://user:pass@[::1]:80/", "0xa9fea9fe", "http://a@b@c", "://", "http://169.254.169.254\\@example.com"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, ok := addressOf(text, "http")
		if !ok {
			return
		}
		if a.host == "" || strings.ContainsAny(a.host, " /\\@?#%") {
			t.Errorf("%q leads to the host %q", text, a.host)
		}
		if len(a.host)+len(a.port)+len(a.path) > len(text)+len("localhost")+5 {
			t.Errorf("%q is taken apart to %+v", text, a)
		}
		isMetadataHost(a.host)
	})
}
