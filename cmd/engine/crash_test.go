package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream"
)

const (
	crashSessions = 6
	crashKills    = 100
	crashAppends  = 1000 // acknowledged over all rounds, at least
)

// TestServeThatEndsLosesNothingAcknowledged ends real processes.
func TestServeThatEndsLosesNothingAcknowledged(t *testing.T) {
	binary := buildEngine(t)
	t.Run("killed", func(t *testing.T) { testKilled(t, newCrashStore(t, binary)) })
	t.Run("terminated", func(t *testing.T) { testTerminated(t, newCrashStore(t, binary)) })
}

// buildEngine builds the command, for processes that are ended.
func buildEngine(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "engine")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// testKilled kills a process in the middle of appends, a hundred times over on one
// store. After each kill all that was acknowledged is there, an append that was
// under way is there whole or not at all, and repeating it succeeds; every log
// verifies, and no anchor is ahead of the store.
func testKilled(t *testing.T, s *crashStore) {
	t.Helper()
	kills := crashKills
	if testing.Short() {
		kills = crashKills / 10
	}
	chance := rand.New(rand.NewPCG(1, 2))
	acknowledged := 0
	for kill := range kills {
		if kill%10 == 5 {
			s.killStarting(time.Duration(chance.IntN(60)) * time.Millisecond)
		}
		r := round{
			fsync: jetstream.FsyncAlways, least: 1 + chance.IntN(2*crashAppends/crashKills),
			anchored: kill%20 == 9, verified: kill%10 == 0,
		}
		if kill%2 == 0 {
			r.fsync = jetstream.Fsync(250 * time.Millisecond)
		}
		acknowledged += s.round(r, func(p *engineProcess) { p.kill() })
	}
	p := s.start(jetstream.FsyncAlways)
	// What is missing to the number is appended in peace.
	acknowledged += s.appendTo(p, round{least: max(1, crashAppends*kills/crashKills-acknowledged)}, nil)
	s.verify(p.log)
	p.stop()
	t.Logf("%d kills, %d appends acknowledged, %d under way at a kill: %d of these were stored", kills, acknowledged, s.underWay, s.stood)
}

// testTerminated ends a process under load with the signal that asks for it.
func testTerminated(t *testing.T, s *crashStore) {
	t.Helper()
	for _, fsync := range []jetstream.Fsync{jetstream.FsyncAlways, jetstream.Fsync(time.Minute)} {
		s.round(round{least: 40, fsync: fsync}, func(p *engineProcess) {
			p.terminate()
			for _, name := range []string{runFileName, "holder.json"} {
				if _, err := os.Stat(filepath.Join(s.dir, name)); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s is still there after an orderly end: %v", name, err)
				}
			}
		})
	}
	p := s.start(jetstream.FsyncAlways)
	s.check(p.log)
	s.verify(p.log)
	p.stop()
}

// crashStore is a state directory that outlives the processes that serve it, and
// what was acknowledged of the logs in it.
type crashStore struct {
	t        *testing.T
	binary   string
	dir      string
	sessions []*crashSession

	underWay, stood int // appends at a kill, and how many of them were stored
}

// crashSession is a log that is appended to frame by frame, by one writer.
type crashSession struct {
	id      events.SessionID
	header  events.Header
	records []events.Record // all that will ever be in it
	acked   int             // records; owned by the writer while one runs
	sent    int             // as acked, with the append under way
}

func newCrashStore(t *testing.T, binary string) *crashStore {
	t.Helper()
	s := &crashStore{t: t, binary: binary, dir: filepath.Join(t.TempDir(), "state")}
	for i := range crashSessions {
		id := events.SessionID(fmt.Sprintf("crash-%d", i))
		script := conversation(t, id, 8*crashAppends/crashSessions)
		s.sessions = append(s.sessions, &crashSession{id: id, header: script.Header, records: script.Records()})
	}
	p := s.start(jetstream.FsyncAlways)
	for _, session := range s.sessions {
		if err := p.log.Create(t.Context(), events.Creation{ID: "create", Actor: actor(), Header: session.header}); err != nil {
			t.Fatal(err)
		}
	}
	p.stop()
	return s
}

// conversation is a log of turns with long messages. Its turns end, so that it is
// sealed now and then.
func conversation(t *testing.T, id events.SessionID, size int) *eventstest.Script {
	t.Helper()
	script := eventstest.NewScript(t, eventstest.Header(t, id, nil))
	for len(script.Events) < size {
		script.StartTurn()
		script.StartStep()
		script.User(strings.Repeat("Would you kindly? ", 20))
		script.Assistant(strings.Repeat("Gladly. ", 40))
		script.EndStep()
		script.EndTurn(events.EndCompleted)
	}
	return script
}

// frame is the append that follows what is acknowledged: always the same one from
// there, of one to three records.
func (s *crashSession) frame() events.Append {
	records := s.records[s.acked:]
	records = records[:min(1+s.acked%3, len(records))]
	return events.Append{ID: events.AppendID(fmt.Sprint("append-", s.acked)), Next: records[0].Seq, Actor: actor(), Records: records}
}

// round is one life of a process: it ends when at least so many appends were
// acknowledged, and an anchor was written where that is asked for.
type round struct {
	fsync    jetstream.Fsync
	least    int
	anchored bool
	verified bool // at the beginning
}

// round starts a process, looks whether everything is there, appends, and ends
// the process while appends are under way. It gives how many were acknowledged.
func (s *crashStore) round(r round, end func(*engineProcess)) int {
	s.t.Helper()
	p := s.start(r.fsync)
	s.check(p.log)
	if r.verified {
		s.verify(p.log)
	}
	n := s.appendTo(p, r, func() { end(p) })
	p.closeLog()
	return n
}

// appendTo appends to all sessions at once until the round is over, and ends it
// under the writers' feet; with a nil end the writers end by themselves.
func (s *crashStore) appendTo(p *engineProcess, r round, end func()) int {
	s.t.Helper()
	ctx, stop := context.WithCancel(s.t.Context())
	defer stop()
	var acked atomic.Int64
	var ending atomic.Bool
	enough := make(chan struct{})
	var writers sync.WaitGroup
	for _, session := range s.sessions {
		writers.Go(func() {
			err := session.write(ctx, p.log, r.pace(), func() bool {
				if acked.Add(1) == int64(r.least) {
					close(enough)
				}
				return ending.Load()
			})
			s.wantEnded(session, err, ending.Load())
		})
	}
	select {
	case <-enough:
	case <-s.t.Context().Done():
	}
	if r.anchored {
		s.awaitAnchor()
	}
	ending.Store(true)
	if end != nil {
		end()
		stop() // what is under way will not be answered any more
	}
	writers.Wait()
	return int(acked.Load())
}

// pace is how long a writer waits between two appends. Anchors are written once a
// second, which is long for appends.
func (r round) pace() time.Duration {
	if r.anchored {
		return 50 * time.Millisecond
	}
	return time.Microsecond
}

// write appends until it fails or is told to end.
func (s *crashSession) write(ctx context.Context, log events.Log, pace time.Duration, done func() bool) error {
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for s.acked < len(s.records) {
		a := s.frame()
		s.sent = s.acked + len(a.Records)
		if _, err := log.Append(ctx, s.id, a); err != nil {
			return err
		}
		s.acked = s.sent
		if done() {
			return nil
		}
		<-tick.C
	}
	return errors.New("the session is used up")
}

// wantEnded wants no error before the process ended, and none afterwards that
// says more than can be known.
func (s *crashStore) wantEnded(session *crashSession, err error, ending bool) {
	s.t.Helper()
	switch {
	case err != nil && !ending:
		s.t.Errorf("append to %s at %d: %v", session.id, session.acked, err)
	case errors.Is(err, events.ErrConflict) || errors.Is(err, events.ErrCorrupt):
		s.t.Errorf("append to %s at %d while the process ended: %v", session.id, session.acked, err)
	}
}

// awaitAnchor returns when the running process has written anchors.
func (s *crashStore) awaitAnchor() {
	s.t.Helper()
	size := func() int64 {
		info, err := os.Stat(filepath.Join(s.dir, anchorsFile))
		if err != nil {
			return 0
		}
		return info.Size()
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for before := size(); size() == before; {
		select {
		case <-tick.C:
		case <-s.t.Context().Done():
			s.t.Fatal("no anchor was written")
		}
	}
}

// check wants each log to be what was acknowledged, or that and the append that
// was under way.
func (s *crashStore) check(log events.Log) {
	s.t.Helper()
	for _, session := range s.sessions {
		n := 0
		for r, err := range log.Read(s.t.Context(), session.id, 0) {
			if err != nil {
				s.t.Fatalf("read %s at %d, acknowledged are %d: %v", session.id, n, session.acked, err)
			}
			if n == session.sent || !bytes.Equal(r.Line, session.records[n].Line) {
				s.t.Fatalf("got in %s at %d the line %s, which was not appended there", session.id, n, r.Line)
			}
			n++
		}
		if n != session.acked && n != session.sent {
			s.t.Fatalf("got %d records in %s, want the %d acknowledged or these and those under way, %d", n, session.id, session.acked, session.sent)
		}
		if session.sent > session.acked {
			s.underWay++
		}
		if n > session.acked {
			s.stood++
		}
	}
}

// verify holds every log against all rules, its signatures, its seals, and the
// anchors that the processes have left.
func (s *crashStore) verify(log *jetstream.Log) {
	s.t.Helper()
	for _, session := range s.sessions {
		eventstest.Check(s.t, log, session.id)
		report, err := engine.Verify(s.t.Context(), log, log, session.id, nil)
		if err != nil || !report.OK() {
			s.t.Fatalf("verify %s: %v, %+v", session.id, err, report.Findings)
		}
	}
	if findings, err := log.VerifyStreams(s.t.Context()); err != nil || len(findings) > 0 {
		s.t.Fatalf("verify the streams: %v, %+v", err, findings)
	}
}
