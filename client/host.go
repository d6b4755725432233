package client

import (
	"context"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

// Host is what a host can do: a program that people sit at, which runs an agent's loop
// for them. It works with the sessions that it created and with no others, never above
// the ceiling of its credential. What it relays is on the log as a person's words that
// came by way of a host. It answers no questions and changes no preset: that is for
// people, with credentials of their own. Its methods are safe for concurrent use.
type Host struct{ c *Client }

// Host gives what a host's credential is for.
func (c *Client) Host() (*Host, error) {
	if err := c.need(api.RoleHost); err != nil {
		return nil, err
	}
	return &Host{c}, nil
}

// Create begins a session, with an id of its own unless it has one. Without a preset it
// is on the default, or on the ceiling where that is narrower.
func (h *Host) Create(ctx context.Context, r api.SessionCreate) (api.Created, error) {
	return create(ctx, h.c, r)
}

// Session is one that the host created, as its agent's loop has it: turns and steps,
// what the model said, calls. See [Session.Run].
func (h *Host) Session(id events.SessionID) (*Session, error) { return h.c.Session(id) }

// Relay says in a session what the person at the host has said. It enters what the
// model sees with the next step.
func (h *Host) Relay(ctx context.Context, id events.SessionID, text string) error {
	return h.Message(ctx, api.MessageSend{Command: api.Command{Session: id}, Content: []events.Block{events.TextBlock(text)}})
}

// Message is Relay with all that a message can have.
func (h *Host) Message(ctx context.Context, m api.MessageSend) error {
	m.ID, m.MessageID = named(m.ID), named(m.MessageID)
	_, err := ask[api.Done](ctx, h.c, "message.send", m)
	return err
}

// Stop stops what a session is doing, as when the host is closed.
func (h *Host) Stop(ctx context.Context, id events.SessionID) error {
	_, err := ask[api.Done](ctx, h.c, "session.stop", api.SessionStop{Command: about(id)})
	return err
}
