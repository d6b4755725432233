package permit

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// Shown is what a person is asked about (design section 6, stage 5).
type Shown struct {
	Tool      string
	Arguments jsontext.Value // parsed by the admission of the call
	CWD       string
	Mode      string       // that the call would run in
	Chain     events.Chain // of the log when it is asked
}

// ErrNotJSON says that arguments are no strict JSON.
var ErrNotJSON = errors.New("is not strict JSON")

// Hash is what an answer must carry: the SHA-256 (hex) of all five. Whoever asks and
// whoever answers works it out here, so that the two cannot differ. Arguments count as
// the value that they are, not as they are spelled; numbers keep their digits, since
// two long ones can be one as doubles. The error is [ErrNotJSON], or says that a text
// is not UTF-8.
func (s Shown) Hash() (string, error) {
	arguments, err := Canonical(s.Arguments)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal([]any{"docket approval", s.Tool, arguments, s.CWD, s.Mode, s.Chain.String()})
	if err != nil {
		return "", fmt.Errorf("permit: hash what is shown: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Canonical is a JSON value with sorted members, no spaces and one spelling for each
// string. Numbers keep their digits. The error is [ErrNotJSON].
func Canonical(v jsontext.Value) (jsontext.Value, error) {
	v = v.Clone()
	err := v.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return nil, ErrNotJSON
	}
	return v, nil
}
