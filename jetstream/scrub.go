package jetstream

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/docket-engine/docket/jetstream/blocks"
)

const (
	scrubEvery = time.Hour      // is how often a running server's blocks are looked through
	scrubAge   = 24 * time.Hour // is after which a block that was whole is read again
	// scrubSettled is how long a full block lies still before it is read and sealed: the
	// server may still have to force it onto the disk, which takes opening it to write.
	scrubSettled = 5 * time.Minute
	// scrubShare is how many times as long as a block took to read is waited before the
	// next one: a tenth of one processor, and of a disk.
	scrubShare = 9
	scrubLeast = 20 * time.Millisecond
)

// Scrub reads, until the context ends, the full blocks of the running server that were
// not read for a day, slowly, and tells of each that is damaged, once. What it
// reads is noted in the list of checked blocks.
func (s *Server) Scrub(ctx context.Context, found func(BlockDamage)) {
	told := map[string]bool{}
	for {
		s.scrub(ctx, time.Now(), func(d BlockDamage) {
			if !told[d.Block] {
				told[d.Block] = true
				found(d)
			}
		})
		if pause(ctx, scrubEvery) != nil {
			return
		}
	}
}

// scrub looks through all blocks once. What cannot be read is tried again the next time.
func (s *Server) scrub(ctx context.Context, now time.Time, found func(BlockDamage)) {
	root := s.StoreDir()
	streams, err := blocks.Streams(root)
	if err != nil {
		s.cfg.Log.WarnContext(ctx, "the blocks cannot be looked through", "error", err)
		return
	}
	known := loadManifest(s.cfg.Dir, s.cfg.Keys, s.cfg.Log)
	before := maps.Clone(known)
	there := map[string]bool{}
	for _, stream := range streams {
		for _, b := range stream.Blocks {
			there[b.Path] = true
			if ctx.Err() != nil || b.Last || !dueAt(root, b, known[b.Path], now, s.cfg.Fsync) {
				continue
			}
			began := time.Now()
			f, err := blocks.Check(ctx, root, b, soundRecord)
			if errors.Is(err, fs.ErrNotExist) {
				continue // its stream forgets
			}
			if err != nil {
				s.cfg.Log.WarnContext(ctx, "a block cannot be read", "block", b.Path, "error", err)
				continue
			}
			one := scrubbedOf(root, f, known[b.Path], now)
			if known[b.Path] = one.checkedBlock; one.damage != nil {
				found(*one.damage)
			}
			_ = pause(ctx, max(scrubLeast, scrubShare*time.Since(began)))
		}
	}
	maps.DeleteFunc(known, func(path string, b checkedBlock) bool { return !there[path] && !b.Sealed })
	if maps.Equal(before, known) || s.cfg.Keys.signer == nil {
		return
	}
	if err := saveManifest(s.cfg.Dir, s.cfg.Keys, slices.Collect(maps.Values(known))); err != nil {
		s.cfg.Log.WarnContext(ctx, "what was looked through is not noted down", "error", err)
	}
}

// dueAt reports whether a full block is to be read now.
func dueAt(root string, b blocks.Block, known checkedBlock, now time.Time, fsync Fsync) bool {
	state, _, err := blocks.StateOf(root, b)
	if err != nil || now.Sub(time.Unix(0, state.Changed)) < max(scrubSettled, 2*fsync.Interval()) {
		return false
	}
	return known.State != state || now.Sub(time.UnixMilli(known.Read)) >= scrubAge
}

// scrubbed is what is noted of a block, and what is wrong with it.
type scrubbed struct {
	checkedBlock
	damage *BlockDamage
}

// scrubbedOf seals a block that is whole.
func scrubbedOf(root string, f blocks.Found, known checkedBlock, now time.Time) scrubbed {
	if f.Damage == nil && known.SHA256 != "" && known.SHA256 != f.SHA256 && neverForgets(f.Stream) {
		f.Damage = &blocks.Damage{Problem: otherBlock}
	}
	if f.Damage != nil {
		d := damageOf(f)
		known.Path, known.Damage, known.Read = f.Path, d.String(), now.UnixMilli()
		return scrubbed{known, &d}
	}
	one := checkedBlock{Path: f.Path, State: f.State, SHA256: f.SHA256, Last: f.Latest, Read: now.UnixMilli(), Sealed: neverForgets(f.Stream)}
	if sealed, err := seal(root, one); err == nil {
		one = sealed
	}
	return scrubbed{one, nil}
}

// Checked is what the list of checked blocks beside a store says.
type Checked struct {
	Blocks, Sealed int
	// Oldest is when the block was read that was read the longest ago.
	Oldest time.Time
	// Damages are what was found when each block was read last.
	Damages []string
}

// CheckedBlocks reads the list of checked blocks of a state directory.
func CheckedBlocks(dir string, keys Keys) Checked {
	var c Checked
	for _, b := range loadManifest(dir, keys, slog.New(slog.DiscardHandler)) {
		c.Blocks++
		if at := time.UnixMilli(b.Read); c.Oldest.IsZero() || at.Before(c.Oldest) {
			c.Oldest = at
		}
		if b.Sealed {
			c.Sealed++
		}
		if b.Damage != "" {
			c.Damages = append(c.Damages, b.Damage)
		}
	}
	slices.SortFunc(c.Damages, strings.Compare)
	return c
}
