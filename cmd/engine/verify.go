package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// verified is what a verification found.
type verified struct {
	ID       events.SessionID `json:"id,omitempty"` // empty for the store as a whole
	OK       bool             `json:"ok"`
	Events   events.Seq       `json:"events"`
	Checked  events.Seq       `json:"checked"`
	FirstBad *finding         `json:"firstBad,omitempty"`
	Findings []finding        `json:"findings"`
	// Error says why the check could not be made.
	Error *errorReply `json:"error,omitempty"`
}

type finding struct {
	Kind    events.FindingKind `json:"kind"` // corrupt, incomplete, unproven
	Seq     events.Seq         `json:"seq"`
	Type    events.Type        `json:"type,omitempty"`
	Problem string             `json:"problem"`
}

// shownFindings is how many a person is shown of one session: the first fault is
// what counts, and it often brings others about.
const shownFindings = 10

func (a *app) verifyCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "verify (SESSION | --all)",
		Short: "Check that sessions are what was appended",
		Long: `Verify reads whole sessions and checks that they are gapless, decodable and valid,
that every frame was written and signed by the engine for its place, that the
chain of hashes is intact, that forks begin with what their parent has, and that
logs reach as far as their anchors and seals. It names the first event that is
wrong, and says what it cannot prove.

It reads the files of the store itself, without a server, and writes nothing: it works
on a damaged store, on a full or a read-only disk, and beside a running 'engine
serve'. Where a file is damaged, it names the place, and what is whole behind it is
checked as well. With --nats it asks that server.

What is in the state directory can be rolled back together with its anchors, and nothing
in it would show that. An anchor that was kept elsewhere shows it: --anchor.

With --json, the store and each session are one JSON object a line.

Exit code 0: all is well (something may be unproven). 1: something is wrong.`,
		RunE: func(cmd *cobra.Command, argv []string) error {
			if all != (len(argv) == 0) || len(argv) > 1 {
				return usagef("verify: name one session, or --all")
			}
			var id events.SessionID
			if !all {
				var err error
				if id, err = sessionID(argv[0]); err != nil {
					return err
				}
			}
			return a.withFiles(cmd.Context(), "verify", func(ctx context.Context, s *store) error {
				return a.verify(ctx, s, id)
			})
		},
	}
	cmd.Flags().StringVar(&a.outside, "anchor", "", "a `FILE` that 'engine anchor' wrote, kept where this directory's owner cannot change it")
	cmd.Flags().BoolVar(&all, "all", false, "verify every session, and the streams as wholes")
	return cmd
}

// verify checks one session, or all of them for no id.
func (a *app) verify(ctx context.Context, s *store, id events.SessionID) error {
	if id != "" {
		v, err := a.verifySession(ctx, s, id)
		if err != nil {
			return err
		}
		return a.verdict(v)
	}
	v, err := verifyStore(ctx, s)
	if err != nil {
		return err
	}
	ids, err := sortedSessions(ctx, s.log)
	if err != nil {
		return err
	}
	failed := a.verdict(v)
	for _, id := range ids {
		if !toldAlready(failed) {
			return failed
		}
		v, err := a.verifySession(ctx, s, id)
		if s.gone(ctx, err) {
			return err
		}
		if err != nil {
			v = verified{ID: id, Findings: []finding{}, Error: new(newErrorReply(err))}
		}
		failed = cmp.Or(a.verdict(v), failed)
	}
	return failed
}

func sortedSessions(ctx context.Context, log events.Log) ([]events.SessionID, error) {
	var ids []events.SessionID
	for id, err := range log.Sessions(ctx) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, nil
}

func verifyStore(ctx context.Context, s *store) (verified, error) {
	findings, err := s.log.VerifyStreams(ctx)
	return newVerified(engine.Report{Findings: findings}), err
}

func (a *app) verifySession(ctx context.Context, s *store, id events.SessionID) (verified, error) {
	observer, end := a.progress("verify "+string(id), countEvents)
	defer end()
	return verifySession(ctx, s, id, observer)
}

func verifySession(ctx context.Context, s *store, id events.SessionID, observer engine.Observer) (verified, error) {
	report, err := engine.Verify(ctx, s.log, s.log, id, observer)
	return newVerified(report), err
}

func newVerified(r engine.Report) verified {
	v := verified{ID: r.Session, OK: r.OK(), Events: r.Events, Checked: r.Checked, Findings: []finding{}}
	for _, f := range r.Findings {
		if f := finding(f); !slices.Contains(v.Findings, f) { // two checks may have met it
			v.Findings = append(v.Findings, f)
		}
	}
	if first, found := r.FirstBad(); found {
		v.FirstBad = new(finding(first))
	}
	return v
}

// verdict prints a report; one that is not well fails the command without
// another word.
func (a *app) verdict(v verified) error {
	if err := a.print(v, func(p *printer) { p.verified(v) }); err != nil {
		return err
	}
	if !v.OK {
		return silentError{errors.New("something is wrong")}
	}
	return nil
}

func (v verified) state() string {
	switch {
	case v.Error != nil:
		return "NOT CHECKED: " + printable(v.Error.Error)
	case v.ID == "" && v.OK:
		return "whole"
	case v.ID == "":
		return "NOT WHOLE"
	case v.FirstBad != nil:
		return fmt.Sprintf("CORRUPT at seq %d", v.FirstBad.Seq)
	case !v.OK:
		return "INCOMPLETE"
	default:
		return fmt.Sprintf("ok, %d events", v.Checked)
	}
}

func (p *printer) verified(v verified) {
	what := "store"
	if v.ID != "" {
		what = fmt.Sprintf("session %s", v.ID)
	}
	p.line("%s: %s", what, v.state())
	for i, f := range v.Findings {
		if i == shownFindings {
			p.line("  and %d more, which --json shows", len(v.Findings)-i)
			return
		}
		p.line("  %s", f.text(v.ID != ""))
	}
}

// text is a finding for people, in one line.
func (f finding) text(ofSession bool) string {
	text := fmt.Sprintf("%s: ", f.Kind)
	if ofSession {
		text += fmt.Sprintf("seq %d: ", f.Seq)
	}
	if f.Type != "" {
		text += plain(string(f.Type), 60) + ": "
	}
	return text + plain(f.Problem, 400)
}
