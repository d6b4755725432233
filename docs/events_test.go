package docs_test

import (
	"go/ast"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
)

// TestEventCatalogueIsTheCode holds the tables of events.md against package
// events: every type is there, says whether it is a surface event, and names its
// members.
func TestEventCatalogueIsTheCode(t *testing.T) {
	text, err := os.ReadFile("events.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(codeCatalogue(t), docCatalogue(string(text))); diff != "" {
		t.Errorf("events.md differs from the code (-code +events.md):\n%s", diff)
	}
}

// catalogued is what the tables say of a type.
type catalogued struct {
	Surface string // yes or no
	Members string // as in "turn, step, reason?"
}

func TestEventCatalogueNamesTheOpaqueVocabulary(t *testing.T) {
	text, err := os.ReadFile("events.md")
	if err != nil {
		t.Fatal(err)
	}
	_, opaque, _ := strings.Cut(string(text), "## Known by name")
	for _, word := range strings.FieldsFunc(opaque, func(r rune) bool { return r == '`' || r == ' ' || r == ',' || r == '\n' }) {
		if strings.Contains(word, "/") && !strings.ContainsAny(word, ".()") && !events.KnownByName(events.Type(word)) {
			t.Errorf("events.md lists %s, which the code does not know by name", word)
		}
	}
}

func docCatalogue(text string) map[string]catalogued {
	rows := map[string]catalogued{}
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) < 4 || !strings.HasPrefix(cells[0], "| `") {
			continue
		}
		name := strings.Trim(cells[0], "| `")
		rows[name] = catalogued{Surface: cells[1], Members: strings.ReplaceAll(cells[2], "`", "")}
	}
	return rows
}

func codeCatalogue(t *testing.T) map[string]catalogued {
	t.Helper()
	structs, types, names := eventSources(t)
	rows := map[string]catalogued{}
	for goName, constant := range types {
		name := names[constant]
		if name == "" {
			continue // Opaque has the name that it was given
		}
		row := catalogued{Surface: "no", Members: members(structs[goName])}
		if events.Type(name).Surface() {
			row.Surface = "yes"
		}
		rows[name] = row
	}
	if len(rows) != len(events.Types()) {
		t.Fatalf("found %d event types in the sources, the package knows %d", len(rows), len(events.Types()))
	}
	return rows
}

// eventSources finds the structs of package events, which constant each returns
// as its type, and the names that the constants have.
func eventSources(t *testing.T) (structs map[string]*ast.StructType, types, names map[string]string) {
	t.Helper()
	structs, types, names = map[string]*ast.StructType{}, map[string]string{}, map[string]string{}
	for _, src := range sources(t) {
		if src.dir() != "events" || src.isTest() {
			continue
		}
		ast.Inspect(src.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok {
					structs[n.Name.Name] = s
				}
			case *ast.FuncDecl:
				if constant, ok := returnedType(n); ok {
					types[receiver(n)] = constant
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if strings.HasPrefix(name.Name, "Type") && i < len(n.Values) {
						if lit, ok := n.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
							names[name.Name] = strings.Trim(lit.Value, `"`)
						}
					}
				}
			}
			return true
		})
	}
	return structs, types, names
}

func returnedType(f *ast.FuncDecl) (constant string, ok bool) {
	if f.Name.Name != "Type" || f.Recv == nil || f.Body == nil || len(f.Body.List) != 1 {
		return "", false
	}
	ret, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return "", false
	}
	ident, ok := ret.Results[0].(*ast.Ident)
	if !ok {
		return "", false
	}
	return ident.Name, true
}

// members lists a struct's JSON members in order; "?" marks those that may be
// absent.
func members(s *ast.StructType) string {
	var out []string
	for _, f := range s.Fields.List {
		if f.Tag == nil {
			continue
		}
		name, opts, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
		switch {
		case name == "" || name == "-":
		case slices.Contains(strings.Split(opts, ","), "omitzero"):
			out = append(out, name+"?")
		default:
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}
