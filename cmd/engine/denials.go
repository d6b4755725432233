package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/docket-engine/docket/events"
)

// denial is one call, by its tool and its arguments' hash, and how often it was
// denied.
type denial struct {
	Tool         string `json:"tool"`
	ArgumentHash string `json:"argumentHash"`
	Times        int    `json:"times"`
	Arguments    string `json:"arguments"` // as they were first written
}

// denials counts a session's identical denied calls, for people who look. No call
// is decided by it, and it is folded here and not in the session's state, so that
// nothing which decides can reach it. The zero denials has seen nothing.
type denials struct {
	courses callCourses
	all     []denial
}

func (d *denials) apply(e events.Envelope) {
	if c := d.courses.apply(e); c != nil && c.settled && c.end() == endDenied {
		d.count(denial{Tool: c.tool, ArgumentHash: c.argumentHash(), Times: 1, Arguments: c.arguments})
	}
}

func (d *denials) count(one denial) {
	i := slices.IndexFunc(d.all, func(o denial) bool { return o.Tool == one.Tool && o.ArgumentHash == one.ArgumentHash })
	if i < 0 {
		d.all = append(d.all, one)
		return
	}
	d.all[i].Times += one.Times
}

// most are the denied calls, those that were denied most often first.
func (d *denials) most() []denial {
	all := append([]denial{}, d.all...)
	slices.SortStableFunc(all, func(a, b denial) int { return cmp.Compare(b.Times, a.Times) })
	return all
}

// shownDenials is how many a person is shown of one session.
const shownDenials = 10

// line is a denial for people.
func (d denial) line() string {
	return fmt.Sprintf("%d × %s %s  (arguments %.8s…)", d.Times, plain(d.Tool, 40), plain(d.Arguments, 56), d.ArgumentHash)
}

// denialRows are the first ones as rows of a session's table.
func denialRows(all []denial) [][]string {
	var rows [][]string
	for i, d := range all {
		if i == shownDenials {
			rows = append(rows, []string{"denied", fmt.Sprintf("and %d other calls", len(all)-i)})
			break
		}
		rows = append(rows, []string{"denied", d.line()})
	}
	return rows
}
