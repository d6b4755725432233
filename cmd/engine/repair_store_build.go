package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/atomicfile"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/lineage"
)

// stageCopy is when whole messages go into the new store.
const stageCopy engine.Stage = "copy"

// build makes the new store in a folder of its own.
func (r *repairing) build(ctx context.Context, staging string) (err error) {
	authority, err := bus.OpenAuthority(filepath.Join(r.app.dir, busDir))
	if err != nil {
		return err
	}
	trust, err := authority.Trust()
	if err != nil {
		return err
	}
	server, err := jetstream.StartServer(ctx, jetstream.ServerConfig{
		Dir: staging, Fsync: jetstream.Fsync(time.Second), Trust: trust, Log: r.app.loggerFrom(slog.LevelError),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }() // which syncs
	s := r.app.newStore(false)
	s.keys, s.server = r.store.keys, server
	if s.nc, err = server.Connect(ctx); err != nil {
		return err
	}
	defer s.nc.Close()
	if err := s.provision(ctx, 1); err != nil {
		return err
	}
	if err := s.newLog(); err != nil {
		return err
	}
	err = r.fill(ctx, s, staging)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err = errors.Join(err, s.log.Close(closing)); err != nil { // which stores the seals
		return err
	}
	return jetstream.AnchorRepaired(ctx, filepath.Join(staging, anchorsFile), s.log, r.store.anchors, r.made.Repaired)
}

// fill moves what is whole, and cuts what is not.
func (r *repairing) fill(ctx context.Context, s *store, staging string) error {
	observer, end := r.app.progress("repair", countEvents)
	defer end()
	tell := func(done, total int64) {
		if observer != nil {
			observer(engine.Progress{Stage: stageCopy, Done: done, Total: total})
		}
	}
	if err := r.store.files.CopyTo(ctx, s.nc, func(subject string) bool { return r.leftOut[subject] }, tell); err != nil {
		return err
	}
	for id, head := range r.heads {
		o, err := s.log.Open(ctx, id)
		if err == nil && o.Head != head {
			err = fmt.Errorf("session %s has become another one: it ends at %d with chain %s, not at %d with %s", id, o.Head.Next, o.Head.Chain, head.Next, head.Chain)
		}
		if err != nil {
			return err
		}
		r.made.Moved++
	}
	for _, c := range r.made.Cut {
		if err := r.cut(ctx, s, c, filepath.Join(staging, "cut.jsonl"), observer); err != nil {
			return err
		}
	}
	return nil
}

// cut stores the beginning of a session as a fork that was imported: nobody has looked
// whether it can be gone on with, so that somebody has to adopt it.
func (r *repairing) cut(ctx context.Context, s *store, c jetstream.CutSession, path string, observer engine.Observer) error {
	if err := r.writeCut(ctx, c, path); err != nil {
		return err
	}
	_, err := engine.Import(ctx, s.log, engine.ImportRequest{
		File:  engine.File{Name: string(c.As), Open: func() (io.ReadCloser, error) { return os.Open(path) }},
		Actor: actor(), Observer: observer,
	})
	return errors.Join(err, removeFile(path))
}

// writeCut writes the file of what is left: a fork's header, the good events, and what
// ends a fork's copy.
func (r *repairing) writeCut(ctx context.Context, c jetstream.CutSession, path string) error {
	good, err := r.store.log.GoodOf(ctx, c.Session)
	if err != nil {
		return err
	}
	header, err := lineage.ForkHeader(good.Header, c.As, good.Header.CreatedAt)
	if err != nil {
		return err
	}
	line, err := withCut(header.Line, c)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(to io.Writer) error {
		w := bufio.NewWriter(to)
		_, _ = w.Write(line) // an error stays until Flush
		plan := lineage.NewFork(c.Session, c.Next)
		var copied []events.Record
		for record, err := range r.store.log.GoodRecords(ctx, c.Session) {
			if err == nil {
				copied, err = plan.Copy(copied[:0], record)
			}
			if err != nil {
				return err
			}
			writeLines(w, copied)
		}
		own, _, err := plan.Own(header.CreatedAt)
		if err != nil {
			return err
		}
		writeLines(w, own)
		return w.Flush()
	})
}

func writeLines(w *bufio.Writer, records []events.Record) {
	for _, r := range records {
		_ = w.WriteByte('\n')
		_, _ = w.Write(r.Line)
	}
}

// withCut adds to a header line what the log was cut from.
func withCut(line []byte, c jetstream.CutSession) ([]byte, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	out := append([]byte(nil), line[:len(line)-1]...)
	out = append(append(append(out, `,"cutFrom":`...), text...), '}')
	_, err = events.ParseHeader(out)
	return out, err
}

func writeMarker(dir string, r storeRepair) error {
	text, err := json.Marshal(r)
	if err == nil {
		err = atomicfile.Replace(filepath.Join(dir, repairMarker), text)
	}
	return err
}

// readMarker gives a repair whose new store is complete, and has to be put in place.
func readMarker(dir string) (r storeRepair, found bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, repairMarker))
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err == nil && (r.Aside == "" || filepath.Base(r.Aside) != r.Aside) {
		err = fmt.Errorf("%s names no folder", repairMarker)
	}
	return r, true, err
}

// putInPlace puts what was there aside, and the new store in its place. Each step is
// done, or is done by the next run: the marker goes last.
func putInPlace(dir, aside string) error {
	old, made := filepath.Join(dir, aside), filepath.Join(dir, repairStaging)
	if err := os.MkdirAll(old, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"jetstream", anchorsFile} {
		if !exists(filepath.Join(made, name)) {
			continue // it is in its place
		}
		if err := putAside(dir, old, name); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(made, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if err := putAside(dir, old, jetstream.ManifestName); err != nil {
		return err
	}
	err := errors.Join(atomicfile.Sync(old), atomicfile.Sync(dir), os.RemoveAll(made))
	if err == nil {
		err = removeFile(filepath.Join(dir, repairMarker))
	}
	return err
}

// putAside moves a file or folder that is there, unless it was moved before.
func putAside(dir, aside, name string) error {
	if exists(filepath.Join(aside, name)) || !exists(filepath.Join(dir, name)) {
		return nil
	}
	return os.Rename(filepath.Join(dir, name), filepath.Join(aside, name))
}
