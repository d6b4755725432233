package model

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
)

// completions reads the completions protocol: pieces of one choice, its finish reason,
// and then usage alone up to the end of the stream.
type completions struct {
	blocks  blocks
	refused bool
	reason  string // of the finish, empty before it
}

// piece is an event's data.
type piece struct {
	Error   jsontext.Value `json:"error"`
	Usage   jsontext.Value `json:"usage"`
	Choices []choice       `json:"choices"`
}

type choice struct {
	Index        int     `json:"index"`
	Delta        *delta  `json:"delta"`
	FinishReason *string `json:"finish_reason"`
}

// delta is what a piece adds. Reasoning has two names; servers that send both send the
// same text twice.
type delta struct {
	Content          string           `json:"content"`
	ReasoningContent string           `json:"reasoning_content"`
	Reasoning        string           `json:"reasoning"`
	Refusal          string           `json:"refusal"`
	ToolCalls        []jsontext.Value `json:"tool_calls"`
	FunctionCall     jsontext.Value   `json:"function_call"`
	Images           []jsontext.Value `json:"images"`
}

func isGiven(value jsontext.Value) bool {
	return value != nil && value.Kind() != jsontext.KindNull
}

func (c *completions) take(e event) ([]reviewer.Chunk, error) {
	if e.name == "error" {
		return nil, reported(e.data)
	}
	var p piece
	if err := decode(e, &p); err != nil {
		return nil, err
	}
	if isGiven(p.Error) {
		return nil, reported(e.data)
	}
	if len(p.Choices) > 1 || len(p.Choices) == 1 && p.Choices[0].Index != 0 {
		return nil, ErrStreamBroken.With("the answer has more than one choice")
	}
	var chunks []reviewer.Chunk
	if len(p.Choices) == 1 {
		said, err := c.choice(p.Choices[0])
		if err != nil {
			return nil, err
		}
		chunks = said
	}
	if counted, ok := usage(p.Usage); ok {
		chunks = append(chunks, counted)
	}
	return chunks, nil
}

// choice takes what the choice adds. Behind its finish reason it may be there without
// adding anything: some servers send usage so.
func (c *completions) choice(one choice) ([]reviewer.Chunk, error) {
	var chunks []reviewer.Chunk
	ended := c.reason != ""
	if one.Delta != nil {
		chunks = c.delta(*one.Delta)
	}
	given := one.FinishReason != nil && *one.FinishReason != ""
	if ended && (len(chunks) > 0 || given) {
		return nil, ErrChunkAfterFinish.With("the answer goes on behind its finish reason")
	}
	if given {
		c.reason = *one.FinishReason
	}
	return chunks, nil
}

// delta makes chunks of the parts that hold something. An empty string is how servers
// begin a message before they know what comes, and begins no block.
func (c *completions) delta(d delta) []reviewer.Chunk {
	var chunks []reviewer.Chunk
	thought := d.ReasoningContent
	if thought == "" {
		thought = d.Reasoning
	}
	if thought != "" {
		chunks = append(chunks, c.blocks.delta("reasoning", reviewer.BlockReasoning, thought))
	}
	if d.Content != "" {
		chunks = append(chunks, c.blocks.delta("text", reviewer.BlockText, d.Content))
	}
	if d.Refusal != "" {
		c.refused = true
		chunks = append(chunks, c.blocks.delta("refusal", reviewer.BlockText, d.Refusal))
	}
	if len(d.ToolCalls) > 0 || isGiven(d.FunctionCall) {
		chunks = append(chunks, c.blocks.delta("call", reviewer.BlockToolCall, ""))
	}
	if len(d.Images) > 0 {
		chunks = append(chunks, c.blocks.delta("image", reviewer.BlockImage, ""))
	}
	return chunks
}

// finish translates the finish reason. One that is unknown keeps its name, which is
// none that counts.
func (c *completions) finish() (reviewer.Finish, error) {
	if c.reason == "" {
		return reviewer.Finish{}, ErrFinishMissing.With("the stream ended without a finish reason")
	}
	kind := reviewer.FinishKind(cut(c.reason, maxCode))
	switch c.reason {
	case "stop":
		kind = reviewer.FinishStop
		if c.refused {
			kind = reviewer.FinishRefusal
		}
	case "length":
		kind = reviewer.FinishMaxTokens
	case "tool_calls", "function_call":
		kind = reviewer.FinishToolCalls
	case "content_filter":
		kind = reviewer.FinishContentFilter
	case "error", "insufficient_system_resource":
		return reviewer.Finish{Kind: reviewer.FinishError, Code: c.reason}, nil
	}
	return reviewer.Finish{Kind: kind}, nil
}
