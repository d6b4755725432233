package offline

import (
	"fmt"
	"io/fs"
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
	for _, name := range strings.Fields("main.go other.go old.txt notes.txt README.md index.html package.json src/parser.py config/settings.yaml docs/guide.md build/x.o tests/test_parser.py") {
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

func sentencesOf(t *testing.T) []line {
	t.Helper()
	files, err := filepath.Glob("testdata/sentences/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %v, %v, want the corpus", files, err)
	}
	var out []line
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
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
	}
	return out
}

var labels = []string{"stop", "grant", "none", "pass"}

// counts are how many lines of a label came out right, and how many there are.
type counts map[string]map[string][2]int

func TestWhatIsUnderstoodOfTheSentences(t *testing.T) {
	got := counts{}
	for _, l := range sentencesOf(t) {
		without := newScene().asked(l.call).inProject(t).decision
		with := newScene().human(l.text).asked(l.call).inProject(t)
		right := map[string]bool{"stop": with.decision == deny, "none": with.decision == deny, "grant": with.decision == allow, "pass": with.decision == without}[l.label]
		if l.label == "grant" && without == allow {
			t.Errorf("%s goes through by itself", l)
		}
		if got[l.language] == nil {
			got[l.language] = map[string][2]int{}
		}
		c := got[l.language][l.label]
		c[1]++
		if right {
			c[0]++
		} else {
			t.Logf("WRONG %s (%s: %s)", l, with.rule, with.words)
		}
		got[l.language][l.label] = c
	}
	for _, language := range slices.Sorted(languagesOf(got)) {
		t.Log(language, fmt.Sprint(got[language]))
	}
}

func languagesOf(c counts) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range c {
			if !yield(k) {
				return
			}
		}
	}
}
