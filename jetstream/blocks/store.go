package blocks

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
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
	// Indexed says that the server has left an index of it that is whole: then it opens
	// no block before it needs it.
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
			s.Indexed = indexed(filepath.Join(root, filepath.FromSlash(s.Path), "msgs", "index.db"), name)
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

// indexed reports whether a stream's index is there, and is what was written.
func indexed(path, stream string) bool {
	text, err := os.ReadFile(path)
	if err != nil || len(text) < leastIndex {
		return false
	}
	key := sha256.Sum256([]byte(stream))
	h, err := highwayhash.NewDigest64(key[:])
	if err != nil {
		return false
	}
	body, sum := text[:len(text)-checksum], text[len(text)-checksum:]
	h.Write(body)
	return bytes.Equal(h.Sum(nil), sum)
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

// Check reads a block to its end, or to where it is damaged. The error says that it
// could not be read.
func Check(ctx context.Context, root string, b Block) (Found, error) {
	f := Found{Block: b}
	text, state, err := load(ctx, filepath.Join(root, filepath.FromSlash(b.Path)))
	if err != nil {
		return f, fmt.Errorf("blocks: %s: %w", b.Path, err)
	}
	sum := sha256.Sum256(text)
	f.State, f.SHA256 = state, hex.EncodeToString(sum[:])
	for r, err := range Read(text, b.Stream, b.Index) {
		if damage, is := errors.AsType[*Damage](err); is {
			f.Damage = damage
			break
		}
		if r.Sequence <= f.Latest && !r.Gone && f.Latest != 0 {
			f.Damage = &Damage{Offset: r.Offset, Problem: fmt.Sprintf("sequence %d stands behind %d", r.Sequence, f.Latest)}
			break
		}
		if f.First == 0 {
			f.First = r.Sequence
		}
		f.Latest = max(f.Latest, r.Sequence)
	}
	return f, nil
}

// load reads a block's bytes, and what the file is while they are read.
func load(ctx context.Context, path string) ([]byte, State, error) {
	if err := ctx.Err(); err != nil {
		return nil, State{}, context.Cause(ctx)
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
	if !info.Mode().IsRegular() {
		return nil, State{}, errors.New("it is no regular file")
	}
	text, err := io.ReadAll(io.LimitReader(file, MaxBlock+1))
	return text, stateOf(info), err
}
