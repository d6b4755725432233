package main

import (
	"context"
	"fmt"
	"time"
)

func (t *demoText) summary(s demoSummary) {
	t.table(s.table())
	if len(s.Denied) > 0 {
		t.line("")
		t.line("The denied calls, alike by the hash of their arguments. Nothing is decided by their number:")
	}
	for _, d := range s.Denied {
		text := "  " + d.line()
		if d.Ran > 0 {
			text += t.dye(inkGreen, fmt.Sprintf("  and it ran %d ×: each time it is judged anew", d.Ran))
		}
		t.line("%s", text)
	}
	t.line("")
	if len(s.Differences) == 0 {
		t.line("%s", t.dye(inkGreen, "Everything came out as the recording expects."))
		return
	}
	t.line("%s", t.dye(inkYellow, "What came out otherwise than the recording expects:"))
	for _, d := range s.Differences {
		t.line("  %s", plain(d, 300))
	}
}

// pause is how long a spectator on a terminal has for a moment.
func (m moment) pause() time.Duration {
	switch m.Moment {
	case momentBegin, momentScene:
		return 1200 * time.Millisecond
	case momentQuestion, momentAnswer:
		return 800 * time.Millisecond
	case momentReview, momentEnd, momentAgent, momentPerson:
		return 400 * time.Millisecond
	case momentRequested:
		return 0
	default:
		return 150 * time.Millisecond
	}
}

// wait waits, unless ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
