package frame

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
)

// SealText is what a seal's signature is over.
func SealText(s events.SealRecord) ([]byte, error) {
	s.Sig = ""
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("frame: write a seal: %w", err)
	}
	return append([]byte("docket seal 1\n"), text...), nil
}

// CheckSeal reads a stored seal and reports whether an engine signed it about this
// session. What could be read is given with the error, too.
func (t Trusted) CheckSeal(id events.SessionID, data []byte) (events.SealRecord, error) {
	var s events.SealRecord
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("it does not parse: %w", err)
	}
	text, err := SealText(s)
	if err != nil {
		return s, err
	}
	if err := t.Check(text, s.Sig); err != nil {
		return s, err
	}
	if s.Session != id {
		return s, fmt.Errorf("it is of session %s", s.Session)
	}
	return s, nil
}
