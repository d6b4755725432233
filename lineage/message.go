package lineage

import (
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage/delegation"
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
// as a proof, if the child is verified and the parent's log says which call it comes
// from ([Instruct]); else it is a fact, as every message of a child is (reference 8,
// item 2; design section 6).
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
		if proof, err := VerifyChild(from, to); err == nil && from.instructed(to.Header.ID, l) {
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

// Instruct gives the fact, for the parent's own log, that a dispatched call of it
// tells a child something: it uses the call up, and only behind it [Message] gives a
// proof. There is none where the message has no authority, and none where it is there
// already, so that a message that was cut short can be sent again.
func Instruct(from, to Kin, l Letter) ([]events.Draft, error) {
	if _, err := VerifyChild(from, to); err != nil || from.instructed(to.Header.ID, l) {
		return nil, nil //nolint:nilerr // an unverified child takes facts
	}
	call, err := from.proven(delegation.Tells, l.CallID, "text", l.Text)
	if err != nil || call.Used != nil {
		return nil, nil //nolint:nilerr // what no call proves is a fact
	}
	own, err := json.Marshal(letterFact{l.ID, call.TextHash})
	if err != nil {
		return nil, events.Refuse(CodeText, "messageId", "must be valid UTF-8")
	}
	return events.Drafts(events.SubagentCatalog{ChildID: to.Header.ID, CallID: l.CallID, Unknown: own}), nil
}

// instructed reports whether the session's log says that the message is what one of
// its calls tells the child.
func (k Kin) instructed(child events.SessionID, l Letter) bool {
	call, err := k.proven(delegation.Tells, l.CallID, "text", l.Text)
	return err == nil && call.Used != nil && *call.Used == Use{child, l.ID, call.TextHash}
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
