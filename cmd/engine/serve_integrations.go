package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
)

const (
	// integrationsSubject is where running engines are told that what is installed may
	// have changed. Each reads it from its own directory: the message says nothing.
	integrationsSubject  = bus.ControlPrefix + "integrations"
	integrationsPatience = stopTimeout + 10*time.Second
	integrationsDone     = "done"
)

// liveIntegrations keeps what a running serve has installed as its directory says.
type liveIntegrations struct {
	dir     string
	gate    *gated
	options gateOptions // how those judge that are installed later
	logger  *slog.Logger

	turn chan struct{} // holds one value while somebody looks
	now  []string      // what is installed; of whoever has the turn
	over bool          // nothing changes any more; of whoever has the turn
	sub  *nats.Subscription
}

// keepIntegrations begins to listen.
func keepIntegrations(s *store, g *gated, o gateOptions) (*liveIntegrations, error) {
	l := &liveIntegrations{dir: s.dir, gate: g, options: o, logger: s.logger, turn: make(chan struct{}, 1), now: slices.Clone(o.integrations)}
	var err error
	l.sub, err = s.nc.Subscribe(integrationsSubject, func(m *nats.Msg) {
		reply := integrationsDone
		if err := l.look(); err != nil {
			l.logger.Error("what is installed cannot be taken over", "error", err)
			reply = "failed"
		}
		if m.Reply == "" {
			return
		}
		if err := m.Respond([]byte(reply)); err != nil {
			l.logger.Warn("a change of what is installed cannot be acknowledged", "error", err)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("listen for changes of what is installed: %w", err)
	}
	return l, nil
}

// close ends it: from here on the process shuts down, and moves no session.
func (l *liveIntegrations) close() {
	_ = l.sub.Unsubscribe() // a closed connection has none
	l.turn <- struct{}{}
	l.over = true
	<-l.turn
}

// look installs and removes what the directory says. What cannot be removed in time
// stays closed, and is tried again at the next look.
func (l *liveIntegrations) look() error {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	if l.over {
		return engine.ErrShutdown
	}
	wanted, err := readIntegrations(l.dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range slices.Clone(l.now) {
		if !slices.Contains(wanted, name) {
			errs = append(errs, l.remove(name))
		}
	}
	for _, name := range wanted {
		if !slices.Contains(l.now, name) {
			errs = append(errs, l.install(name))
		}
	}
	return errors.Join(errs...)
}

func (l *liveIntegrations) remove(name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := l.gate.gate.Uninstall(ctx, name, actor()); err != nil {
		return err
	}
	l.now = slices.DeleteFunc(l.now, func(other string) bool { return other == name })
	return nil
}

func (l *liveIntegrations) install(name string) error {
	o := l.options
	o.integrations = []string{name}
	if err := l.gate.install(o); err != nil {
		return err
	}
	l.now = append(l.now, name)
	return nil
}

// tellIntegrations tells a running serve that what is installed has changed, and waits
// until it has done what follows. It reports whether there is one.
func (a *app) tellIntegrations(ctx context.Context) (served bool, err error) {
	r, err := readRunFile(a.dir)
	if err != nil {
		return false, nil //nolint:nilerr // nobody runs: the next start reads it
	}
	nc, err := a.connect(r.endpoint, observed(a.logger()), nats.NoReconnect())
	if err != nil {
		return false, nil //nolint:nilerr // it has just ended, or was killed
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(ctx, integrationsPatience)
	defer cancel()
	reply, err := nc.RequestWithContext(ctx, integrationsSubject, nil)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return false, nil // it is starting or ending, or serves no commands
	case err != nil:
		return true, fmt.Errorf("it is done, but the running serve does not say that it knows: %w; restart it", err)
	case string(reply.Data) != integrationsDone:
		return true, errors.New("it is done, but the running serve could not take it over: its log says why; restart it")
	}
	return true, nil
}
