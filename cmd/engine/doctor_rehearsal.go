package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/bus"
)

// Where a running serve is told of what the doctor tries, so that its log shows one
// line of that and not a hundred. Engines alone can tell it, and the name of the
// connection is known to nobody else: what anybody else tries is logged as ever.
const (
	rehearsalBegins = bus.ControlPrefix + "rehearsal.begin"
	rehearsalEnds   = bus.ControlPrefix + "rehearsal.end"
	// rehearsalLimit ends one whose doctor was killed.
	rehearsalLimit = 2 * time.Minute
)

// rehearse tells the running serve of this machine that a connection of the given name
// tries what it must not. Where there is none, or it cannot be told, its log shows all.
func (a *app) rehearse(ctx context.Context) (name string, done func()) {
	name, done = rand.Text(), func() {}
	r, err := readRunFile(a.dir)
	if err != nil || !r.Embedded {
		return name, done
	}
	nc, err := a.connect(r.endpoint, observed(a.logger()), nats.NoReconnect())
	if err != nil {
		return name, done
	}
	tell := func(subject string) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), doctorPatience)
		defer cancel()
		_, err := nc.RequestWithContext(ctx, subject, []byte(name))
		return err
	}
	if tell(rehearsalBegins) != nil {
		nc.Close()
		return name, done
	}
	return name, func() {
		_ = tell(rehearsalEnds) // else it ends by itself
		nc.Close()
	}
}

// heedRehearsals makes serve count what the doctor tries.
func (s *store) heedRehearsals() error {
	if s.server == nil || s.authority == nil {
		return nil
	}
	h := &rehearsals{store: s, ends: map[string]func(){}}
	for subject, heed := range map[string]func(string) error{rehearsalBegins: h.begin, rehearsalEnds: h.end} {
		_, err := s.nc.Subscribe(subject, func(m *nats.Msg) {
			reply := "done"
			if err := heed(string(m.Data)); err != nil {
				reply = err.Error()
			}
			_ = m.Respond([]byte(reply)) // the doctor goes on without
		})
		if err != nil {
			return fmt.Errorf("listen for the doctor: %w", err)
		}
	}
	return nil
}

// rehearsals are those under way.
type rehearsals struct {
	store *store

	mu   sync.Mutex // guards ends
	ends map[string]func()
}

func (h *rehearsals) begin(name string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ends[name] != nil {
		return nil
	}
	end, err := h.store.server.Rehearse(name)
	if err != nil {
		return err
	}
	limit := time.AfterFunc(rehearsalLimit, func() { _ = h.end(name) })
	h.ends[name] = func() {
		limit.Stop()
		h.store.logger.Info("'engine doctor' tried what its credential must not be able to do", slog.Int("refused", end()))
	}
	return nil
}

func (h *rehearsals) end(name string) error {
	h.mu.Lock()
	end := h.ends[name]
	delete(h.ends, name)
	h.mu.Unlock()
	if end != nil {
		end()
	}
	return nil
}
