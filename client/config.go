package client

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
)

// Config says where an engine is and who calls.
type Config struct {
	// URL is where the NATS server is: nats://host:port, several with commas between.
	URL string // required

	// Creds is the text of a NATS credentials file, CredsFile its path. Exactly one is
	// required. A file is read again for each connection, so that it can be renewed.
	// Either may be sealed, as 'engine creds seal' does it: it is opened once, by [Dial],
	// and what is in it is kept in memory alone.
	Creds     []byte
	CredsFile string

	// Passphrase gives the passphrase of a sealed credential. Dial asks for it once, and
	// overwrites what it is given.
	Passphrase func(context.Context) ([]byte, error)

	// Role is what the credential is for; default what the credential says itself.
	Role api.Role

	// Name is what the connection is called on the server, for people.
	Name string

	// DispatchKey, unless it is nil, is the only key whose permits count. Else the
	// engine's key is asked for once, by [Dial], and kept for as long as the client
	// lives. An engine with another key is refused either way.
	DispatchKey ed25519.PublicKey

	// RecordWait is how long [Running.Wait] waits for a result to be on the log, once
	// there is one; default 30 s. It is recorded afterwards, too: see [Client.Close].
	RecordWait time.Duration

	// Failed is told of what could not be recorded for good; nil for nobody.
	Failed func(error)

	// Options are more of the connection's, such as those of TLS. Those that say who
	// calls and how it connects again are the client's own.
	Options []nats.Option
}

const defaultRecordWait = 30 * time.Second

func (c *Config) validate() error {
	switch {
	case c.URL == "":
		return errors.New("client: Config.URL is empty")
	case (len(c.Creds) == 0) == (c.CredsFile == ""):
		return errors.New("client: Config needs one of Creds and CredsFile")
	case c.DispatchKey != nil && len(c.DispatchKey) != ed25519.PublicKeySize:
		return fmt.Errorf("client: Config.DispatchKey has %d bytes, not %d", len(c.DispatchKey), ed25519.PublicKeySize)
	case c.RecordWait < 0:
		return fmt.Errorf("client: Config.RecordWait is negative: %s", c.RecordWait)
	}
	if c.RecordWait == 0 {
		c.RecordWait = defaultRecordWait
	}
	if c.Failed == nil {
		c.Failed = func(error) {}
	}
	return nil
}
