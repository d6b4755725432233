package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// anchoring are anchors in a file while they are written.
type anchoring struct {
	path    string
	anchors *jetstream.Anchors
	writer  *jetstream.AnchorWriter
}

func startAnchors(tb testing.TB, nc *nats.Conn, path string, settle time.Duration) anchoring {
	tb.Helper()
	a := anchoring{path: path, anchors: loadAnchors(tb, path)}
	var err error
	a.writer, err = jetstream.StartAnchors(tb.Context(), jetstream.AnchorConfig{
		Path: path, Conn: nc, Keys: testKeys(tb), Anchors: a.anchors, Settle: settle,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

// stop ends the writing in good order.
func (a anchoring) stop(tb testing.TB) {
	tb.Helper()
	if err := errors.Join(a.writer.Stop(context.Background()), a.writer.Close()); err != nil {
		tb.Fatal(err)
	}
}

// anchorFile is a path in a new directory.
func anchorFile(tb testing.TB) string { return filepath.Join(tb.TempDir(), "anchors") }

func fileLines(tb testing.TB, path string) []string {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
}

// wantAnchored wants a log with fewer events to be behind its anchor, and one
// with as many not to be.
func wantAnchored(tb testing.TB, a *jetstream.Anchors, last uint64) {
	tb.Helper()
	if err := a.CheckStream(sessions, last); err != nil {
		tb.Errorf("at %d: got %v, want nothing", last, err)
	}
	behind, ok := errors.AsType[*jetstream.BehindError](a.CheckStream(sessions, last-1))
	if last > 0 && (!ok || behind.Want != last || behind.Have != last-1) {
		tb.Errorf("at %d: got %v, want an anchor at %d", last-1, behind, last)
	}
}

func TestAnchorsOutliveARestartAndAreRewrittenAtEachStart(t *testing.T) {
	s, path := newStore(t), anchorFile(t)
	log := logOn(t, s.nc)
	create(t, log, "s1")
	for round := range 3 {
		a := startAnchors(t, s.nc, path, 0)
		fill(t, log, "s1", events.Seq(4*round), 4)
		a.stop(t)
		wantAnchored(t, a.anchors, uint64(4*round+5))
		wantAnchored(t, loadAnchors(t, path), uint64(4*round+5))
		if got := len(fileLines(t, path)); got > 2 {
			t.Errorf("got %d lines after start %d, want what was and what came", got, round)
		}
	}
}

func TestNoFileIsNoAnchor(t *testing.T) {
	a := loadAnchors(t, anchorFile(t))
	wantAnchored(t, a, 0)
}

func TestTheAnchorsOfALogThatIsCutOffAreReadUpToTheCut(t *testing.T) {
	s, path := newStore(t), anchorFile(t)
	log := logOn(t, s.nc)
	a := startAnchors(t, s.nc, path, 0)
	create(t, log, "s1")
	a.stop(t)
	a = startAnchors(t, s.nc, path, 0)
	fill(t, log, "s1", 0, 1)
	a.stop(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{1, 2, 50} {
		if err := os.WriteFile(path, text[:len(text)-cut], 0o600); err != nil {
			t.Fatal(err)
		}
		wantAnchored(t, loadAnchors(t, path), 1)
		if err := jetstream.AcceptLoss(path, testKeys(t), time.Now()); err != nil {
			t.Fatal(err)
		}
		wantAnchored(t, loadAnchors(t, path), 0)
	}
	if err := os.WriteFile(path, text[:len(text)-7], 0o600); err != nil {
		t.Fatal(err)
	}
	a = startAnchors(t, s.nc, path, 0)
	fill(t, log, "s1", 1, 1)
	a.stop(t)
	wantAnchored(t, loadAnchors(t, path), 3)
}

func TestAChangedLineIsRefusedAndNamed(t *testing.T) {
	s, path := newStore(t), anchorFile(t)
	log := logOn(t, s.nc)
	a := startAnchors(t, s.nc, path, 0)
	create(t, log, "s1")
	fill(t, log, "s1", 0, 6)
	a.stop(t)
	a = startAnchors(t, s.nc, path, 0)
	fill(t, log, "s1", 6, 1)
	a.stop(t)
	lines := fileLines(t, path)
	if len(lines) != 2 {
		t.Fatalf("got %d lines, want 2", len(lines))
	}
	for name, tt := range map[string]struct{ text, want string }{
		"another head":      {lines[0] + strings.Replace(lines[1], `"next":7`, `"next":5`, 1) + "\n", "line 2: its signature is wrong"},
		"another sequence":  {strings.Replace(lines[0], `"SESSIONS_0_0":7`, `"SESSIONS_0_0":3`, 1) + lines[1] + "\n", "line 1: its signature is wrong"},
		"another time":      {lines[0] + strings.Replace(lines[1], `"time":`, `"time":1`, 1) + "\n", "line 2: its signature is wrong"},
		"a loss accepted":   {strings.Replace(lines[0], `"time"`, `"accepted":true,"time"`, 1) + lines[1] + "\n", "line 1: its signature is wrong"},
		"no signature":      {`{"time":1}` + "\n" + lines[1] + "\n", "line 1: it is not signed"},
		"no line":           {lines[0] + "x\n", "line 2: "},
		"a line in between": {lines[0] + "\n" + lines[1] + "\n", "line 2: "},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := jetstream.LoadAnchors(path, testKeys(t)); !sameError(err, tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	if err := os.WriteFile(path, []byte(lines[0]+lines[1]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := jetstream.LoadAnchors(path, keysOf(t, otherKey())); !sameError(err, "line 1: it is signed by a key that is not trusted") {
		t.Errorf("got %v, want that the key is not trusted", err)
	}
}

// What was acknowledged before Stop is anchored by Close, whoever appended it.
func TestWhatAnyConnectionAppendsIsAnchored(t *testing.T) {
	s, path := newStore(t), anchorFile(t)
	a := startAnchors(t, s.node.Connect(), path, time.Hour)
	const sessions = 5
	for i := range sessions {
		log := logOn(t, s.node.Connect())
		id := create(t, log, events.SessionID(fmt.Sprint("s", i)))
		fill(t, log, id, 0, 20)
	}
	a.stop(t)
	anchors := loadAnchors(t, path)
	wantAnchored(t, anchors, sessions*21)
	empty := newStore(t)
	for i := range sessions {
		id := events.SessionID(fmt.Sprint("s", i))
		_, err := logWith(t, empty, anchors).Open(t.Context(), id)
		behind, ok := errors.AsType[*jetstream.BehindError](err)
		want := &jetstream.BehindError{What: "session " + string(id), Want: 20}
		if diff := cmp.Diff(want, behind); !ok || diff != "" {
			t.Errorf("open (-want +got), %v:\n%s", err, diff)
		}
	}
}

// A message on the live subject that the engine did not sign is no head.
func TestOnlyWhatTheEngineSignedIsAnchored(t *testing.T) {
	s, path := newStore(t), anchorFile(t)
	a := startAnchors(t, s.nc, path, 0)
	js := streams(t, s.nc)
	if _, err := js.Publish(t.Context(), subjectOf("foreign"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := s.nc.Publish(jetstream.LiveSubject(subjectOf("s1")), []byte("x")); err != nil {
		t.Fatal(err)
	}
	create(t, logOn(t, s.nc), "s2")
	a.stop(t)
	anchors := loadAnchors(t, path)
	wantAnchored(t, anchors, 2)
	for _, id := range []events.SessionID{"foreign", "s1"} {
		if _, err := logWith(t, newStore(t), anchors).Open(t.Context(), id); !errors.Is(err, events.ErrNotFound) {
			t.Errorf("%s: got %v, want no anchor", id, err)
		}
	}
}

func TestAnchorsAreWrittenEachSecondOnceTheyHaveSettled(t *testing.T) {
	for _, settle := range []time.Duration{0, 250 * time.Millisecond, 5 * time.Second} {
		t.Run(settle.String(), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				s, path := newStore(t), anchorFile(t)
				a := startAnchors(t, s.nc, path, settle)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error)
				go func() { done <- a.writer.Run(ctx) }()
				log := logOn(t, s.nc)
				began := time.Now()
				create(t, log, "s1")
				var written time.Duration
				for written == 0 {
					time.Sleep(10 * time.Millisecond)
					synctest.Wait()
					if size(t, path) > 0 {
						written = time.Since(began)
					}
				}
				if written < settle || written > settle+2*time.Second+10*time.Millisecond {
					t.Errorf("written after %s, want it settled for %s, and at most 2 s more", written, settle)
				}
				wantAnchored(t, loadAnchors(t, path), 1)
				cancel()
				if err := <-done; err != nil {
					t.Errorf("run: %v", err)
				}
				if err := a.writer.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Nothing is written while nothing grows.
func TestAnIdleStoreIsNotAnchoredAgain(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s, path := newStore(t), anchorFile(t)
		a := startAnchors(t, s.nc, path, 0)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- a.writer.Run(ctx) }()
		create(t, logOn(t, s.nc), "s1")
		time.Sleep(time.Minute)
		if got := len(fileLines(t, path)); got != 1 {
			t.Errorf("got %d lines, want 1", got)
		}
		cancel()
		if err := errors.Join(<-done, a.writer.Close()); err != nil {
			t.Error(err)
		}
	})
}

// A store that is put back to what it was is behind its anchors, until an operator
// accepts what is lost. That stays on record.
func TestAStoreThatWasPutBackIsRefusedUntilTheLossIsAccepted(t *testing.T) {
	n, path := jetstreamtest.Server(t), anchorFile(t)
	older := t.TempDir()
	grow(t, n, path, func(log *jetstream.Log) { create(t, log, "s1"); fill(t, log, "s1", 0, 3) })
	if err := os.CopyFS(older, os.DirFS(n.Dir())); err != nil {
		t.Fatal(err)
	}
	n.Start()
	grow(t, n, path, func(log *jetstream.Log) { fill(t, log, "s1", 3, 3); create(t, log, "s2") })

	back := jetstreamtest.ServerAt(t, older)
	nc := back.Connect()
	log := newLog(t, jetstream.LogConfig{Conn: nc, Keys: testKeys(t), Anchors: loadAnchors(t, path)})
	wantStreams(t, log, true)
	_, err := log.Append(t.Context(), "s1", unit(t, "b", 3, "other"))
	wantCorrupt(t, err, "s1", 3)
	_, err = log.Open(t.Context(), "s2")
	wantCorrupt(t, err, "s2", 0)

	now := time.UnixMilli(1_800_000_000_000)
	if err := jetstream.AcceptLoss(path, testKeys(t), now); err != nil {
		t.Fatal(err)
	}
	for range 2 { // also at the start after the next one
		a := startAnchors(t, nc, path, 0)
		log = newLog(t, jetstream.LogConfig{Conn: nc, Keys: testKeys(t), Anchors: a.anchors})
		wantStreams(t, log, false)
		opened, err := log.Open(t.Context(), "s1")
		if err != nil {
			t.Fatal(err)
		}
		mustAppend(t, log, "s1", unit(t, "b", opened.Head.Next, "other"))
		a.stop(t)
		if record := fileLines(t, path)[0]; !strings.HasPrefix(record, `{"time":1800000000000,"accepted":true,"sig":`) {
			t.Errorf("got first line %s, want the accepted loss on record", record)
		}
	}
	wantAnchored(t, loadAnchors(t, path), 6)
}

// grow works on a store with anchors, and stops its server.
func grow(t *testing.T, n *jetstreamtest.Node, path string, work func(*jetstream.Log)) {
	t.Helper()
	nc := n.Connect()
	provision(t, nc, 1)
	a := startAnchors(t, nc, path, 0)
	log, err := jetstream.NewLog(jetstream.LogConfig{Conn: nc, Keys: testKeys(t), Anchors: a.anchors})
	if err != nil {
		t.Fatal(err)
	}
	work(log)
	if err := errors.Join(log.Close(t.Context()), a.writer.Stop(t.Context())); err != nil {
		t.Fatal(err)
	}
	nc.Close()
	n.Stop()
	if err := a.writer.Close(); err != nil {
		t.Fatal(err)
	}
}
