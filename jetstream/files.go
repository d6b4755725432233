package jetstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream/blocks"
)

// Files are the messages of a store as its files hold them, read without a server and
// without writing: of a store that is damaged, on a disk that is full or may not be
// written to, and beside a server that runs. What is whole behind a damage is read,
// too. What a running server adds afterwards is not seen.
//
// They are not safe for concurrent use.
type Files struct {
	root    string
	streams map[string]*fileStream
	damages []blockGap
	open    map[string]*os.File
}

// fileStream is what the files of one stream hold.
type fileStream struct {
	messages  []filed // in the order of their sequences
	bySubject map[string][]int
	last      uint64 // the last sequence that was given out
}

// filed is where a message is.
type filed struct {
	seq     uint64
	subject string
	block   blocks.Block
	from    int64
	end     int64
}

// blockGap is a damage with the bytes up to the next whole record.
type blockGap struct {
	BlockDamage
	bytes []byte
}

const (
	openFiles = 64 // at most as many blocks are open at a time
	rereads   = 3  // of a block that a running server writes to
	rereadGap = 20 * time.Millisecond
)

// FilesConfig says which files are read.
type FilesConfig struct {
	Dir string // the state directory; required
	// Account is the one whose streams are read. Where there is none of that name, or
	// none is given, it is the only one there is.
	Account string
	Keys    Keys // that the list of checked blocks is signed with
	Log     *slog.Logger
}

// OpenFiles reads the blocks of a store. Audit is read before the sessions: what is
// said about a log is not behind the log. Close them.
func OpenFiles(ctx context.Context, cfg FilesConfig) (*Files, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	f := &Files{root: filepath.Join(cfg.Dir, storeName), streams: map[string]*fileStream{}, open: map[string]*os.File{}}
	known := loadManifest(cfg.Dir, cfg.Keys, cfg.Log)
	all, err := blocks.Streams(f.root)
	if err == nil {
		all, err = ofAccount(all, cfg.Account)
	}
	slices.SortStableFunc(all, func(a, b blocks.Stream) int { return cmp.Compare(readOrder(a.Name), readOrder(b.Name)) })
	for _, s := range all {
		for _, b := range s.Blocks {
			if err == nil {
				err = f.index(ctx, b, known[b.Path])
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("jetstream: read the store's files: %w", errors.Join(err, f.Close()))
	}
	return f, nil
}

// ofAccount are the streams of one account.
func ofAccount(all []blocks.Stream, account string) ([]blocks.Stream, error) {
	of := map[string][]blocks.Stream{}
	var names []string
	for _, s := range all {
		name, _, _ := strings.Cut(s.Path, "/")
		if of[name] = append(of[name], s); neverForgets(s.Name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch {
	case of[account] != nil:
		return of[account], nil
	case len(names) == 1:
		return of[names[0]], nil
	case len(names) == 0:
		return nil, nil
	default:
		return nil, fmt.Errorf("%d accounts have streams of sessions (%s), and none is the one whose keys are here", len(names), strings.Join(names, ", "))
	}
}

func readOrder(stream string) int {
	if stream == AuditStream {
		return 0
	}
	return 1
}

// index notes what a block holds, and where it is damaged. The end of the block that is
// written to may be what a server is about to write.
func (f *Files) index(ctx context.Context, b blocks.Block, known checkedBlock) error {
	var one *fileBlock
	for attempt := 1; ; attempt++ {
		text, _, err := blocks.Load(ctx, f.root, b)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // of a stream that forgets: it was there a moment ago
		}
		if err != nil {
			return err
		}
		one = readBlock(b, text)
		if len(one.gaps) == 0 || !b.Last || attempt == rereads || pause(ctx, rereadGap) != nil {
			break
		}
	}
	if len(one.gaps) == 0 && known.SHA256 != "" && known.SHA256 != one.sha256 && neverForgets(b.Stream) {
		f.damages = append(f.damages, blockGap{BlockDamage: BlockDamage{Stream: b.Stream, Block: b.Path, Problem: otherBlock}})
	}
	f.damages = append(f.damages, one.gaps...)
	s := f.streams[b.Stream]
	if s == nil {
		s = &fileStream{bySubject: map[string][]int{}}
		f.streams[b.Stream] = s
	}
	for _, m := range one.messages {
		if m.seq > s.last { // else it was read already: behind a damage anything may stand
			s.last = m.seq
			s.bySubject[m.subject] = append(s.bySubject[m.subject], len(s.messages))
			s.messages = append(s.messages, m)
		}
	}
	s.last = max(s.last, one.last)
	return context.Cause(ctx)
}

// Close closes the files.
func (f *Files) Close() error {
	var errs []error
	for path, file := range f.open {
		errs = append(errs, file.Close())
		delete(f.open, path)
	}
	return errors.Join(errs...)
}

// Damages are the places where the blocks are not what was written.
func (f *Files) Damages() []BlockDamage {
	out := make([]BlockDamage, len(f.damages))
	for i, d := range f.damages {
		out[i] = d.BlockDamage
	}
	return out
}

// names reports the first damage of a stream whose bytes name a subject: a message of
// it may have been there.
func (f *Files) names(stream, subject string) (BlockDamage, bool) {
	for _, d := range f.damages {
		if d.Stream == stream && holdsSubject(d.bytes, subject) {
			return d.BlockDamage, true
		}
	}
	return BlockDamage{}, false
}

// state is what the server would say of a stream.
func (s *fileStream) state() (have, first, last uint64) {
	if s == nil {
		return 0, 0, 0
	}
	if len(s.messages) == 0 {
		return 0, s.last + 1, s.last
	}
	return uint64(len(s.messages)), s.messages[0].seq, s.last
}

// firstAfter is the first message of a subject with a sequence above after.
func (f *Files) firstAfter(a address, after uint64) (stored, error) {
	s := f.streams[a.stream]
	if s == nil {
		return stored{}, errNoMessage
	}
	of := s.bySubject[a.subject]
	i, _ := slices.BinarySearchFunc(of, after+1, func(i int, seq uint64) int { return cmp.Compare(s.messages[i].seq, seq) })
	if i == len(of) {
		return stored{}, errNoMessage
	}
	return f.message(s.messages[of[i]])
}

// last is the last message of a subject.
func (f *Files) last(a address) (stored, error) {
	s := f.streams[a.stream]
	if s == nil || len(s.bySubject[a.subject]) == 0 {
		return stored{}, errNoMessage
	}
	of := s.bySubject[a.subject]
	return f.message(s.messages[of[len(of)-1]])
}

// between yields the messages of a subject behind a sequence and up to another.
func (f *Files) between(ctx context.Context, a address, after, upTo uint64) iter.Seq2[stored, error] {
	return func(yield func(stored, error) bool) {
		for after < upTo {
			m, err := f.firstAfter(a, after)
			if errors.Is(err, errNoMessage) || err == nil && m.stream > upTo {
				return
			}
			if err == nil {
				err = context.Cause(ctx)
			}
			if !yield(m, err) || err != nil {
				return
			}
			after = m.stream
		}
	}
}

// message reads one message again, and checks it again.
func (f *Files) message(m filed) (stored, error) {
	text := make([]byte, m.end-m.from)
	file, err := f.file(m.block.Path)
	if err == nil {
		_, err = file.ReadAt(text, m.from)
	}
	if err != nil {
		return stored{}, fmt.Errorf("read message %d of %s: %w", m.seq, m.block.Stream, err)
	}
	for r, err := range blocks.Read(text, m.block.Stream, m.block.Index) {
		if err != nil {
			return stored{}, fmt.Errorf("message %d of %s is not what it was a moment ago: %w", m.seq, m.block.Stream, err)
		}
		header, err := decodeHeader(r.Headers)
		return stored{subject: r.Subject, stream: r.Sequence, header: header, data: r.Data}, err
	}
	return stored{}, errNoMessage
}

func (f *Files) file(path string) (*os.File, error) {
	if file := f.open[path]; file != nil {
		return file, nil
	}
	if len(f.open) >= openFiles {
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	file, err := os.Open(filepath.Join(f.root, filepath.FromSlash(path)))
	if err == nil {
		f.open[path] = file
	}
	return file, err
}

// ids yields what stands behind a prefix in the subjects of a stream.
func (f *Files) ids(p place, yield func(events.SessionID, error) bool) bool {
	s := f.streams[p.stream]
	if s == nil {
		return true
	}
	for subject := range s.bySubject {
		if id, ok := strings.CutPrefix(subject, p.prefix); ok && !yield(events.SessionID(id), nil) {
			return false
		}
	}
	return true
}
