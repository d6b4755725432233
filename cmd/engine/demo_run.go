package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/docket-engine/docket/fixtures/demo"
)

// errDemo says that a demo came out otherwise than it should.
var errDemo = errors.New("the demo came out otherwise than it should")

// playDemo plays, and ends when all that has happened is shown.
func (a *app) playDemo(ctx context.Context, s *store, g *gated, r demo.Recording, begin demoBegin, opts demoOptions) error {
	ctx, stop := context.WithCancelCause(ctx)
	folder := &folderWatch{path: begin.Project}
	if _, err := folder.changes(); err != nil {
		stop(nil)
		return err
	}
	w := newDemoWatch(s.log, folder, a.demoShow(begin, opts), stop)
	err := a.playAndConclude(ctx, s, newDemoPlay(ctx, g, w, r, begin.agent), begin)
	if why := context.Cause(ctx); why != nil && !errors.Is(why, context.Canceled) {
		err = why // what went wrong first
	}
	stop(nil)
	w.following.Wait()
	return err
}

func (a *app) playAndConclude(ctx context.Context, s *store, play *demoPlay, begin demoBegin) error {
	header, err := newDemoHeader(play.recording.Session, begin.Project)
	if err != nil {
		return err
	}
	if err := play.watch.tell(ctx, moment{Moment: momentBegin, Begin: &begin}); err != nil {
		return err
	}
	if err := play.play(ctx, header); err != nil {
		return err
	}
	whole, err := verifyDemo(ctx, s, play)
	if err != nil {
		return err
	}
	summary, err := summarise(ctx, s.log, play.sessions)
	if err != nil {
		return err
	}
	summary.Differences = differences(play.recording, play.watch.all())
	if err := play.watch.tell(ctx, moment{Moment: momentSummary, Summary: &summary}); err != nil {
		return err
	}
	if !whole || begin.Builtin && len(summary.Differences) > 0 {
		return errDemo
	}
	return nil
}

// verifyDemo checks the logs as `engine verify --all` does.
func verifyDemo(ctx context.Context, s *store, play *demoPlay) (whole bool, err error) {
	checks := []func() (verified, error){func() (verified, error) { return verifyStore(ctx, s) }}
	for _, id := range play.sessions {
		checks = append(checks, func() (verified, error) { return verifySession(ctx, s, id, nil) })
	}
	whole = true
	for i, check := range checks {
		v, err := check()
		if err != nil {
			return false, err
		}
		whole = whole && v.OK
		m := moment{Moment: momentVerified, Text: "the store is whole"}
		if i > 0 {
			m.Session, m.Child = play.sessions[i-1], i > 1
			m.Text = fmt.Sprintf("session %s: %d events, whole, signed and chained", m.Session, v.Checked)
		}
		if !v.OK {
			m.Text, m.Error = fmt.Sprintf("session %s is not what was appended: %+v", m.Session, v.Findings), true
		}
		if err := play.watch.tell(ctx, m); err != nil {
			return false, err
		}
	}
	return whole, nil
}

// demoShow is how moments reach whoever looks.
func (a *app) demoShow(begin demoBegin, opts demoOptions) func(context.Context, moment) error {
	if a.json {
		return func(_ context.Context, m moment) error { return a.printJSON(m) }
	}
	onTerminal := terminal(a.stdout)
	t := &demoText{
		printer: printer{w: a.stdout}, folder: begin.Project, instant: begin.Builtin,
		coloured: onTerminal && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb",
	}
	return func(ctx context.Context, m moment) error {
		if err := t.show(m); err != nil || !onTerminal || opts.fast {
			return err
		}
		return wait(ctx, m.pause())
	}
}
