package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

const (
	// attemptTimeout is how long one attempt waits for its answer: longer than an engine
	// takes, which answers in the end even if it is that it took too long.
	attemptTimeout = 10 * time.Second
	firstPause     = 50 * time.Millisecond
	longestPause   = 2 * time.Second
	// patience is how long what cannot be done now is tried again.
	patience = 5 * time.Second
)

// newID makes the id of a command or a message.
func newID() string { return rand.Text() }

// NewSessionID makes the id of a new session. Ids sort by time.
func NewSessionID() events.SessionID {
	return events.SessionID(uuid.Must(uuid.NewV7()).String()) // fails only without chance, and then the program ends
}

// named fills in the id of a command that has none yet.
func named(id string) string {
	if id == "" {
		return newID()
	}
	return id
}

// backOff is how long to wait before the next attempt.
type backOff struct{ pause time.Duration }

func (b *backOff) next() time.Duration {
	b.pause = min(max(2*b.pause, firstPause), longestPause)
	return b.pause
}

// ask sends a command or a query until there is an answer to it, or ctx ends.
func ask[Reply any](ctx context.Context, c *Client, command string, request any) (Reply, error) {
	return askWhile[Reply](ctx, c, command, request, patience)
}

// askWhile is ask with how long what cannot be done now is tried again.
func askWhile[Reply any](ctx context.Context, c *Client, command string, request any, patience time.Duration) (Reply, error) {
	var reply Reply
	body, err := encode(command, request)
	if err != nil {
		return reply, err
	}
	var back backOff
	var last error
	begun := time.Now()
	for {
		data, err := c.attempt(ctx, command, body)
		switch {
		case err == nil:
			if err := json.Unmarshal(data, &reply); err != nil {
				return reply, fmt.Errorf("client: %s: the reply is not what the interface says: %w", command, err)
			}
			return reply, nil
		case final(err, time.Since(begun), patience):
			return reply, fmt.Errorf("client: %s: %w", command, err)
		}
		last = err
		if stopped := c.link.pause(ctx, back.next()); stopped != nil {
			return reply, unanswered(command, stopped, errors.Join(last, c.link.problem()))
		}
	}
}

// encode writes a request, and refuses one that the engine would not read.
func encode(command string, request any) ([]byte, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("client: %s: %w", command, &api.Error{Code: api.CodeInvalid, Message: "the request is not JSON: " + err.Error()})
	}
	if len(body) > api.MaxRequest {
		return nil, fmt.Errorf("client: %s: %w", command, &api.Error{
			Code: api.CodeTooLarge, Message: fmt.Sprintf("the request takes %d bytes, and %d are allowed", len(body), api.MaxRequest),
		})
	}
	return body, nil
}

// attempt sends a request once, and gives up when the connection breaks.
func (c *Client) attempt(ctx context.Context, command string, body []byte) ([]byte, error) {
	epoch, refusals := c.link.now()
	attempt, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	defer context.AfterFunc(epoch, cancel)()
	m, err := c.nc.RequestMsgWithContext(attempt, &nats.Msg{Subject: c.caller.subject(command), Data: body})
	if err == nil {
		return m.Data, refusalIn(m)
	}
	if refused := c.link.refused(refusals); refused != nil {
		return nil, refused
	}
	return nil, err
}

// refusalIn is the error that a reply is, nil for none.
func refusalIn(m *nats.Msg) error {
	if m.Header.Get(api.ErrorHeader) == "" && m.Header.Get(api.ErrorCodeHeader) == "" {
		return nil
	}
	var e api.Error
	if err := json.Unmarshal(m.Data, &e); err != nil || e.Code == "" {
		return &api.Error{Code: api.CodeInternal, Message: "the reply is an error that does not say which"}
	}
	return &e
}

// final reports whether asking again would change nothing. What cannot be done now is
// tried again for as long as there is patience. What the server does not permit is
// tried again for [forever] alone, since the credential may be renewed.
func final(err error, spent, patience time.Duration) bool {
	if errors.Is(err, ErrNotPermitted) {
		return patience != forever
	}
	e, is := errors.AsType[*api.Error](err)
	switch {
	case !is:
		return errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, nats.ErrBadSubject)
	case e.Code == api.CodeShuttingDown, e.Code == api.CodeOutcomeUnknown:
		return false
	case e.Code == api.CodeUnavailable, e.Code == api.CodeInternal:
		return spent >= patience
	default:
		return true
	}
}
