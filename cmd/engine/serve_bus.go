package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/reviewer/auto"
)

// busService is what serves commands over the bus beside a store.
type busService struct {
	service  *bus.Service
	projects *jetstream.Log
	models   func() // closes them
	live     *liveIntegrations
	apart    *bus.RemoteReviewer // nil where reviews are local
}

// serveBus begins to serve commands. It gives nil where the server's accounts are not
// those of the state directory: there nobody could tell who calls, and anybody could
// say that they are somebody.
func (a *app) serveBus(ctx context.Context, s *store) (*busService, error) {
	authority, err := a.authorityOf(ctx, s)
	if err != nil {
		return nil, err
	}
	if authority == nil {
		if a.remoteReviews {
			return nil, fmt.Errorf("--reviewer remote: the server's accounts are not those of %s, so that nobody could tell who reviews", s.dir)
		}
		return nil, nil
	}
	options, models, err := a.judging(s.dir, a.servedBodies())
	if err != nil {
		return nil, err
	}
	b := &busService{models: models}
	if err := a.startBus(b, s, authority, options); err != nil {
		if b.apart != nil {
			b.apart.Close()
		}
		models()
		return nil, err
	}
	return b, nil
}

func (a *app) startBus(b *busService, s *store, authority *bus.Authority, options gateOptions) (err error) {
	if a.remoteReviews {
		b.apart, err = bus.NewRemoteReviewer(bus.RemoteConfig{
			Conn: s.nc, Name: auto.Name, Log: s.log, Establish: authority.Table().Establish, Logger: s.logger,
		})
		if err != nil {
			return err
		}
		options.apart = b.apart
	}
	options.served = true
	g, err := s.openGate(options)
	if err != nil {
		return err
	}
	if b.projects, err = jetstream.NewLog(jetstream.LogConfig{Conn: s.nc, Keys: s.keys, Projects: true, Trust: s.trust.now, Logger: s.logger}); err != nil {
		return err
	}
	if b.live, err = keepIntegrations(s, g, options); err != nil {
		return err
	}
	b.service, err = bus.NewService(bus.ServiceConfig{
		Conn: s.nc, Engine: g.engine, Gate: g.gate, Registry: g.registry, Log: s.log, Tail: s.log, Instance: g.instance,
		Establish: authority.Table().Establish, Projects: engine.NewProjects(b.projects), Issue: issuing(authority), Room: s.log.Fill, Logger: s.logger,
	})
	if err != nil {
		return err
	}
	return b.service.Start()
}

// issuing makes credentials of agents.
func issuing(authority *bus.Authority) func(context.Context, events.SessionID) (api.Credential, error) {
	return func(_ context.Context, id events.SessionID) (api.Credential, error) {
		c, err := authority.Issue(bus.Request{Class: bus.Agent, Name: string(id)})
		if err != nil {
			return api.Credential{}, err
		}
		return api.Credential{Session: id, Creds: string(c.Text), ExpiresAt: c.Expires.UnixMilli()}, nil
	}
}

// authorityOf is whose word on callers counts: that of the embedded server's
// accounts, or of those that were made here for the server at --nats.
func (a *app) authorityOf(ctx context.Context, s *store) (*bus.Authority, error) {
	if s.authority != nil {
		return s.authority, nil
	}
	dir := filepath.Join(s.dir, busDir)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	authority, err := bus.OpenAuthority(dir)
	if err != nil {
		return nil, err
	}
	account, err := accountOf(ctx, s.nc)
	if err != nil || account != authority.PublicKey(bus.EngineAccount) {
		return nil, err
	}
	return authority, nil
}

const userTimeout = 5 * time.Second

// accountOf asks the server which account a connection is in.
func accountOf(ctx context.Context, nc *nats.Conn) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, userTimeout)
	defer cancel()
	m, err := nc.RequestWithContext(ctx, "$SYS.REQ.USER.INFO", nil)
	if errors.Is(err, nats.ErrNoResponders) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("ask the server which account this is: %w", err)
	}
	var reply struct {
		Data struct {
			Account string `json:"account"`
		} `json:"data"`
	}
	if err := json.Unmarshal(m.Data, &reply); err != nil {
		return "", fmt.Errorf("ask the server which account this is: %w", err)
	}
	return reply.Data.Account, nil
}

// close answers what is under way, and loses nothing.
func (b *busService) close() error {
	if b == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	b.live.close()
	err := errors.Join(b.service.Shutdown(ctx), b.projects.Close(ctx))
	if b.apart != nil {
		b.apart.Close()
	}
	b.models()
	return err
}
