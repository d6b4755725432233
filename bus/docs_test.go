package bus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/bus"
)

// rows are the rows of the table in docs/bus.md whose head begins with a word.
func rows(t *testing.T, head string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", "bus.md"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	in := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "| "+head+" |"):
			in = true
		case !strings.HasPrefix(line, "|"):
			in = false
		case in && !strings.HasPrefix(line, "|--"):
			found = append(found, line)
		}
	}
	return found
}

func quoted(subjects []string) string { return "`" + strings.Join(subjects, "` `") + "`" }

func TestTheTableOfClassesIsTheCode(t *testing.T) {
	var want []string
	for _, c := range bus.Classes() {
		lasts := "for ever"
		if c.Lifetime > 0 {
			lasts = c.Lifetime.String()
		}
		want = append(want, "| `"+c.Name+"` | `"+c.Account+"` | "+quoted(c.Publish)+" | "+quoted(c.Subscribe)+" | "+lasts+" |")
	}
	if diff := cmp.Diff(want, rows(t, "class")); diff != "" {
		t.Errorf("docs/bus.md is not the code (-code +page):\n%s", diff)
	}
}

func TestWhatIsSaidToBeImpossibleIsTried(t *testing.T) {
	suite, err := os.ReadFile(filepath.Join("bustest", "permissions.go"))
	if err != nil {
		t.Fatal(err)
	}
	impossible := rows(t, "attempt")
	if len(impossible) < 10 {
		t.Fatalf("got %d rows", len(impossible))
	}
	for _, row := range impossible {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if subtest := cells[len(cells)-1]; !strings.Contains(string(suite), `t.Run("`+subtest+`"`) {
			t.Errorf("no subtest is called %q", subtest)
		}
	}
}

// TestWhatIsSaidToBeImpossibleOnAnEngineHasItsTests: each test that the page names is
// there.
func TestWhatIsSaidToBeImpossibleOnAnEngineHasItsTests(t *testing.T) {
	dirs := map[string]string{"bus": ".", "client": filepath.Join("..", "client"), "engine": filepath.Join("..", "cmd", "engine")}
	texts := map[string]string{}
	for name, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[name] += string(text)
		}
	}
	impossible := rows(t, "attempt on an engine")
	if len(impossible) < 12 {
		t.Fatalf("got %d rows", len(impossible))
	}
	for _, row := range impossible {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		tests := strings.Fields(cells[len(cells)-1])
		if len(tests) == 0 {
			t.Errorf("no test is named in %s", row)
		}
		for _, test := range tests {
			dir, name, _ := strings.Cut(strings.Trim(test, "`"), ".")
			if !strings.Contains(texts[dir], "\nfunc "+name+"(t *testing.T) {") {
				t.Errorf("there is no test %s", test)
			}
		}
	}
}
