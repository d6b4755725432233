package client

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/permit"
)

const (
	reconnectWait = 100 * time.Millisecond
	// pingEvery finds a connection that is dead without having been closed.
	pingEvery = 10 * time.Second
)

// Client is a connection to the engines of one bus. Its methods are safe for
// concurrent use. It connects again by itself for as long as it lives.
type Client struct {
	cfg      Config
	caller   credential
	nc       *nats.Conn
	key      ed25519.PublicKey // of permits; nil for who runs no bodies, as is
	executor *permit.Executor
	link     *link

	ctx  context.Context // of what is recorded in the background: ends with Close
	stop context.CancelFunc

	mu      sync.Mutex // guards what follows; never held while calling out
	closed  bool
	work    sync.WaitGroup // calls and settlements under way; added to under mu
	pending int            // results that are not on the log yet
}

// Dial connects with a credential, and asks an agent's or a host's engine for the key
// of its permits. It fails where the server refuses the credential, and repeats
// everything else until ctx ends.
func Dial(ctx context.Context, cfg Config) (*Client, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	caller, err := cfg.credential(ctx)
	if err != nil {
		return nil, err
	}
	c := &Client{cfg: cfg, caller: caller, link: newLink()}
	c.ctx, c.stop = context.WithCancel(context.Background())
	if err := c.connect(ctx); err != nil {
		c.leave()
		return nil, err
	}
	if caller.role == api.RoleAgent || caller.role == api.RoleHost {
		if err := c.pin(ctx); err != nil {
			c.leave()
			return nil, err
		}
	}
	return c, nil
}

// connect tries until the server is there, or refuses the credential.
func (c *Client) connect(ctx context.Context) error {
	for {
		nc, err := nats.Connect(c.cfg.URL, c.options()...)
		if err == nil {
			c.nc = nc
			return nil
		}
		if refusesCredential(err) {
			return fmt.Errorf("client: %w: %w", ErrNotPermitted, err)
		}
		if stopped := c.link.pause(ctx, reconnectWait); stopped != nil {
			return fmt.Errorf("client: connect to %s: %w: %w", c.cfg.URL, stopped, err)
		}
	}
}

func (c *Client) options() []nats.Option {
	return append(append([]nats.Option{}, c.cfg.Options...),
		nats.Name(c.cfg.Name), c.cfg.option(c.caller), nats.CustomInboxPrefix(c.caller.inboxPrefix()),
		nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait), nats.PingInterval(pingEvery),
		// What is sent while nobody is connected is sent again by whoever waits for an
		// answer, and by nobody else.
		nats.ReconnectBufSize(-1),
		nats.IgnoreAuthErrorAbort(),
		// An inbox for each request: with one for all, a server keeps the way back of each
		// answer to another account for minutes.
		nats.UseOldRequestStyle(),
		nats.ReconnectHandler(func(*nats.Conn) { c.link.connected() }),
		nats.DisconnectErrHandler(func(*nats.Conn, error) {}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.link.failed(err) }),
	)
}

// pin keeps the key of the engine's permits.
func (c *Client) pin(ctx context.Context) error {
	keys, err := ask[api.Keys](ctx, c, "keys", api.KeysQuery{})
	if err != nil {
		return err
	}
	switch key := ed25519.PublicKey(keys.Dispatch); {
	case len(key) != ed25519.PublicKeySize:
		return fmt.Errorf("client: the engine's key of permits has %d bytes, not %d", len(key), ed25519.PublicKeySize)
	case c.cfg.DispatchKey != nil && !bytes.Equal(key, c.cfg.DispatchKey):
		return fmt.Errorf("client: %w", ErrKeyChanged)
	default:
		c.key, c.executor = key, permit.NewExecutor(key)
		return nil
	}
}

// DispatchKey is the key whose permits count, nil where no bodies are run. Who keeps
// it for the next [Config] notices an engine that is another one.
func (c *Client) DispatchKey() ed25519.PublicKey { return bytes.Clone(c.key) }

// Role is what the client's credential is for.
func (c *Client) Role() api.Role { return c.caller.role }

// Name is whose the client's credential is: of an agent its session's id.
func (c *Client) Name() string { return c.caller.name }

// need refuses what the credential is not for, before the server does.
func (c *Client) need(roles ...api.Role) error {
	if slices.Contains(roles, c.caller.role) {
		return nil
	}
	return fmt.Errorf("client: %w: it is of a %s", ErrRole, c.caller.role)
}

// enter counts something in that Close waits for.
func (c *Client) enter() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return fmt.Errorf("client: %w", ErrClosed)
	}
	c.work.Add(1)
	return nil
}

// Close admits no more calls, waits until those under way have ended and what they
// came to is on the log, and disconnects. Where ctx ends before, it disconnects all
// the same, and the error says how many results are lost.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	done := make(chan struct{})
	go func() {
		c.work.Wait()
		close(done)
	}()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		c.mu.Lock()
		err = fmt.Errorf("client: close: %w: %d results are not on the log", context.Cause(ctx), c.pending)
		c.mu.Unlock()
	}
	c.leave()
	return err
}

// leave ends what runs in the background, disconnects, and forgets the credential.
func (c *Client) leave() {
	c.stop()
	c.link.end()
	if c.nc != nil {
		c.nc.Close()
	}
	c.caller.opened.forget()
}
