package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer/offline/speech"
)

// deciding is the engine on an opened store.
func (s *store) deciding() (*engine.Engine, error) {
	return engine.New(engine.Config{
		Log: s.log, Snapshots: s.log, Restricts: speech.Restricts,
		SnapshotFailed: func(id events.SessionID, err error) {
			s.logger.Warn("a snapshot was not written", "session", id, "error", err)
		},
	})
}

// meta is what a person's command carries: a new id each time, since at the
// command line nothing is repeated by itself.
func meta() (engine.Meta, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return engine.Meta{}, fmt.Errorf("make a command id: %w", err)
	}
	return engine.Meta{ID: events.AppendID("cli-" + id.String()), Actor: actor(), Now: time.Now().UnixMilli()}, nil
}

// do decides one command of a person.
func (s *store) do(ctx context.Context, id events.SessionID, c engine.Command) (engine.Done, error) {
	e, err := s.deciding()
	if err != nil {
		return engine.Done{}, err
	}
	m, err := meta()
	if err != nil {
		return engine.Done{}, err
	}
	return e.Do(ctx, id, c, m)
}

// see gives a session's folded state.
func (s *store) see(ctx context.Context, id events.SessionID, look func(*projections.Session) error) error {
	e, err := s.deciding()
	if err != nil {
		return err
	}
	return e.View(ctx, id, look)
}

// catalogue is what sessions can be on in a state directory: the base table, and the
// presets of the integrations that are installed there.
func catalogue(dir string) (presets.Catalogue, error) {
	r, err := newRegistry(nil)
	if err != nil {
		return presets.Catalogue{}, err
	}
	installed, err := readIntegrations(dir)
	if err != nil {
		return presets.Catalogue{}, err
	}
	for _, name := range installed {
		i, _ := shippedIntegration(name) // the file names no other
		if err := r.Install(i, nil); err != nil {
			return presets.Catalogue{}, err
		}
	}
	return r.Catalogue(), nil
}

// newRegistry begins with the base table. warn, which may be nil, is told of
// subscribers that fail.
func newRegistry(warn func(string, ...any)) (*presets.Registry, error) {
	table, err := presets.NewTable(presets.Config{Executor: events.ModeWorkspaceWrite})
	if err != nil {
		return nil, err
	}
	var failed func(error)
	if warn != nil {
		failed = func(err error) { warn("a subscriber of the catalogue failed", "error", err) }
	}
	return presets.NewRegistry(table, failed), nil
}
