package jetstream

import (
	"crypto/ed25519"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// TestASignedReviewRecordIsEncodedAsAnyOther: the signature is put behind what was
// encoded once, and the whole is what encoding the signed record gives.
func TestASignedReviewRecordIsEncodedAsAnyOther(t *testing.T) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := NewKeys(private)
	if err != nil {
		t.Fatal(err)
	}
	l := &Log{keys: keys}
	inner := eventstest.Review("s1", "c1:ptc:1")
	inner.Schema = &events.ReviewSchema{Name: "read", Parameters: jsontext.Value(`{"title":"\u0061\ufffd","maximum":1e2}`)}
	for name, r := range map[string]events.ReviewRecord{"native": eventstest.Review("s1", "c1"), "inner": inner, "signed before": {Sig: "x"}} {
		t.Run(name, func(t *testing.T) {
			text, err := l.signReview(r)
			if err != nil {
				t.Fatal(err)
			}
			var read events.ReviewRecord
			if err := json.Unmarshal(text, &read, json.RejectUnknownMembers(true)); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			want, err := encodeReview(read)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(text)); diff != "" {
				t.Errorf("got another text (-want +got):\n%s", diff)
			}
			payload, err := reviewPayload(read)
			if err == nil {
				err = keys.verify(payload, read.Sig)
			}
			if err != nil {
				t.Errorf("the signature: %v", err)
			}
		})
	}
}
