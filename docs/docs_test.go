package docs_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	fenced  = regexp.MustCompile("(?ms)^```.*?^```")
	rotting = regexp.MustCompile(`\b[\w/]+\.(go|sh|md):\d+`)
)

// documents are the texts of all Markdown files, by path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := walk(func(name string) error {
		if path.Ext(name) != ".md" || strings.Contains(name, "testdata/") {
			return nil
		}
		texts[name] = document(t, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// anchor is the fragment that a heading is reached by on a forge.
func anchor(title string) string {
	keep := func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}
	return strings.Map(keep, title)
}

func anchors(text string) []string {
	var found []string
	for _, match := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		found = append(found, anchor(match[1]))
	}
	return found
}

// checkLinks finds relative links to files or headings that do not exist.
func checkLinks(name string, texts map[string]string, exists func(string) bool) []string {
	var wrong []string
	for _, match := range link.FindAllStringSubmatch(fenced.ReplaceAllString(texts[name], ""), -1) {
		target, fragment, _ := strings.Cut(match[1], "#")
		if strings.Contains(target, ":") {
			continue // another site
		}
		file := name
		if target != "" {
			file = path.Join(path.Dir(name), target)
		}
		text, isDocument := texts[file]
		switch {
		case !isDocument && !exists(file):
			wrong = append(wrong, fmt.Sprintf("%s links to %s, which does not exist", name, file))
		case fragment != "" && isDocument && !slices.Contains(anchors(text), fragment):
			wrong = append(wrong, fmt.Sprintf("%s links to %s#%s, which has no such heading", name, file, fragment))
		}
	}
	return wrong
}

// checkLineNumbers finds references to a line of a file, which rot.
func checkLineNumbers(name, text string) []string {
	var wrong []string
	for _, found := range rotting.FindAllString(text, -1) {
		wrong = append(wrong, fmt.Sprintf("%s points to %s; name the function instead", name, found))
	}
	return wrong
}

func TestLinksResolve(t *testing.T) {
	texts := documents(t)
	exists := func(file string) bool {
		_, err := os.Stat(filepath.Join(root, file))
		return err == nil
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		report(t, checkLinks(name, texts, exists))
	}
}

func TestDocumentsCiteNoLines(t *testing.T) {
	for name, text := range documents(t) {
		report(t, checkLineNumbers(name, text))
	}
}

func TestLinkChecksComplain(t *testing.T) {
	texts := map[string]string{
		"docs/a.md": "[b](b.md#two-words) [up](../go.mod) [self](#title) [web](https://example.com/x) [bad](c.md) [worse](b.md#three) [gone](#none)\n# Title\n",
		"docs/b.md": "## Two `words`\n```\n# three\n```\n",
	}
	exists := func(file string) bool { return file == "go.mod" }
	wantComplaints(t, checkLinks("docs/a.md", texts, exists), "docs/c.md, which does not exist", "docs/b.md#three", "docs/a.md#none")
	wantComplaints(t, checkLineNumbers("a.md", "see `events/log.go:12` and 10:30"), "points to events/log.go:12")
}

// A path of a machine begins where no word does, so that a relative path or a
// URL is none. The folders are taken apart here, or this file would be found.
var machinePath = regexp.MustCompile(`(^|[^\w.\-~})\]])(/(?:` + "wor" + `k|` + "far" + `m|` + "roo" + `t)/|/` + "hom" + `e/([\w.-]+))`)

// exampleHomes are the users that examples and recorded sessions speak of.
var exampleHomes = []string{"dev", "user", "alice", "bob", "me", "you"}

// checkMachinePaths finds absolute paths of somebody's machine in a file.
func checkMachinePaths(name, text string) []string {
	var wrong []string
	for number, line := range strings.Split(text, "\n") {
		for _, match := range machinePath.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(exampleHomes, match[3]) {
				wrong = append(wrong, fmt.Sprintf("%s:%d has the machine's path %s", name, number+1, match[2]))
			}
		}
	}
	return wrong
}

func TestNoMachinePaths(t *testing.T) {
	err := walk(func(name string) error {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err == nil && utf8.Valid(text) {
			report(t, checkMachinePaths(name, string(text)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMachinePathCheckComplains(t *testing.T) {
	text := strings.NewReplacer("W", "wor"+"k", "R", "roo"+"t", "H", "hom"+"e").Replace(
		"/W/x\ncd \"/R/go\"\n/H/dev/x and /H/builder/x\n$TMP/W/x x/R/ https://a.example/W/ /Wspace/ ../H/x")
	wantComplaints(t, checkMachinePaths("a", text), "a:1 ", "a:2 ", "a:3 ")
}
