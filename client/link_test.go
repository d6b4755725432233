package client

import (
	"errors"
	"testing"

	"github.com/nats-io/nats.go"
)

// TestACredentialThatIsNotTakenIsToldToWhoAsksLaterToo: the server says it once,
// maybe while nobody asks, and it holds until there is a connection again.
func TestACredentialThatIsNotTakenIsToldToWhoAsksLaterToo(t *testing.T) {
	l := newLink()
	defer l.end()
	l.failed(nats.ErrAuthorization)
	_, refusals := l.now() // who asks behind it
	if err := l.refused(refusals); !errors.Is(err, ErrNotPermitted) {
		t.Errorf("got %v, want ErrNotPermitted", err)
	}
	l.connected()
	if err := l.refused(refusals); err != nil {
		t.Errorf("got %v with a connection again, want nothing", err)
	}
	l.failed(nats.ErrPermissionViolation)
	_, refusals = l.now()
	if err := l.refused(refusals); err != nil {
		t.Errorf("got %v for what another request was not permitted, want nothing", err)
	}
}
