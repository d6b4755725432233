package client

import (
	"context"
	"fmt"
	"iter"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
)

// changesHeld is how many changes wait to be looked at: they all mean one read.
const changesHeld = 64

// Catalogs yields what sessions can be on, and yields it again whenever an engine's
// catalogue has changed or the connection is a new one, until ctx ends.
func (h *Human) Catalogs(ctx context.Context) iter.Seq2[api.Catalog, error] {
	return func(yield func(api.Catalog, error) bool) {
		changed := make(chan *nats.Msg, changesHeld)
		sub, err := h.c.nc.ChanSubscribe(api.CatalogueSubject, changed) // first, so that no change falls between
		if err != nil {
			yield(api.Catalog{}, fmt.Errorf("client: listen for changes of the catalogue: %w", err))
			return
		}
		defer func() { _ = sub.Unsubscribe() }() // a closed connection has none
		for {
			connection, _ := h.c.link.now()
			for len(changed) > 0 {
				<-changed
			}
			c, err := h.Catalog(ctx)
			if ctx.Err() != nil || !yield(c, err) || err != nil {
				return
			}
			select {
			case <-changed:
			case <-connection.Done():
			case <-ctx.Done():
				return
			}
		}
	}
}
