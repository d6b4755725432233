package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docket-engine/docket/engine"
)

// TestProgressIsForTerminalsAlone: a pipe gets none of it.
func TestProgressIsForTerminalsAlone(t *testing.T) {
	observer, end := (&app{world: world{stderr: io.Discard}}).progress("import x", countBytes)
	if observer != nil {
		t.Error("got progress in a pipe")
	}
	end()
}

func TestProgressShowsStagesOfLongWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		observer, end := (&app{world: world{stderr: &out}}).bars("import \x1b[2Jfile", countBytes)
		observer(engine.Progress{Stage: engine.StageCheck, Done: 1000, Total: 4000})
		if out.Len() > 0 {
			t.Errorf("got %q at once, want nothing yet", out.String())
		}
		time.Sleep(time.Second)
		observer(engine.Progress{Stage: engine.StageCheck, Done: 2000, Total: 4000})
		time.Sleep(time.Second)
		observer(engine.Progress{Stage: engine.StageCheck, Done: 3000, Total: 4000})
		wantShown(t, &out, `import \u001b[2Jfile: check`, "75%", "kB/s")
		observer(engine.Progress{Stage: engine.StageStore, Done: 5, Total: 20})
		time.Sleep(time.Second)
		observer(engine.Progress{Stage: engine.StageStore, Done: 10, Total: 20})
		wantShown(t, &out, "store", "(10/20)")
		end()
		if left := out.String()[strings.LastIndex(strings.TrimRight(out.String(), "\r"), "\r")+1:]; strings.TrimSpace(left) != "" {
			t.Errorf("got %q on the line in the end, want it cleared", left)
		}
		end() // also behind an error, a second time
	})
}

// wantShown wants words on a bar.
func wantShown(t *testing.T, out *bytes.Buffer, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(out.String(), w) {
			t.Errorf("got %q, want %q in it", out.String(), w)
		}
	}
}

// TestShortWorkShowsNothing: a bar that flashes tells nobody anything.
func TestShortWorkShowsNothing(t *testing.T) {
	var out bytes.Buffer
	observer, end := (&app{world: world{stderr: &out}}).bars("verify x", countEvents)
	observer(engine.Progress{Stage: engine.StageRead, Done: 1, Total: 2})
	observer(engine.Progress{Stage: engine.StageRead, Done: 2, Total: 2})
	end()
	if out.Len() > 0 {
		t.Errorf("got %q, want nothing", out.String())
	}
}
