package blocks

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/minio/highwayhash"
)

// Block is the file of one block, as far as its folder and name say.
type Block struct {
	Path   string // from the root of the store, with slashes
	Stream string
	Index  uint32
	// Last says that the stream has none behind it: it is the one that is written to.
	Last bool
}

// Stream is a stream's folder.
type Stream struct {
	Name   string
	Path   string // from the root of the store, with slashes
	Blocks []Block
	// Indexed says that the server has left an index of it that is whole, and that goes as
	// far as the last block does: then it opens no block before it needs it, and else all.
	Indexed bool
}

// Streams finds the streams of a store, the folder that a server calls jetstream, in
// the order of their paths. A store that is not there has none.
func Streams(root string) ([]Stream, error) {
	var out []Stream
	accounts, err := folders(root)
	for _, account := range accounts {
		names, problem := folders(filepath.Join(root, account, "streams"))
		err = errors.Join(err, problem)
		for _, name := range names {
			s := Stream{Name: name, Path: account + "/streams/" + name}
			s.Blocks, problem = s.find(root)
			err = errors.Join(err, problem)
			s.Indexed = s.indexed(root)
			out = append(out, s)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	return out, nil
}

// folders are the folders in one, none where it is not there.
func folders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (s Stream) find(root string) ([]Block, error) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(s.Path), "msgs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []Block
	for _, e := range entries {
		number, is := strings.CutSuffix(e.Name(), ".blk")
		index, notOne := strconv.ParseUint(number, 10, 32)
		if is && notOne == nil {
			out = append(out, Block{Path: s.Path + "/msgs/" + e.Name(), Stream: s.Name, Index: uint32(index)})
		}
	}
	slices.SortFunc(out, func(a, b Block) int { return cmp.Compare(a.Index, b.Index) })
	if len(out) > 0 {
		out[len(out)-1].Last = true
	}
	return out, err
}

// leastIndex is the shortest index that a server believes.
const leastIndex = 32

// indexed reports whether a stream's index is there, is what was written, and names the
// last block, and the last checksum in it, at its end.
func (s Stream) indexed(root string) bool {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s.Path), "msgs", "index.db"))
	if err != nil || len(text) < leastIndex || len(s.Blocks) == 0 {
		return false
	}
	key := sha256.Sum256([]byte(s.Name))
	h, err := highwayhash.NewDigest64(key[:])
	if err != nil {
		return false
	}
	body, sum := text[:len(text)-checksum], text[len(text)-checksum:]
	h.Write(body)
	last := s.Blocks[len(s.Blocks)-1]
	end, err := lastBytes(filepath.Join(root, filepath.FromSlash(last.Path)))
	return err == nil && bytes.Equal(h.Sum(nil), sum) &&
		bytes.HasSuffix(body, append(binary.AppendUvarint(nil, uint64(last.Index)), end...))
}

// lastBytes are the last checksum in a block.
func lastBytes(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() < checksum {
		return nil, errors.Join(err, errors.New("it is too short"))
	}
	end := make([]byte, checksum)
	_, err = file.ReadAt(end, info.Size()-checksum)
	return end, err
}

// Found is what a block was found to be.
type Found struct {
	Block
	State State
	// SHA256 is of all its bytes, hex.
	SHA256 string
	// First and Latest are the sequences of the first and of the last whole record; 0
	// for none.
	First, Latest uint64
	Damage        *Damage // nil for a whole block
}

// Sound says what is wrong with a record of a stream that its checksum does not show,
// since the lengths are not in it; "" for nothing.
type Sound func(stream string, r Record) string

// Check reads a block to its end, or to where it is damaged. The error says that it
// could not be read. sound may be nil.
func Check(ctx context.Context, root string, b Block, sound Sound) (Found, error) {
	f := Found{Block: b}
	text, state, err := Load(ctx, root, b)
	if err != nil {
		return f, err
	}
	sum := sha256.Sum256(text)
	f.State, f.SHA256 = state, hex.EncodeToString(sum[:])
	for r, err := range Read(text, b.Stream, b.Index) {
		if err == nil {
			err = f.follow(r, sound)
		}
		if damage, is := errors.AsType[*Damage](err); is {
			f.Damage = damage
			return f, nil
		}
		if err != nil {
			return f, fmt.Errorf("blocks: %s: %w", b.Path, err)
		}
	}
	return f, nil
}

// follow takes a record behind those before it. Sequences rise; those of records that
// are gone may be of any message before.
func (f *Found) follow(r Record, sound Sound) error {
	problem := ""
	switch {
	case r.Gone:
	case r.Sequence <= f.Latest && f.Latest != 0:
		problem = fmt.Sprintf("sequence %d stands behind %d", r.Sequence, f.Latest)
	case sound != nil:
		problem = sound(f.Stream, r)
	}
	if problem != "" {
		return &Damage{Offset: r.Offset, Problem: problem}
	}
	if f.First == 0 {
		f.First = r.Sequence
	}
	f.Latest = max(f.Latest, r.Sequence)
	return nil
}

// Load reads a block's bytes, and what the file is while they are read.
func Load(ctx context.Context, root string, b Block) ([]byte, State, error) {
	text, state, err := load(ctx, filepath.Join(root, filepath.FromSlash(b.Path)))
	if err != nil {
		return nil, state, fmt.Errorf("blocks: %s: %w", b.Path, err)
	}
	return text, state, nil
}

// StateOf is what the file of a block is now.
func StateOf(root string, b Block) (State, fs.FileMode, error) {
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(b.Path)))
	if err != nil {
		return State{}, 0, fmt.Errorf("blocks: %w", err)
	}
	return stateOf(info), info.Mode(), nil
}

func load(ctx context.Context, path string) ([]byte, State, error) {
	if err := ctx.Err(); err != nil {
		return nil, State{}, context.Cause(ctx)
	}
	// Before it is opened: opening a pipe waits for somebody who writes to it.
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil, State{}, cmp.Or(err, errors.New("it is no regular file"))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, State{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, State{}, err
	}
	text := bytes.NewBuffer(make([]byte, 0, min(info.Size(), MaxBlock)+bytes.MinRead))
	_, err = text.ReadFrom(io.LimitReader(file, MaxBlock+1))
	return text.Bytes(), stateOf(info), err
}
