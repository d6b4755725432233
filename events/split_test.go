package events_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// bodyOf is a body of a valid log's lines, with the records it was made of.
func bodyOf(t *rapid.T) ([]events.Record, []byte) {
	records := eventstest.Valid(t).Records()
	if len(records) == 0 {
		records = []events.Record{eventstest.Record(t, 0, events.PermissionPreset{Preset: "p"})}
	}
	var lines [][]byte
	for _, r := range records {
		lines = append(lines, r.Line)
	}
	return records, bytes.Join(lines, []byte("\n"))
}

func mustSplit(tb rapid.TB, body []byte, before events.Chain) []events.Record {
	tb.Helper()
	records, err := events.Split(events.Format4, body, before)
	if err != nil {
		tb.Fatal(err)
	}
	return records
}

func TestABodyIsSplitIntoTheRecordsThatItWasMadeOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, body := bodyOf(t)
		got := mustSplit(t, body, events.ChainStart())
		if !slices.EqualFunc(want, got, func(x, y events.Record) bool {
			return x.Seq == y.Seq && x.Count == y.Count && x.Format == y.Format && x.Type() == y.Type() && bytes.Equal(x.Line, y.Line)
		}) {
			t.Fatalf("got %v, want %v", got, want)
		}
		i := rapid.IntRange(0, len(got)-1).Draw(t, "from")
		j := rapid.IntRange(i+1, len(got)).Draw(t, "to")
		before := events.ChainStart().Over(want[:i]...)
		if x, y := before.Over(got[i:j]...), before.Over(want[i:j]...); x != y {
			t.Errorf("got the chain %s behind %d to %d, want %s", x, i, j, y)
		}
		if x, y := (events.Chain{1}).Over(got[i:j]...), (events.Chain{1}).Over(want[i:j]...); x != y {
			t.Errorf("got the chain %s behind another one, want %s", x, y)
		}
		if x, y := events.Join(got[i:j]), events.Join(want[i:j]); !bytes.Equal(x, y) {
			t.Errorf("got the body %q, want %q", x, y)
		}
		slices.Reverse(got)
		slices.Reverse(want)
		if x, y := events.Join(got), events.Join(want); !bytes.Equal(x, y) {
			t.Errorf("got the body %q of records in another order, want %q", x, y)
		}
	})
}

// What is remembered of a record is of no account once it was changed.
func TestAChangedRecordIsLookedAtAgain(t *testing.T) {
	body := []byte(strings.Join([]string{
		`{"type":"permissions/preset","seq":0,"time":1,"data":{"preset":"a"}}`,
		`{"type":"permissions/preset","seq":1,"time":1,"data":{"preset":"b"}}`,
	}, "\n"))
	start := events.ChainStart()
	for name, change := range map[string]func(*events.Record){
		"another line of the same length": func(r *events.Record) { r.Line = bytes.Replace(r.Line, []byte(`"b"`), []byte(`"c"`), 1) },
		"a shorter line":                  func(r *events.Record) { r.Line = r.Line[:len(r.Line)-1] },
		"no line":                         func(r *events.Record) { r.Line = nil },
		"another seq":                     func(r *events.Record) { r.Seq = 2 },
		"another count":                   func(r *events.Record) { r.Count = 2 },
	} {
		t.Run(name, func(t *testing.T) {
			records := mustSplit(t, body, start)
			change(&records[1])
			plain := slices.Clone(records)
			for i, r := range plain {
				plain[i] = events.Record{Format: r.Format, Seq: r.Seq, Count: r.Count, Line: r.Line}
			}
			if got, want := start.Over(records...), start.Over(plain...); got != want {
				t.Errorf("got the chain %s, want %s", got, want)
			}
			if got, want := events.Join(records), events.Join(plain); !bytes.Equal(got, want) {
				t.Errorf("got the body %q, want %q", got, want)
			}
			got, want := events.Append{ID: "a", Records: records}.Check(), events.Append{ID: "a", Records: plain}.Check()
			if (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
				t.Errorf("got %v of the append, want %v", got, want)
			}
		})
	}
}

func TestABodyIsSplitOrRefusedWhole(t *testing.T) {
	good := `{"type":"permissions/preset","seq":0,"time":1,"data":{"preset":"a"}}`
	for name, body := range map[string]string{
		"nothing":          "",
		"an empty line":    good + "\n\n" + good,
		"a newline at end": good + "\n",
		"no JSON":          good + "\nx",
		"no seq":           `{"type":"permissions/preset","time":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			if records, err := events.Split(events.Format4, []byte(body), events.ChainStart()); err == nil || records != nil {
				t.Errorf("got %v, %v, want an error alone", records, err)
			}
		})
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte(`{"type":"permissions/preset","seq":0,"time":1,"data":{"preset":"a"}}`+"\n"+`{"seq":1,"type":"x"}`), 4)
	f.Add([]byte(textRow), 0)
	f.Fuzz(func(t *testing.T, body []byte, format int) {
		got, err := events.Split(events.Format(format), body, events.ChainStart())
		var want []events.Record
		for line := range bytes.SplitSeq(body, []byte("\n")) {
			r, wantErr := events.ParseRecord(events.Format(format), line)
			if wantErr != nil {
				if err == nil || err.Error() != wantErr.Error() {
					t.Fatalf("got %v, want %v", err, wantErr)
				}
				return
			}
			want = append(want, r)
		}
		if err != nil || len(got) != len(want) || events.ChainStart().Over(got...) != events.ChainStart().Over(want...) {
			t.Fatalf("got %v, %v, want %v", got, err, want)
		}
		if !bytes.Equal(events.Join(got), body) {
			t.Errorf("got %q joined, want %q", events.Join(got), body)
		}
		for i := range got {
			if got[i].Type() != want[i].Type() || got[i].Seq != want[i].Seq || got[i].Count != want[i].Count {
				t.Errorf("got %v, want %v", got[i], want[i])
			}
		}
	})
}
