package client

import (
	"github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

// Unescape is for tests.
func Unescape(shown string) (string, error) { return unescape(shown) }

// Check checks messages as if the mirror had them.
func (a *Audit) Check(id events.SessionID, messages []*jetstream.RawStreamMsg) error {
	log := a.logOf(id)
	for _, m := range messages {
		if _, err := log.take(m); err != nil {
			return err
		}
	}
	return nil
}

// ParseCredential is for tests.
func ParseCredential(text []byte) (role, name string, err error) {
	c, err := parseCredential(text)
	return string(c.role), c.name, err
}

// ShownHash is for tests.
func ShownHash(q api.Question, chain events.Chain) (string, error) { return shownHash(q, chain) }

// SignNonce is for tests: it signs as a connection does.
func (c *Client) SignNonce() error {
	_, err := c.caller.opened.sign([]byte("nonce"))
	return err
}
