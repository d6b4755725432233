package tools_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/tools"
)

// page is docs/tools.md by its headings of the second level.
func page(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		sections[strings.Trim(title, "`")] = body
	}
	return sections
}

// rows are the cells of a section's tables, without code marks; heads and rules
// are left out.
func rows(section string) [][]string {
	var all [][]string
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "| `") {
			cells := strings.Split(strings.Trim(line, "| "), " | ")
			cells[0] = strings.Trim(cells[0], "`")
			all = append(all, cells)
		}
	}
	return all
}

func TestThePageHasTheArgumentsOfEachTool(t *testing.T) {
	sections := page(t)
	for _, tool := range tools.Shipped().All() {
		var schema struct {
			Properties map[string]struct {
				Type             string
				Minimum, Maximum *int64
			} `json:"properties"`
			Required []string `json:"required"`
		}
		if err := json.Unmarshal(tool.Parameters, &schema, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for name, p := range schema.Properties {
			required, bounds := "no", "–"
			if slices.Contains(schema.Required, name) {
				required = "yes"
			}
			if p.Minimum != nil {
				bounds = fmt.Sprintf("%d to %d", *p.Minimum, *p.Maximum)
			}
			want[name] = p.Type + ", " + required + ", " + bounds
		}
		got := map[string]string{}
		for _, cells := range rows(sections[tool.Name]) {
			got[cells[0]] = strings.Join(cells[1:], ", ")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-code +tools.md):\n%s", tool.Name, diff)
		}
	}
}

// constants are the string and number constants of the package, by name.
func constants(t *testing.T, file string) map[string]ast.Expr {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]ast.Expr{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
			for i, name := range spec.Names {
				found[name.Name] = spec.Values[i]
			}
		}
		return true
	})
	return found
}

func TestThePageHasTheCodes(t *testing.T) {
	var want, got []string
	for name, value := range constants(t, "tool.go") {
		if lit, ok := value.(*ast.BasicLit); ok && strings.HasPrefix(name, "Code") {
			code, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, code)
		}
	}
	for _, cells := range rows(page(t)["Codes"]) {
		got = append(got, cells[0])
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-code +tools.md):\n%s", diff)
	}
}

func TestThePageHasTheLimits(t *testing.T) {
	sections := page(t)
	for _, c := range []struct {
		section, file, constant, value, sentence string
	}{
		{"What they have in common", "params.go", "argsLimit", "8 << 20", "8388608 bytes"},
		{"What they have in common", "text.go", "textLimit", "64 << 10", "65536 bytes"},
		{"shell", "shell.go", "shellDefault", "2 * time.Minute", "Default 120000 ms"},
		{"read", "read.go", "readLines", "2000", "2000 lines"},
		{"write", "replace.go", "contentLimit", "4 << 20", "4194304 bytes"},
		{"edit", "replace.go", "contentLimit", "4 << 20", "4194304 bytes"},
		{"run_code", "runcode.go", "codeLimit", "256 << 10", "262144 bytes"},
		{"run_code", "run.go", "timeGrace", "2 * time.Second", "after 62 s"},
		{"run_code", "program/wire.go", "ArgumentsLimit", "1 << 20", "1048576 bytes"},
		{"run_code", "program/machine.go", "callDepth", "4000", "4000 calls"},
		{"run_code", "program/main.go", "stackLimit", "128 << 20", "128 MiB of stack"},
	} {
		if got := expression(constants(t, c.file)[c.constant]); got != c.value {
			t.Errorf("%s is %s, this test knows it as %s", c.constant, got, c.value)
		}
		if !strings.Contains(strings.Join(strings.Fields(sections[c.section]), " "), c.sentence) {
			t.Errorf("the section %s does not say %q", c.section, c.sentence)
		}
	}
	run, _ := tools.Shipped().Tool("run_code")
	if want := "Limits: 1m0s of the program's own time, 256 calls, 64 KiB of output."; !strings.HasSuffix(run.Description, want) {
		t.Errorf("the description ends in …%s, want %s", run.Description[len(run.Description)-80:], want)
	}
}

// expression is a constant as it is written.
func expression(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value
	case *ast.BinaryExpr:
		return expression(e.X) + " " + e.Op.String() + " " + expression(e.Y)
	case *ast.SelectorExpr:
		return expression(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return fmt.Sprintf("%T", e)
}
