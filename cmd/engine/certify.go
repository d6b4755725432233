package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/fixtures/certify"
	"github.com/docket-engine/docket/internal/atomicfile"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

type certifyOptions struct {
	flash, pro, vision string
	out                string
}

func (a *app) certifyCommand() *cobra.Command {
	var opts certifyOptions
	cmd := &cobra.Command{
		Use:   "certify --model-flash PROVIDER/MODEL --model-pro PROVIDER/MODEL --model-vision PROVIDER/MODEL",
		Short: "Try models as reviewers: eight calls, with real files",
		Long: `Certify plays the cases of the certification: eight calls of shipped tools, each
reviewed once by the preset auto, through the real gate, on real files in a temporary
folder and in sessions of their own. The state directory is not written to; its
settings (or --settings) say how the models are reached, and have to list them for
reviews.

It records what each review decided and what became of the files. Nothing is tried
again and nothing is left out: what fails is recorded as it is. No call sends anything
anywhere but to the models: the one that would is to be denied.

Exit codes: 0 all eight came out as they have to; 1 at least one did not; 5 it was
interrupted.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.certify(cmd.Context(), opts) },
	}
	cmd.Flags().StringVar(&opts.flash, "model-flash", "", "the small, fast model's PROVIDER/MODEL")
	cmd.Flags().StringVar(&opts.pro, "model-pro", "", "the large model's")
	cmd.Flags().StringVar(&opts.vision, "model-vision", "", "the model's that sees images")
	cmd.Flags().StringVar(&opts.out, "out", "", "file for the report, as JSON")
	_ = cmd.MarkFlagFilename("out", "json") // the flag is there
	return cmd
}

// roleRoutes are the routes that are certified.
type roleRoutes map[certify.Role]reviewer.RouteName

// routes reads the flags, and finds each route in the settings: one that another
// route would answer for is not certified by it.
func (o certifyOptions) routes(listed reviewer.Routes) (roleRoutes, error) {
	routes := roleRoutes{}
	for _, f := range []struct {
		role certify.Role
		text string
	}{{certify.Flash, o.flash}, {certify.Pro, o.pro}, {certify.Vision, o.vision}} {
		if f.text == "" {
			return nil, usagef("certify: --model-%s is missing: it must be PROVIDER/MODEL", f.role)
		}
		name, err := reviewer.ParseRouteName(f.text)
		if err != nil {
			return nil, usagef("certify: --model-%s: %w", f.role, err)
		}
		found, err := listed.For(name, []reviewer.RouteName{name})
		if err == nil && found.RouteName() != name {
			err = fmt.Errorf("the settings list no route for reviews, so that %s would answer for %s", found.Name(), name)
		}
		if err != nil {
			return nil, usagef("certify: --model-%s: %w", f.role, err)
		}
		routes[f.role] = name
	}
	return routes, nil
}

func (a *app) certify(ctx context.Context, opts certifyOptions) error {
	set, err := a.readSettings()
	if err != nil {
		return err
	}
	routes, err := opts.routes(set.routes)
	if err != nil {
		return err
	}
	cases, err := certify.Cases()
	if err != nil {
		return err
	}
	report, err := a.playCases(ctx, cases, routes, set.routes)
	if report != nil {
		err = errors.Join(err, a.giveReport(report, opts.out))
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("cancelled: %w", context.Cause(ctx))
	case !report.Passed:
		return silentError{errors.New("not all calls came out as they have to")}
	}
	return nil
}

// giveReport writes the report to its file and prints it. What was found is given
// also where something behind it went wrong.
func (a *app) giveReport(r *certification, out string) error {
	if out != "" {
		text, err := json.Marshal(r)
		if err == nil {
			err = atomicfile.Replace(out, append(text, '\n'))
		}
		if err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	return a.print(r, func(p *printer) { p.certification(r) })
}

// playCases plays all runs of all cases in a store of their own, which is gone
// afterwards.
func (a *app) playCases(ctx context.Context, cases []certify.Case, routes roleRoutes, listed reviewer.Routes) (report *certification, err error) {
	dir, err := os.MkdirTemp("", "docket-certify-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the certification: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	outside, err := listenOutside()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, outside.close()) }()
	s := &stage{dir: dir, routes: routes, outside: outside}
	own := *a
	own.dir, own.nats, own.creds, own.replicas = s.path("state"), "", "", 1
	model, err := own.reviewModel(bodiesHere)
	if err != nil {
		return nil, err
	}
	defer model.Close()
	s.asked = &listener{model: model}
	o := gateOptions{integrations: []string{presets.IntegrationAuto}, model: s.asked, routes: listed, bodies: bodiesHere}
	report = newCertification(routes, time.Now())
	err = own.withGate(ctx, "certify", o, func(ctx context.Context, store *store, g *gated) error {
		s.store, s.gate = store, g
		return s.play(ctx, cases, report)
	})
	report.conclude(cases, s.asked.count(), outside.connections())
	return report, err
}
