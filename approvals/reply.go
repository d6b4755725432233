package approvals

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// MaxNote bounds a note, in bytes.
const MaxNote = 8 << 10

// ReplyKind is what a person replies.
type ReplyKind string

// The replies on the wire (seed 003, section 1).
const (
	ReplyOnce   ReplyKind = "once"
	ReplyAlways ReplyKind = "always"
	ReplyReject ReplyKind = "reject"
)

// Reply is a person's reply, with a note if there is one. Its JSON is the wire's
// shape: without a note it is the old one, {"reply":"once"}.
type Reply struct {
	Kind     ReplyKind `json:"reply"`
	Feedback string    `json:"feedback,omitzero"`
}

// ParseReply reads a reply: an object with reply and, if there is a note,
// feedback; or the reply alone as a string. Blank notes are dropped. Errors are
// *[events.Refusal].
func ParseReply(data []byte) (Reply, error) {
	if jsontext.Value(data).Kind() == '"' {
		return parseWord(data)
	}
	var wire struct {
		Reply    jsontext.Value `json:"reply"`
		Feedback jsontext.Value `json:"feedback"`
	}
	if err := unmarshal(data, &wire); err != nil {
		return Reply{}, events.Refuse(CodeBadReply, "reply", `must be {"reply":"once"}, "always" or "reject", with feedback if there is a note`)
	}
	r, err := parseWord(wire.Reply)
	if err != nil {
		return Reply{}, err
	}
	if r.Feedback, err = parseNote(wire.Feedback); err != nil {
		return Reply{}, err
	}
	return r, r.check()
}

func parseWord(data jsontext.Value) (Reply, error) {
	var word string
	if data.Kind() != '"' || unmarshal(data, &word) != nil {
		return Reply{}, events.Refuse(CodeBadReply, "reply", "must be a string")
	}
	r := Reply{Kind: ReplyKind(word)}
	return r, r.check()
}

func parseNote(data jsontext.Value) (string, error) {
	if len(data) == 0 {
		return "", nil
	}
	var note string
	if data.Kind() != '"' || unmarshal(data, &note) != nil {
		return "", events.Refuse(CodeBadReply, "feedback", "must be a string")
	}
	return dropBlank(note), nil
}

func (r Reply) check() error {
	switch r.Kind {
	case ReplyOnce, ReplyAlways, ReplyReject:
	default:
		return events.Refuse(CodeBadReply, "reply", "must be %s, %s or %s", ReplyOnce, ReplyAlways, ReplyReject)
	}
	if len(r.Feedback) > MaxNote {
		return events.Refuse(CodeNoteTooLong, "feedback", "must have at most %d bytes, has %d", MaxNote, len(r.Feedback))
	}
	return nil
}

// dropBlank makes a note of nothing but space no note.
func dropBlank(note string) string {
	if strings.TrimSpace(note) == "" {
		return ""
	}
	return note
}

// unmarshal reads strict JSON: no unknown or repeated members, valid UTF-8.
func unmarshal(data []byte, into any) error {
	return json.Unmarshal(data, into, json.RejectUnknownMembers(true))
}
