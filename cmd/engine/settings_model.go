package main

import (
	"context"
	"iter"
	"runtime"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/internal/identity"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
	"github.com/docket-engine/docket/reviewer/offline"
)

// reviewModel asks the model of a prompt's route: the builtin one in the process,
// every other one over HTTP.
type reviewModel struct {
	builtin reviewer.Model
	http    *model.Client
}

var _ reviewer.Model = (*reviewModel)(nil)

// bodies says where the bodies of calls run that a review is about.
type bodies bool

// The places: on this machine, whose files are those of the calls, or wherever a client
// is.
const (
	bodiesHere      bodies = true
	bodiesAtClients bodies = false
)

// reviewModel makes the model that reviews ask. Close it when nobody asks any more.
func (a *app) reviewModel(where bodies) (*reviewModel, error) {
	client, err := model.New(model.Config{Environment: a.getenv})
	if err != nil {
		return nil, err
	}
	return &reviewModel{builtin: offline.New(a.offlineConfig(where)), http: client}, nil
}

// Stream goes by the API alone: which route may be asked is settled before.
func (m *reviewModel) Stream(ctx context.Context, p reviewer.Prompt) iter.Seq2[reviewer.Chunk, error] {
	if p.Route.API == reviewer.APIBuiltin {
		return m.builtin.Stream(ctx, p)
	}
	return m.http.Stream(ctx, p)
}

// Close closes the connections that wait for another prompt.
func (m *reviewModel) Close() { m.http.Close() }

// offlineConfig is what the offline reviewer is told of this machine: what belongs to
// the engine always, and what exists only where calls run here as well.
func (a *app) offlineConfig(where bodies) offline.Config {
	c := offline.Config{Home: a.getenv("HOME"), Platform: runtime.GOOS, Engine: a.effectsOwn()}
	if where == bodiesHere {
		c.Files = func(workspace string) effects.FileSystem { return effects.OSFiles(workspace) }
		c.Identity = identity.Here{}
	}
	return c
}

// servedBodies is where the bodies of a serve's clients run. Its own server listens on
// loopback alone, so that whoever comes to it is on this machine, unless the operator
// says otherwise; to a server elsewhere clients come from anywhere.
func (a *app) servedBodies() bodies {
	return bodies(a.nats == "" && a.context == "" && a.agents != agentsElsewhere)
}
