package docs_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// checkNoInit refuses init functions: what a package needs is a literal or is
// handed in.
func checkNoInit(s source) []string {
	var wrong []string
	for _, decl := range s.file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			wrong = append(wrong, s.at(fn)+": func init hides what runs before main")
		}
	}
	return wrong
}

// checkSleeps refuses time.Sleep but for fake time: in a function literal that is
// given to synctest.Test or to a helper with bubble in its name, or in a function
// whose comment says that it runs in a bubble.
func checkSleeps(s source) []string {
	clock := s.importName("time")
	if clock == "" {
		return nil
	}
	var wrong []string
	ast.PreorderStack(s.file, nil, func(n ast.Node, stack []ast.Node) bool {
		if isCallOf(n, clock, "Sleep") && !inBubble(stack) {
			wrong = append(wrong, s.at(n)+": time.Sleep outside a synctest bubble; wait for what is meant")
		}
		return true
	})
	return wrong
}

func isCallOf(n ast.Node, pkg, name string) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && isIdent(sel.X, pkg) && sel.Sel.Name == name
}

// calledName is the name of a function of the same package that a node calls.
func calledName(n ast.Node) string {
	if call, ok := n.(*ast.CallExpr); ok {
		if id, ok := call.Fun.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}

func inBubble(stack []ast.Node) bool {
	for _, n := range stack {
		if isCallOf(n, "synctest", "Test") || strings.Contains(strings.ToLower(calledName(n)), "bubble") {
			return true
		}
		if fn, ok := n.(*ast.FuncDecl); ok && fn.Doc != nil && strings.Contains(fn.Doc.Text(), "bubble") {
			return true
		}
	}
	return false
}

// reasons are the words by which a skip says that something from outside is not
// there, which is the one reason to skip.
var reasons = regexp.MustCompile(`\b(needs|absent|missing)\b`)

// checkSkips wants every skipped test to say what it needs and does not have.
func checkSkips(s source) []string {
	var wrong []string
	ast.PreorderStack(s.file, nil, func(n ast.Node, stack []ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && isSkip(call, stack) && !reasons.MatchString(firstText(call)) {
			wrong = append(wrong, s.at(n)+": a skip must say what is missing: t.Skip(\"needs …\")")
		}
		return true
	})
	return wrong
}

// isSkip says whether a call is Skip, Skipf or SkipNow of a test's handle. A
// property's handle skips inputs, which is another matter.
func isSkip(call *ast.CallExpr, stack []ast.Node) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	switch sel.Sel.Name {
	case "Skip", "Skipf", "SkipNow":
		return ok && isTestHandle(paramType(stack, id.Name))
	}
	return false
}

// paramType finds the type of a parameter in the functions around a node.
func paramType(stack []ast.Node, name string) ast.Expr {
	var found ast.Expr
	for _, n := range stack {
		var fn *ast.FuncType
		switch n := n.(type) {
		case *ast.FuncDecl:
			fn = n.Type
		case *ast.FuncLit:
			fn = n.Type
		default:
			continue
		}
		for _, field := range fn.Params.List {
			for _, id := range field.Names {
				if id.Name == name {
					found = field.Type
				}
			}
		}
	}
	return found
}

// firstText is the first argument of a call if it starts with a string literal.
func firstText(call *ast.CallExpr) string {
	if len(call.Args) == 0 {
		return ""
	}
	arg := call.Args[0]
	for {
		sum, ok := arg.(*ast.BinaryExpr)
		if !ok {
			break
		}
		arg = sum.X
	}
	lit, ok := arg.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	return strings.Trim(lit.Value, "\"`")
}

// checkFuzzIsPure refuses fuzz targets beside an embedded server: the build
// takes minutes and a tenth of the inputs are tried.
func checkFuzzIsPure(files []source) []string {
	var fuzz, server string
	for _, s := range files {
		for _, decl := range s.file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && s.isTest() && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				fuzz = s.at(fn)
			}
		}
		for _, imported := range s.imports() {
			if strings.HasPrefix(imported, "github.com/nats-io/nats-server/") {
				server = s.path
			}
		}
	}
	if fuzz == "" || server == "" {
		return nil
	}
	return []string{fmt.Sprintf("%s: a fuzz target, but %s of the same folder imports nats-server", fuzz, server)}
}

func TestNoInitNoSleepNoSilentSkip(t *testing.T) {
	for _, s := range sources(t) {
		report(t, checkNoInit(s))
		report(t, checkSleeps(s))
		report(t, checkSkips(s))
	}
}

func TestFuzzTargetsAreInPurePackages(t *testing.T) {
	byDir := map[string][]source{}
	for _, s := range sources(t) {
		byDir[s.dir()] = append(byDir[s.dir()], s)
	}
	for _, files := range byDir {
		report(t, checkFuzzIsPure(files))
	}
}

func TestHabitChecksComplain(t *testing.T) {
	s := example(t, "p/a_test.go", `package p

import "time"

func init() {}

func TestSleeps(t *testing.T) {
	time.Sleep(1)
	synctest.Test(t, func(t *testing.T) { time.Sleep(1) })
	inBubble(t, func(t *testing.T) { time.Sleep(1) })
}

// pause waits in the bubble that calls it.
func pause() { time.Sleep(1) }

func TestSkips(t *testing.T) {
	t.Skip()
	t.Skip("flaky")
	t.Skipf("needs %s", "the corpus")
	t.Skipf("the corpus is absent: %v", err)
	t.Skip("needs the corpus in " + dir)
	t.Run("", func(tb testing.TB) { tb.SkipNow() })
	rapid.Check(t, func(t *rapid.T) { t.Skip("no such input") })
}

`+"func FuzzParse(f *testing.F) {}\n")
	wantComplaints(t, checkNoInit(s), "a_test.go:5:1")
	wantComplaints(t, checkSleeps(s), "a_test.go:8:2")
	wantComplaints(t, checkSkips(s), "a_test.go:17:2", "a_test.go:18:2", "a_test.go:22:34")

	server := example(t, "p/b_test.go", `package p; import "github.com/nats-io/nats-server/v2/server"`)
	wantComplaints(t, checkFuzzIsPure([]source{s}))
	wantComplaints(t, checkFuzzIsPure([]source{s, server}), "p/b_test.go of the same folder imports nats-server")
}
