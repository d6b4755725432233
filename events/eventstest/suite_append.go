package eventstest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
)

var appendPromises = []promise{
	{"Append stores records as one unit and gives the seq behind them", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		a, b := unit(t, "a", 0, "one", "two", "three"), unit(t, "b", 3, "four")
		mustAppend(t, log, id, a)
		mustAppend(t, log, id, b)
		wantLines(t, log, id, append(a.Records, b.Records...)...)
	}},
	{"A packed row counts for all its events", func(t *testing.T, log events.Log) {
		id, records := packedLog(t, log)
		wantLines(t, log, id, records...)
	}},
	{"Lines are kept byte for byte", keepsBytes},
	{"If the log is not at a.Next, nothing is stored and the error is a conflict that says where it is", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		a := unit(t, "a", 0, "one", "two", "three")
		mustAppend(t, log, id, a)
		for _, next := range []events.Seq{0, 1, 2, 4, 90} {
			_, err := log.Append(t.Context(), id, unit(t, events.AppendID(fmt.Sprint("b", next)), next, "x"))
			wantConflict(t, err, events.ConflictError{Session: id, Expected: next, Actual: 3})
		}
		wantLines(t, log, id, a.Records...)
	}},
	{"A conflict on an empty log says 0", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		_, err := log.Append(t.Context(), id, unit(t, "a", 5, "x"))
		wantConflict(t, err, events.ConflictError{Session: id, Expected: 5, Actual: 0})
		wantLines(t, log, id)
	}},
	{"A repeat succeeds again", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		a := unit(t, "a", 0, "one", "two")
		for range 3 {
			mustAppend(t, log, id, a)
		}
		wantLines(t, log, id, a.Records...)
	}},
	{"A repeat succeeds again after the log has moved on", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		all := []events.Append{unit(t, "a", 0, "one", "two"), unit(t, "b", 2, "three"), unit(t, "c", 3, "four")}
		for _, a := range all {
			mustAppend(t, log, id, a)
		}
		for _, a := range all {
			mustAppend(t, log, id, a)
		}
		wantLines(t, log, id, presets(t, 0, "one", "two", "three", "four")...)
	}},
	{"The same id with other bytes is a conflict", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		a := unit(t, "a", 0, "one", "two")
		mustAppend(t, log, id, a)
		for _, other := range [][]string{{"one", "other"}, {"one"}, {"one", "two", "three"}} {
			_, err := log.Append(t.Context(), id, unit(t, "a", 0, other...))
			wantConflict(t, err, events.ConflictError{Session: id, Expected: 0, Actual: 2})
		}
		wantLines(t, log, id, a.Records...)
	}},
	{"Another id with the same bytes is a conflict", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		a := unit(t, "a", 0, "one", "two")
		mustAppend(t, log, id, a)
		a.ID = "b"
		_, err := log.Append(t.Context(), id, a)
		wantConflict(t, err, events.ConflictError{Session: id, Expected: 0, Actual: 2})
		wantLines(t, log, id, a.Records...)
	}},
	{"The same id at another place is another append", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		mustAppend(t, log, id, unit(t, "a", 0, "one"))
		_, err := log.Append(t.Context(), id, unit(t, "a", 5, "two"))
		wantConflict(t, err, events.ConflictError{Session: id, Expected: 5, Actual: 1})
		mustAppend(t, log, id, unit(t, "a", 1, "two"))
		wantLines(t, log, id, presets(t, 0, "one", "two")...)
	}},
	{"The same id in another session is another append", func(t *testing.T, log events.Log) {
		one, two := newSession(t, log), newSession(t, log)
		for _, id := range []events.SessionID{one, two} {
			mustAppend(t, log, id, unit(t, "a", 0, "one"))
		}
		for _, id := range []events.SessionID{one, two} {
			wantLines(t, log, id, presets(t, 0, "one")...)
		}
	}},
	{"A session that is not there takes no append", func(t *testing.T, log events.Log) {
		_, err := log.Append(t.Context(), newID(), unit(t, "a", 0, "one"))
		wantErr(t, err, events.ErrNotFound)
	}},
	{"What does not follow on from a.Next, or is not what its line says, is refused", refusesWhatDoesNotFollow},
	{"Records that do not fit into one frame are ErrTooLarge", refusesLargeFrames},
	{"An append whose context has ended is never a conflict, and its repeat succeeds", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		a := unit(t, "a", 0, "one")
		if _, err := log.Append(ended, id, a); err == nil {
			t.Error("got no error under an ended context")
		} else if isConflict(err) {
			t.Errorf("got conflict %v under an ended context", err)
		}
		mustAppend(t, log, id, a)
		wantLines(t, log, id, a.Records...)
	}},
	{"Records do not alias what the caller may change after the append", func(t *testing.T, log events.Log) {
		id := newSession(t, log)
		a := unit(t, "a", 0, "one", "two")
		mustAppend(t, log, id, a)
		for _, r := range a.Records {
			scribble(r.Line)
		}
		wantLines(t, log, id, presets(t, 0, "one", "two")...)
	}},
}

// keepsBytes appends lines that a careless store would write anew.
func keepsBytes(t *testing.T, log events.Log) {
	id := newSession(t, log)
	records := []events.Record{
		Line(t, events.Format4, `{"data": {"preset" : "auto", "b":1.0, "a":1e2 }, "time":1, "seq":0, "type":"permission/preset"}`),
		Line(t, events.Format4, `{"type":"permission/preset","seq":1,"time":1,"data":{"preset":"\u00e9 é \u2028 <&> \/ 🂡"}}`),
		Line(t, events.Format4, `  {"type":"x/y","seq":2,"time":1,"data":{"big":12345678901234567890},"ignorable":true}`+"\t"),
	}
	mustAppend(t, log, id, events.Append{ID: "a", Records: records})
	wantLines(t, log, id, records...)
}

func refusesWhatDoesNotFollow(t *testing.T, log events.Log) {
	id := newSession(t, log)
	one := unit(t, "a", 0, "one")
	mustAppend(t, log, id, one)
	two := presets(t, 1, "two", "three", "four")
	lie := two[0]
	lie.Count = 2
	moved := two[1]
	moved.Seq = 1
	old := Line(t, events.Format0, string(two[1].Line))
	split := two[0]
	split.Line = []byte(strings.Replace(string(split.Line), ",", ",\n", 1))
	cases := map[string]events.Append{
		"no records":                {ID: "b", Next: 1},
		"no id":                     {Next: 1, Records: two},
		"an id with a space":        {ID: "b c", Next: 1, Records: two},
		"the first is not at Next":  {ID: "b", Next: 1, Records: two[1:]},
		"a gap":                     {ID: "b", Next: 1, Records: []events.Record{two[0], two[2]}},
		"a repeated seq":            {ID: "b", Next: 1, Records: []events.Record{two[0], two[0]}},
		"another count than says":   {ID: "b", Next: 1, Records: []events.Record{lie}},
		"another seq than it says":  {ID: "b", Next: 1, Records: []events.Record{moved}},
		"two formats":               {ID: "b", Next: 1, Records: []events.Record{two[0], old}},
		"a line with a newline":     {ID: "b", Next: 1, Records: []events.Record{split}},
		"a line that does not read": {ID: "b", Next: 1, Records: []events.Record{{Format: events.Format4, Seq: 1, Count: 1, Line: []byte("x")}}},
	}
	for name, a := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := log.Append(t.Context(), id, a)
			wantFieldError(t, err)
		})
	}
	wantLines(t, log, id, one.Records...)
}

// refusesLargeFrames doubles a record until it does not fit, whatever the limit
// is, and then tries as many bytes in small records.
func refusesLargeFrames(t *testing.T, log events.Log) {
	id := newSession(t, log)
	var kept []events.Record
	var refused events.Append
	for size := 64 << 10; ; size *= 2 {
		if size > 128<<20 {
			t.Fatal("got no limit up to 128 MiB")
		}
		next := events.Seq(len(kept))
		a := unit(t, events.AppendID(fmt.Sprint("a", size)), next, strings.Repeat("x", size))
		if _, err := log.Append(t.Context(), id, a); err != nil {
			wantErr(t, err, events.ErrTooLarge)
			refused = a
			break
		}
		kept = append(kept, a.Records...)
	}
	many := events.Append{ID: "many", Next: refused.Next}
	for total := 0; total < len(refused.Records[0].Line); {
		r := Record(t, many.Next+events.Seq(len(many.Records)), events.PermissionPreset{Preset: strings.Repeat("y", 8<<10)})
		many.Records = append(many.Records, r)
		total += len(r.Line)
	}
	_, err := log.Append(t.Context(), id, many)
	wantErr(t, err, events.ErrTooLarge)
	wantLines(t, log, id, kept...)

	after := unit(t, "after", refused.Next, "small")
	mustAppend(t, log, id, after)
	got, err := read(t.Context(), log, id, refused.Next)
	if err != nil || len(got) != 1 || !bytes.Equal(got[0].Line, after.Records[0].Line) {
		t.Errorf("got %d records, %v, want the small one behind those that were refused", len(got), err)
	}
}
