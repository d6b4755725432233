package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// shown is a session with its events.
type shown struct {
	Header json.RawMessage `json:"header"`
	Events events.Seq      `json:"events"`
	Chain  string          `json:"chain"`
	Open   bool            `json:"open"` // a turn is open
	Trust  trustView       `json:"trust"`
	State  stateView       `json:"state"`
	Counts map[string]int  `json:"counts"`
	Denied []denial        `json:"denied"` // calls, alike by the hash of their arguments
	Log    []eventView     `json:"log"`
	rows   [][]string      // for people
}

// trustView is under which levels a session was worked with, "" where none was recorded.
type trustView struct {
	Began events.Trust `json:"began,omitempty"`
	Last  events.Trust `json:"last,omitempty"`
}

type showOptions struct {
	from, limit number
}

func (a *app) showCommand() *cobra.Command {
	var opts showOptions
	cmd := &cobra.Command{
		Use:   "show SESSION",
		Short: "Show what a session is folded to, and its events",
		Args:  one("SESSION"),
		RunE: a.onSession("session show", readOnly, func(ctx context.Context, s *store, id events.SessionID) error {
			return a.show(ctx, s, id, opts)
		}),
	}
	cmd.Flags().Var(&opts.from, "from", "show events from this seq on")
	cmd.Flags().Var(&opts.limit, "limit", "show at most so many events (default all)")
	return cmd
}

func (a *app) show(ctx context.Context, s *store, id events.SessionID, opts showOptions) error {
	session, err := engine.Load(ctx, s.log, id) // a log that breaks a rule is not shown in part
	if err != nil {
		return err
	}
	c, err := catalogue(s.dir)
	if err != nil {
		return err
	}
	opened, err := s.log.Open(ctx, id)
	if err != nil {
		return err
	}
	v := shown{
		Trust:  trustView(opened.Trust),
		State:  viewState(c, session.State()),
		Header: json.RawMessage(session.Header().Line), Events: session.Head().Next, Chain: session.Head().Chain.String(),
		Open: !session.Balanced(), Counts: map[string]int{}, Log: []eventView{}, rows: [][]string{{"SEQ", "TIME", "TYPE", ""}},
	}
	var denied denials
	for e, err := range envelopes(s.log.Read(ctx, id, 0)) {
		if err != nil {
			return err
		}
		if e.Seq >= session.Head().Next {
			break
		}
		denied.apply(e)
		v.add(e, opts)
	}
	v.Denied = denied.most()
	return a.print(v, func(p *printer) { p.show(session, v) })
}

func (v *shown) add(e events.Envelope, opts showOptions) {
	v.Counts[string(e.Type())]++
	if int64(e.Seq) < opts.from.n || opts.limit.given && int64(len(v.Log)) >= opts.limit.n {
		return
	}
	v.Log = append(v.Log, viewEvent(e))
	v.rows = append(v.rows, eventRow(e))
}

func (p *printer) show(session *engine.Session, v shown) {
	h := session.Header()
	rows := [][]string{
		{"session", string(h.ID)},
		{"created", local(h.CreatedAt)},
		{"cwd", orDash(plain(h.CWD, 200))},
		{"parent", orDash(string(h.ParentSession))},
		{"format", fmt.Sprint(int(h.Version))},
		{"events", fmt.Sprint(v.Events)},
		{"chain", v.Chain},
		{"trust", trustText(events.Trusted(v.Trust))},
	}
	p.table(slices.Concat(rows, v.State.rows(), denialRows(v.Denied)))
	p.line("")
	p.table(v.rows)
}

// envelopes decodes records to events.
func envelopes(records iter.Seq2[events.Record, error]) iter.Seq2[events.Envelope, error] {
	return func(yield func(events.Envelope, error) bool) {
		for r, err := range records {
			var decoded []events.Envelope
			if err == nil {
				decoded, err = r.Decode()
			}
			if err != nil {
				yield(events.Envelope{}, err)
				return
			}
			for _, e := range decoded {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}
