package events

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// KeptFrom is whose words a checkpoint keeps.
type KeptFrom string

// Whose words are kept: a person's, and those of the session's direct parent.
const (
	FromPerson KeptFrom = "person"
	FromParent KeptFrom = "parent"
)

// Kept marks a text block of a checkpoint as kept words: what somebody said in the
// part that the checkpoint stands for, word for word. It counts in a checkpoint that
// the engine made, and nowhere else.
type Kept struct {
	Seq  Seq      `json:"seq"` // of the message that said it
	From KeptFrom `json:"from"`
	// Rest is there where the block is a piece of a longer text.
	Rest *KeptRest `json:"rest,omitzero"`
}

// KeptRest is what was left out of a text of which pieces are kept.
type KeptRest struct {
	SHA256 string `json:"sha256"` // of all that was left out, in order, hex
	Bytes  int64  `json:"bytes"`
}

// KeptBlock is a block of kept words.
func KeptBlock(text string, k Kept) Block { return Block{Type: "text", Text: text, Kept: &k} }

// Valid reports whether the mark is one that the engine writes.
func (k *Kept) Valid() bool {
	if k == nil || safeSeq("seq", k.Seq) != nil || k.From != FromPerson && k.From != FromParent {
		return false
	}
	return k.Rest == nil || isHash(k.Rest.SHA256) && k.Rest.Bytes > 0
}

func isHash(text string) bool {
	if len(text) != 64 {
		return false
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// readKept reads the member kept of a block. Logs of others may have one that means
// something else, which is no reason to refuse them: it becomes a mark that is not
// valid.
func readKept(typ string, v jsontext.Value, opts json.Options) *Kept {
	if len(v) == 0 {
		return nil
	}
	var k Kept
	if err := json.Unmarshal(v, &k, opts); err != nil || typ != "text" || !k.Valid() {
		return &Kept{}
	}
	return &k
}

// WithoutKept is the block without its mark, for where a mark counts for nothing.
func (b Block) WithoutKept() Block {
	if b.Kept == nil {
		return b
	}
	b.Kept = nil
	if b.Raw == nil {
		return b
	}
	var rest struct {
		Kept    jsontext.Value `json:"kept,omitzero"`
		Unknown Unknown        `json:",embed"`
	}
	if err := json.Unmarshal(b.Raw, &rest); err != nil {
		return Block{Type: b.Type, Text: b.Text, ID: b.ID, Name: b.Name, Arguments: b.Arguments}
	}
	b.Raw = rest.Unknown
	return b
}

// Blocks are the content blocks that an event carries, whatever it is.
func Blocks(ev Event) []Block {
	switch ev := any(ev).(type) { // the events with content: no complete switch
	case UserMessage:
		return ev.Content
	case AgentMessage:
		return ev.Content
	case ReviewNotice:
		return ev.Content
	case SystemMessage:
		return ev.Message.Content
	case DeveloperMessage:
		return ev.Message.Content
	case AssistantMessage:
		return ev.Message.Content
	case ToolResult:
		return ev.Message.Content
	case PTCDispatch:
		return ev.Content
	case CompactionSummary:
		return ev.Summary
	case InboxSpliced:
		var all []Block
		for _, m := range ev.Inserted {
			all = append(all, m.Content...)
		}
		return all
	default:
		return nil
	}
}
