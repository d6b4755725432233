package events

import (
	"bytes"
	"path"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Header is the immutable first line of a session (reference 1.1). It is not an
// event and has no seq.
type Header struct {
	Kind            string    `json:"type"` // "session"
	Version         Format    `json:"version"`
	ID              SessionID `json:"id"`
	CreatedAt       int64     `json:"createdAt"`    // Unix ms
	CWD             string    `json:"cwd,omitzero"` // absolute
	ParentSession   SessionID `json:"parentSession,omitzero"`
	IsSeeded        *bool     `json:"isSeeded,omitzero"` // required in format 4
	Origin          string    `json:"origin,omitzero"`   // "" or "subagent"
	DelegationDepth *int64    `json:"delegationDepth,omitzero"`
	AgentPreset     string    `json:"agentPreset,omitzero"`
	Unknown         Unknown   `json:",embed"`

	// Line is the stored line, byte for byte; empty in a header that was not
	// stored yet.
	Line []byte `json:"-"`
}

// OriginSubagent is the only origin that there is.
const OriginSubagent = "subagent"

// NewHeader makes a header of the current format and encodes its line.
func NewHeader(h Header) (Header, error) {
	seeded := h.IsSeeded != nil && *h.IsSeeded
	depth := value(h.DelegationDepth)
	h.Kind, h.Version, h.IsSeeded, h.DelegationDepth = "session", Format4, &seeded, &depth
	line, err := json.Marshal(h)
	if err != nil {
		return Header{}, within("header", jsonError(err))
	}
	return ParseHeader(line)
}

// ParseHeader reads and checks a header line. Errors are *[FieldError].
func ParseHeader(line []byte) (Header, error) {
	var h Header
	if bytes.IndexByte(line, '\n') >= 0 {
		return Header{}, fieldf("header", "must not hold a newline")
	}
	if jsontext.Value(line).Kind() != '{' {
		return Header{}, fieldf("header", "must be a JSON object")
	}
	if err := firstError(unmarshal(line, &h), checkNumbers(line)); err != nil {
		return Header{}, within("header", err)
	}
	if err := firstError(checkHeaderMembers(line), h.check()); err != nil {
		return Header{}, within("header", err)
	}
	h.Line = bytes.Clone(line)
	return h, nil
}

// Seeded reports whether the log begins with a prefix inherited from a parent.
func (h Header) Seeded() bool { return value(h.IsSeeded) }

// Depth is how many spawns the session is away from its root.
func (h Header) Depth() int64 { return value(h.DelegationDepth) }

func (h Header) check() error {
	if h.Kind != "session" {
		return fieldf("type", `must be "session", is %q`, clip(h.Kind))
	}
	if err := firstError(h.Version.Check(), h.ID.Check(), safeSeq("createdAt", Seq(h.CreatedAt))); err != nil {
		return err
	}
	if h.CWD != "" && !path.IsAbs(h.CWD) && !windowsAbs(h.CWD) {
		return fieldf("cwd", "must be an absolute path, is %q", clip(h.CWD))
	}
	if h.ParentSession != "" {
		if err := memberID("parentSession", h.ParentSession); err != nil {
			return err
		}
	}
	if h.Version == Format4 && h.IsSeeded == nil {
		return fieldf("isSeeded", "is missing")
	}
	if err := optionalOneOf("origin", h.Origin, OriginSubagent); err != nil {
		return err
	}
	return safeSeq("delegationDepth", Seq(h.Depth()))
}

// checkHeaderMembers finds what the fields cannot tell: a member that is missing
// where zero is a value, and one that is empty where that is the absent one.
func checkHeaderMembers(line []byte) error {
	o, err := parseObject(line)
	if err != nil {
		return err
	}
	if _, ok := o.get("createdAt"); !ok {
		return fieldf("createdAt", "is missing")
	}
	for _, name := range []string{"cwd", "parentSession", "origin"} {
		if v, ok := o.get(name); ok && string(v) == `""` {
			return fieldf(name, "must not be empty: leave it out")
		}
	}
	return nil
}

// windowsAbs accepts the absolute paths of logs that were written on Windows.
func windowsAbs(p string) bool {
	drive := len(p) >= 3 && p[1] == ':' && (p[2] == '\\' || p[2] == '/')
	return drive || len(p) > 2 && p[0] == '\\' && p[1] == '\\'
}
