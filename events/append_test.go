package events_test

import (
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func TestAnAppendCanBeReadBackAsItIsGiven(t *testing.T) {
	preset := func(seq events.Seq) events.Record {
		return eventstest.Record(t, seq, events.PermissionPreset{Preset: "p"})
	}
	lie := func(change func(*events.Record)) events.Record {
		r := preset(5)
		change(&r)
		return r
	}
	row := eventstest.Line(t, events.Format0, textRow) // 5 to 9
	old := eventstest.Line(t, events.Format0, string(preset(9).Line))
	cases := map[string]struct {
		append events.Append
		field  string
		end    events.Seq
	}{
		"one record":            {events.Append{ID: "a", Next: 5, Records: []events.Record{preset(5)}}, "", 6},
		"two":                   {events.Append{ID: "a", Next: 5, Records: []events.Record{preset(5), preset(6)}}, "", 7},
		"a row and more":        {events.Append{ID: "a", Next: 5, Records: []events.Record{row, old}}, "", 10},
		"none":                  {events.Append{ID: "a", Next: 5}, "records", 5},
		"no id":                 {events.Append{Next: 5, Records: []events.Record{preset(5)}}, "append id", 6},
		"another place":         {events.Append{ID: "a", Next: 4, Records: []events.Record{preset(5)}}, "records.0", 6},
		"a gap":                 {events.Append{ID: "a", Next: 5, Records: []events.Record{preset(5), preset(7)}}, "records.1", 8},
		"an overlap":            {events.Append{ID: "a", Next: 5, Records: []events.Record{row, eventstest.Line(t, events.Format0, string(preset(8).Line))}}, "records.1", 9},
		"two formats":           {events.Append{ID: "a", Next: 5, Records: []events.Record{row, preset(9)}}, "records.1", 10},
		"another seq than said": {events.Append{ID: "a", Next: 4, Records: []events.Record{lie(func(r *events.Record) { r.Seq = 4 })}}, "records.0", 5},
		"another count":         {events.Append{ID: "a", Next: 5, Records: []events.Record{lie(func(r *events.Record) { r.Count = 2 })}}, "records.0", 7},
		"two lines":             {events.Append{ID: "a", Next: 5, Records: []events.Record{lie(func(r *events.Record) { r.Line = append(r.Line, '\n') })}}, "records.0.line", 6},
		"no line":               {events.Append{ID: "a", Next: 5, Records: []events.Record{lie(func(r *events.Record) { r.Line = nil })}}, "records.0", 6},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			wantField(t, c.append.Check(), c.field)
			if got := c.append.End(); got != c.end {
				t.Errorf("got end %d, want %d", got, c.end)
			}
		})
	}
}
