package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

func (a *app) treeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tree [SESSION]",
		Short: "Show which sessions come from which, of one session's relatives or of all",
		Long: `Tree shows children and forks under the sessions that they come from. A child is
verified if its parent's log has the creation fact of this very child; imported
sessions have none, and are linked by their headers alone.`,
		Args: atMost("SESSION"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			only, err := optionalSession(argv)
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), "session tree", readOnly, func(ctx context.Context, s *store) error {
				return a.tree(ctx, s, only)
			})
		},
	}
}

func (a *app) tree(ctx context.Context, s *store, only events.SessionID) error {
	ids, err := sortedSessions(ctx, s.log)
	if err != nil {
		return err
	}
	if only != "" && !slices.Contains(ids, only) {
		return fmt.Errorf("session %s: %w", only, events.ErrNotFound)
	}
	kin, err := s.kin(ctx, ids)
	if err != nil {
		return err
	}
	roots := lineage.Tree(kin)
	if only != "" {
		roots = slices.DeleteFunc(roots, func(r lineage.Relative) bool { return !hasRelative(r, only) })
	}
	if roots == nil {
		roots = []lineage.Relative{}
	}
	return a.print(roots, func(p *printer) { p.trees(roots) })
}

// kin folds sessions. One that is corrupt or incomplete stands in the tree as
// missing, if a relative names it.
func (s *store) kin(ctx context.Context, ids []events.SessionID) ([]lineage.Kin, error) {
	var kin []lineage.Kin
	for _, id := range ids {
		err := s.see(ctx, id, func(session *projections.Session) error {
			kin = append(kin, session.Kin()) // the session is folded for this command alone
			return nil
		})
		if err != nil && !errors.Is(err, events.ErrCorrupt) && !errors.Is(err, events.ErrSeedIncomplete) {
			return nil, err
		}
	}
	return kin, nil
}

func hasRelative(r lineage.Relative, id events.SessionID) bool {
	return r.ID == id || slices.ContainsFunc(r.Children, func(c lineage.Relative) bool { return hasRelative(c, id) })
}

func (p *printer) trees(roots []lineage.Relative) {
	if len(roots) == 0 {
		p.line("No sessions.")
	}
	for _, r := range roots {
		p.line("%s", relativeLine(r))
		p.branches(r.Children, "")
	}
}

// branches draws what is below a session.
func (p *printer) branches(below []lineage.Relative, indent string) {
	for i, r := range below {
		limb, next := "├─ ", "│  "
		if i == len(below)-1 {
			limb, next = "└─ ", "   "
		}
		p.line("%s%s%s", indent, limb, relativeLine(r))
		p.branches(r.Children, indent+next)
	}
}

func relativeLine(r lineage.Relative) string {
	notes := []string{}
	if r.Relation != lineage.RelationRoot {
		notes = append(notes, string(r.Relation))
	}
	for _, n := range []struct {
		says bool
		word string
	}{
		{r.Mode != "", r.Mode},
		{r.Label != "", "“" + plain(r.Label, 60) + "”"},
		{r.Verified, "verified"},
		{r.Unverified != "", "unverified: " + r.Unverified},
		{r.Missing, "not here"},
		{r.Cycle, "descends from itself"},
	} {
		if n.says {
			notes = append(notes, n.word)
		}
	}
	if len(notes) == 0 {
		return string(r.ID)
	}
	return string(r.ID) + "  (" + strings.Join(notes, ", ") + ")"
}
