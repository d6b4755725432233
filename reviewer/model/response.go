package model

import (
	"compress/gzip"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3/option"

	"github.com/docket-engine/docket/reviewer"
)

// judge lets event streams pass, bounded, and makes an error of every other response,
// of which it reads little: the library would read an error's body to its end.
func judge(limit int64) option.Middleware {
	return func(request *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		response, err := next(request)
		if err != nil {
			return nil, err
		}
		reviewer.Heard(request.Context())
		response.Body = &boundedBody{ReadCloser: response.Body, left: limit, limit: limit}
		response.Body = &heardBody{ReadCloser: response.Body, heard: func() { reviewer.Heard(request.Context()) }}
		if coding := codingOf(response); coding == "gzip" || coding == "x-gzip" {
			response.Body = &boundedBody{ReadCloser: &gzipBody{coded: response.Body, coding: coding}, left: limit, limit: limit}
			response.Header.Del("Content-Encoding")
		}
		if err := notStream(response); err != nil {
			response.Body.Close()
			return nil, err
		}
		return response, nil
	}
}

func codingOf(response *http.Response) string {
	return strings.ToLower(strings.TrimSpace(response.Header.Get("Content-Encoding")))
}

// notStream says why a response is no event stream, nil if it is one.
func notStream(response *http.Response) error {
	if response.StatusCode != http.StatusOK {
		return statusError(response)
	}
	given := response.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(given)
	coding := codingOf(response)
	switch {
	case coding != "" && coding != "identity":
		return ErrNotStream.With("the response is encoded with %q, which was not asked for", cut(coding, maxCode))
	case err == nil && kind == "text/event-stream":
		return nil
	case err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json")):
		return inJSON(response, given)
	default:
		return ErrNotStream.With("the response is no event stream: its content type is %q", given)
	}
}

// inJSON is the error of a response that should be a stream and is one document: some
// providers send their errors so, with a status that says that all is well. A whole
// answer is none that was asked for.
func inJSON(response *http.Response, given string) error {
	body, failure := errorBody(response)
	if failure != nil {
		return failure
	}
	members := membersOf(firstOf(body))
	if isGiven(members["choices"]) || isGiven(members["output"]) {
		return ErrNotStream.With("the response is a whole answer and no event stream: its content type is %q", given)
	}
	if failed := reported(body); failed.said() {
		return failed.of(response)
	}
	return ErrNotStream.With("the response is no event stream: its content type is %q", given)
}

// errorBody is what is read of a body that is no stream. Where it breaks off, what came
// is all there is; a failure is a body that is not what its head says.
func errorBody(response *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, maxErrorBody))
	if failure, ok := errors.AsType[*reviewer.Failure](err); ok {
		return nil, failure
	}
	return body, nil
}

// statusError is the provider's error of a response whose status says that it is one.
func statusError(response *http.Response) error {
	body, err := errorBody(response)
	if err != nil {
		body = nil // the status says enough
	}
	failed := reported(body).of(response)
	if !failed.said() {
		failed.message = "the response has no error in JSON; its content type is " + response.Header.Get("Content-Type")
	}
	if to := response.Header.Get("Location"); to != "" && response.StatusCode/100 == 3 {
		failed.notes = append(failed.notes, "redirects are not followed, this one goes to "+to)
	}
	if wait := response.Header.Get("Retry-After"); wait != "" {
		failed.notes = append(failed.notes, "Retry-After: "+wait)
	}
	return failed
}

// heardBody tells of each byte that comes, whatever it is: a limit of time on silence
// must not count a connection that is kept alive as silent.
type heardBody struct {
	io.ReadCloser
	heard func()
}

// Read is the body's.
func (b *heardBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.heard()
	}
	return n, err
}

// gzipBody is a body that somebody compressed on the way without being asked. It is
// opened when it is read: its head may come late.
type gzipBody struct {
	coded  io.ReadCloser
	coding string
	plain  *gzip.Reader
	err    error // of its head
}

// Read fails with [ErrNotStream] where the body is not what its head says.
func (b *gzipBody) Read(p []byte) (int, error) {
	if b.plain == nil && b.err == nil {
		plain, err := gzip.NewReader(b.coded)
		b.plain, b.err = plain, err
		if errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.EOF) {
			b.err = ErrNotStream.With("the response says that it is encoded with %q, and is not", cut(b.coding, maxCode))
		}
	}
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.plain.Read(p)
	if errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) {
		err = ErrConnectionLost.With("the encoded response is damaged").Because(err)
	}
	return n, err
}

// Close closes the body.
func (b *gzipBody) Close() error { return b.coded.Close() }
