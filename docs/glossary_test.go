package docs_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// camel splits an exported name into lower-case words: HTTPSessionID gives
// http, session, id.
func camel(name string) []string {
	var parts []string
	runes := []rune(name)
	start := 0
	for i := 1; i <= len(runes); i++ {
		end := i == len(runes) || runes[i] == '_' ||
			unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if end {
			parts = append(parts, strings.ToLower(strings.Trim(string(runes[start:i]), "_")))
			start = i
		}
	}
	return parts
}

// refused maps each refused word to the term that is meant, from the tables of
// glossary.md.
func refused(t *testing.T, text string) map[string]string {
	t.Helper()
	words2term := map[string]string{}
	for _, cells := range mustTable(t, text, "term", "meaning", "not") {
		for _, word := range words(cells[2]) {
			words2term[word] = strings.Trim(cells[0], "*` ")
		}
	}
	for _, cells := range table(text, "never in a name", "instead") {
		for _, word := range words(cells[0]) {
			words2term[word] = cells[1]
		}
	}
	return words2term
}

// checkNames finds refused words in exported names and package names.
func checkNames(s source, refused map[string]string) []string {
	var wrong []string
	name := func(id *ast.Ident) {
		parts := camel(id.Name)
		for word, term := range refused {
			if containsRun(parts, strings.Fields(word)) {
				wrong = append(wrong, fmt.Sprintf("%s: %s says %q; the glossary's word is: %s", s.at(id), id.Name, word, term))
			}
		}
	}
	name(s.file.Name)
	for _, id := range exported(s.file) {
		name(id)
	}
	slices.Sort(wrong)
	return wrong
}

func containsRun(all, run []string) bool {
	for i := range all {
		if len(all)-i >= len(run) && slices.Equal(all[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

// exported are the exported names that a file declares: functions, methods,
// types, fields, constants and variables.
func exported(file *ast.File) []*ast.Ident {
	var found []*ast.Ident
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				found = append(found, id)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name)
			return false
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.Field:
			add(n.Names...)
		}
		return true
	})
	return found
}

func TestRefusedWordsAreNotExported(t *testing.T) {
	words := refused(t, document(t, "docs/glossary.md"))
	for _, s := range sources(t) {
		if !s.isTest() {
			report(t, checkNames(s, words))
		}
	}
}

// checkGlossary holds the glossary against itself: no term is refused elsewhere,
// none is defined twice, and they stand in alphabetical order.
func checkGlossary(rows [][]string, refused map[string]string) []string {
	var wrong []string
	last := ""
	for _, cells := range rows {
		term := strings.Trim(cells[0], "*` ")
		if by, ok := refused[term]; ok {
			wrong = append(wrong, fmt.Sprintf("%s is a term, and refused by %s", term, by))
		}
		if term <= last {
			wrong = append(wrong, fmt.Sprintf("%s stands after %s, want alphabetical order and each once", term, last))
		}
		last = term
	}
	return wrong
}

func TestGlossaryUsesItsOwnWords(t *testing.T) {
	text := document(t, "docs/glossary.md")
	report(t, checkGlossary(mustTable(t, text, "term", "meaning", "not"), refused(t, text)))
}

func TestGlossaryCheckComplains(t *testing.T) {
	words := refused(t, "| term | meaning | not |\n|---|---|---|\n| **frame** | one message | `batch`, `record set` |\n")
	s := example(t, "p/a.go", `package p

type BatchSize int

type Frame struct {
	RecordSet int
	Records   int
	batch     int
}

func (Frame) HTTPBatch() {}
func Batched()           {}
`)
	wantComplaints(t, checkNames(s, words), "a.go:11:14: HTTPBatch", "a.go:3:6: BatchSize", "a.go:6:2: RecordSet")
	if got := strings.Join(camel("HTTPSessionID_x2"), " "); got != "http session id x2" {
		t.Errorf("got words %q, want http session id x2", got)
	}

	text := "| term | meaning | not |\n|---|---|---|\n| **b** | x | `a` |\n| **b** | x | – |\n| **a** | x | – |\n"
	wantComplaints(t, checkGlossary(table(text, "term", "meaning", "not"), refused(t, text)),
		"b stands after b", "a is a term, and refused by b", "a stands after b")
}
