package events_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

const (
	textRow      = `{"type":"text-chunks","seq0":5,"time0":100,"data":{"turn":1,"step":2,"index":0,"dt":[3,0,-2],"texts":["a","é","","\"d\""]}}`
	reasoningRow = `{"type":"reasoning-chunks","seq0":5,"time0":100,"data":{"turn":1,"step":2,"index":1,"dt":[],"texts":["a"]}}`
	callRow      = `{"type":"tool-call-chunks","seq0":5,"time0":100,"data":{"turn":1,"step":2,"index":0,"dt":[0,1],"id":"c","name":"write","args":["","{\"a\":","1}"]}}`
	namelessRow  = `{"type":"tool-call-chunks","seq0":5,"time0":100,"data":{"turn":1,"step":2,"index":0,"dt":[],"id":"c","args":["x"]}}`
)

// chunkLine is a chunk as format 0 stores it on its own.
func chunk(seq, time int, chunk string) string {
	return fmt.Sprintf(`{"type":"assistant/chunk","seq":%d,"time":%d,"data":{"turn":1,"step":2,"chunk":%s}}`, seq, time, chunk)
}

// unpacked are the single events in whose place the rows stand.
var unpacked = map[string][]string{
	textRow: {
		chunk(5, 100, `{"type":"text-delta","index":0,"text":"a"}`),
		chunk(6, 103, `{"type":"text-delta","index":0,"text":"é"}`),
		chunk(7, 103, `{"type":"text-delta","index":0,"text":""}`),
		chunk(8, 101, `{"type":"text-delta","index":0,"text":"\"d\""}`),
	},
	reasoningRow: {chunk(5, 100, `{"type":"reasoning-delta","index":1,"text":"a"}`)},
	callRow: {
		chunk(5, 100, `{"type":"tool-call-delta","index":0,"id":"c","name":"write","argumentsDelta":""}`),
		chunk(6, 100, `{"type":"tool-call-delta","index":0,"id":"c","name":"write","argumentsDelta":"{\"a\":"}`),
		chunk(7, 101, `{"type":"tool-call-delta","index":0,"id":"c","name":"write","argumentsDelta":"1}"}`),
	},
	namelessRow: {chunk(5, 100, `{"type":"tool-call-delta","index":0,"id":"c","argumentsDelta":"x"}`)},
}

func TestAPackedRowStandsForSingleEvents(t *testing.T) {
	for row, lines := range unpacked {
		r := eventstest.Line(t, events.Format0, row)
		if r.Seq != 5 || r.Count != len(lines) || r.End() != events.Seq(5+len(lines)) {
			t.Errorf("got %d events from %d to %d, want %d from 5: %s", r.Count, r.Seq, r.End(), len(lines), row)
		}
		got, err := r.Decode()
		if err != nil {
			t.Fatal(err)
		}
		var want []events.Envelope
		for _, l := range lines {
			want = append(want, mustDecode(t, events.Format0, l))
		}
		if diff := cmp.Diff(want, got, ignoreRaw); diff != "" {
			t.Errorf("got other events than want for %s (-want +got):\n%s", row, diff)
		}
	}
}

func TestAPackedRowIsCutAtEachPosition(t *testing.T) {
	for row, lines := range unpacked {
		r := eventstest.Line(t, events.Format0, row)
		for before := events.Seq(0); before < r.End()+2; before++ {
			got, err := r.Cut(before)
			if err != nil {
				t.Fatal(err)
			}
			var want []events.Record
			switch {
			case before >= r.End():
				want = []events.Record{r}
			case before > r.Seq:
				for _, l := range lines[:before-r.Seq] {
					want = append(want, eventstest.Line(t, events.Format0, l))
				}
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(events.Record{})); diff != "" {
				t.Errorf("got other records than want before %d of %s (-want +got):\n%s", before, row, diff)
			}
		}
	}
}

func TestASingleEventIsCutWhole(t *testing.T) {
	r := eventstest.Record(t, 5, events.PermissionPreset{Preset: "p"})
	for before, want := range map[events.Seq][]events.Record{4: nil, 5: nil, 6: {r}, 7: {r}} {
		got, err := r.Cut(before)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(events.Record{})); diff != "" || err != nil {
			t.Errorf("got %v and other records than want before %d (-want +got):\n%s", err, before, diff)
		}
	}
}

func TestPackedRowRules(t *testing.T) {
	change := func(old, with string) string {
		if !strings.Contains(textRow, old) {
			panic("the row has no " + old)
		}
		return strings.Replace(textRow, old, with, 1)
	}
	cases := map[string]struct{ line, field string }{
		"a row":                          {textRow, ""},
		"gaps may go back in time":       {change(`[3,0,-2]`, `[3,0,-99]`), ""},
		"but not before time 0":          {change(`[3,0,-2]`, `[3,0,-200]`), "time"},
		"or beyond a double":             {change(`[3,0,-2]`, `[3,0,9007199254740993]`), "data.dt"},
		"nor in sum":                     {change(`[3,0,-2]`, `[9007199254740991,0,0]`), "time"},
		"one gap less than pieces":       {change(`[3,0,-2]`, `[3,0]`), "data.dt"},
		"and not more":                   {change(`[3,0,-2]`, `[3,0,1,1]`), "data.dt"},
		"dt must be there":               {change(`"dt":[3,0,-2],`, ``), "data.dt"},
		"dt must be an array":            {change(`[3,0,-2]`, `3`), "data.dt"},
		"gaps must be whole":             {change(`[3,0,-2]`, `[3,0,0.5]`), "data.dt.2"},
		"gaps must not be null":          {change(`[3,0,-2]`, `[3,0,null]`), "data.dt.2"},
		"pieces must be text":            {change(`"a"`, `7`), "data.texts.0"},
		"pieces must be there":           {change(`"texts"`, `"args"`), "data.dt"},
		"a row must have a piece":        {change(`"dt":[3,0,-2],"texts":["a","é","","\"d\""]`, `"dt":[],"texts":[]`), "data.dt"},
		"seq0 must be there":             {change(`"seq0":5,`, ``), "seq0"},
		"seq0 must be a seq":             {change(`"seq0":5`, `"seq0":-5`), "seq0"},
		"seq0 must be a number":          {change(`"seq0":5`, `"seq0":"5"`), "seq0"},
		"seqs must stay whole numbers":   {change(`"seq0":5`, `"seq0":9007199254740990`), "seq"},
		"time0 must be there":            {change(`"time0":100,`, ``), "time0"},
		"time0 must be a time":           {change(`"time0":100`, `"time0":-1`), "time0"},
		"data must be there":             {`{"type":"text-chunks","seq0":5,"time0":100}`, "data"},
		"turn must be there":             {change(`"turn":1,`, ``), "data.turn"},
		"step must be one":               {change(`"step":2`, `"step":0`), "data.step"},
		"index must be there":            {change(`"index":0,`, ``), "data.index"},
		"nothing else":                   {change(`"time0":100`, `"time0":100,"ignorable":true`), "ignorable"},
		"nothing else in data":           {change(`"index":0`, `"index":0,"x":1`), "data.x"},
		"no duplicate members":           {change(`"index":0`, `"index":0,"index":1`), "data.index"},
		"no lone surrogates":             {change(`"a"`, `"\ud800"`), "data.texts.0"},
		"a row with a seq is none":       {change(`"seq0":5`, `"seq":5`), "seq"},
		"a call's pieces are args":       {strings.Replace(callRow, `"args"`, `"texts"`, 1), "data.dt"},
		"a call has a name or none":      {strings.Replace(callRow, `"write"`, `7`, 1), "data.name"},
		"what is not JSON is not packed": {textRow[:40], "value"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := events.ParseRecord(events.Format0, []byte(c.line))
			if err == nil {
				_, err = r.Decode()
			}
			wantField(t, err, c.field)
		})
	}
}
