package bus

import (
	"fmt"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
)

// announce tells everybody when this engine's catalogue changes, and hears when
// another one's does. An engine that begins has one that may be new to whoever knew the
// one before.
func (s *Service) announce() error {
	say := func() {
		if err := s.cfg.Conn.Publish(api.CatalogueSubject, nil); err != nil {
			s.cfg.Logger.Warn("a change of the catalogue was not told", "error", err)
		}
	}
	heard := func(*nats.Msg) {
		if s.cfg.Changed != nil {
			s.cfg.Changed()
		}
	}
	sub, err := s.cfg.Conn.Subscribe(api.CatalogueSubject, heard)
	if err != nil {
		return fmt.Errorf("bus: listen for changes of the catalogue: %w", err)
	}
	cancel := s.cfg.Registry.Subscribe(say)
	s.silent = func() {
		cancel()
		_ = sub.Unsubscribe() // a closed connection has none
	}
	say()
	return nil
}

// silence ends it. What shuts down keeps its presets, and so has nothing to tell.
func (s *Service) silence() {
	if s.silent != nil {
		s.silent()
	}
}
