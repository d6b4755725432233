package client

import (
	"context"
	"iter"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

// Human is what a person can do: with sessions that are theirs, or that list them.
// Its methods are safe for concurrent use.
type Human struct{ c *Client }

// Human gives what a person's credential is for.
func (c *Client) Human() (*Human, error) {
	if err := c.need(api.RoleHuman); err != nil {
		return nil, err
	}
	return &Human{c}, nil
}

// about is a command on a session.
func about(id events.SessionID) api.Command { return api.Command{ID: newID(), Session: id} }

func (h *Human) done(ctx context.Context, command string, request any) error {
	_, err := ask[api.Done](ctx, h.c, command, request)
	return err
}

// Create begins a session, with an id of its own unless it has one.
func (h *Human) Create(ctx context.Context, r api.SessionCreate) (api.Created, error) {
	return create(ctx, h.c, r)
}

func create(ctx context.Context, c *Client, r api.SessionCreate) (api.Created, error) {
	r.ID = named(r.ID)
	if r.Session == "" {
		r.Session = NewSessionID()
	}
	return ask[api.Created](ctx, c, "session.create", r)
}

// Credential gives a credential for a session's agent. It is a secret.
func (h *Human) Credential(ctx context.Context, id events.SessionID) (api.Credential, error) {
	return ask[api.Credential](ctx, h.c, "session.credential", api.SessionCredential{Query: api.Query{Session: id}})
}

// List yields the person's sessions, in the order of their ids.
func (h *Human) List(ctx context.Context) iter.Seq2[api.Listed, error] {
	return func(yield func(api.Listed, error) bool) {
		for after := events.SessionID(""); ; {
			page, err := ask[api.Sessions](ctx, h.c, "session.list", api.SessionList{After: after})
			if err != nil {
				yield(api.Listed{}, err)
				return
			}
			for _, s := range page.Sessions {
				if !yield(s, nil) {
					return
				}
			}
			if page.More == "" || page.More == after {
				return
			}
			after = page.More
		}
	}
}

// Show is what a session is folded to.
func (h *Human) Show(ctx context.Context, id events.SessionID) (api.State, error) {
	return ask[api.State](ctx, h.c, "session.show", api.SessionShow{Query: api.Query{Session: id}})
}

// Stop stops what a session is doing.
func (h *Human) Stop(ctx context.Context, id events.SessionID) error {
	return h.done(ctx, "session.stop", api.SessionStop{Command: about(id)})
}

// Fork begins a session as a copy of another one up to the event at, nil for all of
// it.
func (h *Human) Fork(ctx context.Context, id events.SessionID, at *events.Seq) (api.Created, error) {
	return ask[api.Created](ctx, h.c, "session.fork", api.SessionFork{Command: about(id), Child: NewSessionID(), At: at})
}

// Adopt takes an imported session over.
func (h *Human) Adopt(ctx context.Context, id events.SessionID) (api.Created, error) {
	return ask[api.Created](ctx, h.c, "session.adopt", api.SessionAdopt{Command: about(id)})
}

// Share says who beside the owner may work with a session; it replaces those before.
func (h *Human) Share(ctx context.Context, id events.SessionID, members ...string) error {
	return h.done(ctx, "session.share", api.SessionShare{Command: about(id), Members: append([]string{}, members...)})
}

// Say says something in a session. It enters what the model sees with the next step.
func (h *Human) Say(ctx context.Context, id events.SessionID, text string) error {
	return h.Message(ctx, api.MessageSend{Command: api.Command{Session: id}, Content: []events.Block{events.TextBlock(text)}})
}

// Message is Say with all that a message can have.
func (h *Human) Message(ctx context.Context, m api.MessageSend) error {
	m.ID, m.MessageID = named(m.ID), named(m.MessageID)
	return h.done(ctx, "message.send", m)
}

// SetPreset switches a session to a preset.
func (h *Human) SetPreset(ctx context.Context, id events.SessionID, preset string) error {
	return h.done(ctx, "preset.set", api.PresetSet{Command: about(id), Preset: preset})
}

// Catalog is what sessions can be on.
func (h *Human) Catalog(ctx context.Context) (api.Catalog, error) {
	return ask[api.Catalog](ctx, h.c, "preset.catalog", api.PresetCatalog{})
}

// SetPolicy says whether people are asked in a session: ask or never.
func (h *Human) SetPolicy(ctx context.Context, id events.SessionID, policy string) error {
	return h.done(ctx, "policy.set", api.PolicySet{Command: about(id), Policy: policy})
}

// SetTier says how readily a judge asks a person: aggressive, standard or passive.
func (h *Human) SetTier(ctx context.Context, id events.SessionID, tier string) error {
	return h.done(ctx, "tier.set", api.TierSet{Command: about(id), Tier: tier})
}

// AllowRoute lets a route serve a session's reviews, too.
func (h *Human) AllowRoute(ctx context.Context, id events.SessionID, provider, model string) error {
	return h.done(ctx, "route.allow", api.RouteAllow{Command: about(id), Provider: provider, Model: model})
}

// Read yields a session's records from a seq on, those that are stored now. An error
// is the last that is yielded.
func (h *Human) Read(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return h.c.read(ctx, id, from)
}

// Tail yields a session's records from a seq on, those that are stored and then those
// that come, in order and without a gap, until ctx ends, which is not an error.
func (h *Human) Tail(ctx context.Context, id events.SessionID, from events.Seq) iter.Seq2[events.Record, error] {
	return h.c.tail(ctx, id, from)
}
