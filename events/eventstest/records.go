package eventstest

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
)

// Epoch is the time of seq 0 in the logs that are made here; each event comes a
// millisecond after the one before it.
const Epoch = 1_800_000_000_000

// Header makes a header of the current format; change, if it is not nil, sets
// what is special about it.
func Header(tb rapid.TB, id events.SessionID, change func(*events.Header)) events.Header {
	tb.Helper()
	h := events.Header{ID: id, CreatedAt: Epoch, CWD: "/workspace/demo"}
	if change != nil {
		change(&h)
	}
	made, err := events.NewHeader(h)
	if err != nil {
		tb.Fatalf("header of session %s: %v", id, err)
	}
	return made
}

// Header0 makes a header of format 0.
func Header0(tb rapid.TB, id events.SessionID) events.Header {
	tb.Helper()
	line := fmt.Sprintf(`{"type":"session","version":0,"id":%q,"createdAt":%d,"cwd":"/workspace/demo","delegationDepth":0}`, string(id), int64(Epoch))
	h, err := events.ParseHeader([]byte(line))
	if err != nil {
		tb.Fatalf("header of session %s: %v", id, err)
	}
	return h
}

// Envelope puts an event of ours at a place in a log.
func Envelope(tb rapid.TB, seq events.Seq, ev events.Event) events.Envelope {
	tb.Helper()
	e, err := events.NewEnvelope(seq, Epoch+int64(seq), ev)
	if err != nil {
		tb.Fatalf("event %s at %d: %v", ev.Type(), seq, err)
	}
	return e
}

// Record is an event of ours as it is stored at a place in a log.
func Record(tb rapid.TB, seq events.Seq, ev events.Event) events.Record {
	tb.Helper()
	return Records(tb, Envelope(tb, seq, ev))[0]
}

// Records encodes envelopes, one record each.
func Records(tb rapid.TB, envelopes ...events.Envelope) []events.Record {
	tb.Helper()
	out := make([]events.Record, 0, len(envelopes))
	for _, e := range envelopes {
		r, err := events.NewRecord(e)
		if err != nil {
			tb.Fatalf("record %s at %d: %v", e.Type(), e.Seq, err)
		}
		out = append(out, r)
	}
	return out
}

// Line takes a stored line for a record. It may be one that does not decode.
func Line(tb rapid.TB, format events.Format, line string) events.Record {
	tb.Helper()
	r, err := events.ParseRecord(format, []byte(line))
	if err != nil {
		tb.Fatalf("line %s: %v", line, err)
	}
	return r
}

// Packed is a row of format 0 that stands for one text chunk for each piece, a
// millisecond apart, in step 1 of turn 1.
func Packed(tb rapid.TB, seq events.Seq, pieces ...string) events.Record {
	tb.Helper()
	gaps := make([]int, len(pieces)-1)
	for i := range gaps {
		gaps[i] = 1
	}
	data, err := json.Marshal(map[string]any{"turn": 1, "step": 1, "index": 0, "dt": gaps, "texts": pieces}, json.Deterministic(true))
	if err != nil {
		tb.Fatalf("packed row at %d: %v", seq, err)
	}
	return Line(tb, events.Format0, fmt.Sprintf(`{"type":"text-chunks","seq0":%d,"time0":%d,"data":%s}`, seq, Epoch+int64(seq), data))
}
