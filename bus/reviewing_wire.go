package bus

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

// reviewAsked is the request to a reviewer in another process: what is under review,
// and where its log is read. JSON that has to stay byte for byte what it is travels as
// a string.
type reviewAsked struct {
	Engine string `json:"engine"` // whose read service has the log while the review is open
	Nonce  string `json:"nonce"`

	Session events.SessionID `json:"session"`
	Next    events.Seq       `json:"next"`  // the log up to here is what is judged
	Chain   string           `json:"chain"` // there, hex
	// Ancestors are where the logs of those end that a child descends from: they may be
	// read up to there.
	Ancestors []headAsked `json:"ancestors,omitzero"`

	Turn       int         `json:"turn"`
	Step       int         `json:"step"`
	CallID     string      `json:"callId"`
	RootCallID string      `json:"rootCallId"`
	Mode       string      `json:"mode"`
	Name       string      `json:"name"`
	Arguments  string      `json:"arguments"`
	Schema     *schemaText `json:"schema,omitzero"` // of an inner call: it is on no log
}

// headAsked is where the log of an ancestor ends for a review.
type headAsked struct {
	Session events.SessionID `json:"session"`
	Next    events.Seq       `json:"next"`
	Chain   string           `json:"chain"`
}

// end is where the log of a session ends that the review may read, if it is one of them.
func (q reviewAsked) end(id events.SessionID) (headAsked, bool) {
	if id == q.Session {
		return headAsked{q.Session, q.Next, q.Chain}, true
	}
	for _, h := range q.Ancestors {
		if h.Session == id {
			return h, true
		}
	}
	return headAsked{}, false
}

// check holds a head against the rules of every one.
func (h headAsked) check() error {
	if h.Session.Check() != nil || h.Next <= 0 {
		return errors.New("session or next is none")
	}
	_, err := events.ParseChain(h.Chain)
	return err
}

// schemaText is a frozen schema on its way.
type schemaText struct {
	Name        string  `json:"name"`
	Description *string `json:"description,omitzero"`
	Parameters  string  `json:"parameters,omitzero"`
}

// askedAbout is the request about a call, of a session as it is shown.
func askedAbout(v reviewer.View, c reviewer.Call) reviewAsked {
	q := reviewAsked{
		Nonce: c.Nonce, Session: v.Session.Header().ID, Next: v.Head.Next, Chain: v.Head.Chain.String(),
		Turn: c.Turn, Step: c.Step, CallID: c.CallID, RootCallID: c.RootCallID, Mode: string(c.Mode), Name: c.Name, Arguments: string(c.Arguments),
	}
	for _, pin := range reviewer.Pins(v.Ancestors) {
		q.Ancestors = append(q.Ancestors, headAsked{pin.Session, pin.Next, pin.Chain})
	}
	if c.Schema != nil {
		q.Schema = &schemaText{Name: c.Schema.Name, Description: c.Schema.Description, Parameters: string(c.Schema.Parameters)}
	}
	return q
}

// parseAsked reads a request, strictly.
func parseAsked(data []byte) (reviewAsked, error) {
	var q reviewAsked
	if err := json.Unmarshal(data, &q, json.RejectUnknownMembers(true)); err != nil {
		return reviewAsked{}, err
	}
	mode := reviewer.Mode(q.Mode)
	switch {
	case CheckName(q.Engine) != nil || CheckName(q.Nonce) != nil:
		return q, errors.New("engine and nonce must be names")
	case mode != reviewer.ModeNative && mode != reviewer.ModeInner:
		return q, errors.New("mode is none that there is")
	case !jsontext.Value(q.Arguments).IsValid() || q.Schema != nil && q.Schema.Parameters != "" && !jsontext.Value(q.Schema.Parameters).IsValid():
		return q, errors.New("arguments or schema are no JSON")
	}
	for _, h := range append([]headAsked{{q.Session, q.Next, q.Chain}}, q.Ancestors...) {
		if err := h.check(); err != nil {
			return q, err
		}
	}
	return q, nil
}

// call is the call under review, as a reviewer in this process gets it.
func (q reviewAsked) call() reviewer.Call {
	c := reviewer.Call{
		Turn: q.Turn, Step: q.Step, CallID: q.CallID, RootCallID: q.RootCallID, Mode: reviewer.Mode(q.Mode), Name: q.Name,
		Arguments: jsontext.Value(q.Arguments), Nonce: q.Nonce,
	}
	if q.Schema != nil {
		c.Schema = &reviewer.Schema{Name: q.Schema.Name, Description: q.Schema.Description}
		if q.Schema.Parameters != "" {
			c.Schema.Parameters = jsontext.Value(q.Schema.Parameters)
		}
	}
	return c
}

// The states of a review, as its reviewer says them.
const (
	saidWorking = "working"  // it is there
	saidAsking  = "asking"   // it has made the request that its model is asked
	saidAnswer  = "answered" // once, last
)

// reviewSaid is what a reviewer says to a request. Route and digest come with the
// state asking and with every verdict.
type reviewSaid struct {
	Nonce    string       `json:"nonce"`
	Reviewer string       `json:"reviewer"`
	State    string       `json:"state"`
	Route    string       `json:"route,omitzero"`
	Digest   string       `json:"digest,omitzero"`
	Verdict  *verdictText `json:"verdict,omitzero"`
	Failure  *failureText `json:"failure,omitzero"`
}

// verdictText is a verdict on its way.
type verdictText struct {
	Outcome  string `json:"outcome"`
	Reason   string `json:"reason,omitzero"`   // a JSON string literal as it was written
	Evidence string `json:"evidence,omitzero"` // a JSON object
}

// failureText is a failure on its way, without its cause.
type failureText struct {
	Class  string `json:"class"`
	Code   string `json:"code"`
	Detail string `json:"detail,omitzero"`
}

const (
	maxFailureCode   = 64
	maxFailureDetail = 4096 // in bytes: it is one sentence
	digestLength     = 64
)

// parseSaid reads what a reviewer says, strictly.
func parseSaid(data []byte) (reviewSaid, error) {
	var s reviewSaid
	if err := json.Unmarshal(data, &s, json.RejectUnknownMembers(true)); err != nil {
		return reviewSaid{}, err
	}
	return s, s.check()
}

func (s reviewSaid) check() error {
	switch {
	case s.Nonce == "" || s.Reviewer == "":
		return errors.New("it does not say to which request, or by whom")
	case (s.Route == "") != (s.Digest == "") || s.Digest != "" && (len(s.Digest) != digestLength || !isHex(s.Digest)):
		return errors.New("it has a route without its request's digest, or the other way round")
	}
	if s.Route != "" && !events.RouteNamed(s.Route) {
		return errors.New("its route is not PROVIDER/MODEL")
	}
	answered := s.State == saidAnswer
	switch {
	case !answered && (s.Verdict != nil || s.Failure != nil):
		return errors.New("it has an answer that is not the last one")
	case answered && (s.Verdict == nil) == (s.Failure == nil):
		return errors.New("it is not exactly one of a verdict and a failure")
	case s.Digest == "" && (s.State == saidAsking || s.Verdict != nil):
		return errors.New("it does not say which request was made")
	case answered && s.Verdict != nil:
		return s.Verdict.check()
	case answered:
		return s.Failure.check()
	case s.State != saidWorking && s.State != saidAsking:
		return errors.New("its state is none that there is")
	default:
		return nil
	}
}

func isHex(text string) bool {
	_, err := events.ParseChain(text)
	return err == nil
}

func (v verdictText) check() error {
	outcome := reviewer.Outcome(v.Outcome)
	switch {
	case outcome != reviewer.Allow && outcome != reviewer.Deny:
		return errors.New("its outcome is neither allow nor deny")
	case v.Reason != "" && (outcome == reviewer.Allow || !isLiteral(v.Reason)):
		return errors.New("its reason is no string literal, or that of an allow")
	case v.Evidence != "" && (!jsontext.Value(v.Evidence).IsValid() || jsontext.Value(v.Evidence).Kind() != '{'):
		return errors.New("its evidence is no JSON object")
	default:
		return nil
	}
}

// isLiteral reports whether text is one JSON string and nothing around it. What a
// model wrote may have lone surrogates among its escapes.
func isLiteral(text string) bool {
	v := jsontext.Value(text)
	return bytes.HasPrefix(v, []byte(`"`)) && bytes.HasSuffix(v, []byte(`"`)) && v.IsValid(jsontext.AllowInvalidUTF8(true))
}

// failureClasses are those that a reviewer may give: a review is stale by its
// engine's word alone.
func failureClasses() []reviewer.Class {
	return []reviewer.Class{
		reviewer.ClassInconsistent, reviewer.ClassRoute, reviewer.ClassUnavailable, reviewer.ClassTimeout, reviewer.ClassProvider,
		reviewer.ClassMalformed, reviewer.ClassTooLarge, reviewer.ClassCancelled, reviewer.ClassLost, reviewer.ClassInternal,
	}
}

func (f failureText) check() error {
	switch {
	case !slices.Contains(failureClasses(), reviewer.Class(f.Class)):
		return fmt.Errorf("its failure is of the class %.40q", f.Class)
	case f.Code == "" || len(f.Code) > maxFailureCode || len(f.Detail) > maxFailureDetail:
		return errors.New("its failure has no code, or one that is too long, or a sentence that is")
	}
	for _, c := range []byte(f.Code) {
		if (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return errors.New("its failure's code has other than capital letters, digits and _")
		}
	}
	return nil
}

// result is the answer as a reviewer in this process would have given it.
func (s reviewSaid) result() (reviewer.Verdict, error) {
	if f := s.Failure; f != nil {
		return reviewer.Verdict{}, &reviewer.Failure{Class: reviewer.Class(f.Class), Code: f.Code, Detail: f.Detail}
	}
	v := reviewer.Verdict{Outcome: reviewer.Outcome(s.Verdict.Outcome)}
	if s.Verdict.Reason != "" {
		v.Reason = jsontext.Value(s.Verdict.Reason)
	}
	if s.Verdict.Evidence != "" {
		v.Evidence = jsontext.Value(s.Verdict.Evidence)
	}
	return v, nil
}

// answered puts a result into words.
func (s reviewSaid) answered(v reviewer.Verdict, f *reviewer.Failure) reviewSaid {
	s.State = saidAnswer
	if f == nil {
		s.Verdict = &verdictText{Outcome: string(v.Outcome), Reason: string(v.Reason), Evidence: string(v.Evidence)}
		return s
	}
	detail := f.Detail
	if len(detail) > maxFailureDetail {
		detail = string(bytes.ToValidUTF8([]byte(detail[:maxFailureDetail-len("…")]), nil)) + "…"
	}
	s.Failure = &failureText{Class: string(f.Class), Code: f.Code, Detail: detail}
	return s
}

// What can become of a review in another process, beside what its reviewer says.
var (
	errReviewerUnavailable = &reviewer.Failure{Class: reviewer.ClassUnavailable, Code: "REVIEWER_UNAVAILABLE", Detail: "no reviewer is there to be asked"}
	errReviewerGone        = &reviewer.Failure{Class: reviewer.ClassLost, Code: "REVIEWER_LOST", Detail: "whoever was asked about the call is gone, and nobody is asked twice"}
	errReviewerMalformed   = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "REVIEWER_ANSWER", Detail: "what the reviewer said is no answer"}
	errReviewTooLarge      = &reviewer.Failure{Class: reviewer.ClassTooLarge, Code: "REVIEW_TOO_LARGE", Detail: "the request to the reviewer does not fit into a message"}
	errReviewEnded         = &reviewer.Failure{Class: reviewer.ClassCancelled, Code: "REVIEW_CANCELLED", Detail: "the review was cancelled"}
	errReviewAskedTwice    = &reviewer.Failure{Class: reviewer.ClassInternal, Code: "ASKED_TWICE", Detail: "a reviewer is asked once a call"}
	errReviewPanic         = &reviewer.Failure{Class: reviewer.ClassInternal, Code: "REVIEWER_PANIC", Detail: "the reviewer failed; its log says how"}
	errReviewBroken        = &reviewer.Failure{Class: reviewer.ClassInternal, Code: "REVIEWER_ERROR", Detail: "the reviewer failed; its log says how"}
	errLogUnreadable       = &reviewer.Failure{Class: reviewer.ClassUnavailable, Code: "LOG_UNREADABLE", Detail: "the reviewer could not read the session's log"}
	errLogDiffers          = &reviewer.Failure{Class: reviewer.ClassInconsistent, Code: "LOG_DIFFERS", Detail: "what the reviewer read is not the log that it was asked about"}
)
