package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

func (a *app) requestCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "request",
		Short: "Show what a reviewer is asked about a call",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("request: say what to do: show")
		},
	}
	cmd.AddCommand(a.requestShowCommand())
	return cmd
}

type requestOptions struct {
	seq    events.Seq
	policy bool
	schema *reviewer.Schema
}

func (a *app) requestShowCommand() *cobra.Command {
	var opts requestOptions
	var schemaFile string
	cmd := &cobra.Command{
		Use:   "show SESSION SEQ",
		Short: "Show the request of a review, as it is or was made when a call started",
		Long: `Show makes the request that preset auto asks about the call which starts at SEQ (a
tool/call or a program's tool/ptc-dispatch-start), from the log up to there and
nothing else. No settings play a part in it, and nobody is asked. Of a child's call it
has what the people of its ancestors had said when the review was asked for.

A program's call needs the tool's definition as the program was bound to it. It is
taken from the audit records, or from --schema: {"name":…,"description":…,
"parameters":{…}}.

Exit code 0: the request, on standard output. 4: the log does not allow one; the
code says why. With --json the sections are members of one object.`,
		Args: exactly("SESSION", "SEQ"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			id, err := sessionID(argv[0])
			if err != nil {
				return err
			}
			if opts.seq, err = seqOf(argv[1]); err != nil {
				return err
			}
			if schemaFile != "" {
				if opts.schema, err = schemaIn(schemaFile); err != nil {
					return err
				}
			}
			return a.with(cmd.Context(), "request show", readOnly, func(ctx context.Context, s *store) error {
				return a.showRequest(ctx, s, id, opts)
			})
		},
	}
	cmd.Flags().BoolVar(&opts.policy, "policy", false, "show the policy, too")
	cmd.Flags().StringVar(&schemaFile, "schema", "", "file with the definition that a program's call was bound to")
	_ = cmd.MarkFlagFilename("schema", "json") // the flag is there
	return cmd
}

func seqOf(text string) (events.Seq, error) {
	var n number
	if err := n.Set(text); err != nil {
		return 0, usagef("request show: SEQ: %w", err)
	}
	return events.Seq(n.n), nil
}

// schemaIn reads a tool's definition from a file.
func schemaIn(path string) (*reviewer.Schema, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	var s reviewer.Schema
	if err := json.Unmarshal(text, &s, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("read the schema in %s: %w", path, err)
	}
	return &s, nil
}

func (a *app) showRequest(ctx context.Context, s *store, id events.SessionID, opts requestOptions) error {
	view, start, err := s.upTo(ctx, id, opts.seq)
	if err != nil {
		return err
	}
	call, err := auto.CallAt(view.Session, start, opts.schema)
	switch {
	case err != nil:
		return err
	case call.Mode == reviewer.ModeNative && opts.schema != nil:
		return usagef("request show: --schema is for a program's call: the log has what a native one needs")
	case call.Mode == reviewer.ModeInner && call.Schema == nil:
		if call.Schema, err = s.boundSchema(ctx, id, call); err != nil {
			return err
		}
	}
	if view.Ancestors, err = s.shownOf(ctx, id, call, opts.seq); err != nil {
		return err
	}
	request, err := auto.NewRequest(view, call)
	if err != nil {
		return err
	}
	if a.json {
		text, err := request.JSON(opts.policy)
		if err == nil {
			_, err = fmt.Fprintf(a.stdout, "%s\n", visibleJSON(text))
		}
		return printed(err)
	}
	text := string(visibleJSON([]byte(request.User)))
	if opts.policy {
		text = "REVIEW_POLICY\n\n" + auto.Policy() + "\n" + text
	}
	_, err = fmt.Fprintln(a.stdout, text)
	return printed(err)
}

// upTo folds a session's log up to an event, which it gives: the state that was there
// when the event was the last one.
func (s *store) upTo(ctx context.Context, id events.SessionID, seq events.Seq) (reviewer.View, events.Envelope, error) {
	o, err := s.log.Open(ctx, id)
	switch {
	case err != nil:
		return reviewer.View{}, events.Envelope{}, err
	case !o.Complete():
		return reviewer.View{}, events.Envelope{}, fmt.Errorf("session %s: %w", id, events.ErrSeedIncomplete)
	case seq >= o.Head.Next:
		return reviewer.View{}, events.Envelope{}, fmt.Errorf("session %s ends at seq %d: %w", id, o.Head.Next-1, errNoEvent)
	}
	view := reviewer.View{Session: projections.NewSession(o.Header), History: projections.NewHistory()}
	view.Session.Imported = o.Seed.Foreign()
	view.Session.Access.Creator, view.Session.Access.Foreign = o.Creator, o.Seed.Kind == events.SeedImport
	for e, err := range envelopes(s.log.Read(ctx, id, 0)) {
		if err == nil {
			err = view.Session.Apply(e)
		}
		if err != nil {
			return reviewer.View{}, events.Envelope{}, fmt.Errorf("session %s: %w", id, err)
		}
		view.History.Apply(view.Session, e)
		if e.Seq == seq {
			return view, e, nil
		}
	}
	return reviewer.View{}, events.Envelope{}, fmt.Errorf("session %s: seq %d: %w", id, seq, errNoEvent)
}

// shownOf are the ancestors as the review of a call was shown them: up to the heads that
// its review/requested pins, which stands right behind the call. A call that nobody
// reviewed was shown none.
func (s *store) shownOf(ctx context.Context, id events.SessionID, c reviewer.Call, start events.Seq) ([]reviewer.Ancestor, error) {
	for e, err := range envelopes(s.log.Read(ctx, id, start)) {
		switch asked, is := e.Event.(events.ReviewRequested); {
		case err != nil:
			return nil, fmt.Errorf("session %s: %w", id, err)
		case is && asked.CallID == c.CallID && asked.AsOfSeq == start:
			reading, err := s.deciding()
			if err != nil {
				return nil, err
			}
			return reading.AncestorsAt(ctx, asked.Ancestors)
		case e.Seq > start:
			return nil, nil
		}
	}
	return nil, nil
}

// errNoEvent says that the log does not reach to a seq.
var errNoEvent = errors.New("there is no event at that place")

// boundSchema is what an audit record kept of a program's binding, nil for nothing.
func (s *store) boundSchema(ctx context.Context, id events.SessionID, c reviewer.Call) (*reviewer.Schema, error) {
	for r, err := range s.log.Reviews(ctx, id) {
		if err != nil {
			return nil, err
		}
		if r.Schema != nil && r.Turn == c.Turn && r.Step == c.Step && r.CallID == c.CallID {
			return &reviewer.Schema{Name: r.Schema.Name, Description: r.Schema.Description, Parameters: jsontext.Value(r.Schema.Parameters)}, nil
		}
	}
	return nil, nil
}
