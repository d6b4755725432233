package eventstest

import (
	"crypto/rand"
	"errors"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
)

// What a reader may not do, whatever it read.
var (
	errGoesOn  = errors.New("the reader went on behind an error")
	errNotZero = errors.New("the record beside an error is not zero")
)

// newID makes a session id that no other test uses.
func newID() events.SessionID {
	return events.SessionID("suite-" + strings.ToLower(rand.Text()))
}

// wantRecords compares records, with none and nil alike.
func wantRecords(tb rapid.TB, got, want []events.Record) {
	tb.Helper()
	if diff := cmp.Diff(lines(want), lines(got), cmpopts.EquateEmpty()); diff != "" {
		tb.Fatalf("got other records than want (-want +got):\n%s", diff)
	}
}

// stored is a record as a difference shows it.
type stored struct {
	Format events.Format
	Seq    events.Seq
	Count  int
	Line   string
}

func lines(records []events.Record) []stored {
	out := make([]stored, 0, len(records))
	for _, r := range records {
		out = append(out, stored{r.Format, r.Seq, r.Count, string(r.Line)})
	}
	return out
}

// wantErr compares an error with one that callers branch on.
func wantErr(tb rapid.TB, got, want error) {
	tb.Helper()
	if !errors.Is(got, want) {
		tb.Fatalf("got error %v, want %v", got, want)
	}
}

// wantFieldError wants an error that names the member that is wrong.
func wantFieldError(tb rapid.TB, got error) {
	tb.Helper()
	if _, ok := errors.AsType[*events.FieldError](got); !ok {
		tb.Fatalf("got error %v, want a field error", got)
	}
}

// wantConflict wants a conflict that says where the log is.
func wantConflict(tb rapid.TB, got error, want events.ConflictError) {
	tb.Helper()
	conflict, ok := errors.AsType[*events.ConflictError](got)
	if !ok || !errors.Is(got, events.ErrConflict) {
		tb.Fatalf("got error %v, want a conflict", got)
	}
	if diff := cmp.Diff(want, *conflict); diff != "" {
		tb.Fatalf("got another conflict than want (-want +got):\n%s", diff)
	}
}
