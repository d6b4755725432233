package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/fixtures/demo"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/offline"
)

type demoOptions struct {
	model      string
	fast, keep bool
}

func (a *app) demoCommand() *cobra.Command {
	var opts demoOptions
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a recorded agent, and show how each of its calls is reviewed and what it does",
		Long: `Demo plays a recorded agent in a directory of its own: a state directory with an
embedded server, and a small project folder. The preset auto is installed for it.
What the person and the agent's model say is recorded; reviews, permits, tools and
files are real. Everything that is shown comes from the session's log as it grows,
and from the folder.

It needs no key and no network: the builtin reviewer is rules. --model asks a model
of your settings instead; what it judges otherwise than the recording expects is shown.

Exit code 0: all came out as it should. 1: it did not.`,
		Args: cobra.NoArgs,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			given := cmd.Flags().Changed
			switch {
			case a.nats != "" || given("dir") && opts.model == "":
				return usagef("demo: it has a directory and a server of its own: leave --dir and --nats away")
			case given("settings") && opts.model == "":
				return usagef("demo: --settings is for --model: the builtin reviewer has none")
			default:
				return nil
			}
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), opts) },
	}
	cmd.Flags().StringVar(&opts.model, "model", "", "let this route of the settings review, as PROVIDER/MODEL")
	cmd.Flags().BoolVar(&opts.fast, "fast", false, "make no pauses")
	cmd.Flags().BoolVar(&opts.keep, "keep", false, "keep the directory, and say where it is")
	return cmd
}

// demoBegin is where a demo takes place, and who reviews.
type demoBegin struct {
	Session     events.SessionID `json:"session"`
	Route       string           `json:"route"`
	Builtin     bool             `json:"builtin"`
	Integration string           `json:"integration"` // that was installed for it
	State       string           `json:"state"`
	Project     string           `json:"project"`
	// agent is the route that the log says the agent's model is asked by.
	agent reviewer.RouteName
}

func (b demoBegin) about() string {
	if b.Builtin {
		return ": rules alone, no model, no key, no network"
	}
	return ", a model of your settings"
}

func (a *app) demo(ctx context.Context, opts demoOptions) (err error) {
	recording, err := demo.Shipped()
	if err != nil {
		return err
	}
	gate, route, done, err := a.demoReviewer(opts.model)
	if err != nil {
		return err
	}
	defer done()
	place, err := newDemoPlace()
	if err != nil {
		return err
	}
	if !opts.keep {
		defer func() { err = errors.Join(err, os.RemoveAll(place)) }()
	}
	ctx, stop := outliveReader(ctx)
	defer stop()
	begin := demoBegin{
		Session: events.SessionID(recording.Session), Route: route.String(), Builtin: route == reviewer.BuiltinName(),
		Integration: presets.IntegrationAuto, State: filepath.Join(place, "state"), Project: filepath.Join(place, "project"),
	}
	if begin.agent = route; begin.Builtin {
		begin.agent = reviewer.RouteName{Provider: "recorded", Model: "demo"}
	}
	own := *a
	own.dir = begin.State
	if begin.Builtin {
		gate.model = offline.New(own.offlineConfig(bodiesHere))
	}
	err = own.withGate(ctx, "demo", gate, func(ctx context.Context, s *store, g *gated) error {
		return own.playDemo(ctx, s, g, recording, begin, opts)
	})
	if opts.keep && !a.json {
		a.notice("kept in %s; look at it with: engine --dir %s session show %s", place, begin.State, begin.Session)
	}
	return err
}

// outliveReader keeps the program alive until it has cleaned up when nobody looks
// any more: a pipe without a reader is an error of writing, a terminal that is
// closed the end of ctx.
func outliveReader(ctx context.Context) (context.Context, func()) {
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	if signal.Ignored(syscall.SIGHUP) { // as nohup wants it
		return ctx, func() { signal.Stop(broken) }
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	return ctx, func() { stop(); signal.Stop(broken) }
}

// demoReviewer is who reviews: the builtin one, whatever the settings say, or a
// route of the settings.
func (a *app) demoReviewer(name string) (gateOptions, reviewer.RouteName, func(), error) {
	o := gateOptions{integrations: []string{presets.IntegrationAuto}, bodies: bodiesHere}
	if name == "" {
		return o, reviewer.BuiltinName(), func() {}, nil
	}
	route, err := reviewer.ParseRouteName(name)
	if err != nil {
		return o, route, nil, usageError{err}
	}
	settings, err := a.readSettings()
	if err != nil {
		return o, route, nil, err
	}
	listed, err := settings.routes.For(route, []reviewer.RouteName{route})
	if err == nil && listed.RouteName() != route {
		err = reviewer.ErrRouteNotAllowed.With("the settings list no route for reviews, so not %s", route)
	}
	if err != nil {
		return o, route, nil, err
	}
	model, err := a.reviewModel(bodiesHere)
	if err != nil {
		return o, route, nil, err
	}
	o.model, o.routes = model, settings.routes
	return o, route, model.Close, nil
}

// newDemoPlace makes the demo's directory with a copy of the project. The path has
// no links in it, so that tools and reviews spell it in one way.
func newDemoPlace() (string, error) {
	place, err := os.MkdirTemp("", "docket-demo-")
	if err != nil {
		return "", fmt.Errorf("make the demo's directory: %w", err)
	}
	real, err := filepath.EvalSymlinks(place)
	if err == nil {
		project, projectErr := demo.Project()
		err = projectErr
		if err == nil {
			err = os.CopyFS(filepath.Join(real, "project"), project)
		}
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("fill the demo's directory: %w", err), os.RemoveAll(place))
	}
	return real, nil
}
