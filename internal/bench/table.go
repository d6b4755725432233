package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// unit is what a figure counts.
type unit string

const (
	micros    unit = "µs"
	millis    unit = "ms"
	perSecond unit = "/s"
	megabytes unit = "MB/s"
	mebibytes unit = "MiB"
	count     unit = ""
)

// row is a line of the table.
type row struct {
	Name  string  `json:"measurement"`
	Unit  unit    `json:"unit"`
	Ours  float64 `json:"ours"`
	Raw   float64 `json:"raw,omitempty"`
	Ratio float64 `json:"ratio,omitempty"`
	// Low and High are the ratios of the best and the worst pair.
	Low    float64 `json:"lowest,omitempty"`
	High   float64 `json:"highest,omitempty"`
	Target target  `json:"target"`
	Met    *bool   `json:"met,omitempty"`
	Note   string  `json:"note,omitempty"`
}

// target is what a ratio, or a figure without a baseline, is to be. The zero
// target is none: the row only reports.
type target struct {
	AtMost  float64 `json:"atMost,omitempty"`
	AtLeast float64 `json:"atLeast,omitempty"`
	None    bool    `json:"none,omitempty"` // nothing at all may be left
}

func atMost(x float64) target  { return target{AtMost: x} }
func atLeast(x float64) target { return target{AtLeast: x} }

// met is nil where there is no target.
func (t target) met(x float64) *bool {
	switch {
	case t.None:
		return new(x == 0)
	case t.AtMost > 0:
		return new(x <= t.AtMost)
	case t.AtLeast > 0:
		return new(x >= t.AtLeast)
	default:
		return nil
	}
}

func (t target) String() string {
	switch {
	case t.None:
		return "0"
	case t.AtMost > 0:
		return "≤ " + number(t.AtMost)
	case t.AtLeast > 0:
		return "≥ " + number(t.AtLeast)
	default:
		return "–"
	}
}

// print writes the rows as a table or as JSON.
func (s *suite) print(w io.Writer) error {
	if s.json {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(s.rows)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "MEASUREMENT\tOURS\tRAW\tRATIO\tOF PAIRS\tTARGET\tMET\tNOTE")
	for _, r := range s.rows {
		fmt.Fprintln(t, r.cells())
	}
	return t.Flush()
}

func (r row) cells() string {
	raw, ratio, spread, met := "–", "–", "–", "–"
	if r.Raw > 0 {
		raw, ratio = r.figure(r.Raw), strconv.FormatFloat(r.Ratio, 'f', 2, 64)
	}
	if r.High > 0 {
		spread = fmt.Sprintf("%.2f–%.2f", r.Low, r.High)
	}
	if r.Met != nil {
		met = map[bool]string{true: "yes", false: "NO"}[*r.Met]
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", r.Name, r.figure(r.Ours), raw, ratio, spread, r.Target, met, r.Note)
}

func (r row) figure(x float64) string { return number(x) + " " + string(r.Unit) }

func number(x float64) string { return strconv.FormatFloat(round(x), 'f', -1, 64) }
