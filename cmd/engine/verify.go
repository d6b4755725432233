package main

import (
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
}

type finding struct {
	Kind    events.FindingKind `json:"kind"` // corrupt, incomplete, unproven
	Seq     events.Seq         `json:"seq"`
	Type    events.Type        `json:"type,omitempty"`
	Problem string             `json:"problem"`
}

func (a *app) verifyCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "verify (SESSION | --all)",
		Short: "Check that sessions are what was appended",
		Long: `Verify reads whole sessions and checks that they are gapless, decodable and valid,
that every frame was written and signed by the engine for its place, that the
chain of hashes is intact, that forks begin with what their parent has, and that
logs reach as far as their anchors and seals. It names the first event that is
wrong, and says what it cannot prove. It changes nothing.

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
			return a.with(cmd.Context(), "verify", readOnly, func(ctx context.Context, s *store) error {
				return a.verify(ctx, s, id)
			})
		},
	}
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
	failed := errors.Join(a.verdict(v))
	for _, id := range ids {
		v, err := a.verifySession(ctx, s, id)
		if err != nil {
			return err
		}
		if err := a.verdict(v); err != nil {
			failed = err
		}
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
	observer, end := a.progress("verify " + string(id))
	defer end()
	report, err := engine.Verify(ctx, s.log, s.log, id, observer)
	return newVerified(report), err
}

func newVerified(r engine.Report) verified {
	v := verified{ID: r.Session, OK: r.OK(), Events: r.Events, Checked: r.Checked, Findings: []finding{}}
	for _, f := range r.Findings {
		v.Findings = append(v.Findings, finding(f))
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

func (p *printer) verified(v verified) {
	what, state := "store", "whole"
	if v.ID != "" {
		what, state = fmt.Sprintf("session %s", v.ID), fmt.Sprintf("ok, %d events", v.Checked)
	}
	if v.FirstBad != nil {
		state = fmt.Sprintf("CORRUPT at seq %d", v.FirstBad.Seq)
		if v.ID == "" {
			state = "NOT WHOLE"
		}
	} else if !v.OK {
		state = "INCOMPLETE"
	}
	p.line("%s: %s", what, state)
	for _, f := range v.Findings {
		line := fmt.Sprintf("  %s: ", f.Kind)
		if v.ID != "" {
			line += fmt.Sprintf("seq %d: ", f.Seq)
		}
		if f.Type != "" {
			line += fmt.Sprintf("%s: ", f.Type)
		}
		p.line("%s%s", line, plain(f.Problem, 400))
	}
}
