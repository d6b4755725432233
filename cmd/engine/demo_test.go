package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
)

// demoRun plays the demo in a temporary folder of its own, which it gives.
func demoRun(t *testing.T, ctx context.Context, home string, args ...string) (ran, string) {
	t.Helper()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	return runIn(ctx, home, append([]string{"demo", "--fast"}, args...)...), tmp
}

// demoLogs are the logs of a demo that was kept, and what is in its folder.
func demoLogs(t *testing.T, tmp string) (logs map[events.SessionID][]events.Envelope, project string) {
	t.Helper()
	places, err := filepath.Glob(filepath.Join(tmp, "docket-demo-*"))
	if err != nil || len(places) != 1 {
		t.Fatalf("got the places %v, %v, want one", places, err)
	}
	a := &app{world: world{getenv: atHome(t.TempDir()), stdout: t.Output(), stderr: t.Output()}, dir: filepath.Join(places[0], "state")}
	logs = map[events.SessionID][]events.Envelope{}
	err = a.with(t.Context(), "test", readOnly, func(ctx context.Context, s *store) error {
		ids, err := sortedSessions(ctx, s.log)
		for _, id := range ids {
			for e, readErr := range envelopes(s.log.Read(ctx, id, 0)) {
				err = errors.Join(err, readErr)
				logs[id] = append(logs[id], e)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return logs, filepath.Join(places[0], "project")
}

// TestTheDemoShowsWhatItSays holds each promise of the demo against the logs and
// the folder that it leaves, and asks nothing that it shows.
func TestTheDemoShowsWhatItSays(t *testing.T) {
	r, tmp := demoRun(t, t.Context(), t.TempDir(), "--keep", "--json")
	if r.code != exitOK || r.err != "" {
		t.Fatalf("got exit code %d\n%s\n%s", r.code, r.out, r.err)
	}
	logs, project := demoLogs(t, tmp)
	if len(logs) != 2 {
		t.Fatalf("got %d sessions, want one and its child", len(logs))
	}
	calls := map[string]*callCourse{}
	var child []events.Envelope
	for id, log := range logs {
		wantBodiesForDispatches(t, id, log)
		maps.Copy(calls, coursesOf(log))
		if id != "demo" {
			child = log
		}
	}
	for id, want := range map[string]struct {
		tool, verdict, answer string
		end                   callEnd
	}{
		"c1":        {"read", "allow", "", endRan},
		"c3":        {"write", "allow", "", endRan},
		"c5":        {"delete", "deny", "rejected", endDenied},
		"c6":        {"delete", "deny", "rejected", endDenied},
		"c7":        {"delete", "allow", "", endRan},
		"c10":       {"delete", "allow", "", endRan},
		"c11":       {"shell", "deny", "cancelled", endCancelled},
		"c12":       {"run_code", "", "", endRan},
		"c12:ptc:2": {"write", "allow", "", endRan},
		"c12:ptc:3": {"delete", "deny", "", endDenied},
		"c13":       {"task", "allow", "", endRan},
		"k2":        {"write", "allow", "", endRan},
		"k3":        {"delete", "deny", "", endDenied},
		"c15":       {"shell", "deny", "", endDenied},
	} {
		c := calls[id]
		if c == nil || c.tool != want.tool || c.verdict != want.verdict || c.answer != want.answer || c.end() != want.end {
			t.Errorf("call %s: got %+v, want %+v", id, c, want)
		}
	}
	if a, b := calls["c5"].argumentHash(), calls["c7"].argumentHash(); a != b {
		t.Errorf("what a person named is another call than the one that was denied: %s, %s", b, a)
	}
	wantFinalDenial(t, child)
	wantFiles(t, project)
}

func coursesOf(log []events.Envelope) map[string]*callCourse {
	var k callCourses
	found := map[string]*callCourse{}
	for _, e := range log {
		if c := k.apply(e); c != nil {
			found[c.id] = c
		}
	}
	return found
}

// wantBodiesForDispatches: each call has one result, which says that the body was
// not executed exactly where there was no dispatch.
func wantBodiesForDispatches(t *testing.T, id events.SessionID, log []events.Envelope) {
	t.Helper()
	for _, c := range coursesOf(log) {
		if !c.settled {
			t.Errorf("session %s: call %s has no result", id, c.id)
		}
		if c.dispatched != (c.end() == endRan) {
			t.Errorf("session %s: call %s was dispatched: %v, and is %s", id, c.id, c.dispatched, c.end())
		}
	}
	for _, e := range log {
		if r, ok := e.Event.(events.ToolResult); ok {
			c := coursesOf(log)[r.CallID()]
			refused := strings.Contains(blocks(r.Message.Content), "body was not executed") || strings.Contains(blocks(r.Message.Content), "before its body started")
			if c.tool != "run_code" && refused == c.dispatched {
				t.Errorf("session %s: call %s was dispatched: %v, and says %q", id, c.id, c.dispatched, blocks(r.Message.Content))
			}
		}
	}
}

// wantFinalDenial: a child is under never, and its denial is the fixed line.
func wantFinalDenial(t *testing.T, child []events.Envelope) {
	t.Helper()
	never, denied := false, false
	for _, e := range child {
		switch ev := any(e.Event).(type) {
		case events.ApprovalPolicy:
			never = ev.Policy == events.PolicyNever
		case events.ApprovalAsked:
			t.Error("a person was asked about a child's call")
		case events.ToolResult:
			if ev.CallID() == "k3" {
				denied = blocks(ev.Message.Content) == `Error: Auto review rejected tool "delete"; its body was not executed` && ev.Error.Code == "AUTO_REVIEW_DENIED"
			}
		}
	}
	if !never || !denied {
		t.Errorf("the child is under never: %v; its denial is final: %v", never, denied)
	}
}

func wantFiles(t *testing.T, project string) {
	t.Helper()
	var found []string
	err := fs.WalkDir(os.DirFS(project), ".", func(path string, entry fs.DirEntry, err error) error {
		if !entry.IsDir() {
			found = append(found, path)
		}
		return err
	})
	want := []string{"README.md", "credentials.json", "highest.md", "inbox.txt", "notes.md", "report.md", "summary.md", "tides.csv"}
	if diff := cmp.Diff(want, found); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	for name, want := range map[string]string{"report.md": "7 high waters", "highest.md": "448 cm", "notes.md": "Mondays"} {
		if text, err := os.ReadFile(filepath.Join(project, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: got %q, %v, want %q in it", name, text, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(project, "drafts")); err != nil {
		t.Errorf("a cancelled call had an effect: %v", err)
	}
}

// TestTheDemoIsShownAsItHappens: what a moment says of the files is what that call
// has done, and questions are answered when they were shown.
func TestTheDemoIsShownAsItHappens(t *testing.T) {
	r, _ := demoRun(t, t.Context(), t.TempDir(), "--json")
	var all []moment
	for line := range strings.Lines(r.out) {
		var m moment
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, m)
	}
	files := map[string]fileChanges{}
	place := map[string]int{}
	for i, m := range all {
		place[string(m.Moment)+" "+m.Call] = i
		if m.Moment == momentEnd {
			files[m.Call] = *m.Files
		}
	}
	for call, want := range map[string]fileChanges{
		"c3": {Made: []string{"summary.md"}}, "c4": {Changed: []string{"notes.md"}}, "c7": {Removed: []string{"drafts/april.md"}},
		"c12:ptc:2": {Made: []string{"report.md"}}, "k2": {Made: []string{"highest.md"}}, "c5": {}, "c11": {}, "c15": {},
	} {
		if got := files[call]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("call %s: got %v, want %v", call, got, want)
		}
	}
	order := []string{"call c5", "review c5", "question c5", "answer c5", "end c5", "call c13", "review c13", "call k1", "end k3", "end c13", "verified ", "summary "}
	if !slices.IsSortedFunc(order, func(a, b string) int { return place[a] - place[b] }) {
		t.Errorf("got the places %v of %v", place, order)
	}
}

func nothingLeft(t *testing.T, tmp string) {
	t.Helper()
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("the demo leaves %v, %v", left, err)
	}
}

func TestTheDemoTakesItsDirectoryAway(t *testing.T) {
	home := t.TempDir()
	r, tmp := demoRun(t, t.Context(), home)
	if r.code != exitOK || !strings.Contains(r.out, "Everything came out as the recording expects.") {
		t.Errorf("got %+v", r)
	}
	if strings.Contains(r.out, "\x1b") {
		t.Error("there are colours in what is no terminal")
	}
	nothingLeft(t, tmp)
	nothingLeft(t, home)
}

// interrupting is a stream that ends a context when it gets a text.
type interrupting struct {
	bytes.Buffer
	at   string
	stop context.CancelFunc
}

func (w *interrupting) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	if strings.Contains(w.String(), w.at) {
		w.stop()
	}
	return n, err
}

// TestAnInterruptedDemoLeavesNothing wherever it is interrupted: at its beginning,
// while a person is asked, in a program, in a child.
func TestAnInterruptedDemoLeavesNothing(t *testing.T) {
	for _, at := range []string{`"moment":"begin"`, `"moment":"question"`, `"call":"c12:ptc:1"`, `"call":"k1"`, `"moment":"verified"`} {
		t.Run(at, func(t *testing.T) {
			tmp, home := t.TempDir(), t.TempDir()
			t.Setenv("TMPDIR", tmp)
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			out := &interrupting{at: at, stop: stop}
			var errs bytes.Buffer
			code := run(ctx, world{args: []string{"demo", "--fast", "--json"}, stdin: strings.NewReader(""), stdout: out, stderr: &errs, getenv: atHome(home)})
			if code != exitCancelled {
				t.Errorf("got exit code %d, want %d\n%s\n%s", code, exitCancelled, out.String(), errs.String())
			}
			nothingLeft(t, tmp)
		})
	}
}

// TestAClosedTerminalEndsTheDemo as an interrupt does, so that it cleans up.
func TestAClosedTerminalEndsTheDemo(t *testing.T) {
	ctx, stop := outliveReader(t.Context())
	defer stop()
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(syscall.SIGHUP)
	}
	if err != nil {
		t.Fatal(err)
	}
	if signal.Ignored(syscall.SIGHUP) { // the tests were started by nohup
		if ctx.Err() != nil {
			t.Error("the demo ends although its terminal may close")
		}
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(scriptPatience):
		t.Error("the demo goes on")
	}
	if err := settle(ctx, ctx.Err()); exitCode(err) != exitCancelled {
		t.Errorf("got %v, want it cancelled", err)
	}
}

type fullDisk struct{ left int }

func (w *fullDisk) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestADemoThatCannotBeShownFails(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var errs bytes.Buffer
	code := run(t.Context(), world{args: []string{"demo", "--fast"}, stdout: &fullDisk{4000}, stderr: &errs, getenv: atHome(t.TempDir())})
	if code != exitFailed || !strings.Contains(errs.String(), "no space left") {
		t.Errorf("got exit code %d and %q", code, errs.String())
	}
}

func TestADemoHasNoOtherStore(t *testing.T) {
	for name, args := range map[string][]string{
		"a directory":        {"--dir", "x"},
		"a server":           {"--nats", "nats://127.0.0.1:1"},
		"a model of no name": {"--model", "m"},
		"settings of nobody": {"--settings", "x"},
		"an argument":        {"x"},
	} {
		if r, tmp := demoRun(t, t.Context(), t.TempDir(), args...); r.code != exitUsage {
			t.Errorf("%s: got %+v, want a usage error", name, r)
		} else {
			nothingLeft(t, tmp)
		}
	}
	if r, _ := demoRun(t, t.Context(), t.TempDir(), "--model", "p/none"); r.code == exitOK || r.out != "" {
		t.Errorf("a route that is not listed: got %+v", r)
	}
}
