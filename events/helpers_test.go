package events_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/docket-engine/docket/events"
)

// wantField wants no error for an empty field, else a *FieldError that names it.
func wantField(tb testing.TB, err error, field string) {
	tb.Helper()
	if field == "" {
		if err != nil {
			tb.Errorf("got error %q, want none", err)
		}
		return
	}
	f, ok := errors.AsType[*events.FieldError](err)
	if !ok {
		tb.Errorf("got error %v, want one about %s", err, field)
		return
	}
	if f.Field != field {
		tb.Errorf("got error %q, want one about %s", err, field)
	}
}

// line is a stored line of an event at seq 5, with members behind the data.
func line(typ, data string, more ...string) string {
	return fmt.Sprintf(`{"type":%q,"seq":5,"time":7,"data":%s%s}`, typ, data, strings.Join(more, ""))
}

// decode reads one stored line of one event.
func decode(format events.Format, text string) (events.Envelope, error) {
	r, err := events.ParseRecord(format, []byte(text))
	if err != nil {
		return events.Envelope{}, err
	}
	es, err := r.Decode()
	if err != nil {
		return events.Envelope{}, err
	}
	if len(es) != 1 {
		return events.Envelope{}, fmt.Errorf("got %d events, want 1", len(es))
	}
	return es[0], nil
}

func mustDecode(tb testing.TB, format events.Format, text string) events.Envelope {
	tb.Helper()
	e, err := decode(format, text)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return e
}

// sameState compares all that two validators hold.
func sameState(tb testing.TB, got, want *events.Validator) {
	tb.Helper()
	if diff := stateDiff(got, want); diff != "" {
		tb.Errorf("got another state than want (-want +got):\n%s", diff)
	}
}

func stateDiff(got, want *events.Validator) string {
	own := reflect.TypeFor[events.Validator]().PkgPath()
	return cmp.Diff(want, got, cmp.Exporter(func(t reflect.Type) bool { return t.PkgPath() == own }), cmpopts.EquateEmpty())
}
