package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// link tells those who wait for answers what happens to the connection.
type link struct {
	mu       sync.Mutex      // guards what follows
	epoch    context.Context // ends when answers to what was sent before may be lost
	renew    context.CancelFunc
	over     context.Context // ends with the client
	end      context.CancelFunc
	last     error // that the server said on its own
	refusals int   // how often the server did not permit something
	out      bool  // it does not take the credential, and has not since
}

func newLink() *link {
	l := &link{}
	l.over, l.end = context.WithCancel(context.Background())
	l.epoch, l.renew = context.WithCancel(l.over)
	return l
}

// connected wakes up whoever waits: an answer to what was sent before may be lost.
func (l *link) connected() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = false
	l.begin()
}

func (l *link) begin() {
	l.renew()
	l.epoch, l.renew = context.WithCancel(l.over)
}

// now is the time between two connections that this is.
func (l *link) now() (epoch context.Context, refusals int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.epoch, l.refusals
}

// failed remembers what the server said on its own. To what it does not permit no
// answer comes.
func (l *link) failed(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = err
	if errors.Is(err, nats.ErrPermissionViolation) || refusesCredential(err) {
		l.refusals++
		// The server says so once: who asks later hears nothing more of it.
		l.out = l.out || refusesCredential(err)
		l.begin()
	}
}

// refusesCredential reports whether the server does not take the credential, or not
// any more.
func refusesCredential(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked) ||
		errors.Is(err, nats.ErrAccountAuthExpired)
}

// refused is what the server did not permit since there were so many refusals, or
// that it does not take the credential; nil for nothing.
func (l *link) refused(since int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refusals == since && !l.out {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrNotPermitted, l.last)
}

func (l *link) problem() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// pause waits for d, or less where the connection has been made again meanwhile. The
// error says that there is nothing to wait for any more.
func (l *link) pause(ctx context.Context, d time.Duration) error {
	epoch, _ := l.now()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-epoch.Done():
	case <-ctx.Done():
	}
	switch {
	case l.over.Err() != nil:
		return ErrClosed
	case ctx.Err() != nil:
		return context.Cause(ctx)
	default:
		return nil
	}
}
