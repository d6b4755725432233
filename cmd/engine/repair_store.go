package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

func (a *app) repairGroup() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Mend what is damaged",
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "store",
		Short: "Put a damaged store aside, and make a new one of what is whole",
		Long: `Repair store reads the files of a damaged store and makes a new one of what is whole in
them. What was there is put into a folder beside, which is named and dated; nothing is
deleted.

A session that 'engine verify' finds whole is moved byte for byte, with its signatures.
One that is not becomes a new session, named after it, of the events before the first
that is wrong: it says in its header what it was cut from, and can be read, and not be
gone on with before 'engine session adopt'. Logs of projects that are not whole are
not moved: what is granted there is asked again. Records of audit are moved as far as
they can be read; snapshots are made again.

That it was done, and of what, is signed in anchors.jsonl, which begins anew. Cut short,
it is finished by the same command. It needs as much room as the store has.

Exit code 0: nothing had to be repaired, or all that could be was. 1: it could not be done.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.repairStore(cmd.Context()) },
	})
	return cmd
}

// storeRepair is what a repair did, and what is left for it to do.
type storeRepair struct {
	// Needed says that something was wrong. Then the folder has what was there.
	Needed bool `json:"needed"`
	jetstream.Repaired
	// Projects are those of which nothing was moved.
	Projects []events.SessionID `json:"projects,omitempty"`
}

// repairing is one run of a repair.
type repairing struct {
	app     *app
	store   *store
	project *jetstream.Log
	made    storeRepair
	leftOut map[string]bool // subjects
	heads   map[events.SessionID]events.Head
}

const (
	repairMarker  = "repair.json" // is there while what is new takes the place of what was there
	repairStaging = "repair.new"
)

// errUnfinished says that a repair has put the store aside, and nothing in its place.
var errUnfinished = errors.New("a repair of the store was cut short: 'engine repair store' finishes it")

func (a *app) repairStore(ctx context.Context) (err error) {
	if a.nats != "" {
		return usagef("repair store: it is for the files of an embedded server, not for the server at --nats")
	}
	if err := a.findDir(readOnly); err != nil && !errors.Is(err, errUnfinished) {
		return err
	}
	lock, held, err := tryLock(a.dir, "repair store")
	if err != nil {
		return err
	}
	if lock == nil {
		return inUseError{dir: a.dir, by: held}
	}
	release, err := jetstream.LockStore(a.dir)
	if err != nil {
		return errors.Join(err, lock.release())
	}
	defer func() { err = errors.Join(err, release(), lock.release()) }()
	made, found, err := readMarker(a.dir)
	if err == nil && !found {
		made, err = a.makeAnew(ctx)
	}
	if err == nil && made.Needed {
		err = putInPlace(a.dir, made.Aside)
	}
	if err != nil {
		return fmt.Errorf("repair the store: %w", err)
	}
	return a.print(made, func(p *printer) { p.repairedStore(a.dir, made) })
}

// makeAnew makes the new store, and the marker that it is complete. Nothing of the old
// one is touched.
func (a *app) makeAnew(ctx context.Context) (storeRepair, error) {
	r := repairing{app: a, leftOut: map[string]bool{}, heads: map[events.SessionID]events.Head{}}
	var err error
	if r.store, err = a.openFiles(ctx); err != nil {
		return storeRepair{}, err
	}
	defer func() { _ = r.store.close() }()
	if !exists(filepath.Join(a.dir, keysDir, keyFile)) {
		return storeRepair{}, fmt.Errorf("%s holds no %s: what is made anew could not be signed", filepath.Join(a.dir, keysDir), keyFile)
	}
	if err := r.survey(ctx); err != nil || !r.made.Needed {
		return r.made, err
	}
	staging := filepath.Join(a.dir, repairStaging)
	if err := os.RemoveAll(staging); err != nil { // of a run that was cut short
		return storeRepair{}, err
	}
	r.made.Aside = "damaged-" + time.Now().UTC().Format("20060102-150405Z")
	if err := r.build(ctx, staging); err != nil {
		return storeRepair{}, errors.Join(err, os.RemoveAll(staging))
	}
	return r.made, writeMarker(a.dir, r.made)
}

// survey finds what is whole.
func (r *repairing) survey(ctx context.Context) (err error) {
	findings, err := r.store.log.VerifyStreams(ctx)
	if err != nil {
		return err
	}
	r.made.Needed = len(findings) > 0
	for _, d := range r.store.files.Damages() {
		r.made.Damages = append(r.made.Damages, d.String())
	}
	ids, err := sortedSessions(ctx, r.store.log)
	if err != nil {
		return err
	}
	for _, id := range r.store.anchors.AnchoredSessions() {
		if !slices.Contains(ids, id) {
			r.made.Lost = append(r.made.Lost, id)
		}
	}
	for _, id := range ids {
		if err := r.look(ctx, id, ids); err != nil {
			return err
		}
	}
	slices.Sort(r.made.Lost)
	return r.projects(ctx)
}

// look decides about one session.
func (r *repairing) look(ctx context.Context, id events.SessionID, all []events.SessionID) error {
	v, err := r.app.verifySession(ctx, r.store, id)
	if err != nil {
		return err
	}
	if v.FirstBad == nil {
		o, err := r.store.log.Open(ctx, id)
		r.heads[id] = o.Head
		return err
	}
	good, err := r.store.log.GoodOf(ctx, id)
	if err != nil {
		return err
	}
	subject, err := r.store.log.SubjectOf(id)
	if err != nil {
		return err
	}
	r.made.Needed, r.leftOut[subject] = true, true
	if good.Frames == 0 {
		r.made.Lost = append(r.made.Lost, id)
		return nil
	}
	r.made.Cut = append(r.made.Cut, jetstream.CutSession{
		Session: id, As: r.cutID(id, all), Next: good.Next, Was: r.store.log.Anchored(ctx, id), Problem: v.FirstBad.Problem,
	})
	return nil
}

// cutID names what is left of a session.
func (r *repairing) cutID(id events.SessionID, all []events.SessionID) events.SessionID {
	for n := 1; ; n++ {
		end := "-cut"
		if n > 1 {
			end += fmt.Sprint(n)
		}
		as := id[:min(len(id), 128-len(end))] + events.SessionID(end)
		taken := slices.Contains(all, as) || slices.ContainsFunc(r.made.Cut, func(c jetstream.CutSession) bool { return c.As == as })
		if !taken {
			return as
		}
	}
}

// projects finds the logs of projects that are not whole. A beginning of one is not
// moved: what was taken back behind it would be granted again.
func (r *repairing) projects(ctx context.Context) (err error) {
	r.project, err = jetstream.NewLog(jetstream.LogConfig{Files: r.store.files, Keys: r.store.keys, Projects: true, Logger: r.store.logger})
	if err != nil {
		return err
	}
	ids, err := sortedSessions(ctx, r.project)
	if err != nil {
		return err
	}
	for _, id := range ids {
		report, err := engine.Verify(ctx, r.project, r.project, id, nil)
		if err != nil {
			return err
		}
		if _, bad := report.FirstBad(); !bad {
			continue
		}
		subject, err := r.project.SubjectOf(id)
		if err != nil {
			return err
		}
		r.made.Needed, r.leftOut[subject] = true, true
		r.made.Projects = append(r.made.Projects, id)
	}
	return nil
}

func (p *printer) repairedStore(dir string, r storeRepair) {
	if !r.Needed {
		p.line("Nothing has to be repaired.")
		return
	}
	p.line("Made a new store of what is whole. What was there is in %s.", filepath.Join(dir, r.Aside))
	p.line("%d sessions are what they were.", r.Moved)
	for _, c := range r.Cut {
		was := ""
		if c.Was > c.Next {
			was = fmt.Sprintf(" of %d", c.Was)
		}
		p.line("session %s: cut: its first %d%s events are session %s, which can be read until 'engine session adopt': %s", c.Session, c.Next, was, c.As, plain(c.Problem, 400))
	}
	for _, id := range r.Lost {
		p.line("session %s: lost: nothing of it can be read", id)
	}
	for _, id := range r.Projects {
		p.line("project %s: lost: what was granted in it is asked again", id)
	}
	for _, d := range r.Damages {
		p.line("  %s", plain(d, 400))
	}
}
