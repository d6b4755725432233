package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
)

// minPairs is how many pairs of runs a median needs.
const minPairs = 5

// suite is one run of the program. Its measurements run one after the other.
type suite struct {
	options
	progress *progress
	stderr   io.Writer
	rows     []row

	template *template // nil until something needs it
}

// group is a set of measurements that share what they need.
type group struct {
	rows []string // the names of its rows
	run  func(context.Context, *suite) error
}

func groups() []group {
	return []group{
		appendGroup(), writersGroup(), readGroup(randomLayout), readGroup(localLayout), seedGroup(), verifyGroup(), idleGroup(),
		reviewGroup(), reviewRequestGroup(), reviewManyGroup(), busGroup(), effectsGroup(),
	}
}

// run measures what is wanted. A group that fails does not keep the others from
// running.
func (s *suite) run(ctx context.Context) error {
	var errs []error
	for _, g := range groups() {
		if ctx.Err() != nil {
			return errors.Join(append(errs, context.Cause(ctx))...)
		}
		if !slices.ContainsFunc(g.rows, s.wants) {
			continue
		}
		if err := g.run(ctx, s); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", g.rows[0], err))
		}
	}
	s.progress.clear()
	return errors.Join(errs...)
}

// wants reports whether a row is to be measured.
func (s *suite) wants(name string) bool { return s.only.MatchString(name) }

// debug says more, to those who have asked for it.
func (s *suite) debug(format string, args ...any) {
	if s.verbose {
		fmt.Fprintf(s.stderr, format+"\n", args...)
	}
}

// size gives one number for a full run and another one for a quick one.
func (s *suite) size(full, short int) int {
	if s.short {
		return short
	}
	return full
}

// measure is one run, which gives its figure.
type measure func(context.Context) (float64, error)

// comparison is a measurement of ours beside a raw one.
type comparison struct {
	name      string
	unit      unit
	ours, raw measure
	target    target
	note      string
	// before, unless it is nil, brings both to the same state before each run.
	before func(context.Context) error
}

// compare runs both in turns, each first in every second pair, and adds the row.
func (s *suite) compare(ctx context.Context, c comparison) error {
	if !s.wants(c.name) {
		return nil
	}
	var ours, raw, ratios []float64
	for i := range s.pairs {
		s.progress.tell(fmt.Sprintf("%s, pair %d of %d", c.name, i+1, s.pairs))
		x, y, err := pair(ctx, c, i%2 == 1)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		ours, raw, ratios = append(ours, x), append(raw, y), append(ratios, x/y)
	}
	s.add(row{
		Name: c.name, Unit: c.unit, Ours: median(ours), Raw: median(raw), Ratio: median(ours) / median(raw),
		Low: slices.Min(ratios), High: slices.Max(ratios), Target: c.target, Note: c.note,
	})
	return nil
}

func pair(ctx context.Context, c comparison, rawFirst bool) (ours, raw float64, err error) {
	if rawFirst {
		if raw, err = c.fresh(ctx, c.raw); err == nil {
			ours, err = c.fresh(ctx, c.ours)
		}
		return ours, raw, err
	}
	if ours, err = c.fresh(ctx, c.ours); err == nil {
		raw, err = c.fresh(ctx, c.raw)
	}
	return ours, raw, err
}

// fresh runs without the garbage of the run before.
func (c comparison) fresh(ctx context.Context, m measure) (float64, error) {
	runtime.GC()
	if c.before != nil {
		if err := c.before(ctx); err != nil {
			return 0, err
		}
	}
	return m(ctx)
}

// add takes a row over, with whether its target is met.
func (s *suite) add(r row) {
	r.Met = r.Target.met(r.Ratio)
	s.rows = append(s.rows, r)
}

// median of a list that is not empty.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	mid := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[mid]
	}
	return (sorted[mid-1] + sorted[mid]) / 2
}

// round keeps three digits.
func round(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}
