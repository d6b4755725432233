package main

import (
	"context"
	"iter"

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

// reviewModel makes the model that reviews ask. Close it when nobody asks any more.
func (a *app) reviewModel() (*reviewModel, error) {
	client, err := model.New(model.Config{Environment: a.getenv})
	if err != nil {
		return nil, err
	}
	return &reviewModel{builtin: offline.New(), http: client}, nil
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
