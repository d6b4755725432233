package client

import (
	"context"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

// Spawner is what a program can do that makes sessions for people: never above the
// ceiling of its credential, and only for the owner that it names.
type Spawner struct{ c *Client }

// Spawner gives what a spawner's credential is for.
func (c *Client) Spawner() (*Spawner, error) {
	if err := c.need(api.RoleSpawner); err != nil {
		return nil, err
	}
	return &Spawner{c}, nil
}

// Create begins a session for r.Owner, with an id of its own unless it has one.
func (s *Spawner) Create(ctx context.Context, r api.SessionCreate) (api.Created, error) {
	return create(ctx, s.c, r)
}

// Credential gives a credential for the agent of a session that the spawner created.
// It is a secret.
func (s *Spawner) Credential(ctx context.Context, id events.SessionID) (api.Credential, error) {
	return ask[api.Credential](ctx, s.c, "session.credential", api.SessionCredential{Query: api.Query{Session: id}})
}
