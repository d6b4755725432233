package engine_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

// late is a reviewer that answers when it is told to, whoever has gone meanwhile.
type late struct {
	release chan struct{}
	settle  func(context.Context, reviewer.Call) (reviewer.Verdict, error)
}

func newLate(settle func(context.Context, reviewer.Call) (reviewer.Verdict, error)) *late {
	return &late{release: make(chan struct{}), settle: settle}
}

func (l *late) answer(_ context.Context, c reviewer.Call) (reviewer.Verdict, error) {
	<-l.release
	return l.settle(context.Background(), c)
}

// TestTheOutcomeMatrix is the table of reference 5.6: what a review settles as,
// who has gone by then, and the approval policy.
func TestTheOutcomeMatrix(t *testing.T) {
	allow, deny := always(reviewer.Allow, ""), always(reviewer.Deny, `"no"`)
	const cancelled = "tool/result c1 ABORTED_BEFORE_DISPATCH"
	for _, c := range []struct {
		name   string
		settle func(context.Context, reviewer.Call) (reviewer.Verdict, error)
		gone   string
		policy string
		want   []string
	}{
		{"allow, lifecycle aborted", allow, "integration", "never", []string{"review/verdict c1 cancelled", cancelled}},
		{"allow, lifecycle aborted, ask", allow, "integration", "ask", []string{"review/verdict c1 cancelled", cancelled}},
		{"deny, lifecycle aborted", deny, "integration", "never", []string{"review/verdict c1 cancelled", cancelled}},
		{"deny, lifecycle aborted, ask", deny, "integration", "ask", []string{"review/verdict c1 cancelled", cancelled}},
		{"failure, lifecycle aborted", fails, "integration", "never", []string{"review/verdict c1 cancelled", cancelled}},
		{"allow, caller aborted, never", allow, "caller", "never", []string{"review/verdict c1 cancelled", cancelled}},
		{"allow, caller aborted, ask", allow, "caller", "ask", []string{"review/verdict c1 cancelled", cancelled}},
		{"deny, caller aborted, never", deny, "caller", "never", []string{`review/verdict c1 deny "no"`, "tool/result c1 AUTO_REVIEW_DENIED"}},
		{"deny, caller aborted, ask", deny, "caller", "ask", []string{`review/verdict c1 deny "no"`, "approval/asked", "approval/decided cancelled", cancelled}},
		{"failure, caller aborted, never", fails, "caller", "never", []string{"review/verdict c1 failure timeout", "tool/result c1 error"}},
		{"failure, caller aborted, ask", fails, "caller", "ask", []string{"review/verdict c1 failure timeout", "tool/result c1 error"}},
		{"allow, never", allow, "", "never", []string{"review/verdict c1 allow", "tool/dispatched c1 by verdict", "tool/result c1 ok"}},
		{"allow, ask", allow, "", "ask", []string{"review/verdict c1 allow", "tool/dispatched c1 by verdict", "tool/result c1 ok"}},
		{"deny, never", deny, "", "never", []string{`review/verdict c1 deny "no"`, "tool/result c1 AUTO_REVIEW_DENIED"}},
		{"deny, ask", deny, "", "ask", []string{`review/verdict c1 deny "no"`, "approval/asked", "approval/decided unavailable", "tool/result c1 error"}},
		{"failure, never", fails, "", "never", []string{"review/verdict c1 failure timeout", "tool/result c1 error"}},
		{"failure, ask", fails, "", "ask", []string{"review/verdict c1 failure timeout", "tool/result c1 error"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { matrixCell(t, c.settle, c.gone, c.policy, c.want) })
		})
	}
}

func matrixCell(t *testing.T, settle func(context.Context, reviewer.Call) (reviewer.Verdict, error), gone, policy string, want []string) {
	l := newLate(settle)
	y := asks(t, &judge{answer: l.answer}, policy, "c1")
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	done := make(chan error, 2)
	go func() {
		_, err := y.run(ctx, y.request("c1"))
		done <- err
	}()
	synctest.Wait() // the review is under way
	switch gone {
	case "caller":
		leave()
	case "integration":
		go func() { done <- y.gate.Uninstall(t.Context(), "auto", human) }()
	}
	synctest.Wait()
	close(l.release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if gone == "integration" {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	got := y.tail(events.TypeReviewVerdict)
	if gone == "integration" {
		migrated := []string{"permission/preset danger-full-access"}
		if policy == "ask" {
			migrated = append(migrated, "approval/policy never")
		}
		want = append(want, migrated...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the log is another one (-want +got):\n%s", diff)
	}
	if ran := gone == "" && len(want) == 3 && want[0] == "review/verdict c1 allow"; ran != (len(y.bodies) == 1) {
		t.Errorf("got the bodies %v", y.bodies)
	}
}

// TestACallerThatGoesAwayEndsItsReview: a review that ends because nobody waits
// for it is cancelled, and neither a denial nor a failure.
func TestACallerThatGoesAwayEndsItsReview(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := asks(t, &judge{answer: func(ctx context.Context, _ reviewer.Call) (reviewer.Verdict, error) {
			<-ctx.Done()
			return reviewer.Verdict{}, ctx.Err()
		}}, "", "c1")
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan engine.Ran, 1)
		go func() { done <- y.ran(ctx, "c1") }()
		synctest.Wait()
		leave()
		wantRefused(t, <-done, engine.Cancelled, "cancelled before its body started")
		wantTail(t, y, "tool/call c1", "review/requested", "review/verdict c1 cancelled", "tool/result c1 ABORTED_BEFORE_DISPATCH")
	})
}

// TestThePolicyIsReadWhenTheReviewHasSettled: a switch meanwhile counts.
func TestThePolicyIsReadWhenTheReviewHasSettled(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{events.PolicyAsk, events.PolicyNever, "tool/result c1 AUTO_REVIEW_DENIED"},
		{events.PolicyNever, events.PolicyAsk, "approval/asked"},
	} {
		t.Run(c.before+" to "+c.after, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLate(always(reviewer.Deny, ""))
				y := asks(t, &judge{answer: l.answer}, c.before, "c1")
				done := make(chan error, 1)
				go func() {
					_, err := y.run(t.Context(), y.request("c1"))
					done <- err
				}()
				synctest.Wait()
				y.do(engine.SetPolicy{Policy: c.after})
				close(l.release)
				synctest.Wait()
				if got := y.tail(events.TypeReviewVerdict); len(got) < 2 || got[1] != c.want {
					t.Errorf("got %v, want %s behind the verdict", got, c.want)
				}
				y.answer(t, "c1", "reject") // so that nothing waits any more
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestACallWhoseCallerIsGoneIsOnTheRecordAndNotReviewed is reference 4 (c).
func TestACallWhoseCallerIsGoneIsOnTheRecordAndNotReviewed(t *testing.T) {
	y := asks(t, &judge{answer: always(reviewer.Allow, "")}, "", "c1")
	ctx, leave := context.WithCancel(t.Context())
	leave()
	wantRefused(t, y.ran(ctx, "c1"), engine.Cancelled, "cancelled before")
	wantTail(t, y, "tool/call c1", "tool/result c1 ABORTED_BEFORE_DISPATCH")
	if y.judge.asked() != 0 {
		t.Error("the reviewer was asked")
	}
}
