package jetstream_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

// damaged is a store whose server was stopped while its files were changed, with
// the anchors that were written before.
type damaged struct {
	node    *jetstreamtest.Node
	refused bool // by the engine's own server
	// What a verification of the files says, before any server has opened them.
	session, streams []events.Finding
	nc               *nats.Conn
	anchors          *jetstream.Anchors
}

// damage fills a session, stops the server, does the damage, and starts it again.
func damage(t *testing.T, texts []string, do func(n *jetstreamtest.Node)) damaged {
	t.Helper()
	n := jetstreamtest.Server(t)
	nc := n.Connect()
	provision(t, nc, 1)
	path := filepath.Join(t.TempDir(), "anchors")
	w, err := jetstream.StartAnchors(t.Context(), jetstream.AnchorConfig{Path: path, Conn: nc, Keys: testKeys(t), Anchors: loadAnchors(t, path)})
	if err != nil {
		t.Fatal(err)
	}
	log := logOn(t, nc)
	create(t, log, "s1")
	for i, text := range texts {
		mustAppend(t, log, "s1", unit(t, "a", events.Seq(i), text))
	}
	if err := errors.Join(w.Stop(t.Context()), w.Close()); err != nil {
		t.Fatal(err)
	}
	nc.Close()
	n.Stop()
	do(n)
	d := damaged{node: n, anchors: loadAnchors(t, path)}
	d.session, d.streams = fromFiles(t, n, d.anchors)
	d.refused = refuses(t, n, jetstream.ServerConfig{Keys: testKeys(t), Anchors: d.anchors})
	if d.refused {
		n.StartBlind() // so that is also tried what readers find where another server has cut it
	}
	d.nc = n.Connect()
	return d
}

// fromFiles verifies the session without a server.
func fromFiles(t *testing.T, n *jetstreamtest.Node, anchors *jetstream.Anchors) (session, streams []events.Finding) {
	t.Helper()
	before := contentOf(t, n.Dir())
	files, err := jetstream.OpenFiles(t.Context(), jetstream.FilesConfig{Dir: n.Dir(), Keys: testKeys(t)})
	if err != nil {
		t.Fatal(err)
	}
	log := newLog(t, jetstream.LogConfig{Files: files, Keys: testKeys(t), Anchors: anchors})
	session, err = log.VerifyStore(t.Context(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	streams, err = log.VerifyStreams(t.Context())
	if err := errors.Join(err, files.Close()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, contentOf(t, n.Dir())); diff != "" {
		t.Errorf("reading the files has changed them (-before +after):\n%s", diff)
	}
	return session, streams
}

// refuses starts the engine's server, unless it finds damage: then it names it, and has
// changed nothing.
func refuses(t *testing.T, n *jetstreamtest.Node, cfg jetstream.ServerConfig) bool {
	t.Helper()
	before := contentOf(t, filepath.Join(n.Dir(), "jetstream"))
	err := n.TryStart(cfg)
	if err == nil {
		return false
	}
	found, is := errors.AsType[*jetstream.DamagedError](err)
	if !is {
		t.Fatalf("got %v, want a server, or the damage", err)
	}
	if d := found.Damages[0]; d.Stream != sessions || !strings.HasSuffix(d.Block, ".blk") || d.Problem == "" || !strings.Contains(err.Error(), filepath.Base(d.Block)) {
		t.Errorf("got %v, want stream, block and problem", err)
	}
	if diff := cmp.Diff(before, contentOf(t, filepath.Join(n.Dir(), "jetstream"))); diff != "" {
		t.Errorf("the store that was not opened has changed (-before +after):\n%s", diff)
	}
	return true
}

// contentOf says of each file below a folder what it is, and its mode.
func contentOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		out[path] = fmt.Sprintf("%s %s %x", info.Mode(), info.ModTime(), sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (d damaged) log(t *testing.T, anchors *jetstream.Anchors) *jetstream.Log {
	t.Helper()
	return newLog(t, jetstream.LogConfig{Conn: d.nc, Keys: testKeys(t), Anchors: anchors})
}

// short are texts that fit into one block.
func short() []string { return []string{"zero", "one", "two", "three", "four"} }

// long are texts of three blocks.
func long() []string {
	var out []string
	for _, text := range []string{"zero", "one", "two", "three", "four"} {
		for range 6 {
			out = append(out, text+strings.Repeat("x", 800<<10))
		}
	}
	return out
}

// A bit of a stored record flips. With its index, the server skips the message in
// silence; without it, it drops what it cannot read, also in silence.
func TestAFlippedBitInTheStoreIsFound(t *testing.T) {
	for name, tt := range map[string]struct {
		texts  []string
		flip   string
		index  bool       // is still there at the restart
		found  events.Seq // by a verification
		opened bool       // the log opens, though it does not read
		stream bool       // the stream as a whole shows it
	}{
		"in the middle":                        {short(), "two", true, 2, true, false},
		"in the middle, and the index is lost": {short(), "two", false, 2, false, true},
		"in the last record":                   {short(), "four", true, 4, false, false},
		"in the last, and the index is lost":   {short(), "four", false, 4, false, true},
		"in an older block":                    {long(), "one", true, 6, true, false},
		"in an older block without an index":   {long(), "one", false, 6, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := damage(t, tt.texts, func(n *jetstreamtest.Node) {
				flipText(t, n, tt.flip)
				if !tt.index {
					n.RemoveIndex(sessions)
				}
			})
			if !d.refused {
				t.Error("the damage was not found before the store was opened")
			}
			if len(d.session) == 0 || d.session[0].Seq != tt.found {
				t.Errorf("the session's files: got %v, want a finding at %d", d.session, tt.found)
			}
			if got := lines(d.streams); !strings.Contains(strings.Join(got, "\n"), ".blk is damaged at byte ") {
				t.Errorf("the streams' files: got %v, want the block and the byte", got)
			}
			log := d.log(t, d.anchors)
			wantSeqOf(t, log, "s1", tt.found)
			wantStreams(t, log, tt.stream)
			if _, err := log.Open(t.Context(), "s1"); (err == nil) != tt.opened || err != nil && !errors.Is(err, events.ErrCorrupt) {
				t.Errorf("open: got %v, want an error: %t", err, !tt.opened)
			}
			if _, err := texts(t.Context(), log, "s1", 0); !errors.Is(err, events.ErrCorrupt) {
				t.Errorf("read: got %v, want a corrupt log", err)
			}
			_, err := log.Append(t.Context(), "s1", unit(t, "b", events.Seq(len(tt.texts)), "next"))
			if (err == nil) != tt.opened || err != nil && !errors.Is(err, events.ErrCorrupt) {
				t.Errorf("append: got %v, want an error: %t", err, !tt.opened)
			}
		})
	}
}

// wantSeqOf wants the first finding at a seq.
func wantSeqOf(t *testing.T, log *jetstream.Log, id events.SessionID, seq events.Seq) {
	t.Helper()
	if found := verified(t, log, id); len(found) == 0 || found[0].Seq != seq {
		t.Errorf("verify: got %v, want a finding at %d", found, seq)
	}
}

func wantStreams(t *testing.T, log *jetstream.Log, wrong bool) {
	t.Helper()
	findings, err := log.VerifyStreams(t.Context())
	if err != nil || (len(findings) > 0) != wrong {
		t.Errorf("verify streams: got %v, %v, want something: %t", findings, err, wrong)
	}
}

// The last message that can be read may not be the last one: what is not kept
// outside is at least not taken for a session that was never there.
func TestALogWhoseLastRecordIsDamagedIsNotTakenForNone(t *testing.T) {
	d := damage(t, short(), func(n *jetstreamtest.Node) { flipText(t, n, "four") })
	log := d.log(t, nil)
	wantSeqOf(t, log, "s1", 4)
	_, err := log.Open(t.Context(), "s1")
	wantCorrupt(t, err, "s1", 0)
	if err := log.Create(t.Context(), creation(t, "s1")); err != nil && !errors.Is(err, events.ErrCorrupt) {
		t.Errorf("create again: got %v, want success or a corrupt log", err)
	}
	if _, err := log.Open(t.Context(), "s2"); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("got %v, want that there is no s2", err)
	}
	if _, err := log.VerifyStore(t.Context(), "s2"); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("got %v, want that there is no s2", err)
	}
}

func TestACutBlockIsFound(t *testing.T) {
	for name, tt := range map[string]struct {
		cut     int64
		index   bool
		refused bool // else a server has nothing to cut off, and the anchors show it
	}{
		"inside the last record":           {20, true, true},
		"inside the last, the index lost":  {20, false, true},
		"several records":                  {1500, true, true},
		"several records, the index lost":  {1500, false, true},
		"all of it":                        {-1, true, false},
		"all of it, and the index is lost": {-1, false, false},
		"the file":                         {-2, true, false},
		"the file, and the index is lost":  {-2, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := damage(t, short(), func(n *jetstreamtest.Node) {
				block := n.Blocks(sessions)[0]
				switch tt.cut {
				case -1:
					jetstreamtest.Truncate(t, block, size(t, block))
				case -2:
					if err := os.Remove(block); err != nil {
						t.Fatal(err)
					}
				default:
					jetstreamtest.Truncate(t, block, tt.cut)
				}
				if !tt.index {
					n.RemoveIndex(sessions)
				}
			})
			if d.refused != tt.refused {
				t.Errorf("got refused %t, want %t", d.refused, tt.refused)
			}
			if len(d.session) == 0 || len(d.streams) == 0 {
				t.Errorf("the files: got %v, %v, want findings", d.session, d.streams)
			}
			log := d.log(t, d.anchors)
			if found := verified(t, log, "s1"); len(found) == 0 {
				t.Error("verify: got nothing, want a finding")
			}
			wantStreams(t, log, true)
			if _, err := log.Open(t.Context(), "s1"); !errors.Is(err, events.ErrCorrupt) {
				t.Errorf("open: got %v, want a corrupt log", err)
			}
			if _, err := log.Append(t.Context(), "s1", unit(t, "b", 5, "next")); !errors.Is(err, events.ErrCorrupt) {
				t.Errorf("append: got %v, want a corrupt log", err)
			}
		})
	}
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// Whoever may delete a message, where a stream allows it, leaves a hole.
func TestADeletedMessageIsFound(t *testing.T) {
	nc := jetstreamtest.Server(t).Connect()
	js := streams(t, nc)
	cfg := sessionStream(t)
	cfg.DenyDelete = false
	if _, err := js.CreateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	audit := natsjs.StreamConfig{Name: jetstream.AuditStream, Subjects: []string{"audit.>"}}
	if _, err := js.CreateStream(t.Context(), audit); err != nil {
		t.Fatal(err)
	}
	log := logOn(t, nc)
	create(t, log, "s1")
	fill(t, log, "s1", 0, 5)
	stream, err := js.Stream(t.Context(), sessions)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.DeleteMsg(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	wantFound(t, log, "s1", 2, preset)
	_, err = texts(t.Context(), logOn(t, nc), "s1", 0)
	wantCorrupt(t, err, "s1", 2)
	if err := stream.DeleteMsg(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	_, err = logOn(t, nc).Open(t.Context(), "s1")
	wantCorrupt(t, err, "s1", 0)
}

// flipText flips a bit of a text where it is stored first.
func flipText(t *testing.T, n *jetstreamtest.Node, text string) {
	t.Helper()
	for _, block := range n.Blocks(sessions) {
		content, err := os.ReadFile(block)
		if err != nil {
			t.Fatal(err)
		}
		if at := strings.Index(string(content), text); at >= 0 {
			jetstreamtest.FlipBit(t, block, at)
			return
		}
	}
	t.Fatalf("no block holds %q", text)
}
