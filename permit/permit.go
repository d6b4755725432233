package permit

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// Permit says what may run: one body, once, with these arguments, in this mode,
// until it expires. All but the session, the tool and the arguments stands in the
// tool/dispatched event that it is a copy of.
type Permit struct {
	Session   events.SessionID `json:"session"`
	Turn      int              `json:"turn"`
	Step      int              `json:"step"`
	CallID    string           `json:"callId"`
	Tool      string           `json:"tool"`
	Arguments jsontext.Value   `json:"arguments"`

	Seq          events.Seq  `json:"seq"` // of the tool/dispatched
	VerdictSeq   *events.Seq `json:"verdictSeq,omitzero"`
	DecisionSeq  *events.Seq `json:"decisionSeq,omitzero"`
	GrantSeq     *events.Seq `json:"grantSeq,omitzero"`
	PresetSeq    *events.Seq `json:"presetSeq,omitzero"`
	ArgumentHash string      `json:"argumentHash"` // SHA-256, hex
	Mode         string      `json:"mode"`         // of the sandbox
	Nonce        string      `json:"nonce"`        // the executor's
	ExpiresAt    int64       `json:"expiresAt"`    // Unix ms
	// Files are those that the body would execute, as they were when the call was put on
	// the record: see [Permit.CheckFiles].
	Files []File `json:"files,omitzero"`
	// Next and Chain (hex) are the log's head when the permit was signed.
	Next  events.Seq `json:"next"`
	Chain string     `json:"chain"`
}

// Signed is a permit with the signature of the engine's dispatch key, or with the
// MAC of a [LocalKey].
type Signed struct {
	Permit    Permit `json:"permit"`
	Signature []byte `json:"signature"`
}

// domain keeps a permit's signature from being taken for any other one.
const domain = "docket permit 1\n"

// Sign signs a permit.
func Sign(p Permit, key ed25519.PrivateKey) (Signed, error) {
	text, err := p.signed()
	if err != nil {
		return Signed{}, err
	}
	return Signed{Permit: p, Signature: ed25519.Sign(key, text)}, nil
}

func (p Permit) signed() ([]byte, error) {
	const around = 640 // bytes beside the arguments, mostly
	text := bytes.NewBuffer(make([]byte, 0, len(domain)+around+len(p.Arguments)))
	text.WriteString(domain)
	if err := json.MarshalWrite(text, &p); err != nil {
		return nil, fmt.Errorf("permit: encode the permit of call %s: %w", p.CallID, err)
	}
	return text.Bytes(), nil
}

// verify reports whether the signature is the key's.
func (s Signed) verify(key ed25519.PublicKey) bool {
	text, err := s.Permit.signed()
	return err == nil && len(key) == ed25519.PublicKeySize && ed25519.Verify(key, text, s.Signature)
}

// ArgumentHash is what binds a permit to a call's arguments: the SHA-256 of their
// JSON with sorted members and without spaces, hex. Numbers keep their digits,
// since two long ones can be one as doubles.
func ArgumentHash(arguments jsontext.Value) string {
	canonical, err := Canonical(arguments)
	if err != nil {
		canonical = arguments // not JSON: the text as it is, which no valid value has
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}
