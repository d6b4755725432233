package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/reviewer"
)

// checkPatience bounds a check, which waits for one word.
const checkPatience = time.Minute

func (a *app) routeCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check PROVIDER/MODEL",
		Short: "Ask a route of the settings for one word, and show what comes back",
		Long: `Check sends one small request by a route that the settings list, in the way in which
a review does: the same protocol, key and strictness. Nothing of any session is sent,
and nothing is kept. It tells whether reviews will reach the route, and not how it judges.

It exits with 4 if the answer is none that a review could count.`,
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
	Reviews bool         `json:"reviews"`
	// Answer is what the model said, Reasoning how many bytes it thought before.
	Answer    string `json:"answer"`
	Reasoning int    `json:"reasoning"`
	Millis    int64  `json:"millis"`
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

// checked asks once, and fails where a review would.
func checked(ctx context.Context, m reviewer.Model, r reviewer.Route) (routeCheck, error) {
	within, stop := context.WithTimeout(ctx, checkPatience)
	defer stop()
	found := routeCheck{Route: r.Name(), API: r.API, BaseURL: r.BaseURL, Reviews: r.Reviews}
	begun := time.Now()
	var answer strings.Builder
	prompt := reviewer.Prompt{Route: r, System: "You answer with one word.", User: "Answer with the word: ready"}
	for chunk, err := range m.Stream(within, prompt) {
		switch {
		case err != nil && ctx.Err() != nil:
			return routeCheck{}, fmt.Errorf("route check: %w", ctx.Err())
		case err != nil && within.Err() != nil:
			return routeCheck{}, errNoAnswer.With("the route %s gave no whole answer within %s", r.Name(), checkPatience)
		case err != nil:
			return routeCheck{}, err
		}
		switch c := chunk.(type) {
		case reviewer.Delta:
			if c.Kind == reviewer.BlockText {
				answer.WriteString(c.Text)
			} else {
				found.Reasoning += len(c.Text)
			}
		case reviewer.BlockEnd, reviewer.Usage:
		case reviewer.Finish:
			if c.Kind != reviewer.FinishStop {
				return routeCheck{}, errNoAnswer.With("the answer ended with %s (code %q, HTTP status %d, request %q): %s",
					c.Kind, c.Code, c.Status, c.RequestID, c.Message)
			}
		}
	}
	found.Answer, found.Millis = answer.String(), time.Since(begun).Milliseconds()
	if found.Answer == "" {
		return routeCheck{}, errNoAnswer.With("the answer has no text")
	}
	return found, nil
}

// errNoAnswer says that a review by this route would fail as well.
var errNoAnswer = &reviewer.Failure{Class: reviewer.ClassProvider, Code: "ROUTE_CHECK_FAILED"}

func (p *printer) routeCheck(c routeCheck) {
	reviews := "no: the settings do not list it for reviews"
	if c.Reviews {
		reviews = "yes"
	}
	p.table([][]string{
		{"route", plain(c.Route, 200)},
		{"asked", plain(c.BaseURL, 200) + " by " + string(c.API)},
		{"reviews", reviews},
		{"answer", plain(c.Answer, 60)},
		{"reasoning", strconv.Itoa(c.Reasoning) + " bytes"},
		{"took", (time.Duration(c.Millis) * time.Millisecond).String()},
	})
}
