package client_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheReadmeShowsTheExample: what a new user copies is what [Example] runs.
func TestTheReadmeShowsTheExample(t *testing.T) {
	example := function(t, "example_test.go", "underReview")
	readme, err := os.ReadFile("../README.md")
	must(t, err)
	if !strings.Contains(string(readme), "```go\n"+example+"```\n") {
		t.Errorf("README.md does not hold\n%s", example)
	}
	if n := strings.Count(example, "\n"); n >= 20 {
		t.Errorf("got %d lines, want under twenty", n)
	}
}

// TestTheDocumentNamesTestsThatExist: each promise has one.
func TestTheDocumentNamesTestsThatExist(t *testing.T) {
	text, err := os.ReadFile("../docs/client.md")
	must(t, err)
	files, err := filepath.Glob("*_test.go")
	must(t, err)
	var all strings.Builder
	for _, name := range files {
		code, err := os.ReadFile(name)
		must(t, err)
		all.WriteString(string(code))
	}
	named := regexp.MustCompile("`(Test[A-Za-z]+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 10 {
		t.Errorf("got %d tests, want one for each promise", len(named))
	}
	for _, n := range named {
		if !strings.Contains(all.String(), "func "+n[1]+"(t *testing.T)") {
			t.Errorf("docs/client.md names %s, which is no test", n[1])
		}
	}
}

// function is the text of a function in a file.
func function(t *testing.T, file, name string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	_, from, found := strings.Cut(string(text), "\nfunc "+name+"(")
	body, _, closed := strings.Cut(from, "\n}\n")
	if !found || !closed {
		t.Fatalf("%s has no function %s", file, name)
	}
	return "func " + name + "(" + body + "\n}\n"
}
