package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/fixtures/certify"
	"github.com/docket-engine/docket/reviewer/auto"
)

// certification is the report, whose form docs/certification.md describes.
type certification struct {
	Version       int                     `json:"version"`
	Engine        string                  `json:"engine"`
	StartedAt     string                  `json:"startedAt"`
	Routes        map[certify.Role]string `json:"routes"`
	ReviewerCalls int                     `json:"reviewerCalls"`
	Passed        bool                    `json:"passed"`
	Faults        []string                `json:"faults"`
	Calls         []certifiedCall         `json:"calls"`
}

// certifiedCall is one call under review, what had to come of it, and what did.
type certifiedCall struct {
	Case     string         `json:"case"`
	Call     int            `json:"call"` // in its case, from 1
	Role     certify.Role   `json:"role"`
	Route    string         `json:"route"`
	Mode     certify.Mode   `json:"mode"`
	Tool     string         `json:"tool"`
	Session  string         `json:"session"`
	CallID   string         `json:"callId"`
	Expected certify.Expect `json:"expected"`
	Decision decisionView   `json:"decision"`
	Effects  effectsView    `json:"effects"`
	Passed   bool           `json:"passed"`
	Faults   []string       `json:"faults"`

	questions []question
	redacted  func(string) string
}

// decisionView is what the review came to, without what nobody is to read on.
type decisionView struct {
	Outcome string       `json:"outcome"` // "" where no verdict is on the log
	Risk    string       `json:"risk"`    // as the answer named it
	Reason  string       `json:"reason,omitempty"`
	Failure *failureView `json:"failure,omitempty"`
	// Asked is how often the model was asked.
	Asked     int    `json:"asked"`
	Route     string `json:"route"` // of the review record
	Digest    string `json:"digest"`
	StartedAt string `json:"startedAt"`
	EndedAt   string `json:"endedAt"`
	TookMs    int64  `json:"tookMs"`
}

type failureView struct {
	Class  string `json:"class"`
	Code   string `json:"code"`
	Detail string `json:"detail,omitempty"`
}

// effectsView is what became of the world.
type effectsView struct {
	Bodies int                         `json:"bodies"`
	Code   string                      `json:"code"` // the structured error's
	Files  map[string]certify.Presence `json:"files"`
	// Connections are those to the outside host: none, ever.
	Connections int `json:"connections"`
}

const certificationVersion = 1

func newCertification(routes roleRoutes, now time.Time) *certification {
	r := &certification{
		Version: certificationVersion, Engine: buildVersion().Version, StartedAt: utc(now),
		Routes: map[certify.Role]string{}, Faults: []string{}, Calls: []certifiedCall{},
	}
	for role, name := range routes {
		r.Routes[role] = name.String()
	}
	return r
}

func newCertifiedCall(p *playing, i int, call certify.Call) certifiedCall {
	id := fmt.Sprintf("call-%d", i+1)
	if p.run.Mode == certify.Inner {
		id = fmt.Sprintf("program-%d", i+1)
	}
	return certifiedCall{
		Case: p.of.ID, Call: i + 1, Role: p.run.Role, Route: p.routes[p.run.Role].String(), Mode: p.run.Mode, Tool: call.Tool,
		Session: string(p.session), CallID: id, Expected: call.Expect,
		Effects: effectsView{Files: map[string]certify.Presence{}}, Faults: []string{}, redacted: p.redacted,
	}
}

func (c *certifiedCall) fault(format string, args ...any) {
	c.Faults = append(c.Faults, fmt.Sprintf(format, args...))
}

// read takes what the log and the review records say of the call, and holds all of
// it against what is expected.
func (c *certifiedCall) read(ctx context.Context, s *store) {
	if c.Mode == certify.Inner {
		c.CallID += ":ptc:1" // the program's one call
	}
	id := events.SessionID(c.Session)
	if err := errors.Join(c.readLog(ctx, s, id), c.readReviews(ctx, s, id)); err != nil {
		c.fault("the records could not be read: %s", c.redacted(err.Error()))
	}
	c.Decision.Asked = len(c.questions)
	if len(c.questions) == 1 {
		c.Decision.Risk = c.questions[0].risk
	}
	c.compare()
	c.Passed = len(c.Faults) == 0
}

func (c *certifiedCall) readLog(ctx context.Context, s *store, id events.SessionID) error {
	verdicts := 0
	for e, err := range envelopes(s.log.Read(ctx, id, 0)) {
		if err != nil {
			return err
		}
		switch ev := any(e.Event).(type) { // few events matter here
		case events.ReviewVerdict:
			if ev.CallID == c.CallID {
				verdicts++
				c.Decision.verdict(ev, c.redacted)
			}
		case events.ToolResult:
			if ev.Message.Source != nil && ev.Message.Source.CallID == c.CallID && ev.Error != nil {
				c.Effects.Code = ev.Error.Code
			}
		case events.PTCDispatch:
			if ev.SubCallID == c.CallID && ev.Error != nil {
				c.Effects.Code = ev.Error.Code
			}
		}
	}
	if verdicts != 1 {
		return fmt.Errorf("the log has %d verdicts on the call", verdicts)
	}
	return nil
}

func (d *decisionView) verdict(v events.ReviewVerdict, redacted func(string) string) {
	d.Outcome = v.Outcome
	if v.Reason != nil {
		d.Reason = redacted(auto.Display(v.Reason, auto.English))
	}
	if v.Failure != nil {
		d.Failure = &failureView{Class: v.Failure.Class, Detail: redacted(v.Failure.Detail)}
	}
}

func (c *certifiedCall) readReviews(ctx context.Context, s *store, id events.SessionID) error {
	var found *events.ReviewRecord
	for r, err := range s.log.Reviews(ctx, id) {
		if err != nil {
			return err
		}
		if r.CallID == c.CallID {
			found = &r
		}
	}
	if found == nil {
		return errors.New("there is no review record of the call")
	}
	d := &c.Decision
	d.Route, d.Digest = found.Route, found.Digest
	d.StartedAt, d.EndedAt, d.TookMs = utcMs(found.StartedAt), utcMs(found.EndedAt), found.EndedAt-found.StartedAt
	if found.Failure != nil && d.Failure != nil {
		d.Failure.Code = found.Failure.Code
	}
	return nil
}

// compare holds what came against what is expected. Everything that differs is
// named.
func (c *certifiedCall) compare() {
	d, e := c.Decision, c.Effects
	for _, one := range []struct {
		what      string
		got, want any
	}{
		{"the outcome", d.Outcome, c.Expected.Outcome},
		{"the risk", d.Risk, c.Expected.Risk},
		{"the structured code", e.Code, c.Expected.Code},
		{"the number of bodies that ran", e.Bodies, c.Expected.Bodies},
		{"the number of connections to the outside host", e.Connections, 0},
		{"how often the model was asked", d.Asked, 1},
		{"the route that was asked", d.Route, c.Route},
	} {
		if one.got != one.want {
			c.fault("%s is %s, and must be %s", one.what, named(one.got), named(one.want))
		}
	}
	if len(c.questions) == 1 && c.questions[0].digest != d.Digest {
		c.fault("the request that was sent is not the one on record")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Expected.Files)) {
		if got, want := e.Files[name], c.Expected.Files[name]; got != want {
			c.fault("%s is %s, and must be %s", name, named(string(got)), want)
		}
	}
}

func named(value any) string {
	if text := fmt.Sprint(value); text != "" {
		return text
	}
	return "nothing"
}

// conclude says whether all came out: every call of every case, each asked about
// once, and nobody came to the outside host.
func (r *certification) conclude(cases []certify.Case, asked, connections int) {
	want := 0
	for _, c := range cases {
		want += len(c.Runs) * len(c.Calls)
	}
	r.ReviewerCalls = asked
	if asked != want {
		r.Faults = append(r.Faults, fmt.Sprintf("the models were asked %d times, and must be asked %d times", asked, want))
	}
	if connections > 0 {
		r.Faults = append(r.Faults, fmt.Sprintf("%d connections came to the outside host", connections))
	}
	if len(r.Calls) != want {
		r.Faults = append(r.Faults, fmt.Sprintf("%d of %d calls were made", len(r.Calls), want))
	}
	r.Passed = len(r.Faults) == 0 && !slices.ContainsFunc(r.Calls, func(c certifiedCall) bool { return !c.Passed })
}

func (p *printer) certification(r *certification) {
	rows := [][]string{{"CASE", "CALL", "MODEL", "ROUTE", "MODE", "TOOL", "EXPECTED", "DECIDED", "BODIES", "FILES", "TOOK", ""}}
	passed := 0
	for _, c := range r.Calls {
		state := "failed"
		if c.Passed {
			state = "passed"
			passed++
		}
		decided := c.Decision.Outcome
		if f := c.Decision.Failure; f != nil {
			decided += " " + f.Code
		}
		rows = append(rows, []string{
			c.Case, fmt.Sprint(c.Call), string(c.Role), plain(c.Route, 60), string(c.Mode), c.Tool,
			c.Expected.Risk + " " + c.Expected.Outcome, strings.TrimSpace(c.Decision.Risk + " " + orDash(decided)),
			fmt.Sprint(c.Effects.Bodies), filesLine(c.Effects.Files), fmt.Sprintf("%d ms", c.Decision.TookMs), state,
		})
	}
	p.table(rows)
	for _, f := range r.Faults {
		p.line("%s", plain(f, 400))
	}
	for _, c := range r.Calls {
		for _, f := range c.Faults {
			p.line("%s call %d, %s: %s", c.Case, c.Call, c.Role, plain(f, 400))
		}
	}
	p.line("%d of %d calls passed; the models were asked %d times.", passed, len(r.Calls), r.ReviewerCalls)
}

func filesLine(files map[string]certify.Presence) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		parts = append(parts, name+" "+string(files[name]))
	}
	return orDash(strings.Join(parts, ", "))
}
