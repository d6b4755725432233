package docs_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// modFile is what these tests want to know of a go.mod.
type modFile struct {
	direct, indirect map[string]bool
	tools            []string // package paths
	replaces         []string
}

// parseMod reads a go.mod as the go command writes it.
func parseMod(text string) modFile {
	mod := modFile{direct: map[string]bool{}, indirect: map[string]bool{}}
	block := ""
	for line := range strings.Lines(text) {
		code, comment, _ := strings.Cut(line, "//")
		fields := strings.Fields(code)
		switch {
		case len(fields) == 0:
			continue
		case fields[0] == ")":
			block = ""
			continue
		case block == "" && fields[len(fields)-1] == "(":
			block = fields[0]
			continue
		case block == "":
			mod.add(fields[0], fields[1:], comment)
		default:
			mod.add(block, fields, comment)
		}
	}
	return mod
}

func (m *modFile) add(verb string, args []string, comment string) {
	switch {
	case verb == "replace":
		m.replaces = append(m.replaces, strings.Join(args, " "))
	case verb == "tool":
		m.tools = append(m.tools, args[0])
	case verb == "require" && strings.TrimSpace(comment) == "indirect":
		m.indirect[args[0]] = true
	case verb == "require":
		m.direct[args[0]] = true
	}
}

// moduleOf finds the required module that provides a package.
func (m *modFile) moduleOf(pkg string) string {
	best := ""
	for _, set := range []map[string]bool{m.direct, m.indirect} {
		for name := range set {
			if below([]string{name}, pkg) && len(name) > len(best) {
				best = name
			}
		}
	}
	return best
}

// toolModules are the modules that the tools come from.
func (m *modFile) toolModules() []string {
	var modules []string
	for _, tool := range m.tools {
		modules = append(modules, m.moduleOf(tool))
	}
	return modules
}

// checkDirect holds the requirements that are not marked indirect against what
// the code imports, as go mod tidy does but without the network.
func checkDirect(mod modFile, all []source) []string {
	used := map[string]bool{}
	var wrong []string
	for _, s := range all {
		for _, imported := range s.imports() {
			first, _, _ := strings.Cut(imported, "/")
			if !strings.Contains(first, ".") || below([]string{module}, imported) {
				continue
			}
			name := mod.moduleOf(imported)
			if name == "" {
				wrong = append(wrong, fmt.Sprintf("%s imports %s, which no module of go.mod provides", s.path, imported))
			}
			used[name] = true
		}
	}
	for name := range maps.Keys(mod.direct) {
		if !used[name] {
			wrong = append(wrong, name+" is required and nothing imports it: go mod tidy")
		}
	}
	for name := range maps.Keys(mod.indirect) {
		if used[name] {
			wrong = append(wrong, name+" is imported and marked indirect: go mod tidy")
		}
	}
	slices.Sort(wrong)
	return wrong
}

// checkExplained holds the list of explained modules against those in use.
func checkExplained(explained, inUse []string) []string {
	var wrong []string
	for _, name := range inUse {
		if !slices.Contains(explained, name) {
			wrong = append(wrong, name+" is a direct dependency and not explained in dependencies.md")
		}
	}
	for _, name := range explained {
		if !slices.Contains(inUse, name) {
			wrong = append(wrong, name+" is explained in dependencies.md and not a direct dependency")
		}
	}
	slices.Sort(wrong)
	return wrong
}

func TestNoReplace(t *testing.T) {
	for _, name := range []string{"go.mod", "tools.mod"} {
		mod := parseMod(document(t, name))
		if len(mod.replaces) > 0 {
			t.Errorf("%s: got replace %q, want none: who imports the module does not get it", name, mod.replaces)
		}
	}
}

func TestGoModIsTidy(t *testing.T) {
	report(t, checkDirect(parseMod(document(t, "go.mod")), sources(t)))
}

func TestEveryDependencyIsExplained(t *testing.T) {
	text := document(t, "docs/dependencies.md")
	var explained []string
	for _, header := range [][]string{
		{"module", "what for", "why not the standard library", "weight and upkeep"},
		{"tool module", "what for", "weight and upkeep"},
	} {
		for _, cells := range mustTable(t, text, header...) {
			explained = append(explained, words(cells[0])...)
		}
	}
	mod, tools := parseMod(document(t, "go.mod")), parseMod(document(t, "tools.mod"))
	report(t, checkExplained(explained, append(slices.Sorted(maps.Keys(mod.direct)), tools.toolModules()...)))
}

func TestModuleChecksComplain(t *testing.T) {
	mod := parseMod(`module example.com/m

go 1.26.0

tool example.com/tool/cmd/x

replace example.com/a => ../a

require (
	example.com/a v1.0.0
	example.com/a/v2 v2.0.0
	example.com/b v1.0.0 // indirect
	example.com/tool v0.1.0 // indirect
)
`)
	wantComplaints(t, mod.replaces, "example.com/a => ../a")
	wantComplaints(t, mod.toolModules(), "example.com/tool")
	all := []source{example(t, "a.go", `package p
import (
	"fmt"
	_ "example.com/a/v2/sub"
	_ "example.com/b"
	_ "example.com/c"
	_ "`+module+`/events"
)`)}
	wantComplaints(t, checkDirect(mod, all), "a.go imports example.com/c", "example.com/a is required and nothing", "example.com/b is imported and marked indirect")
	wantComplaints(t, checkExplained([]string{"a", "b"}, []string{"b", "c"}), "a is explained", "c is a direct dependency")
}
