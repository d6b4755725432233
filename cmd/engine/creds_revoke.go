package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/jetstream"
)

const (
	// accountsSubject is where a running serve is told that the accounts have changed.
	// It reads them from its own directory: the message says nothing.
	accountsSubject  = bus.ControlPrefix + "accounts"
	accountsPatience = 10 * time.Second
	accountsDone     = "done"
)

// revokedView is what was taken back.
type revokedView struct {
	Class   string `json:"class"`
	Name    string `json:"name"`
	Revoked int    `json:"revoked"`
}

func (a *app) credsRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke CLASS NAME",
		Short: "Take back all credentials of a class and name",
		Long: `Revoke takes back all credentials of a class and name that were made so far: their
connections to a running 'engine serve' are closed, and they open nothing any more.
One that is made afterwards is good. A server of yours has to be given the new accounts:
'engine creds template' prints them.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("creds revoke: give a class and a name, not %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.revoke(cmd.Context(), args[0], args[1]) },
	}
}

func (a *app) revoke(ctx context.Context, class, name string) error {
	authority, err := a.foundAuthority()
	if err != nil {
		return err
	}
	n, err := authority.Revoke(class, name)
	if err != nil {
		return err
	}
	if err := a.tellServe(ctx); err != nil {
		return err
	}
	return a.print(revokedView{class, name, n}, func(p *printer) {
		p.line("%d of %s %s: revoked.", n, class, name)
	})
}

// tellServe tells a running serve with an embedded server that the accounts have
// changed, and waits until it has done what follows.
func (a *app) tellServe(ctx context.Context) error {
	r, err := readRunFile(a.dir)
	if err != nil || !r.Embedded {
		return nil //nolint:nilerr // nobody runs: the next start reads them
	}
	nc, err := a.connect(r.endpoint, observed(a.logger()), nats.NoReconnect())
	if err != nil {
		return nil //nolint:nilerr // it has just ended, or was killed
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(ctx, accountsPatience)
	defer cancel()
	reply, err := nc.RequestWithContext(ctx, accountsSubject, nil)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil // it is starting or ending
	case err != nil:
		return fmt.Errorf("it is done, but the running serve does not say that it knows: %w; restart it", err)
	case string(reply.Data) != accountsDone:
		return errors.New("it is done, but the running serve could not take it over: its log says why; restart it")
	}
	return nil
}

// heedAccounts makes serve do what a change of the accounts asks for: closing the
// connections of the revoked, and copies for auditors.
func (s *store) heedAccounts(ctx context.Context) error {
	if s.authority == nil {
		return nil
	}
	if err := s.provisionMirrors(ctx); err != nil {
		return err
	}
	if s.server == nil {
		return nil // a server of one's own is given new accounts by whoever runs it
	}
	_, err := s.nc.Subscribe(accountsSubject, func(m *nats.Msg) {
		reply := accountsDone
		if err := s.updateAccounts(ctx); err != nil {
			s.logger.Error("the accounts cannot be taken over", slog.Any("error", err))
			reply = "failed"
		}
		if err := m.Respond([]byte(reply)); err != nil {
			s.logger.Warn("a change of the accounts cannot be acknowledged", slog.Any("error", err))
		}
	})
	if err != nil {
		return fmt.Errorf("listen for changes of the accounts: %w", err)
	}
	return s.nc.FlushTimeout(accountsPatience)
}

func (s *store) updateAccounts(ctx context.Context) error {
	tokens, err := s.authority.Tokens()
	if err != nil {
		return err
	}
	return errors.Join(s.server.UpdateAccounts(tokens), s.provisionMirrors(ctx))
}

// provisionMirrors makes the auditors' copies once there is an auditor: each costs as
// much disk as what it copies.
func (s *store) provisionMirrors(ctx context.Context) error {
	issued, err := s.authority.List()
	if err != nil {
		return err
	}
	audited := false
	for _, i := range issued {
		audited = audited || i.Class == bus.Auditor && i.Revoked.IsZero()
	}
	if !audited {
		return nil
	}
	nc, err := s.connectMirror(ctx)
	if err != nil {
		return fmt.Errorf("make the auditors' copies: %w", err)
	}
	defer nc.Close()
	return bus.ProvisionMirrors(ctx, nc, jetstream.Layout{Replicas: s.replicas})
}

// connectMirror connects to the store's server as the one who makes the mirrors.
func (s *store) connectMirror(ctx context.Context) (*nats.Conn, error) {
	inbox := bus.InboxPrefix(bus.Mirror, bus.OwnName)
	if s.server != nil {
		return s.server.Connect(ctx, observed(s.logger), nats.UserCredentials(s.authority.MirrorCreds()), nats.CustomInboxPrefix(inbox))
	}
	e := endpoint{URL: strings.Join(s.nc.Servers(), ","), Creds: s.authority.MirrorCreds(), Inbox: inbox}
	return connect(e, observed(s.logger))
}
