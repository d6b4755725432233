package lineage

import (
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
)

// FormRelay is the form of the messages that sessions send each other.
const FormRelay = "relay"

// Letter is a message from a session to its child or its parent.
type Letter struct {
	ID   string // of the message
	Text string
	// CallID is the sender's call that sends it.
	CallID string
}

// Message decides a message between a parent and its direct child; there are no
// others. The sender is the session that the caller was authenticated as, never
// one that a payload names. From a parent it has authority, which the event keeps
// as a proof, if the child is verified and a dispatched call of the parent holds
// the text; else it is a fact, as every message of a child is (reference 8, item
// 2; design section 6).
func Message(from, to Kin, l Letter) ([]events.Draft, error) {
	if l.ID == "" {
		return nil, events.Refuse(CodeMissing, "messageId", "must not be empty")
	}
	if err := checkText("text", l.Text); err != nil {
		return nil, err
	}
	m := events.AgentMessage{ID: l.ID, Role: "user", SenderSessionID: from.Header.ID, Form: FormRelay}
	switch {
	case parentOf(from.Header, to.Header):
		if own, ok := to.State.Descriptor(); ok && own.Descriptor.Mode != events.ChildContinuable {
			return nil, events.Refuse(CodeNotContinuable, "to", "%s was made for one task", to.Header.ID)
		}
		if proof, err := VerifyChild(from, to); err == nil && from.State.Holds(l.CallID, l.Text) {
			m.Parent = &proof
		}
		m.Content = letter("parent", from.Header.ID, l.Text)
	case parentOf(to.Header, from.Header):
		m.Content = letter("child", from.Header.ID, l.Text)
	default:
		return nil, events.Refuse(CodeNotRelated, "to", "%s is neither the parent nor a child of %s: sessions speak to no others", to.Header.ID, from.Header.ID)
	}
	return events.Drafts(m), nil
}

func parentOf(parent, child events.Header) bool {
	return isChild(child) && child.ParentSession == parent.ID && child.ID != parent.ID
}

// letter names the sender in a block of its own, so that the text stays what the
// call holds.
func letter(kin string, sender events.SessionID, text string) []events.Block {
	return []events.Block{events.TextBlock(fmt.Sprintf("Message from the %s session %s:", kin, sender)), events.TextBlock(text)}
}

func checkText(field, text string) error {
	if text == "" || !utf8.ValidString(text) {
		return events.Refuse(CodeText, field, "must be there, and valid UTF-8")
	}
	return nil
}

// Holds reports whether a dispatched call of the open step holds the text, byte
// for byte, as one whole string value of its arguments. A part of a string is not
// enough: what a review let pass as a whole must not be cut into something else. An
// id that the step has twice names no call.
func (s *State) Holds(callID, text string) bool {
	var found []StepCall
	for _, c := range s.Calls {
		if c.ID == callID {
			found = append(found, c)
		}
	}
	if len(found) != 1 || !found[0].Dispatched {
		return false
	}
	var arguments any
	if err := json.Unmarshal([]byte(found[0].Arguments), &arguments); err != nil {
		return false
	}
	return holds(arguments, text)
}

func holds(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return v == text
	case []any:
		for _, e := range v {
			if holds(e, text) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if holds(e, text) {
				return true
			}
		}
	}
	return false
}
