package main

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

var errCompaction = errors.New("nothing was replaced")

// compacted is what a compaction came to.
type compacted struct {
	ID       events.SessionID `json:"id"`
	Replaced int              `json:"replaced"` // visible events
	Tokens   int64            `json:"tokens"`   // that they took, by estimate
	Failure  string           `json:"failure,omitempty"`
}

type compactOptions struct {
	keepNodes  number
	keepTokens number
}

func (a *app) compactCommand() *cobra.Command {
	var opts compactOptions
	cmd := &cobra.Command{
		Use:   "compact SESSION",
		Short: "Put a checkpoint in the place of what the model has seen",
		Long: `Compact replaces the front of what the model sees by a checkpoint. Nothing leaves
the log. What people and the parent wrote stands in the checkpoint word for word:
it restricts as before, and grants nothing any more. The summary beside it is an
extract made without a model, and says so. Project instructions come back.`,
		Args: one("SESSION"),
		RunE: a.onSession("session compact", readWrite, func(ctx context.Context, s *store, id events.SessionID) error {
			return a.compact(ctx, s, id, opts)
		}),
	}
	cmd.Flags().Var(&opts.keepNodes, "keep", "how many of the newest visible events stay (default 1)")
	cmd.Flags().Var(&opts.keepTokens, "keep-tokens", "how many tokens of the newest visible events stay, by estimate")
	return cmd
}

func (a *app) compact(ctx context.Context, s *store, id events.SessionID, opts compactOptions) error {
	e, err := s.deciding()
	if err != nil {
		return err
	}
	m, err := meta()
	if err != nil {
		return err
	}
	turn := 0
	if err := e.View(ctx, id, func(session *projections.Session) error { turn = session.Compaction.Turn; return nil }); err != nil {
		return err
	}
	done, err := e.Compact(ctx, id, engine.CompactRequest{
		Request: compaction.Request{
			CompactionID: uuid.NewString(), CommandID: string(m.ID), Turn: turn,
			Keep: compaction.Keep{Nodes: int(opts.keepNodes.n), Tokens: opts.keepTokens.n},
		},
		Summarizer: compaction.Extractive{}, MessageID: uuid.NewString(), Meta: m,
	})
	if err != nil {
		return err
	}
	c := compacted{ID: id, Replaced: len(done.Range.Seqs), Tokens: done.Range.Tokens, Failure: done.Failure}
	if err := a.print(c, func(p *printer) { p.compacted(c) }); err != nil {
		return err
	}
	if c.Failure != "" {
		return silentError{errCompaction}
	}
	return nil
}

func (p *printer) compacted(c compacted) {
	if c.Failure != "" {
		p.line("Nothing was replaced: %s.", plain(c.Failure, 200))
		return
	}
	p.line("A checkpoint stands in the place of %d events (about %d tokens). All of them stay in the log.", c.Replaced, c.Tokens)
}
