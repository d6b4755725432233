package model

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
)

// responses reads the responses protocol: events about items of output and their
// parts, and one event that ends the response.
type responses struct {
	blocks  blocks
	refused bool
	end     *reviewer.Finish
}

// kind is what all events have.
type kind struct {
	Type string `json:"type"`
}

// part places text in the output.
type part struct {
	OutputIndex  int     `json:"output_index"`
	ContentIndex int     `json:"content_index"`
	SummaryIndex int     `json:"summary_index"`
	Delta        string  `json:"delta"`
	Text         *string `json:"text"`
}

func (p part) name(what string) string {
	return fmt.Sprintf("%s/%d/%d/%d", what, p.OutputIndex, p.ContentIndex, p.SummaryIndex)
}

// announced is an item or a part that begins or ends.
type announced struct {
	part
	Item kind `json:"item"`
	Part kind `json:"part"`
}

// ending is an event that ends the response.
type ending struct {
	Response struct {
		Status  string         `json:"status"`
		Error   jsontext.Value `json:"error"`
		Usage   jsontext.Value `json:"usage"`
		Output  []kind         `json:"output"`
		Details *struct {
			Reason string `json:"reason"`
		} `json:"incomplete_details"`
	} `json:"response"`
}

func (r *responses) take(e event) ([]reviewer.Chunk, error) {
	var k kind
	if e.name == "error" {
		return nil, reported(e.data)
	}
	if err := decode(e, &k); err != nil {
		return nil, err
	}
	if r.end != nil {
		return nil, ErrChunkAfterFinish.With("the stream goes on behind the end of the response")
	}
	switch k.Type {
	case "error":
		return nil, reported(e.data)
	case "response.output_text.delta", "response.output_text.done",
		"response.reasoning_text.delta", "response.reasoning_summary_text.delta":
		return r.text(k.Type, e)
	case "response.refusal.delta", "response.refusal.done":
		r.refused = true
	case "response.output_item.added", "response.output_item.done",
		"response.content_part.added", "response.content_part.done":
		return r.announce(k.Type, e)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		return r.close(k.Type, e)
	}
	// What is left tells of progress, or of items that announce themselves.
	return nil, nil
}

func (r *responses) text(what string, e event) ([]reviewer.Chunk, error) {
	var p part
	if err := decode(e, &p); err != nil {
		return nil, err
	}
	switch what {
	case "response.output_text.delta":
		return []reviewer.Chunk{r.blocks.delta(p.name("text"), reviewer.BlockText, p.Delta)}, nil
	case "response.output_text.done":
		return []reviewer.Chunk{reviewer.BlockEnd{Index: r.blocks.index(p.name("text")), Kind: reviewer.BlockText, Text: p.Text}}, nil
	default:
		return []reviewer.Chunk{r.blocks.delta(p.name("reasoning"), reviewer.BlockReasoning, p.Delta)}, nil
	}
}

// announce begins the blocks that have no text of their own, and refuses by its name
// what is no part of an answer.
func (r *responses) announce(what string, e event) ([]reviewer.Chunk, error) {
	var a announced
	if err := decode(e, &a); err != nil {
		return nil, err
	}
	if what == "response.output_item.added" || what == "response.output_item.done" {
		return r.item(a.OutputIndex, a.Item.Type), nil
	}
	switch a.Part.Type {
	case "output_text":
		return []reviewer.Chunk{r.blocks.delta(a.name("text"), reviewer.BlockText, "")}, nil
	case "reasoning_text", "summary_text":
		return nil, nil
	case "refusal":
		r.refused = true
		return nil, nil
	default:
		return nil, ErrStreamBroken.With("the answer has a part of the kind %q", cut(a.Part.Type, maxCode))
	}
}

// item makes a block of an item that is neither a message nor reasoning: it is a call
// of some tool, whatever its type says.
func (r *responses) item(index int, itemType string) []reviewer.Chunk {
	if itemType == "message" || itemType == "reasoning" {
		return nil
	}
	return []reviewer.Chunk{r.blocks.delta(fmt.Sprintf("item/%d", index), reviewer.BlockToolCall, "")}
}

// close takes the event that ends the response, which lists the items once more.
func (r *responses) close(what string, e event) ([]reviewer.Chunk, error) {
	var last ending
	if err := decode(e, &last); err != nil {
		return nil, err
	}
	response := last.Response
	var chunks []reviewer.Chunk
	for i, item := range response.Output {
		chunks = append(chunks, r.item(i, item.Type)...)
	}
	if counted, ok := usage(response.Usage); ok {
		chunks = append(chunks, counted)
	}
	switch {
	case what == "response.failed" || isGiven(response.Error):
		return nil, reported(response.Error)
	case what == "response.cancelled":
		r.end = &reviewer.Finish{Kind: reviewer.FinishAborted}
	case what == "response.incomplete":
		reason := "incomplete"
		if response.Details != nil {
			reason = response.Details.Reason
		}
		r.end = &reviewer.Finish{Kind: incomplete(reason)}
	case response.Status != "completed":
		return nil, ErrStreamBroken.With("the response is completed with the status %q", cut(response.Status, maxCode))
	case r.refused:
		r.end = &reviewer.Finish{Kind: reviewer.FinishRefusal}
	default:
		r.end = &reviewer.Finish{Kind: reviewer.FinishStop}
	}
	return chunks, nil
}

// incomplete translates why a response is not complete. It is never a stop, however
// the reason is called.
func incomplete(reason string) reviewer.FinishKind {
	switch reason {
	case "max_output_tokens":
		return reviewer.FinishMaxTokens
	case "content_filter":
		return reviewer.FinishContentFilter
	default:
		return reviewer.FinishKind("incomplete: " + cut(reason, maxCode))
	}
}

func (r *responses) finish() (reviewer.Finish, error) {
	if r.end == nil {
		return reviewer.Finish{}, ErrFinishMissing.With("the stream ended before the response did")
	}
	return *r.end, nil
}
