package auto

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

//go:embed policy.md
var policy string

// Policy is REVIEW_POLICY: the fixed text that classifies effects, says who may
// instruct, and closes the shapes of an answer.
func Policy() string { return policy }

// Request is what a model is asked about one call: the policy, and one text with
// four sections (reference 5.2). The same log and call give the same bytes.
type Request struct {
	// User is the text. Its sections are labels, a blank line and JSON, with blank
	// lines between them.
	User     string
	sections [4]string // of User: the JSON of each
}

// The labels of the sections, in their order.
var labels = [4]string{"ENVIRONMENT", "PROJECT_INSTRUCTIONS", "FILTERED_HISTORY", "PENDING_ACTION"}

// NewRequest makes the request about a call, or says why none can be made: then the
// error is a *[reviewer.Failure]. Settings play no part in it.
func NewRequest(v reviewer.View, c reviewer.Call) (Request, error) {
	if v.Session == nil || v.History == nil {
		return Request{}, ErrHistoryIncomplete.With("there is no session to look at")
	}
	if err := v.History.Complete(v.Session); err != nil {
		return Request{}, ErrHistoryIncomplete.With("%v", err)
	}
	if err := check(v, c); err != nil {
		return Request{}, err
	}
	pending, err := pendingAction(v.Session, c)
	if err != nil {
		return Request{}, err
	}
	shown := v.History.Text(v.Session, pendingRef(c))
	shown.Instructions = projections.InstructionsUnder(wordsOf(v.Ancestors), shown.Instructions)
	return assemble(environment(v.Session.Header().CWD), shown, pending.json()), nil
}

// wordsOf are what the people of ancestors and their projects have said.
func wordsOf(ancestors []reviewer.Ancestor) []projections.Said {
	var out []projections.Said
	for _, a := range ancestors {
		out = append(out, a.Said)
	}
	return out
}

func pendingRef(c reviewer.Call) projections.CallRef {
	return projections.CallRef{ID: c.CallID, Inner: c.Mode == reviewer.ModeInner}
}

// assemble copies what is long once.
func assemble(environment []byte, shown projections.HistoryText, pending []byte) Request {
	parts := [4][2][]byte{{environment}, {shown.Instructions}, {shown.Done, shown.Rest}, {pending}}
	size := 0
	for i, p := range parts {
		size += len(labels[i]) + len("\n\n")*2 + len(p[0]) + len(p[1])
	}
	var b strings.Builder
	b.Grow(size)
	var at [4][2]int
	for i, p := range parts {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(labels[i])
		b.WriteString("\n\n")
		at[i][0] = b.Len()
		b.Write(p[0])
		b.Write(p[1])
		at[i][1] = b.Len()
	}
	r := Request{User: b.String()}
	for i, span := range at {
		r.sections[i] = r.User[span[0]:span[1]]
	}
	return r
}

// JSON is the request as one object on one line, a member for each section;
// withPolicy adds REVIEW_POLICY in front of them.
func (r Request) JSON(withPolicy bool) ([]byte, error) {
	b := []byte{'{'}
	if withPolicy {
		b = append(b, "\"REVIEW_POLICY\":"...)
		b = append(quote(b, policy), ',')
	}
	for i, label := range labels {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\""+label+"\":"...)
		b = append(b, r.sections[i]...)
	}
	whole := jsontext.Value(append(b, '}'))
	if err := whole.Compact(); err != nil {
		return nil, fmt.Errorf("auto: write a request as JSON: %w", err)
	}
	return whole, nil
}

// Digest is the SHA-256 of the policy, a zero byte and the text, hex.
func (r Request) Digest() string {
	h, err := hashedPolicy.Clone()
	if err != nil {
		h = hashPolicy()
	}
	write(h, r.User)
	return hex.EncodeToString(h.Sum(nil))
}

// hashedPolicy is what each digest begins with. It is only cloned.
var hashedPolicy = hashPolicy()

func hashPolicy() hash.Cloner {
	h := sha256.New().(hash.Cloner)
	write(h, policy)
	h.Write([]byte{0})
	return h
}

// write hashes a text without a copy of the whole of it.
func write(h hash.Hash, text string) {
	buf := make([]byte, 1<<10)
	for text != "" {
		n := copy(buf, text)
		h.Write(buf[:n])
		text = text[n:]
	}
}

func environment(cwd string) []byte {
	return append(quote([]byte("{\n  \"cwd\": "), cwd), "\n}"...)
}

// json writes the action, indented.
func (a action) json() []byte {
	b := quote([]byte("{\n  \"mode\": "), string(a.mode))
	b = quote(append(b, ",\n  \"name\": "...), a.name)
	for _, m := range []struct {
		name  string
		value jsontext.Value
	}{{"description", a.description}, {"parameters", a.parameters}, {"arguments", a.arguments}} {
		b = append(b, ",\n  \""+m.name+"\": "...)
		b = indent(b, m.value)
	}
	return append(b, "\n}"...)
}

// indent writes a value of the action. It is strict JSON: the checks saw to that.
func indent(b []byte, v jsontext.Value) []byte {
	out, err := jsontext.AppendFormat(b, v, jsontext.WithIndent("  "), jsontext.WithIndentPrefix("  "))
	if err != nil {
		return quote(slices.Clip(b), string(v))
	}
	return out
}

func quote(b []byte, s string) []byte {
	out, err := jsontext.AppendQuote(b, s)
	if err != nil {
		out, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\ufffd")) // it is UTF-8 now
	}
	return out
}
