package approvals

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

// Shown is what a person is asked about (design section 6, stage 5).
type Shown permit.Shown

// Hash is what an answer must carry ([permit.Shown.Hash]), or says which member of the
// question is not what it has to be.
func (s Shown) Hash() (string, error) {
	hash, err := permit.Shown(s).Hash()
	switch {
	case errors.Is(err, permit.ErrNotJSON):
		return "", errNotStrict()
	case err != nil:
		return "", events.Refuse(CodeBadQuestion, "shown", "tool, cwd and mode must be UTF-8")
	}
	return hash, nil
}

func errNotStrict() error { return events.Refuse(CodeBadQuestion, "arguments", "must be strict JSON") }

// canonical is a value in its one spelling.
func canonical(v jsontext.Value) (jsontext.Value, error) {
	c, err := permit.Canonical(v)
	if err != nil {
		return nil, errNotStrict()
	}
	return c, nil
}

// ShortHash is what an answer carries instead of the hash while the arguments are
// shown shortened: it is made of the hash and not the other way round, so that
// who did not open them cannot allow.
func ShortHash(hash string) string { return digest([]byte("docket approval, shortened\n" + hash)) }

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
