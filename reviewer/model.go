package reviewer

import (
	"context"
	"iter"
	"time"
)

// Model answers a prompt as a stream. It is safe for concurrent use.
type Model interface {
	// Stream sends the prompt once and yields what comes back, in order. What ends
	// the stream is a [Finish], also where the provider failed; an error, which is a
	// *[Failure], is yielded once, last, with a nil Chunk. It ends when ctx does.
	Stream(ctx context.Context, p Prompt) iter.Seq2[Chunk, error]
}

// Prompt is all that a model is asked with: no tools, no cap on the output.
type Prompt struct {
	Route  Route
	System string // the policy
	User   string // one message with one block of text
	// Record is what the log says beside the text, for models in the process: it is sent
	// to nobody, and no part of the request. Nil where the route is no such model's.
	Record *Record
}

// Chunk is a piece of a model's answer: one of [Delta], [BlockEnd], [Usage] and
// [Finish].
//
//sumtype:decl
type Chunk interface{ chunk() }

// BlockKind is what a block of an answer is.
type BlockKind string

// The kinds of blocks. An answer may hold reasoning and text only; the others are
// there to be refused by name.
const (
	BlockReasoning BlockKind = "reasoning"
	BlockText      BlockKind = "text"
	BlockToolCall  BlockKind = "tool-call"
	BlockImage     BlockKind = "image"
)

// Delta adds text to the block with that index; the first one begins it. A text is
// UTF-8, but for half a surrogate pair that a model wrote alone: it stands as the three
// bytes that UTF-8 would have for it. An answer may hold one in a reason only.
type Delta struct {
	Index int
	Kind  BlockKind
	Text  string
}

// BlockEnd ends a block. Its text, where it has one, wins over the deltas, and
// later deltas of the block are ignored (reference 5.5).
type BlockEnd struct {
	Index int
	Kind  BlockKind
	Text  *string
}

// Usage is what the answer cost, in tokens.
type Usage struct {
	Input, Output int64
}

// FinishKind is how an answer ended.
type FinishKind string

// The ends of an answer. Only stop is one that counts.
const (
	FinishStop          FinishKind = "stop"
	FinishMaxTokens     FinishKind = "max-tokens"
	FinishToolCalls     FinishKind = "tool-calls"
	FinishContentFilter FinishKind = "content-filter"
	FinishRefusal       FinishKind = "refusal"
	FinishError         FinishKind = "error"
	FinishAborted       FinishKind = "aborted"
)

// Finish ends an answer. Code, Message, Status and RequestID are the provider's,
// where it failed.
type Finish struct {
	Kind      FinishKind
	Code      string
	Message   string
	Status    int // HTTP
	RequestID string
}

func (Delta) chunk()    {}
func (BlockEnd) chunk() {}
func (Usage) chunk()    {}
func (Finish) chunk()   {}

// Limits bound one answer. Zero is the default.
type Limits struct {
	Idle  time.Duration // between two chunks; default 60 s
	Total time.Duration // default 10 min
	Bytes int64         // of all text; default 1 MiB
}
