package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/reviewer/auto"
)

func (a *app) reviewerCommand() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "reviewer",
		Short: "Review calls for engines that run elsewhere, until interrupted",
		Long: `Reviewer answers engines that ask for reviews: those that run as 'engine serve
--reviewer remote'. It goes by its own settings, routes and keys, which the engines
need not have, and reads of a session's log what it is asked about. Any number of them
share the work.

Beside a running 'engine serve' it finds what it needs in the state directory.
Elsewhere it takes --nats and --creds: 'engine creds reviewer auto' makes the file.

SIGINT and SIGTERM end it in good order: it takes nothing new, and answers what it
has under way, for up to 30 seconds.`,
		Args: cobra.NoArgs,
		PreRunE: func(*cobra.Command, []string) error {
			switch {
			case name != auto.Name:
				return usagef("reviewer: there is no reviewer %q; there is: %s", plain(name, 80), auto.Name)
			case a.nats != "" && a.creds == "":
				return usagef("reviewer: --nats needs --creds, the file that 'engine creds reviewer %s' makes", name)
			default:
				return nil
			}
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.review(cmd.Context(), name) },
	}
	cmd.Flags().StringVar(&name, "name", auto.Name, "which reviewer it is")
	return cmd
}

// reviewing is what the command says once it is ready.
type reviewing struct {
	PID      int    `json:"pid"`
	Reviewer string `json:"reviewer"`
	URL      string `json:"url"`
}

// errRefused says that a reviewer cannot go on.
var errRefused = errors.New("the server has closed the connection for good: the credential may have been revoked")

// review answers engines until it is interrupted, or the serve that it is beside ends.
func (a *app) review(ctx context.Context, name string) error {
	set, err := a.readSettings()
	if err != nil {
		return err
	}
	model, err := a.reviewModel(bodiesAtClients)
	if err != nil {
		return err
	}
	defer model.Close()
	defer a.keepMemory()()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	nc, err := a.connectReviewer(name, stop)
	if err != nil {
		return err
	}
	defer nc.Close()
	s, err := bus.NewReviewService(bus.ReviewServiceConfig{
		Conn: nc, Reviewer: auto.New(auto.Config{Model: model, Routes: set.routes}), Logger: a.logger(),
	})
	if err != nil {
		return err
	}
	err = s.Start()
	if err == nil {
		ready := reviewing{PID: os.Getpid(), Reviewer: name, URL: redacted(nc.ConnectedUrl())}
		err = a.print(ready, func(p *printer) {
			p.line("Reviewing as %s on %s (process %d).", ready.Reviewer, ready.URL, ready.PID)
			p.line("Ctrl-C stops it; what is under review is answered first.")
		})
	}
	if err == nil {
		<-ctx.Done()
		if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
			err = cause
		}
	}
	leaving, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return errors.Join(err, s.Shutdown(leaving))
}

// connectReviewer connects to the server that --nats names, for good, or else to the
// running serve of the state directory, for as long as that runs.
func (a *app) connectReviewer(name string, stop context.CancelCauseFunc) (*nats.Conn, error) {
	// The library gives up where a server refuses the credential again and again.
	given := nats.ClosedHandler(func(*nats.Conn) { stop(errRefused) })
	if a.nats != "" {
		e, err := a.reviewerEndpoint(a.external(), name)
		if err != nil {
			return nil, err
		}
		return connect(e, observed(a.logger()), patient(a.logger()), given)
	}
	authority, err := a.foundAuthority()
	if err != nil {
		return nil, err
	}
	r, err := readRunFile(a.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no 'engine serve' runs on %s: start it with --reviewer remote, or say with --nats and --creds where another one is", a.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("find the running 'engine serve': %w", err)
	}
	creds, err := ownReviewerCreds(authority, name)
	if err != nil {
		return nil, err
	}
	e, err := a.reviewerEndpoint(endpoint{URL: r.URL, Creds: creds}, name)
	if err != nil {
		return nil, err
	}
	if !r.Embedded {
		return connect(e, observed(a.logger()), patient(a.logger()), given)
	}
	gone := func(*nats.Conn) { stop(errStopped) }
	return connect(e, observed(a.logger()), nats.NoReconnect(), nats.ClosedHandler(gone))
}

// reviewerEndpoint refuses a credential that is not the reviewer's: it would connect,
// and nobody would ever ask it.
func (a *app) reviewerEndpoint(e endpoint, name string) (endpoint, error) {
	e, err := a.withCredential(e)
	if err != nil {
		return e, fmt.Errorf("connect to NATS at %s: %w", redacted(e.URL), err)
	}
	c, err := bus.ReadCredential(e.secret)
	if err != nil {
		return e, fmt.Errorf("%s is no credential of a reviewer: %w", e.Creds, err)
	}
	if c.Class != bus.Reviewer || c.Name != name {
		return e, fmt.Errorf("%s is the credential of %s %s, not of %s %s: 'engine creds reviewer %s' makes one", e.Creds, c.Class, printable(c.Name), bus.Reviewer, name, name)
	}
	return e, nil
}

// ownReviewerCreds is the file of the state directory's reviewer, made where there is
// none.
func ownReviewerCreds(authority *bus.Authority, name string) (string, error) {
	path := filepath.Join(authority.Dir(), bus.Reviewer+"."+name+".creds")
	if exists(path) {
		return path, nil
	}
	c, err := authority.Issue(bus.Request{Class: bus.Reviewer, Name: name})
	if err != nil {
		return "", err
	}
	if err := writeNew(path, c.Text); err != nil && !errors.Is(err, fs.ErrExist) { // another one has just begun
		return "", fmt.Errorf("write the credential: %w", err)
	}
	return path, nil
}
