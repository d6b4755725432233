package offline

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docket-engine/docket/effects"
)

// project is the folder that the sentences of testdata speak about.
type project struct{ files fstest.MapFS }

const projectDir = "/workspace/demo"

func newProject() project {
	files := fstest.MapFS{}
	for name := range strings.FieldsSeq("main.go other.go old.txt notes.txt README.md index.html package.json src/parser.py config/settings.yaml docs/guide.md build/x.o tests/test_parser.py") {
		files[name] = &fstest.MapFile{Data: []byte("x\n"), Mode: 0o644}
	}
	files["package.json"].Data = []byte(`{"name":"demo","scripts":{"test":"jest"}}`)
	files[".git/HEAD"] = &fstest.MapFile{Data: []byte("ref: refs/heads/main\n"), Mode: 0o644}
	return project{files}
}

func (p project) in(name string) string {
	if name == projectDir {
		return "."
	}
	return strings.TrimPrefix(name, projectDir+"/")
}

func (p project) Lstat(name string) (fs.FileInfo, error) { return p.files.Stat(p.in(name)) }

func (p project) Readlink(name string) (string, error) {
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

func (p project) ReadFile(name string, limit int64) ([]byte, error) {
	text, err := p.files.ReadFile(p.in(name))
	if err == nil && int64(len(text)) > limit {
		return nil, fs.ErrInvalid
	}
	return text, err
}

// line is one sentence of the corpus with its label and call.
type line struct {
	language, label, call, text string
}

func (l line) String() string { return l.language + ": " + l.label + " " + l.call + " | " + l.text }

// asked sets the call of a line.
func (s *scene) asked(call string) *scene {
	verb, what, _ := strings.Cut(call, " ")
	switch verb {
	case "write":
		return s.asks("write", `{"path":"`+what+`","content":"text"}`)
	case "delete", "read":
		return s.asks(verb, object("path", what))
	case "run":
		return s.shell(what)
	default:
		panic("no call: " + call)
	}
}

// inProject judges a scene in the project.
func (s *scene) inProject(tb testing.TB) verdict {
	tb.Helper()
	r, err := parseRequest(s.prompt(tb))
	if err != nil {
		tb.Fatalf("the scene is no request: %v", err)
	}
	c := known
	c.Files = func(string) effects.FileSystem { return newProject() }
	r.facts = c.facts(r.cwd)
	return judge(r)
}

// linesOf reads the lines of a file of the corpus.
func linesOf(t *testing.T, file string) []line {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []line
	language := strings.TrimSuffix(filepath.Base(file), ".txt")
	for n, l := range strings.Split(string(text), "\n") {
		if l = strings.TrimSpace(l); l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		head, said, ok := strings.Cut(l, " | ")
		label, call, also := strings.Cut(head, " ")
		if !ok || !also || !slices.Contains(labels, label) {
			t.Fatalf("%s:%d: %q is no line of the corpus", file, n+1, l)
		}
		out = append(out, line{language, label, call, strings.ReplaceAll(said, `\n`, "\n")})
	}
	return out
}

func sentencesOf(t *testing.T) []line {
	t.Helper()
	files, err := filepath.Glob("testdata/sentences/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %v, %v, want the corpus", files, err)
	}
	var out []line
	for _, file := range files {
		out = append(out, linesOf(t, file)...)
	}
	return out
}

var labels = []string{"stop", "grant", "none", "pass"}

// judgedLine reports whether a line comes out right, and what was decided.
func judgedLine(t *testing.T, l line) (bool, verdict) {
	t.Helper()
	without := newScene().asked(l.call).inProject(t).decision
	with := newScene().human(l.text).asked(l.call).inProject(t)
	switch l.label {
	case "grant":
		if without == allow {
			t.Errorf("%s goes through by itself", l)
		}
		return with.decision == allow, with
	case "pass":
		return with.decision == without, with
	default:
		return with.decision == deny, with
	}
}

// confusion counts for each language and label how many lines came out right, of how many.
type confusion map[string]map[string][2]int

func (c confusion) add(language, label string, right bool) {
	if c[language] == nil {
		c[language] = map[string][2]int{}
	}
	n := c[language][label]
	if n[1]++; right {
		n[0]++
	}
	c[language][label] = n
}

// table is the confusion table as docs/offline.md has it.
func (c confusion) table() string {
	var b strings.Builder
	b.WriteString("| | restrictions held | consents followed | what is none, refused | what is no restriction, let through |\n|---|---|---|---|---|\n")
	total := map[string][2]int{}
	row := func(name string, of map[string][2]int) {
		b.WriteString("| " + name)
		for _, label := range labels {
			if n := of[label]; n[1] == 0 {
				b.WriteString(" | –")
			} else {
				fmt.Fprintf(&b, " | %d of %d", n[0], n[1])
			}
		}
		b.WriteString(" |\n")
	}
	for _, language := range slices.Sorted(maps.Keys(c)) {
		row(language, c[language])
		for label, n := range c[language] {
			total[label] = [2]int{total[label][0] + n[0], total[label][1] + n[1]}
		}
	}
	row("all", total)
	return b.String()
}

// A restriction that lets through and a text that grants without being a consent are
// failures, each by itself. Of the others, few may be wrong.
func TestWhatIsUnderstoodOfTheSentences(t *testing.T) {
	got := confusion{}
	wrong := map[string]int{}
	count := map[string]int{}
	for _, l := range sentencesOf(t) {
		right, v := judgedLine(t, l)
		got.add(l.language, l.label, right)
		count[l.label]++
		switch {
		case right:
		case l.label == "stop" || l.label == "none":
			t.Errorf("%s goes through by %s", l, v.rule)
		default:
			wrong[l.label]++
			t.Logf("%s is denied by %s (%s)", l, v.rule, v.words)
		}
	}
	t.Log("\n" + got.table())
	if 100*wrong["pass"] > 3*count["pass"] {
		t.Errorf("got %d needless stops of %d, want at most 3 %%", wrong["pass"], count["pass"])
	}
	if 100*wrong["grant"] > 10*count["grant"] {
		t.Errorf("got %d of %d consents that are not followed, want at most a tenth", wrong["grant"], count["grant"])
	}
	if text, err := os.ReadFile("../../docs/offline.md"); err != nil || !strings.Contains(string(text), got.table()) {
		t.Errorf("docs/offline.md has another table than:\n%s", got.table())
	}
}

// The fresh sentences were written after the tables. Nothing of them may go through that
// must not, but what is listed here.
func TestFreshSentencesFareAsTheDocumentSays(t *testing.T) {
	got := map[string][2]int{}
	for _, l := range linesOf(t, "testdata/fresh.txt") {
		right, v := judgedLine(t, l)
		n := got[l.label]
		if n[1]++; right {
			n[0]++
		} else {
			t.Logf("%s comes out wrong by %s (%s)", l, v.rule, v.words)
		}
		if !right && l.label == "none" {
			t.Errorf("%s grants", l)
		}
		got[l.label] = n
	}
	t.Log(got)
	if n := got["stop"]; n[0] < 53 {
		t.Errorf("got %d restrictions of %d, want what was reached", n[0], n[1])
	}
}
