package docs_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
)

const (
	openToAll  = "events"     // any package may import it
	everything = "everything" // the word for a row without limits
)

// row is one line of the import table in architecture.md.
type row struct {
	folder  string
	planned bool // described, but not there yet
	may     []string
}

func importTable(t *testing.T, text string) []row {
	t.Helper()
	var rows []row
	for _, cells := range mustTable(t, text, "folder", "what is in it", "may import") {
		names := words(cells[0])
		if len(names) != 1 {
			t.Fatalf("the row %q must name one folder", cells)
		}
		may := words(cells[2])
		if cells[2] == everything {
			may = []string{everything}
		}
		rows = append(rows, row{names[0], strings.Contains(cells[0], "planned"), may})
	}
	return rows
}

// rowOf finds the row that speaks for a folder: its own or its nearest parent's.
func rowOf(rows []row, folder string) (row, bool) {
	for f := folder; f != "."; f = path.Dir(f) {
		if i := slices.IndexFunc(rows, func(r row) bool { return r.folder == f }); i >= 0 {
			return rows[i], true
		}
	}
	return row{}, false
}

func isKit(folder string) bool { return strings.HasSuffix(folder, "test") }

// allows says whether packages of row r may import packages of row dep.
func (r row) allows(dep row) bool {
	return dep.folder == r.folder || dep.folder == openToAll || slices.Contains(r.may, dep.folder) ||
		slices.Contains(r.may, everything) && !isKit(dep.folder)
}

// checkImports holds the direct imports of our own packages against the table.
func checkImports(rows []row, all []source) []string {
	var wrong []string
	for _, s := range all {
		own, ok := rowOf(rows, s.dir())
		switch {
		case s.isTest():
			continue
		case !ok:
			wrong = append(wrong, fmt.Sprintf("%s: the import table has no row for %s", s.path, s.dir()))
			continue
		}
		for _, imported := range s.imports() {
			folder, ours := strings.CutPrefix(imported, module+"/")
			if !ours {
				continue
			}
			if dep, ok := rowOf(rows, folder); !ok || !own.allows(dep) {
				wrong = append(wrong, fmt.Sprintf("%s imports %s, which the row of %s does not allow", s.path, folder, own.folder))
			}
		}
	}
	return wrong
}

// checkTable holds the table against itself and against the folders that exist:
// a row may name only rows above it, and is planned exactly while it is empty.
func checkTable(rows []row, all []source) []string {
	var wrong []string
	var above []string
	for _, r := range rows {
		for _, dep := range r.may {
			if dep != everything && !slices.Contains(above, dep) {
				wrong = append(wrong, fmt.Sprintf("%s may import %s, which is not a row above it", r.folder, dep))
			}
		}
		above = append(above, r.folder)

		exists := slices.ContainsFunc(all, func(s source) bool {
			return !s.isTest() && (s.dir() == r.folder || strings.HasPrefix(s.dir(), r.folder+"/"))
		})
		switch {
		case exists && r.planned:
			wrong = append(wrong, fmt.Sprintf("%s exists, its row says that it is planned", r.folder))
		case !exists && !r.planned:
			wrong = append(wrong, fmt.Sprintf("%s has a row but no code", r.folder))
		}
	}
	return wrong
}

func TestImportsFollowTheTable(t *testing.T) {
	rows := importTable(t, document(t, "docs/architecture.md"))
	report(t, checkImports(rows, sources(t)))
}

func TestTableNamesWhatExists(t *testing.T) {
	rows := importTable(t, document(t, "docs/architecture.md"))
	report(t, checkTable(rows, sources(t)))
}

func TestImportChecksComplain(t *testing.T) {
	rows := importTable(t, strings.Join([]string{
		"| folder | what is in it | may import |", "|---|---|---|",
		"| `events` | facts | – |",
		"| `events/eventstest` | kit | – |",
		"| `a` (planned) | later | `b` |",
		"| `b` | now | – |",
		"| `cmd/engine` | all | everything |", "",
	}, "\n"))
	file := func(name, imports string) source { return example(t, name, "package p\nimport "+imports) }
	ours := func(folder string) string { return `"` + module + "/" + folder + `"` }
	all := []source{
		file("events/a.go", `"fmt"`),
		file("events/eventstest/a.go", ours("events")),
		file("b/a.go", ours("a")),
		file("b/b.go", ours("events/eventstest")),
		file("b/b_test.go", ours("events/eventstest")),
		file("a/sub/a.go", ours("b")),
		file("c/a.go", `"fmt"`),
		file("cmd/engine/a.go", ours("b")),
		file("cmd/engine/b.go", ours("events/eventstest")),
	}
	wantComplaints(t, checkImports(rows, all),
		"b/a.go imports a,", "b/b.go imports events/eventstest", "no row for c", "cmd/engine/b.go imports events/eventstest")
	wantComplaints(t, checkTable(rows, all[1:]),
		"a may import b, which is not a row above", "a exists, its row says that it is planned")
	wantComplaints(t, checkTable(rows, all[6:]),
		"events has a row but no code", "events/eventstest has a row", "a may import b", "b has a row but no code")
}
