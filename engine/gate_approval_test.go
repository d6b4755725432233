package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// answer is a person's, to the question about a call, if it is open.
func (y *yard) answer(t *testing.T, call string, reply approvals.ReplyKind) {
	t.Helper()
	y.answerWith(t, call, approvals.Reply{Kind: reply})
}

// openAnswer is a person's allow of the question about a call.
func (y *yard) openAnswer(t *testing.T, call string) approvals.Answer {
	t.Helper()
	for _, q := range y.questions(t) {
		if q.CallID == call {
			return approvals.Answer{ID: q.ID, Reply: approvals.Reply{Kind: approvals.ReplyOnce}, Hash: q.Hash, By: "ada"}
		}
	}
	t.Fatalf("no question about call %s is open", call)
	return approvals.Answer{}
}

func (y *yard) questions(t *testing.T) []approvals.Question {
	t.Helper()
	var open []approvals.Question
	if err := y.engine.View(t.Context(), y.id, func(s *projections.Session) error {
		open = s.Approvals.Questions()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return open
}

func (y *yard) answerWith(t *testing.T, call string, reply approvals.Reply) {
	t.Helper()
	for _, q := range y.questions(t) {
		if q.CallID == call {
			y.do(engine.AnswerApprovals{Answers: []approvals.Answer{{ID: q.ID, Reply: reply, Hash: q.Hash, By: "ada"}}})
		}
	}
	synctest.Wait()
}

// asking runs a call that is denied under ask, up to its question.
func asking(t *testing.T, y *yard, ctx context.Context) chan engine.Ran {
	t.Helper()
	done := make(chan engine.Ran, 1)
	go func() { done <- y.ran(ctx, "c1") }()
	synctest.Wait()
	return done
}

func denied(t *testing.T, opts ...yardOption) *yard {
	t.Helper()
	y := newYard(t, &judge{answer: always(reviewer.Deny, `"deletes data"`)}, opts...)
	y.on(presets.Auto, "")
	y.wants("c1")
	return y
}

func TestADenialUnderAskBecomesAQuestionToAPerson(t *testing.T) {
	for _, c := range []struct {
		reply  approvals.Reply
		kind   engine.RefusalKind // "" for a body that ran
		says   string
		result string
	}{
		{approvals.Reply{Kind: approvals.ReplyOnce}, "", "", "tool/result c1 ok"},
		{approvals.Reply{Kind: approvals.ReplyReject}, engine.Denied, `The user rejected`, "tool/result c1 error"},
		{approvals.Reply{Kind: approvals.ReplyReject, Feedback: "use trash"}, engine.Denied, `use trash`, "tool/result c1 error"},
	} {
		t.Run(string(c.reply.Kind)+" "+c.reply.Feedback, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				y := denied(t)
				done := asking(t, y, t.Context())
				question := last(t, y).(events.ApprovalAsked)
				if question.Reason != `Auto review denied tool "shell": deletes data` || question.CallID != "c1" {
					t.Errorf("got the question %+v", question)
				}
				y.answerWith(t, "c1", c.reply)
				ran := <-done
				if c.kind == "" {
					wantBodies(t, y, echo1)
					wantTail(t, y, "tool/call c1", "review/requested", `review/verdict c1 deny "deletes data"`, "approval/asked",
						"approval/decided allowed-once", "tool/dispatched c1 by decision", "tool/result c1 ok")
					return
				}
				r := wantRefused(t, ran, c.kind, c.says)
				if r.Error != nil || strings.Contains(r.Text, "deletes data") {
					t.Errorf("got %+v, want no structured error and no reviewer's reason", r)
				}
				wantBodies(t, y)
			})
		})
	}
}

func TestAPersonsNoteReachesTheAgentInTheSameTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := denied(t)
		done := asking(t, y, t.Context())
		y.answerWith(t, "c1", approvals.Reply{Kind: approvals.ReplyOnce, Feedback: "only this once"})
		<-done
		result := last(t, y).(events.ToolResult)
		if n := len(result.Message.Content); n != 2 || !strings.Contains(result.Message.Content[1].Text, "only this once") {
			t.Errorf("got %+v, want the note behind the result", result.Message.Content)
		}
	})
}

func TestNobodyAnswersInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := denied(t)
		start := time.Now()
		wantRefused(t, y.ran(t.Context(), "c1"), engine.Unasked, "Nobody was there")
		if d := time.Since(start); d != approvals.DefaultWait {
			t.Errorf("got a wait of %s, want %s", d, approvals.DefaultWait)
		}
		wantTail(t, y, "tool/call c1", "review/requested", `review/verdict c1 deny "deletes data"`, "approval/asked", "approval/decided unavailable", "tool/result c1 error")
	})
}

func TestAHeadlessSessionThatNobodyCanBeReachedForDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, &judge{answer: always(reviewer.Deny, "")}, func(c *engine.GateConfig, _ *yard) {
			c.Reached = func(*projections.Session) bool { return false }
		})
		if _, err := y.gate.Publish(t.Context(), y.id, engine.Publish{Headless: true}, y.meta()); err != nil {
			t.Fatal(err)
		}
		if _, err := y.gate.SetPreset(t.Context(), y.id, engine.SetPreset{Preset: presets.Auto, Headless: true}, y.meta()); err != nil {
			t.Fatal(err)
		}
		y.wants("c1")
		start := time.Now()
		wantRefused(t, y.ran(t.Context(), "c1"), engine.Unasked, "Nobody was there")
		if d := time.Since(start); d != 0 {
			t.Errorf("waited %s", d)
		}
	})
}

func TestACallerThatGoesAwayWithdrawsItsQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := denied(t)
		ctx, leave := context.WithCancel(t.Context())
		done := asking(t, y, ctx)
		leave()
		wantRefused(t, <-done, engine.Cancelled, "cancelled before")
		wantTail(t, y, "tool/call c1", "review/requested", `review/verdict c1 deny "deletes data"`, "approval/asked", "approval/decided cancelled", "tool/result c1 ABORTED_BEFORE_DISPATCH")
	})
}

// TestAnUnloadCancelsAWaitingApproval is reference 8, item 5.
func TestAnUnloadCancelsAWaitingApproval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := denied(t)
		done := asking(t, y, t.Context())
		if err := y.gate.Uninstall(t.Context(), "auto", human); err != nil {
			t.Fatal(err)
		}
		wantRefused(t, <-done, engine.Cancelled, "cancelled before")
		wantTail(t, y, "tool/call c1", "review/requested", `review/verdict c1 deny "deletes data"`, "approval/asked", "approval/decided cancelled",
			"tool/result c1 ABORTED_BEFORE_DISPATCH", "permission/preset danger-full-access", "approval/policy never")
	})
}

// TestAnAnswererMayAnswerInAPersonsStead: the first outcome wins, and one that
// fails or says something else than the four makes it unavailable.
func TestAnAnswererMayAnswerInAPersonsStead(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome string
		err     error
		runs    bool
		kind    engine.RefusalKind
	}{
		{"allows", events.OutcomeAllowedOnce, nil, true, ""},
		{"rejects", events.OutcomeRejected, nil, false, engine.Denied},
		{"fails", events.OutcomeAllowedOnce, errors.New("broken"), false, engine.Unasked},
		{"says something else", "sure", nil, false, engine.Unasked},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				y := denied(t, func(g *engine.GateConfig, _ *yard) {
					g.Answerers = []approvals.Answerer{func(context.Context, approvals.Question) (string, error) { return c.outcome, c.err }}
				})
				ran := y.ran(t.Context(), "c1")
				if c.runs != (len(y.bodies) == 1) {
					t.Errorf("got the bodies %v", y.bodies)
				}
				if !c.runs {
					wantRefused(t, ran, c.kind, "")
				}
			})
		})
	}
}

func TestAHumansStopEndsAWaitingCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := denied(t)
		done := asking(t, y, t.Context())
		y.do(engine.EndSession{By: "user"})
		wantRefused(t, <-done, engine.Cancelled, "was ended")
		wantBodies(t, y)
	})
}
