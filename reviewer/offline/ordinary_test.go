package offline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// prompt is one of the ordinary ones: what was said, and the calls that it must not
// stop.
type prompt struct {
	file, text string
	calls      []string
}

func promptsOf(t *testing.T) []prompt {
	t.Helper()
	files, err := filepath.Glob("testdata/ordinary/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %v, %v, want the corpus", files, err)
	}
	var out []prompt
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(string(text), "\n----\n") {
			head, said, ok := strings.Cut(strings.TrimLeft(part, "\n"), "\n\n")
			p := prompt{file: filepath.Base(file), text: said}
			for l := range strings.Lines(head) {
				call, is := strings.CutPrefix(strings.TrimSpace(l), "call: ")
				ok = ok && is
				p.calls = append(p.calls, call)
			}
			if !ok {
				t.Fatalf("%s: %q is no prompt", file, head)
			}
			out = append(out, p)
		}
	}
	return out
}

// maxNeedless is how many of a hundred calls ordinary prompts may stop.
const maxNeedless = 2

func TestOrdinaryPromptsStopNothing(t *testing.T) {
	stopped, calls := 0, 0
	prompts := promptsOf(t)
	for _, p := range prompts {
		for _, call := range p.calls {
			calls++
			without := newScene().asked(call).inProject(t).decision
			if with := newScene().human(p.text).asked(call).inProject(t); with.decision != without {
				stopped++
				t.Logf("%s: %s by %q", p.file, call, with.words)
			}
		}
	}
	t.Logf("%d of %d calls of %d prompts were stopped", stopped, calls, len(prompts))
	if text, err := os.ReadFile("../../docs/offline.md"); err != nil || !strings.Contains(string(text), fmt.Sprintf("%d of %d calls", stopped, calls)) {
		t.Errorf("docs/offline.md has other figures than %d of %d calls", stopped, calls)
	}
	if 100*stopped > maxNeedless*calls {
		t.Errorf("got %d of %d calls stopped, want at most %d %%", stopped, calls, maxNeedless)
	}
}
