package approvals

import (
	"crypto/sha256"
	"encoding/hex"

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

// Hash is what an answer must carry: the SHA-256 (hex) of all five. Arguments
// count as the value that they are, not as they are spelled; numbers keep their
// digits, since two long ones can be one as doubles.
func (s Shown) Hash() (string, error) {
	arguments, err := canonical(s.Arguments)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal([]any{"docket approval", s.Tool, arguments, s.CWD, s.Mode, s.Chain.String()})
	if err != nil {
		return "", events.Refuse(CodeBadQuestion, "shown", "tool, cwd and mode must be UTF-8")
	}
	return digest(text), nil
}

// canonical is a JSON value with sorted members, no spaces and one spelling for
// each string.
func canonical(v jsontext.Value) (jsontext.Value, error) {
	v = v.Clone()
	err := v.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return nil, events.Refuse(CodeBadQuestion, "arguments", "must be strict JSON")
	}
	return v, nil
}

// ShortHash is what an answer carries instead of the hash while the arguments are
// shown shortened: it is made of the hash and not the other way round, so that
// who did not open them cannot allow.
func ShortHash(hash string) string { return digest([]byte("docket approval, shortened\n" + hash)) }

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
