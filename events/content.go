package events

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Block is one content block of a message: text, reasoning, tool-call, image,
// or a kind that only others know. Raw is the block as it was written and wins
// over the other fields when it is there.
type Block struct {
	Type      string // "text", "reasoning", "tool-call", "image", …
	Text      string // of text and reasoning
	ID        string // of a tool-call
	Name      string // of a tool-call
	Arguments string // of a tool-call: the raw text that the model produced
	// Kept is there wherever the block has a member of that name; see [Kept.Valid].
	Kept *Kept
	Raw  jsontext.Value
}

// TextBlock is a block of plain text.
func TextBlock(text string) Block { return Block{Type: "text", Text: text} }

// ToolCallBlock is the model's wish to call a tool.
func ToolCallBlock(id, name, arguments string) Block {
	return Block{Type: "tool-call", ID: id, Name: name, Arguments: arguments}
}

type blockFields struct {
	Type      string  `json:"type"`
	Text      *string `json:"text,omitzero"`
	ID        *string `json:"id,omitzero"`
	Name      *string `json:"name,omitzero"`
	Arguments *string `json:"arguments,omitzero"`

	Kept jsontext.Value `json:"kept,omitzero"`
}

// UnmarshalJSONFrom reads a block and keeps its bytes.
func (b *Block) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	var f blockFields
	if err := unmarshal(raw, &f, openMembers(dec)); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	*b = Block{Type: f.Type, Text: value(f.Text), ID: value(f.ID), Name: value(f.Name), Arguments: value(f.Arguments), Raw: raw.Clone()}
	b.Kept = readKept(f.Type, f.Kept, openMembers(dec))
	return nil
}

// openMembers are the options for what may have members that only others know, also
// where what stands around it may not, as in a snapshot.
func openMembers(dec *jsontext.Decoder) json.Options {
	return json.JoinOptions(dec.Options(), json.RejectUnknownMembers(false))
}

func (f blockFields) check() error {
	switch f.Type {
	case "text", "reasoning":
		return present("text", f.Text)
	case "tool-call":
		return firstError(nonEmpty("id", value(f.ID)), nonEmpty("name", value(f.Name)), present("arguments", f.Arguments))
	default:
		return nonEmpty("type", f.Type)
	}
}

// MarshalJSONTo writes Raw, or the fields that the type needs.
func (b Block) MarshalJSONTo(enc *jsontext.Encoder) error {
	if b.Raw != nil {
		return enc.WriteValue(b.Raw)
	}
	f := blockFields{Type: b.Type}
	switch b.Type {
	case "tool-call":
		f.ID, f.Name, f.Arguments = &b.ID, &b.Name, &b.Arguments
	default:
		f.Text = &b.Text
	}
	if b.Kept == nil {
		return json.MarshalEncode(enc, f)
	}
	kept, err := json.Marshal(b.Kept)
	if err != nil {
		return err
	}
	f.Kept = kept
	return json.MarshalEncode(enc, f)
}

// Source says where a message comes from. Raw is the source as it was written
// and wins over the other fields when it is there.
type Source struct {
	Kind            string // one of the Source constants, or a kind that only others know
	RPCID           string // of kind user: the transport's request
	CallID          string // of kind tool
	Plugin          string // of kind plugin
	SenderSessionID SessionID
	CompactionID    string // of a checkpoint
	SourceCommandID string // of a checkpoint that a person asked for
	Form            string
	Raw             jsontext.Value
}

// The source kinds that rules depend on (reference 1.4).
const (
	SourceUser              = "user"
	SourceTool              = "tool"
	SourceModel             = "model"
	SourceAgentInstructions = "agent-instructions"
	SourceCheckpoint        = "compact-checkpoint"
	SourceAgentMessage      = "agent-message"
	SourceReviewNotice      = "review-notice"
)

type sourceFields struct {
	Kind            string    `json:"kind"`
	Plugin          string    `json:"plugin,omitzero"`
	Form            string    `json:"form,omitzero"`
	RPCID           string    `json:"rpcId,omitzero"`
	CallID          string    `json:"callId,omitzero"`
	SenderSessionID SessionID `json:"senderSessionId,omitzero"`
	CompactionID    string    `json:"compactionId,omitzero"`
	SourceCommandID string    `json:"sourceCommandId,omitzero"`
}

// UnmarshalJSONFrom reads a source and keeps its bytes.
func (s *Source) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	var f sourceFields
	if err := unmarshal(raw, &f, openMembers(dec)); err != nil {
		return err
	}
	if err := nonEmpty("kind", f.Kind); err != nil {
		return err
	}
	*s = Source{
		Kind: f.Kind, RPCID: f.RPCID, CallID: f.CallID, Plugin: f.Plugin, SenderSessionID: f.SenderSessionID,
		CompactionID: f.CompactionID, SourceCommandID: f.SourceCommandID, Form: f.Form, Raw: raw.Clone(),
	}
	return nil
}

// MarshalJSONTo writes Raw, or the fields that are set.
func (s Source) MarshalJSONTo(enc *jsontext.Encoder) error {
	if s.Raw != nil {
		return enc.WriteValue(s.Raw)
	}
	return json.MarshalEncode(enc, sourceFields{
		Kind: s.Kind, Plugin: s.Plugin, Form: s.Form, RPCID: s.RPCID, CallID: s.CallID,
		SenderSessionID: s.SenderSessionID, CompactionID: s.CompactionID, SourceCommandID: s.SourceCommandID,
	})
}

// Checkpoint reports whether a message of this source stands for the part of
// the conversation that a compaction replaced.
func (s Source) Checkpoint() bool { return s.Kind == SourceCheckpoint }

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
