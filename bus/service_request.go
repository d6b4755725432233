package bus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// request is one that came in, with who sent it.
type request struct {
	endpoint api.Endpoint
	caller   Caller
	reply    string // where answers go
	data     []byte
	came     time.Time

	session events.SessionID // that it is about, once it is permitted
	id      string           // of the command, once it is decoded
	later   bool             // the answer comes by itself
	then    func()           // what is done when others may have its place; nil for nothing
	digests string           // its digest, "" before it is needed
}

// actor is who the request's events are of.
func (q *request) actor() events.Actor {
	return events.Actor{Class: q.caller.Class, Name: q.caller.Name}
}

// from names the caller among all.
func (q *request) from() string { return q.caller.Class + "." + q.caller.Name }

// meta is what the engine gets of a command. The id of its appends says who sent
// what: one caller's id is never in the way of another one's, and an id with another
// request behind it is told from the first.
func (q *request) meta() engine.Meta {
	from := sha256.Sum256([]byte(q.from()))
	name := q.caller.Class + "-" + hex.EncodeToString(from[:4]) + "-" + q.id
	return engine.Meta{ID: events.AppendID(name + "." + q.digest()[:16]), Actor: q.actor(), Now: q.came.UnixMilli()}
}

// digest is of what the request says, and who says it. It is asked for when that is
// known, and never changes.
func (q *request) digest() string {
	if q.digests == "" {
		q.digests = q.digested()
	}
	return q.digests
}

func (q *request) digested() string {
	data := jsontext.Value(q.data).Clone()
	if data.Canonicalize() != nil {
		data = q.data // never decoded
	}
	h := sha256.New()
	for _, part := range []string{q.caller.Class, q.caller.Name, q.endpoint.Command, string(q.session)} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// route serves one command for all roles that have it.
type route func(ctx context.Context, q *request) (any, error)

// decoded is a route for requests about a session: it is served only if the caller
// may.
func decoded[R interface{ About() events.SessionID }](s *Service, serve func(context.Context, *request, R) (any, error)) route {
	decode := api.Decoder[R]()
	return func(ctx context.Context, q *request) (any, error) {
		r, wrong := decode(q.data)
		if wrong != nil {
			return nil, wrong
		}
		if c, ok := any(r).(interface{ CommandID() string }); ok {
			q.id = c.CommandID()
		}
		if err := s.permit(ctx, q, r.About()); err != nil {
			return nil, err
		}
		return serve(ctx, q, r)
	}
}

// free is a route for requests that are about no stored session, or that look
// themselves whose it is.
func free[R any](serve func(context.Context, *request, R) (any, error)) route {
	decode := api.Decoder[R]()
	return func(ctx context.Context, q *request) (any, error) {
		r, wrong := decode(q.data)
		if wrong != nil {
			return nil, wrong
		}
		if c, ok := any(r).(interface{ CommandID() string }); ok {
			q.id = c.CommandID()
		}
		return serve(ctx, q, r)
	}
}

// receiver takes an endpoint's messages. Requests are served beside each other, so
// that it only looks who sent them and whether there is a place.
func (s *Service) receiver(e api.Endpoint) micro.Handler {
	return micro.HandlerFunc(func(m micro.Request) {
		q := &request{endpoint: e, reply: m.Reply(), data: m.Data(), came: time.Now()}
		s.counts.note(e.Name(), func(c *EndpointStats) { c.Requests++ })
		if q.reply == "" {
			return // nobody could be told what became of it: nothing is done
		}
		if err := s.admit(q, nats.Header(m.Headers()), m.Subject()); err != nil {
			s.refuse(q, q.reply, err)
			return
		}
		select {
		case s.idle <- q: // somebody waits for it
		default:
			go s.serveAll(q)
		}
	})
}

// idleAfter is how long who has served requests waits for another one.
const idleAfter = 5 * time.Second

// serveAll serves a request and those that come when it is done: a new goroutine has
// to grow its stack first, which takes longer than most of what it does.
func (s *Service) serveAll(q *request) {
	patience := time.NewTimer(idleAfter)
	defer patience.Stop()
	for {
		s.serve(q)
		patience.Reset(idleAfter)
		select {
		case q = <-s.idle:
		case <-patience.C:
			return
		case <-s.deaf:
			return
		}
	}
}

// admit establishes the caller and counts the request in.
func (s *Service) admit(q *request, header nats.Header, subject string) error {
	caller, err := s.cfg.Establish(header, subject)
	if err != nil {
		s.cfg.Logger.Warn("a caller cannot be told", "endpoint", q.endpoint.Name(), "error", err)
		return refusal(api.CodeUnauthorized, "", "the engine cannot tell who you are")
	}
	address, err := api.ParseSubject(subject)
	if err != nil || string(address.Role) != caller.Class || address.Identity != caller.Name || address.Role != q.endpoint.Role {
		return refusal(api.CodeUnauthorized, "", "the subject is not yours")
	}
	q.caller = caller
	if !s.rates.take(q.from(), len(q.data), q.came) {
		return refusal(api.CodeUnavailable, "", "too many requests, or too many bytes, in too short a time: try again later")
	}
	if !s.enter() {
		return refusal(api.CodeShuttingDown, "", "the engine is shutting down")
	}
	if !s.queue(q) {
		s.work.Done()
		return refusal(api.CodeUnavailable, "", "too many requests are waiting: try again later")
	}
	return nil
}

// pool is whom the request shares its places with: nobody else can take those of
// people.
func (s *Service) pool(q *request) (name string, places chan struct{}) {
	if api.Role(q.caller.Class) == api.RoleHuman {
		return "people", s.people
	}
	return "others", s.others
}

// queue counts a request among those that wait.
func (s *Service) queue(q *request) bool {
	name, _ := s.pool(q)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting[name] >= s.cfg.Limits.Queue {
		return false
	}
	s.waiting[name]++
	return true
}

// serve answers a request that was admitted.
func (s *Service) serve(q *request) {
	defer s.work.Done()
	name, places := s.pool(q)
	places <- struct{}{}
	s.mu.Lock()
	s.waiting[name]--
	s.mu.Unlock()
	s.counts.note(q.endpoint.Name(), func(c *EndpointStats) { c.Active++ })
	ctx, cancel := context.WithTimeout(s.ctx, s.cfg.Limits.Timeout)
	answer, err := s.answer(ctx, q)
	cancel()
	<-places
	s.counts.note(q.endpoint.Name(), func(c *EndpointStats) {
		c.Active--
		c.TotalUs += time.Since(q.came).Microseconds()
	})
	switch {
	case err != nil:
		s.refuse(q, q.reply, err)
	case !q.later:
		s.respond(q, q.reply, "", answer)
	case q.then != nil:
		q.then()
	}
}

// answer runs a request's route. A panic is the engine's failure, and nobody else's
// end.
func (s *Service) answer(ctx context.Context, q *request) (answer any, err error) {
	defer func() {
		if v := recover(); v != nil {
			s.cfg.Logger.Error("a request panicked", "endpoint", q.endpoint.Name(), "session", q.session, "panic", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
			answer, err = nil, refusal(api.CodeInternal, "", "the engine failed; its log says how")
		}
	}()
	if err := s.hasRoom(ctx, q); err != nil {
		return nil, err
	}
	return s.routes[q.endpoint.Command](ctx, q)
}

// hasRoom keeps the last part of the store for people, verdicts and settlements
// (design section 11).
func (s *Service) hasRoom(ctx context.Context, q *request) error {
	if !q.endpoint.Writes || api.Role(q.caller.Class) == api.RoleHuman || q.endpoint.Command == "settle" || q.endpoint.Command == "return" {
		return nil
	}
	full, err := s.room.full(ctx, s.cfg.Limits)
	switch {
	case err != nil:
		s.cfg.Logger.Warn("how full the store is cannot be told", "error", err)
		return refusal(api.CodeUnavailable, "", "the engine cannot tell how full the store is")
	case full:
		return refusal(api.CodeUnavailable, "", "the store is almost full: what is left is for people, verdicts and settlements")
	}
	return nil
}

// refuse answers with an error.
func (s *Service) refuse(q *request, to string, err error) {
	e := wireError(err, q.endpoint.Writes)
	s.counts.note(q.endpoint.Name(), func(c *EndpointStats) {
		c.Refused++
		if e.Code == api.CodeInternal {
			c.Failed++
		}
	})
	if e.Code == api.CodeInternal || e.Code == api.CodeOutcomeUnknown {
		s.cfg.Logger.Error("a request failed", "endpoint", q.endpoint.Name(), "session", q.session, "id", q.id, "error", err)
	}
	s.send(q, to, errorHeader(e), e)
}

func errorHeader(e *api.Error) nats.Header {
	return nats.Header{api.ErrorHeader: {e.Message}, api.ErrorCodeHeader: {string(e.Code)}, api.StateHeader: {api.StateFinal}}
}

// respond sends one of a request's answers; state is "" for the only one.
func (s *Service) respond(q *request, to, state string, answer any) {
	header := nats.Header{}
	if state != "" {
		header.Set(api.StateHeader, state)
	}
	s.send(q, to, header, answer)
}

// headroom is left of the largest message for its headers.
const headroom = 64 << 10

func (s *Service) send(q *request, to string, header nats.Header, answer any) {
	// What a model wrote as its reason may have lone surrogates among its escapes.
	text, err := json.Marshal(answer, jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err == nil && int64(len(text)) > s.cfg.Conn.MaxPayload()-headroom {
		e := refusal(api.CodeTooLarge, "", "the answer does not fit into one message")
		header = errorHeader(e)
		text, err = json.Marshal(e)
	}
	if err == nil {
		err = s.cfg.Conn.PublishMsg(&nats.Msg{Subject: to, Header: header, Data: text})
	}
	if err != nil {
		s.cfg.Logger.Error("an answer was not sent", "endpoint", q.endpoint.Name(), "session", q.session, "error", err)
	}
}
