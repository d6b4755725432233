// Package docs_test keeps the documents honest: it holds what they say against
// the code, the module files and each other. Every check is a function of parsed
// sources that returns what is wrong, so that a test can show it a bad example.
// The files are parsed here and not listed by the go command, so that go test
// knows what its cached result depends on.
package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	module = "github.com/docket-engine/docket"
	root   = ".." // the repository, seen from this folder
)

// fset holds the positions of every file that is parsed here.
var fset = token.NewFileSet()

// source is one parsed Go file.
type source struct {
	path string // from the repository's root, with slashes
	text string
	file *ast.File
}

// dir is the folder of the file, "." for the root's.
func (s source) dir() string { return path.Dir(s.path) }

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) isGenerated() bool { return ast.IsGenerated(s.file) }

// at gives a position as file:line, for messages.
func (s source) at(n ast.Node) string { return fset.Position(n.Pos()).String() }

// lines is the number of lines from a node's first to its last.
func (s source) lines(n ast.Node) int {
	return fset.Position(n.End()).Line - fset.Position(n.Pos()).Line + 1
}

// imports are the paths that the file imports.
func (s source) imports() []string {
	var paths []string
	for _, spec := range s.file.Imports {
		paths = append(paths, strings.Trim(spec.Path.Value, "\"`"))
	}
	return paths
}

// importName is the name under which the file knows an import, "" if it does not
// import it.
func (s source) importName(importPath string) string {
	for _, spec := range s.file.Imports {
		switch {
		case strings.Trim(spec.Path.Value, "\"`") != importPath:
			continue
		case spec.Name != nil:
			return spec.Name.Name
		default:
			return path.Base(importPath)
		}
	}
	return ""
}

func parse(name, text string) (source, error) {
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	return source{path: name, text: text, file: file}, err
}

// example parses a file that a test shows to a check.
func example(t *testing.T, name, text string) source {
	t.Helper()
	s, err := parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var readSources = sync.OnceValues(func() ([]source, error) {
	var all []source
	err := walk(func(name string) error {
		if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		s, err := parse(name, string(text))
		all = append(all, s)
		return err
	})
	return all, err
})

// sources are all Go files of the repository, tests included.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := readSources()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 2 {
		t.Fatalf("got %d Go files, want those of the whole repository", len(all))
	}
	return all
}

// packages groups the files that are no tests by their folder.
func packages(all []source) map[string][]source {
	byDir := map[string][]source{}
	for _, s := range all {
		if !s.isTest() {
			byDir[s.dir()] = append(byDir[s.dir()], s)
		}
	}
	return byDir
}

// walk visits every file of the repository that is not ignored by git.
func walk(visit func(name string) error) error {
	ignored := []string{".git", ".docket", "bin"}
	return filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains(ignored, entry.Name()) {
			return fs.SkipDir
		}
		if !entry.Type().IsRegular() || entry.Name() == ".git" { // a linked worktree's is a file
			return nil
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		return visit(filepath.ToSlash(name))
	})
}

// report fails the test with each complaint.
func report(t *testing.T, complaints []string) {
	t.Helper()
	for _, c := range complaints {
		t.Error(c)
	}
}

// wantComplaints holds what a check said of a bad example against what it must
// say: one complaint for each wanted part, in order.
func wantComplaints(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got complaints %q, want %q", got, want)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("got complaint %q, want %q in it", got[i], want[i])
		}
	}
}
