package docs_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"testing"
)

// noImports is an importer without packages. What a package declares itself is
// resolved all the same, and this is all that is asked here.
type noImports struct{}

var errNoImports = errors.New("imports are not resolved")

func (noImports) Import(string) (*types.Package, error) { return nil, errNoImports }

// checkGlobals refuses package variables that a function of the package assigns
// to. Tables and sentinel errors are fine; state belongs to a struct.
func checkGlobals(dir string, files []source) []string {
	var parsed []*ast.File
	for _, s := range files {
		parsed = append(parsed, s.file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: noImports{}, Error: func(error) {}}
	pkg, _ := conf.Check(dir, fset, parsed, info) // errors are those of imports

	var wrong []string
	complain := func(target ast.Expr) {
		if id := rootIdent(target); id != nil && isGlobal(pkg, info.Uses[id]) {
			wrong = append(wrong, fmt.Sprintf("%s: the package variable %s is changed", fset.Position(id.Pos()), id.Name))
		}
	}
	for _, file := range parsed {
		ast.Inspect(file, func(n ast.Node) bool {
			for _, target := range changed(n) {
				complain(target)
			}
			return true
		})
	}
	return wrong
}

// changed gives what a node assigns to, increments, deletes from or clears.
func changed(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.CallExpr:
		if (isIdent(n.Fun, "delete") || isIdent(n.Fun, "clear")) && len(n.Args) > 0 {
			return n.Args[:1]
		}
	}
	return nil
}

// rootIdent is the variable at the start of x.f[i].
func rootIdent(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

func isGlobal(pkg *types.Package, obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && pkg != nil && v.Parent() == pkg.Scope()
}

func TestPackageVariablesAreConstant(t *testing.T) {
	for dir, files := range packages(sources(t)) {
		report(t, checkGlobals(dir, files))
	}
}

func TestGlobalsCheckComplains(t *testing.T) {
	a := example(t, "p/a.go", `package p

import "example.com/unknown"

var counter int
var table = map[string]int{"a": 1}
var state struct{ n unknown.Type }
var fine = errors.New("x")
`)
	b := example(t, "p/b.go", `package p

func f() {
	counter++
	table["b"] = 2
	state.n = 3
	delete(table, "a")
	counter := 1
	counter = 2
	var table map[string]int
	table["x"] = counter
	_ = fine
}
`)
	wantComplaints(t, checkGlobals("p", []source{a, b}),
		"p/b.go:4:2: the package variable counter", "variable table", "variable state", "variable table")
}
