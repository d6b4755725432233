package jetstream

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream/blocks"
)

// BlockDamage is where a file of a stream's messages is not what was written.
type BlockDamage struct {
	Stream string
	Block  string // its path below the store, with slashes
	Byte   int64
	// Problem says what is wrong there.
	Problem string
}

// String names stream, the file of the block, byte and problem.
func (d BlockDamage) String() string {
	return fmt.Sprintf("stream %s: block %s is damaged at byte %d: %s", d.Stream, path.Base(d.Block), d.Byte, d.Problem)
}

// DamagedError says that a store was not opened, since a server would cut what is
// damaged off, and everything that stands behind it. Nothing was changed.
type DamagedError struct {
	Damages []BlockDamage // at least one
}

// Error names the first damage, and how many there are.
func (e *DamagedError) Error() string {
	text := "the store is damaged, and was not opened: " + e.Damages[0].String()
	if more := len(e.Damages) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// looking is one look at a store that no server has open.
type looking struct {
	dir, root string
	keys      Keys
	anchors   *Anchors
	log       *slog.Logger
	known     map[string]checkedBlock

	mu      sync.Mutex // guards what follows
	checked []checkedBlock
	changed bool
	unseal  []string
	last    map[string]uint64 // the last whole sequence of each stream
	torn    []torn
	damages []BlockDamage
}

// torn is a last block that ends in the middle of a record.
type torn struct {
	found blocks.Found
	at    BlockDamage
}

// look reads, before a server opens a store, what the server would: all of a stream
// that has no index which the server would believe, else the blocks that are not the
// files that they were when they were read last, and the one that is written to.
// Full blocks that are whole are sealed. Damaged ones are an error, a *[DamagedError],
// and then nothing is changed.
func (c *ServerConfig) look(ctx context.Context) error {
	l := looking{
		dir: c.Dir, root: filepath.Join(c.Dir, storeName), keys: c.Keys, anchors: c.Anchors, log: c.Log,
		known: loadManifest(c.Dir, c.Keys, c.Log), last: map[string]uint64{},
	}
	streams, err := blocks.Streams(l.root)
	if err != nil {
		return fmt.Errorf("jetstream: look at the store: %w", err)
	}
	if err := l.read(ctx, l.toRead(streams)); err != nil {
		return fmt.Errorf("jetstream: look at the store: %w", err)
	}
	l.judgeTorn()
	if len(l.damages) > 0 {
		slices.SortFunc(l.damages, func(a, b BlockDamage) int { return strings.Compare(a.Block, b.Block) })
		return &DamagedError{Damages: l.damages}
	}
	return l.settle()
}

// toRead are the blocks of which nothing is known. What is known of the others is kept.
func (l *looking) toRead(streams []blocks.Stream) []blocks.Block {
	var read []blocks.Block
	for _, s := range streams {
		for _, b := range s.Blocks {
			known, is := l.known[b.Path]
			state, mode, err := blocks.StateOf(l.root, b)
			if err == nil && s.Indexed && !b.Last && is && known.State == state && known.Damage == "" && mode.IsRegular() {
				l.checked = append(l.checked, known)
				l.last[s.Name] = max(l.last[s.Name], known.Last)
				continue
			}
			read = append(read, b)
		}
	}
	return read
}

// read reads blocks side by side, and stops at the first that cannot be read.
func (l *looking) read(ctx context.Context, all []blocks.Block) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan blocks.Block)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(all)) {
		workers.Go(func() {
			for b := range next {
				f, err := blocks.Check(ctx, l.root, b, soundRecord)
				if err != nil {
					cancel(err)
					return
				}
				l.found(f)
			}
		})
	}
	for _, b := range all {
		select {
		case next <- b:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}

// found takes over what a block was found to be.
func (l *looking) found(f blocks.Found) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known, is := l.known[f.Path]
	if f.Damage == nil && is && !f.Last && neverForgets(f.Stream) && known.SHA256 != f.SHA256 {
		f.Damage = &blocks.Damage{Problem: otherBlock}
	}
	l.last[f.Stream] = max(l.last[f.Stream], f.Latest)
	switch {
	case f.Damage == nil && f.Last:
	case f.Damage == nil:
		l.changed = true
		l.checked = append(l.checked, checkedBlock{
			Path: f.Path, State: f.State, SHA256: f.SHA256, Last: f.Latest, Read: time.Now().UnixMilli(), Sealed: neverForgets(f.Stream),
		})
		return
	case f.Last && f.Damage.Torn:
		l.torn = append(l.torn, torn{f, damageOf(f)})
	default:
		l.damages = append(l.damages, damageOf(f))
		return
	}
	l.unseal = append(l.unseal, f.Path)
}

func damageOf(f blocks.Found) BlockDamage {
	return BlockDamage{Stream: f.Stream, Block: f.Path, Byte: f.Damage.Offset, Problem: f.Damage.Problem}
}

// judgeTorn tells an end that a killed writer left, which a server may cut off since
// nobody was told that it is stored, from one that was.
func (l *looking) judgeTorn() {
	for _, t := range l.torn {
		name := t.found.Stream
		want := l.anchors.stream(name)
		for block, b := range l.known {
			if strings.Contains(block, "/streams/"+name+"/") {
				want = max(want, b.Last)
			}
		}
		if have := l.last[name]; have < want {
			t.at.Problem += fmt.Sprintf(", and the stream was at %d when it was anchored; what is whole ends at %d", want, have)
			l.damages = append(l.damages, t.at)
			continue
		}
		l.log.Info("the last record of a stream was not written to its end: the server cuts it off", "stream", name, "block", t.found.Path, "byte", t.at.Byte)
	}
}

// settle seals what is full and whole, and notes it down. That it cannot is no reason
// not to open the store, whose disk may be full.
func (l *looking) settle() error {
	for _, block := range l.unseal {
		if err := chmod(filepath.Join(l.root, filepath.FromSlash(block)), 0o600); err != nil {
			return fmt.Errorf("jetstream: make the last block writable: %w", err)
		}
	}
	for i, b := range l.checked {
		if sealed, err := seal(l.root, b); err != nil {
			l.log.Warn("a block was not sealed", "block", b.Path, "error", err)
		} else if sealed != b {
			l.checked[i], l.changed = sealed, true
		}
	}
	if l.changed && l.keys.signer != nil {
		if err := saveManifest(l.dir, l.keys, l.checked); err != nil {
			l.log.Warn("what was looked at is not noted down", "error", err)
		}
	}
	return nil
}

// seal takes the right to write to a block from everybody, unless it is of a stream
// that forgets. What the file is afterwards is noted, since that changes it.
func seal(root string, b checkedBlock) (checkedBlock, error) {
	name := filepath.Join(root, filepath.FromSlash(b.Path))
	info, err := os.Lstat(name)
	if err != nil || !b.Sealed || info.Mode().Perm()&0o222 == 0 {
		return b, err
	}
	if err := os.Chmod(name, 0o400); err != nil {
		return b, err
	}
	state, _, err := blocks.StateOf(root, blocks.Block{Path: b.Path})
	if err == nil && state.Size == b.Size && state.Inode == b.Inode {
		b.State = state
	}
	return b, err
}

// chmod gives a file that nobody may write to another mode.
func chmod(name string, mode fs.FileMode) error {
	info, err := os.Lstat(name)
	if err != nil || info.Mode().Perm()&0o200 != 0 {
		return err
	}
	return os.Chmod(name, mode)
}

// neverForgets reports whether a stream's messages stay: those of logs do.
func neverForgets(stream string) bool {
	return stream == ProjectsStream || stream == AuditStream || strings.HasPrefix(stream, sessionStreams)
}

// sessionStreams is what the names of the sessions' streams begin with.
const sessionStreams = "SESSIONS_"

// soundRecord says what is wrong with a record of our streams that its checksum does
// not show: it is not over the length of the subject. Ours have no braces, and a
// message without headers, as there are in AUDIT alone, begins with one.
func soundRecord(stream string, r blocks.Record) string {
	if !neverForgets(stream) && stream != SnapshotsStream {
		return ""
	}
	for token := range strings.SplitSeq(r.Subject, ".") {
		if events.SessionID(token).Check() != nil {
			return fmt.Sprintf("a record has the subject %.80q", r.Subject)
		}
	}
	if stream == AuditStream && r.Headers == nil && !bytes.HasPrefix(r.Data, []byte("{")) {
		return "a record without headers is no object"
	}
	return ""
}
