package docs_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// fence is one line of the table that says which imports stay inside which
// folders.
type fence struct {
	imports []string // path prefixes
	folders []string
}

func fences(t *testing.T, text string) []fence {
	t.Helper()
	var all []fence
	for _, cells := range mustTable(t, text, "import", "only in") {
		all = append(all, fence{words(cells[0]), words(cells[1])})
	}
	return all
}

// below says whether a path is one of the prefixes or stands under it.
func below(prefixes []string, name string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return name == p || strings.HasPrefix(name, p+"/") })
}

// checkFences finds imports that stand outside their folders. Tests are free.
func checkFences(fences []fence, all []source) []string {
	var wrong []string
	for _, s := range all {
		for _, imported := range s.imports() {
			for _, f := range fences {
				if !s.isTest() && below(f.imports, imported) && !below(f.folders, s.dir()) {
					wrong = append(wrong, fmt.Sprintf("%s imports %s, which stays in %s", s.path, imported, f.folders))
				}
			}
		}
	}
	return wrong
}

// impure are the imports, and the members of package time, that a pure package
// has no use for: it gets times, ids and bytes as values.
var (
	impure      = []string{"os", "net", "log", "math/rand", "crypto/rand", "syscall", "runtime"}
	impureClock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
)

// checkPure finds I/O, clocks and randomness in packages that are pure.
func checkPure(pure []string, all []source) []string {
	var wrong []string
	for _, s := range all {
		if s.isTest() || !slices.Contains(pure, s.dir()) {
			continue
		}
		for _, imported := range s.imports() {
			if below(impure, imported) {
				wrong = append(wrong, fmt.Sprintf("%s imports %s, but %s is pure", s.path, imported, s.dir()))
			}
		}
		clock := s.importName("time")
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if ok && clock != "" && isIdent(sel.X, clock) && slices.Contains(impureClock, sel.Sel.Name) {
				wrong = append(wrong, fmt.Sprintf("%s reads the clock, but %s is pure", s.at(n), s.dir()))
			}
			return true
		})
	}
	return wrong
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func pureFolders(t *testing.T, text string) []string {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "Pure packages:") {
			return words(line)
		}
	}
	t.Fatal("no line that begins with Pure packages:")
	return nil
}

func TestOutsideWorldStaysBehindItsFences(t *testing.T) {
	report(t, checkFences(fences(t, document(t, "docs/architecture.md")), sources(t)))
}

func TestPurePackagesDoNoInputOrOutput(t *testing.T) {
	report(t, checkPure(pureFolders(t, document(t, "docs/architecture.md")), sources(t)))
}

func TestFenceChecksComplain(t *testing.T) {
	text := "| import | only in |\n|---|---|\n| `github.com/nats-io` | `jetstream`, `bus` |\n\nPure packages: `events`, `lineage`.\n"
	all := []source{
		example(t, "jetstream/jetstreamtest/a.go", `package p; import "github.com/nats-io/nats.go"`),
		example(t, "engine/a.go", `package p; import "github.com/nats-io/nats.go/jetstream"`),
		example(t, "engine/a_test.go", `package p; import "github.com/nats-io/nats.go/jetstream"`),
		example(t, "events/a.go", `package p; import clock "time"; var x, y = clock.Second, clock.Now()`),
		example(t, "events/eventstest/a.go", `package p; import "os"`),
		example(t, "lineage/a.go", `package p; import ("crypto/rand"; "os/exec"; "time"); var x time.Duration`),
	}
	wantComplaints(t, checkFences(fences(t, text), all), "engine/a.go imports github.com/nats-io/nats.go/jetstream")
	wantComplaints(t, checkPure(pureFolders(t, text), all),
		"events/a.go:1:58 reads the clock", "imports crypto/rand", "imports os/exec")
}
