package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var quoted = regexp.MustCompile("`([^`]+)`")

// document is the text of a Markdown file, named from the repository's root.
func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// table gives the body rows of the table whose header has exactly these cells.
func table(text string, header ...string) [][]string {
	var rows [][]string
	inside := false
	for line := range strings.Lines(text) {
		cells, ok := tableRow(line)
		switch {
		case !ok:
			inside = false
		case strings.Join(cells, "|") == strings.Join(header, "|"):
			inside = true
		case inside && strings.Trim(strings.Join(cells, ""), "-: ") != "":
			rows = append(rows, cells)
		}
	}
	return rows
}

// mustTable is a table that has to be there.
func mustTable(t *testing.T, text string, header ...string) [][]string {
	t.Helper()
	rows := table(text, header...)
	if len(rows) == 0 {
		t.Fatalf("no table with the header %q", header)
	}
	return rows
}

func tableRow(line string) ([]string, bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|") {
		return nil, false
	}
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells, true
}

// words are the parts of a cell that are written as code.
func words(cell string) []string {
	var found []string
	for _, match := range quoted.FindAllStringSubmatch(cell, -1) {
		found = append(found, match[1])
	}
	return found
}

func TestTableReadsTheOneThatIsAskedFor(t *testing.T) {
	text := "| a | b |\n|---|:-:|\n| `x` and `y` | 1 |\n\ntext\n\n| c | d |\n|---|---|\n| z | 2 |\n"
	rows := table(text, "a", "b")
	if len(rows) != 1 || strings.Join(words(rows[0][0]), " ") != "x y" || rows[0][1] != "1" {
		t.Errorf("got rows %q, want the one of the first table", rows)
	}
	if rows := table(text, "a", "c"); rows != nil {
		t.Errorf("got rows %q of a table that is not there", rows)
	}
}
