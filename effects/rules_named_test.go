package effects_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/docket-engine/docket/effects"
)

// namedIn are the names of rules in a file: what is given to a method say, what a
// variable rule is set to, and what a function whose name ends in Rule returns.
func namedIn(file *ast.File) map[string]token.Pos {
	found := map[string]token.Pos{}
	name := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && text != "" {
				found[text] = lit.Pos()
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "say" && len(n.Args) > 0 {
				name(n.Args[0])
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); ok && (id.Name == "rule" || strings.HasSuffix(id.Name, "Rule")) && i < len(n.Rhs) {
					name(n.Rhs[i])
				}
			}
		case *ast.FuncDecl:
			if !strings.HasSuffix(n.Name.Name, "Rule") || n.Body == nil {
				return true
			}
			ast.Inspect(n.Body, func(in ast.Node) bool {
				if ret, ok := in.(*ast.ReturnStmt); ok && len(ret.Results) > 0 {
					name(ret.Results[0])
				}
				return true
			})
		}
		return true
	})
	return found
}

// TestEveryRuleThatTheCodeNamesIsInTheTable: a name without an entry would deny, and
// could not say why.
func TestEveryRuleThatTheCodeNamesIsInTheTable(t *testing.T) {
	known := map[string]bool{}
	for _, r := range effects.Rules() {
		known[r.ID] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset, named := token.NewFileSet(), 0
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for id, at := range namedIn(file) {
			named++
			if !known[id] {
				t.Errorf("%s: no rule is called %s", fset.Position(at), id)
			}
		}
	}
	if named < 100 {
		t.Errorf("only %d names were found", named)
	}
}

// A rule of the analysis that is not in the table would speak in these words.
func TestNoAnswerSpeaksOfAnUnknownRule(t *testing.T) {
	for _, r := range effects.Rules() {
		for _, e := range []effects.Example{r.Hit, r.Miss} {
			a, _ := says(e, r.ID)
			for _, f := range a.Findings {
				if f.Sentence == "An unknown rule denies." {
					t.Errorf("%s: %s has no entry", e.Arguments, f.Rule)
				}
			}
		}
	}
}
