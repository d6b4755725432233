package model

import (
	"context"
	"errors"
	"io"
	"iter"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/docket-engine/docket/reviewer"
)

// Config says where a [Client] finds keys.
type Config struct {
	// Environment is the value of a variable, empty where there is none. Required.
	Environment func(name string) string
	// Dial makes the connections, nil for those of the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Client is a [reviewer.Model] over HTTP. It is safe for concurrent use.
type Client struct {
	environment func(name string) string
	http        *http.Client
}

// New makes a Client. Its connections are its own.
func New(config Config) (*Client, error) {
	if config.Environment == nil {
		return nil, errors.New("model: Config.Environment is missing")
	}
	return &Client{environment: config.Environment, http: newHTTP(config.Dial)}, nil
}

// Close closes the connections that wait for another request.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Stream sends the prompt when its result is first ranged over, and never again.
func (c *Client) Stream(ctx context.Context, p reviewer.Prompt) iter.Seq2[reviewer.Chunk, error] {
	var sent atomic.Bool
	return func(yield func(reviewer.Chunk, error) bool) {
		if sent.Swap(true) {
			yield(nil, ErrRequest.With("the prompt was sent already"))
			return
		}
		secret, err := readKey(p.Route, c.environment)
		if err != nil {
			yield(nil, err)
			return
		}
		gone := false
		finish, err := c.answer(ctx, p, secret, func(chunk reviewer.Chunk) bool {
			gone = !yield(chunk, nil)
			return !gone
		})
		if gone {
			return
		}
		yield(outcome(ctx, finish, err, secret))
	}
}

// outcome is how a stream ends: with a finish, or with a failure and no chunk.
func outcome(ctx context.Context, finish reviewer.Finish, err error, secret key) (reviewer.Chunk, error) {
	if err == nil {
		if finish.Kind != reviewer.FinishStop {
			finish.Kind = reviewer.FinishKind(cut(secret.scrub(string(finish.Kind)), maxCode))
		}
		return finish, nil
	}
	if ctx.Err() != nil {
		return nil, ErrCancelled.Because(context.Cause(ctx))
	}
	if failed, ok := errors.AsType[*providerError](err); ok {
		return failed.outcome(secret)
	}
	if failure, ok := errors.AsType[*reviewer.Failure](err); ok {
		return nil, failure.With("%s", cut(secret.scrub(failure.Detail), maxMessage))
	}
	return nil, ErrConnectionLost.With("%s", cut(secret.scrub(err.Error()), maxMessage))
}

// errGone says that nobody reads the chunks any more.
var errGone = errors.New("model: the reader is gone")

// protocol reads the events of an answer, and knows when it was a whole one.
type protocol interface {
	// take reads one event. The error is a *providerError where the provider failed, and
	// a *reviewer.Failure where the event breaks the protocol.
	take(event) ([]reviewer.Chunk, error)
	// finish is called at the end of the stream.
	finish() (reviewer.Finish, error)
}

// answer sends the prompt and yields what comes back, but for the finish.
func (c *Client) answer(ctx context.Context, p reviewer.Prompt, secret key, yield func(reviewer.Chunk) bool) (reviewer.Finish, error) {
	var speech protocol
	switch p.Route.API {
	case reviewer.APICompletions:
		speech = &completions{}
	case reviewer.APIResponses:
		speech = &responses{}
	default:
		return reviewer.Finish{}, ErrRequest.With("the route %s has the API %q, which is not spoken over HTTP", p.Route.Name(), p.Route.API)
	}
	response, err := c.send(ctx, p, secret)
	if err != nil {
		return reviewer.Finish{}, err
	}
	defer response.Body.Close()

	if err := readAll(newEventReader(response.Body, scaled(maxEvent, p.Route)), speech, yield); err != nil {
		if failed, ok := errors.AsType[*providerError](err); ok {
			return reviewer.Finish{}, failed.of(response)
		}
		return reviewer.Finish{}, err
	}
	return speech.finish()
}

// readAll reads events up to the end of the stream, which is [DONE] or the end of the
// body. Behind [DONE] there may be line ends only.
//
// The library's own reader of streams stops at [DONE] without looking further, takes
// an event that was cut off for none, and passes over lines that are no fields. A
// review must see all three, so the library makes the request and this reads the answer.
func readAll(events *eventReader, speech protocol, yield func(reviewer.Chunk) bool) error {
	for {
		e, err := events.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case string(e.data) == "[DONE]":
			return events.rest()
		}
		chunks, err := speech.take(e)
		if err != nil {
			return err
		}
		for _, chunk := range chunks {
			if !yield(chunk) {
				return errGone
			}
		}
	}
}
