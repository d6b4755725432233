package engine_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

// executes gives the gate the evidence of a file as it is when it is asked.
func executes(name string) yardOption {
	return func(c *engine.GateConfig, y *yard) {
		c.Evidence = func(engine.PendingCall) []events.ExecutedFile { return []events.ExecutedFile{executed(y.t, name)} }
	}
}

func executed(t *testing.T, name string) events.ExecutedFile {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return events.ExecutedFile{Path: name, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(text))}
}

func script(t *testing.T, text string) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "build.sh")
	rewrite(t, name, text)
	return name
}

func rewrite(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAScriptIsOnTheRecordBeforeItsReviewAndInThePermit, and its body runs if it is
// still the same.
func TestAScriptIsOnTheRecordBeforeItsReviewAndInThePermit(t *testing.T) {
	name := script(t, "echo hello\n")
	want := []events.ExecutedFile{executed(t, name)}
	y := newYard(t, &judge{answer: always(reviewer.Allow, "")}, executes(name))
	y.on(presets.Auto, "")
	y.wants("c1")
	if ran := y.ran(t.Context(), "c1"); ran.Result == nil || ran.Result.IsError {
		t.Fatalf("got %+v, want a result", ran)
	}
	for _, e := range eventstest.Check(t, y.memory, y.id) {
		switch ev := any(e.Event).(type) {
		case events.ReviewRequested:
			if diff := cmp.Diff(want, ev.Files); diff != "" {
				t.Errorf("review/requested (-want +got):\n%s", diff)
			}
		case events.ToolDispatched:
			if diff := cmp.Diff(want, ev.Files); diff != "" {
				t.Errorf("tool/dispatched (-want +got):\n%s", diff)
			}
		}
	}
	if len(y.bodies) != 1 {
		t.Errorf("got bodies %q, want one", y.bodies)
	}
}

// TestAScriptThatChangesBetweenItsReviewAndItsStartDoesNotRun whatever has become of
// it.
func TestAScriptThatChangesBetweenItsReviewAndItsStartDoesNotRun(t *testing.T) {
	for what, change := range map[string]func(t *testing.T, name string){
		"other bytes":  func(t *testing.T, name string) { rewrite(t, name, "echo adieu\n") },
		"more of it":   func(t *testing.T, name string) { rewrite(t, name, "echo hello\necho more\n") },
		"gone":         func(t *testing.T, name string) { must(t, os.Remove(name)) },
		"a folder now": func(t *testing.T, name string) { must(t, os.Remove(name)); must(t, os.Mkdir(name, 0o700)) },
	} {
		t.Run(what, func(t *testing.T) {
			name := script(t, "echo hello\n")
			j := &judge{answer: func(context.Context, reviewer.Call) (reviewer.Verdict, error) {
				change(t, name)
				return reviewer.Verdict{Outcome: reviewer.Allow}, nil
			}}
			y := newYard(t, j, executes(name))
			y.on(presets.Auto, "")
			y.wants("c1")
			ran := y.ran(t.Context(), "c1")
			if ran.Result == nil || !ran.Result.IsError || ran.Result.Error == nil || ran.Result.Error.Code != engine.CodeFileChanged {
				t.Errorf("got %+v, want %s", ran.Result, engine.CodeFileChanged)
			}
			if len(y.bodies) > 0 {
				t.Errorf("got bodies %q", y.bodies)
			}
		})
	}
}

// TestEvidenceThatCannotBeTakenIsAFailedReview: nobody is asked, nothing runs, and it
// is no denial.
func TestEvidenceThatCannotBeTakenIsAFailedReview(t *testing.T) {
	j := &judge{answer: always(reviewer.Allow, "")}
	y := newYard(t, j, func(c *engine.GateConfig, _ *yard) {
		c.Evidence = func(engine.PendingCall) []events.ExecutedFile { panic("a file that nobody expected") }
	})
	y.on(presets.Auto, "")
	y.wants("c1")
	ran := y.ran(t.Context(), "c1")
	if ran.Refused == nil || ran.Refused.Kind != engine.Failed {
		t.Errorf("got %+v, want a failure", ran.Refused)
	}
	if n := j.asked(); n != 0 || len(y.bodies) > 0 {
		t.Errorf("got %d reviews and the bodies %q, want none", n, y.bodies)
	}
}

// deaf is a tail that tells nothing.
type deaf struct{}

func (deaf) Tail(ctx context.Context, _ events.SessionID, _ events.Seq) iter.Seq2[events.Record, error] {
	return func(func(events.Record, error) bool) { <-ctx.Done() }
}

// TestWhatAScriptWasIsRememberedWhileAPersonIsAsked, also by the next engine: what it
// is by then was not reviewed.
func TestWhatAScriptWasIsRememberedWhileAPersonIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := script(t, "echo hello\n")
		reviewed := []events.ExecutedFile{executed(t, name)}
		y := denied(t, executes(name), func(c *engine.GateConfig, _ *yard) { c.Tail = deaf{} })
		ctx, leave := context.WithCancel(t.Context())
		first, dying := y.gate, make(chan struct{})
		go func() { // an engine that hears of no answer
			defer close(dying)
			_, _ = first.Call(ctx, withNonce(y.request("c1")), y.meta())
		}()
		synctest.Wait()
		rewrite(t, name, "echo adieu\n")
		y.open(executes(name))
		done := make(chan engine.Ran, 1)
		go func() { done <- y.ran(t.Context(), "c1") }()
		synctest.Wait()
		y.answer(t, "c1", approvals.ReplyOnce)
		if ran := <-done; ran.Result == nil || ran.Result.Error == nil || ran.Result.Error.Code != engine.CodeFileChanged {
			t.Errorf("got %+v, want %s", ran.Result, engine.CodeFileChanged)
		}
		leave()
		<-dying
		if len(y.bodies) > 0 {
			t.Errorf("got bodies %q", y.bodies)
		}
		for _, e := range eventstest.Check(t, y.memory, y.id) {
			if d, ok := e.Event.(events.ToolDispatched); ok {
				if diff := cmp.Diff(reviewed, d.Files); diff != "" {
					t.Errorf("the dispatch has other files than were reviewed (-want +got):\n%s", diff)
				}
			}
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
