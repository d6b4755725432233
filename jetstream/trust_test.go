package jetstream_test

import (
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

// TestTheLevelOfTrustIsRecordedWithEachFrame, whichever engine stores it, and a log
// says under which it began and under which it was last.
func TestTheLevelOfTrustIsRecordedWithEachFrame(t *testing.T) {
	s := newStore(t)
	level := events.TrustSeparate
	log := newLog(t, jetstream.LogConfig{Conn: s.nc, Keys: testKeys(t), Trust: func() events.Trust { return level }})
	create(t, log, "s1")
	fill(t, log, "s1", 0, 1)
	level = events.TrustSameUser
	fill(t, log, "s1", 1, 1)
	silent := logOn(t, s.nc) // one that knows no level
	create(t, silent, "s2")
	want := []string{"separate", "separate", "same-user"}
	for i, m := range framesOf(t, s, "s1") {
		if got := m.Header.Get("Docket-Trust"); got != want[i] {
			t.Errorf("frame %d: got %q, want %q", i, got, want[i])
		}
	}
	for name, c := range map[string]struct {
		log  *jetstream.Log
		id   events.SessionID
		want events.Trusted
	}{
		"who wrote it":   {log, "s1", events.Trusted{Began: events.TrustSeparate, Last: events.TrustSameUser}},
		"somebody else":  {logOn(t, s.nc), "s1", events.Trusted{Began: events.TrustSeparate, Last: events.TrustSameUser}},
		"none was known": {log, "s2", events.Trusted{}},
	} {
		if o, err := c.log.Open(t.Context(), c.id); err != nil || o.Trust != c.want {
			t.Errorf("%s: got %+v, %v, want %+v", name, o.Trust, err, c.want)
		}
	}
	if findings := kinds(verified(t, logOn(t, s.nc), "s1")); len(findings) != 0 {
		t.Errorf("got %v of a log with levels", findings)
	}
}
