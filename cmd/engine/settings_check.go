package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

func (a *app) routeCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check PROVIDER/MODEL",
		Short: "Ask a route of the settings what a review asks, and count the answer as one",
		Long: `Check asks a route that the settings list about one fixed action that is harmless, in
the way in which a review does: the real policy, the same request, protocol, key and
limits, and the same strictness about the answer. Nothing of any session is sent, and
nothing is kept. It takes as long as a review may.

It says what the model answered: allow, as it should, or deny, which is an answer as
well. Either exits with 0. Where a review would fail it exits with 4, and tells the
class and the code of the failure.`,
		Args: one("PROVIDER/MODEL"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			name, err := reviewer.ParseRouteName(argv[0])
			if err != nil {
				return usageError{err}
			}
			return a.checkRoute(cmd.Context(), name)
		},
	}
}

// routeCheck is what a check found out. The key is in none of it.
type routeCheck struct {
	Route   string       `json:"route"`
	API     reviewer.API `json:"api"`
	BaseURL string       `json:"baseUrl,omitempty"`
	// Reviews says whether the settings let the route serve reviews.
	Reviews bool `json:"reviews"`
	// Action is what the model was asked about, Digest the request as review/requested
	// would have it.
	Action string `json:"action"`
	Digest string `json:"digest"`
	// Answer is the decision and Reason what a denial came with, as it was written.
	// Reasoning is how many bytes the model thought before.
	Answer    reviewer.Outcome `json:"answer"`
	Reason    json.RawMessage  `json:"reason,omitempty"`
	Reasoning int64            `json:"reasoning"`
	Millis    int64            `json:"millis"`
}

func (a *app) checkRoute(ctx context.Context, name reviewer.RouteName) error {
	s, err := a.readSettings()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.routes.Listed, func(r reviewer.Route) bool { return r.RouteName() == name })
	switch {
	case name == reviewer.BuiltinName():
		return usagef("route check: %s asks no model: there is nothing to check", name)
	case i < 0:
		return fmt.Errorf("route check: the settings list no route %s", name)
	}
	asked, err := a.reviewModel(bodiesAtClients)
	if err != nil {
		return err
	}
	defer asked.Close()
	found, err := checked(ctx, asked, s.routes.Listed[i])
	if err != nil {
		return err
	}
	return a.print(found, func(p *printer) { p.routeCheck(found) })
}

// checked reviews the fixed action by a route. Whether the settings list it for reviews
// is told, and plays no part: a route may be checked before it is let in.
func checked(ctx context.Context, m reviewer.Model, r reviewer.Route) (routeCheck, error) {
	view, call, err := checkedCall(r.RouteName())
	if err != nil {
		return routeCheck{}, fmt.Errorf("route check: make the action: %w", err)
	}
	listed, thinking := r, &thinkingModel{model: m}
	listed.Reviews = true
	judge := auto.New(auto.Config{Model: thinking, Routes: reviewer.Routes{Listed: []reviewer.Route{listed}}})
	begun := time.Now()
	review, err := judge.Prepare(view, call)
	if err != nil {
		return routeCheck{}, wouldFail(r, err)
	}
	verdict, err := review.Ask(ctx)
	switch {
	case ctx.Err() != nil:
		return routeCheck{}, fmt.Errorf("route check: %w", ctx.Err())
	case err != nil:
		return routeCheck{}, wouldFail(r, err)
	}
	return routeCheck{
		Route: r.Name(), API: r.API, BaseURL: r.BaseURL, Reviews: r.Reviews, Action: checkAction, Digest: review.Digest(),
		Answer: verdict.Outcome, Reason: json.RawMessage(verdict.Reason),
		Reasoning: thinking.bytes.Load(), Millis: time.Since(begun).Milliseconds(),
	}, nil
}

// wouldFail says of a failure that it is the one that a review would have.
func wouldFail(r reviewer.Route, err error) error {
	if failure, ok := errors.AsType[*reviewer.Failure](err); ok {
		return fmt.Errorf("route check: a review by %s would fail, class %s: %w", r.Name(), failure.Class, err)
	}
	return fmt.Errorf("route check: %w", err)
}

// thinkingModel counts what a model thinks before it answers.
type thinkingModel struct {
	model reviewer.Model
	bytes atomic.Int64
}

// Stream is the model's.
func (m *thinkingModel) Stream(ctx context.Context, p reviewer.Prompt) iter.Seq2[reviewer.Chunk, error] {
	return func(yield func(reviewer.Chunk, error) bool) {
		for chunk, err := range m.model.Stream(ctx, p) {
			if d, ok := chunk.(reviewer.Delta); ok && d.Kind == reviewer.BlockReasoning {
				m.bytes.Add(int64(len(d.Text)))
			}
			if !yield(chunk, err) {
				return
			}
		}
	}
}

func (p *printer) routeCheck(c routeCheck) {
	reviews := "no: the settings do not list it for reviews"
	if c.Reviews {
		reviews = "yes"
	}
	answer := string(c.Answer)
	if c.Answer == reviewer.Deny {
		answer += ", which is an answer; the action is harmless: " + auto.Display(jsontext.Value(c.Reason), auto.English)
	}
	p.table([][]string{
		{"route", plain(c.Route, 200)},
		{"asked", plain(c.BaseURL, 200) + " by " + string(c.API)},
		{"reviews", reviews},
		{"action", c.Action},
		{"answer", plain(answer, 300)},
		{"reasoning", strconv.FormatInt(c.Reasoning, 10) + " bytes"},
		{"took", (time.Duration(c.Millis) * time.Millisecond).String()},
	})
}
