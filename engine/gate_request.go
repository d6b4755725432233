package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
)

// CallRequest is a call that an agent wants to make.
type CallRequest struct {
	Session events.SessionID
	CallID  string
	Name    string
	// Arguments of a native call are the text that the model wrote; of an inner call
	// they are JSON.
	Arguments string
	// Inner is there for a call that a program makes.
	Inner *InnerRequest
	// Nonce is the executor's, from [permit.Executor.Expect].
	Nonce string
	// Executor is who would run the body, as the engine established it; "" for an
	// executor that it knows nothing of.
	Executor string
	// Confines says that the executor can enforce a sandbox mode, as the engine
	// established it; nil confines nothing.
	Confines func(mode string) bool
	// Taken is called once it is certain that no other engine has the call under way;
	// nil for nobody. It must not block.
	Taken func()
}

// InnerRequest is what an inner call has beside a native one.
type InnerRequest struct {
	RootCallID, ParentCallID string
	// Schema is the tool's definition that the program was bound to.
	Schema *reviewer.Schema
}

func (r CallRequest) check() error {
	if err := r.Session.Check(); err != nil {
		return invalid("session", "is no session id")
	}
	members := []struct{ field, value string }{{"callId", r.CallID}, {"name", r.Name}, {"nonce", r.Nonce}}
	if r.Inner != nil {
		members = append(members, struct{ field, value string }{"rootCallId", r.Inner.RootCallID},
			struct{ field, value string }{"parentCallId", r.Inner.ParentCallID}, struct{ field, value string }{"arguments", r.Arguments})
	}
	for _, m := range members {
		if m.value == "" {
			return invalid(m.field, "is missing")
		}
	}
	return nil
}

// parsed are the arguments as review, hash and body get them: parsed once (design
// section 6, stage 1).
func (r CallRequest) parsed() (jsontext.Value, error) {
	call := openCall{raw: r.Arguments, inner: r.Inner != nil}
	if call.inner && !jsontext.Value(r.Arguments).IsValid() {
		return nil, events.Refuse(CodeNotAllowed, "arguments", "of an inner call must be strict JSON")
	}
	v, err := call.parsed()
	if err != nil {
		return nil, err
	}
	if err := events.CheckJSON(v); err != nil {
		return nil, events.Refuse(CodeNotAllowed, "arguments", "are not lossless JSON: %v", err)
	}
	return v, unambiguous(v)
}

// unambiguous refuses top members that are equal but for their case: a body that
// reads without case takes one for the other.
func unambiguous(v jsontext.Value) error {
	if v.Kind() != '{' {
		return nil
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(v, &members); err != nil {
		return events.Refuse(CodeNotAllowed, "arguments", "are not strict JSON")
	}
	folded := make(map[string]string, len(members))
	for name := range members {
		lower := strings.ToLower(name)
		if other, taken := folded[lower]; taken {
			return events.Refuse(CodeNotAllowed, "arguments", "have the members %q and %q, which are equal but for their case", min(name, other), max(name, other))
		}
		folded[lower] = name
	}
	return nil
}

// key is the call's among those under way.
func (op *operation) key() callKey { return callKey{op.req.Session, op.req.CallID} }

// scope is what the executor made its nonce for.
func (r CallRequest) scope() permit.Scope {
	return permit.Scope{Session: r.Session, CallID: r.CallID, Tool: r.Name}
}

// SchemaHash names a tool's definition: the SHA-256 of name, description and
// parameters as JSON with sorted members, hex.
func SchemaHash(t events.ToolDefinition) string {
	text, err := json.Marshal([]any{t.Name, t.Description, t.Parameters})
	if err == nil {
		err = (*jsontext.Value)(&text).Canonicalize()
	}
	if err != nil {
		return "" // which no Program has
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// runsProgram reports whether a native call is the outer one of our own program
// runner: by who runs it, and by the definition that the log has of the tool.
func (g *Gate) runsProgram(s *projections.Session, r CallRequest) bool {
	if r.Inner != nil || r.Executor == "" || s.Request.Header == nil {
		return false
	}
	for _, p := range g.cfg.Programs {
		if p.SchemaHash == "" || p.Executor != r.Executor || p.Tool != r.Name {
			continue
		}
		defined := definitions(s, r.Name)
		return len(defined) == 1 && SchemaHash(defined[0]) == p.SchemaHash
	}
	return false
}

// definitions are what the latest request header says of a tool.
func definitions(s *projections.Session, name string) []events.ToolDefinition {
	var out []events.ToolDefinition
	for _, t := range s.Request.Header.Tools {
		if t.Name == name {
			out = append(out, t)
		}
	}
	return out
}

// asRefusal gives the refusal in an error, nil if it is another one.
func asRefusal(err error) *events.Refusal {
	r, _ := errors.AsType[*events.Refusal](err)
	return r
}
