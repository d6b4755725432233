package model

import (
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
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
// was sent. Proxies are those of the environment.
func newHTTP() *http.Client {
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    64, // reviews of many sessions go to one host
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		DialContext:            (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
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
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
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

// judge lets event streams pass, bounded, and makes an error of every other response,
// of which it reads little: the library would read an error's body to its end.
func judge(limit int64) option.Middleware {
	return func(request *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		response, err := next(request)
		if err != nil {
			return nil, err
		}
		if err := notStream(response); err != nil {
			response.Body.Close()
			return nil, err
		}
		response.Body = &boundedBody{ReadCloser: response.Body, left: limit, limit: limit}
		return response, nil
	}
}

// notStream says why a response is no event stream, nil if it is one.
func notStream(response *http.Response) error {
	if response.StatusCode != http.StatusOK {
		return statusError(response)
	}
	given := response.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(given)
	if err != nil || kind != "text/event-stream" {
		return ErrNotStream.With("the response is no event stream: its content type is %q", cut(given, maxCode))
	}
	if coding := response.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return ErrNotStream.With("the response is encoded with %q, which was not asked for", cut(coding, maxCode))
	}
	return nil
}

// statusError is the provider's error of a response whose status says that it is one.
func statusError(response *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxErrorBody))
	if err != nil {
		body = nil
	}
	failed := reported(body).of(response)
	if failed.code == "" && failed.message == "" {
		failed.message = "the response has no error in JSON; its content type is " + response.Header.Get("Content-Type")
	}
	if wait := response.Header.Get("Retry-After"); wait != "" {
		failed.message = cut(failed.message, maxMessage/2) + " (Retry-After: " + cut(wait, maxCode) + ")"
	}
	return failed
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
