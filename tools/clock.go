package tools

import "time"

// clock counts time down while it runs. It belongs to one goroutine.
type clock struct {
	left  time.Duration
	since time.Time   // zero while it stands
	timer *time.Timer // nil while it stands
}

func newClock(left time.Duration) *clock {
	c := &clock{left: left}
	c.run(true)
	return c
}

// run lets the clock run, or stand.
func (c *clock) run(on bool) {
	switch {
	case on && c.timer == nil:
		c.since, c.timer = time.Now(), time.NewTimer(c.left)
	case !on && c.timer != nil:
		c.timer.Stop()
		c.left -= time.Since(c.since)
		c.timer = nil
	}
}

// reset gives the clock another time to count down.
func (c *clock) reset(left time.Duration) {
	c.run(false)
	c.left = left
	c.run(true)
}

// up is ready when the time is up, and never while the clock stands.
func (c *clock) up() <-chan time.Time {
	if c.timer == nil {
		return nil
	}
	return c.timer.C
}
