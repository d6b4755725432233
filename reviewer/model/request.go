package model

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	oairesponses "github.com/openai/openai-go/v3/responses"

	"github.com/docket-engine/docket/reviewer"
)

// What is read of a response: a stream in all, one event of it, which is held in
// memory, and the body of an error. A stream that sends each token by itself is some
// eighty times as large as its text, so that a long reasoning fills megabytes. A route
// with a larger limit for text has larger ones here.
const (
	maxStream    = 16 << 20
	maxEvent     = 4 << 20
	maxErrorBody = 64 << 10
)

// scaled is a limit for a route whose text may be larger than the default's 1 MiB.
func scaled(limit int64, route reviewer.Route) int64 {
	return limit * max(1, (route.Limits.Bytes+1<<20-1)>>20)
}

// newHTTP makes a client that sends a request where it was meant to go, once: a
// redirect is an answer like any other, and a compressed stream could hold back what
// was sent, so that none is asked for. Proxies are those of the environment.
func newHTTP(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	if dial == nil {
		dial = (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    64, // reviews of many sessions go to one host
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		DialContext:            dial,
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// send makes the route's request and returns its response if that is an event stream.
func (c *Client) send(ctx context.Context, p reviewer.Prompt, secret key) (*http.Response, error) {
	if !utf8.ValidString(p.System) || !utf8.ValidString(p.User) {
		return nil, ErrRequest.With("the prompt is not UTF-8, and would not arrive as it is")
	}
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:        func(httptrace.GotConnInfo) { connected.Store(true) },
		Got1xxResponse: func(int, textproto.MIMEHeader) error { reviewer.Heard(ctx); return nil },
	})
	var response *http.Response
	options := append(c.options(p.Route, secret), option.WithResponseBodyInto(&response))

	// The services are made by themselves: the library's client would add what it finds
	// in the environment (key, base URL, organisation, project, headers).
	var err error
	if p.Route.API == reviewer.APIResponses {
		service := oairesponses.NewResponseService(options...)
		_, err = service.New(ctx, responsesBody(p))
	} else {
		service := openai.NewChatCompletionService(options...)
		_, err = service.New(ctx, completionsBody(p))
	}
	if err == nil && response == nil {
		err = errors.New("there is no response")
	}
	switch {
	case err == nil:
		return response, nil
	case isOurs(err), connected.Load(), ctx.Err() != nil:
		return nil, err
	default: // no connection, or none that TLS trusts
		return nil, ErrUnreachable.With("%s", cut(secret.scrub(err.Error()), maxMessage))
	}
}

// isOurs tells a response that judge refused from a request that found none.
func isOurs(err error) bool {
	if _, ok := errors.AsType[*reviewer.Failure](err); ok {
		return true
	}
	_, ok := errors.AsType[*providerError](err)
	return ok
}

// options say all that the library would otherwise find out, try again or tell.
func (c *Client) options(route reviewer.Route, secret key) []option.RequestOption {
	options := []option.RequestOption{
		option.WithBaseURL(route.BaseURL),
		option.WithHTTPClient(c.http),
		option.WithMaxRetries(0),
		option.WithMiddleware(judge(scaled(maxStream, route))),
		option.WithHeader("Accept", "text/event-stream"),
		option.WithHeader("User-Agent", "docket"),
		option.WithJSONSet("stream", true),
	}
	for _, name := range []string{"Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Retry-Count", "Timeout"} {
		options = append(options, option.WithHeaderDel("X-Stainless-"+name))
	}
	if secret.secret != "" {
		options = append(options, option.WithAPIKey(secret.secret))
	}
	return options
}

// completionsBody is the policy and one message, and nothing that has a default.
func completionsBody(p reviewer.Prompt) openai.ChatCompletionNewParams {
	body := openai.ChatCompletionNewParams{
		Model:    p.Route.Model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(p.System), openai.UserMessage(p.User)},
	}
	if !p.Route.NoTemperature {
		body.Temperature = param.NewOpt(0.0)
	}
	return body
}

// responsesBody is the same in the other protocol, which would keep the answer at the
// provider if it were not told otherwise.
func responsesBody(p reviewer.Prompt) oairesponses.ResponseNewParams {
	body := oairesponses.ResponseNewParams{
		Model:        p.Route.Model,
		Instructions: param.NewOpt(p.System),
		Input:        oairesponses.ResponseNewParamsInputUnion{OfString: param.NewOpt(p.User)},
		Store:        param.NewOpt(false),
	}
	if !p.Route.NoTemperature {
		body.Temperature = param.NewOpt(0.0)
	}
	return body
}
