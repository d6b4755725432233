package jetstream_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// filesOf is a log that is read from the files of a node, which may run.
func filesOf(t *testing.T, n *jetstreamtest.Node) *jetstream.Log {
	t.Helper()
	files, err := jetstream.OpenFiles(t.Context(), jetstream.FilesConfig{Dir: n.Dir(), Keys: testKeys(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	})
	return newLog(t, jetstream.LogConfig{Files: files, Keys: testKeys(t)})
}

func TestALogOfFilesIsThatOfTheServer(t *testing.T) {
	s := newStore(t)
	log := logOn(t, s.nc)
	for i, id := range []events.SessionID{"s1", "s2", "s10"} {
		create(t, log, id)
		fill(t, log, id, 0, 40*(i+1))
	}
	mustAppend(t, log, "s1", turns(t, "end", 40, 1, 1))
	if err := log.Close(t.Context()); err != nil { // its seals are stored
		t.Fatal(err)
	}
	for _, running := range []bool{true, false} {
		if !running {
			s.nc.Close()
			s.node.Stop()
		}
		got := filesOf(t, s.node)
		var ids []string
		for id, err := range got.Sessions(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, string(id))
			eventstest.Check(t, got, id)
		}
		if len(ids) != 3 {
			t.Errorf("running %t: got sessions %v, want three", running, ids)
		}
		if findings := verified(t, got, "s1"); len(findings) != 0 {
			t.Errorf("running %t: got %v, want nothing: it is sealed", running, findings)
		}
		findings, err := got.VerifyStore(t.Context(), "s2")
		if diff := cmp.Diff([]string{"unproven 80"}, kinds(findings)); diff != "" || err != nil {
			t.Errorf("running %t: %v (-want +got):\n%s", running, err, diff)
		}
		if findings, err := got.VerifyStreams(t.Context()); err != nil || len(findings) != 0 {
			t.Errorf("running %t: got %v, %v, want nothing", running, findings, err)
		}
		if _, err := got.Open(t.Context(), "s3"); !errors.Is(err, events.ErrNotFound) {
			t.Errorf("running %t: got %v, want that there is no s3", running, err)
		}
	}
}

// What would need a server is an error, and not a panic.
func TestALogOfFilesIsNotWrittenToNorFollowed(t *testing.T) {
	s := newStore(t)
	create(t, logOn(t, s.nc), "s1")
	log := filesOf(t, s.node)
	_, err := log.Append(t.Context(), "s1", unit(t, "a", 0, "one"))
	for what, err := range map[string]error{"append": err, "create": log.Create(t.Context(), creation(t, "s2"))} {
		if !sameError(err, "cannot be written to") {
			t.Errorf("%s: got %v", what, err)
		}
	}
	for _, err := range log.Tail(t.Context(), "s1", 0) {
		if !sameError(err, "cannot be followed") {
			t.Errorf("tail: got %v", err)
		}
	}
	if _, err := jetstream.NewLog(jetstream.LogConfig{}); err == nil {
		t.Error("a log of nothing was made")
	}
}

// Whatever bit of the sessions' block flips, a verification of the files finds it, and
// the sessions that it does not concern are whole.
func TestEveryFlippedBitOfABlockIsFoundInTheFiles(t *testing.T) {
	s := newStore(t)
	log := logOn(t, s.nc)
	for _, id := range []events.SessionID{"s1", "s2", "s3"} {
		create(t, log, id)
		mustAppend(t, log, id, turns(t, "a", 0, 1, 1))
	}
	if err := log.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.nc.Close()
	s.node.Stop()
	for _, stream := range []string{sessions, jetstream.AuditStream} {
		block := s.node.Blocks(stream)[0]
		whole, err := os.ReadFile(block)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(whole); at += 31 {
			flipped := append([]byte(nil), whole...)
			flipped[at] ^= 1 << (at % 8)
			if err := os.WriteFile(block, flipped, 0o600); err != nil {
				t.Fatal(err)
			}
			wantOneDamaged(t, filesOf(t, s.node), fmt.Sprintf("%s, byte %d", stream, at))
		}
		if err := os.WriteFile(block, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func wantOneDamaged(t *testing.T, log *jetstream.Log, where string) {
	t.Helper()
	findings, err := log.VerifyStreams(t.Context())
	if text := strings.Join(lines(findings), "\n"); err != nil || !strings.Contains(text, ".blk is damaged at byte ") {
		t.Errorf("%s: got %v, %s, want the damage", where, err, text)
	}
	wrong := 0
	for _, id := range []events.SessionID{"s1", "s2", "s3"} {
		findings, err := log.VerifyStore(t.Context(), id)
		if err != nil && !errors.Is(err, events.ErrNotFound) {
			t.Errorf("%s: %s: %v", where, id, err)
		}
		if len(findings) > 0 || err != nil {
			wrong++
		}
	}
	if wrong > 1 {
		t.Errorf("%s: %d sessions are concerned, want one at most", where, wrong)
	}
}
