package model

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
)

// responses reads the responses protocol: events about items of output and their
// parts, and one event that ends the response.
type responses struct {
	blocks  blocks
	said    strings.Builder // the text so far, which the end must repeat if it has one
	settled bool            // the text's own end told it
	refused bool
	end     *reviewer.Finish
}

// kind is what all events have.
type kind struct {
	Type string `json:"type"`
}

// part places text in the output.
type part struct {
	OutputIndex  int            `json:"output_index"`
	ContentIndex int            `json:"content_index"`
	SummaryIndex int            `json:"summary_index"`
	Delta        jsontext.Value `json:"delta"`
	Text         jsontext.Value `json:"text"`
}

// stringOf is a string of the protocol, nil where there is none.
func stringOf(value jsontext.Value) (*string, error) {
	switch {
	case !isGiven(value):
		return nil, nil
	case value.Kind() != jsontext.KindString:
		return nil, ErrStreamBroken.With("an event's text is no string")
	}
	text := unquoted(value)
	return &text, nil
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

// item is one of the response's output, whole.
type item struct {
	kind
	Content jsontext.Value `json:"content"`
}

// ending is an event that ends the response.
type ending struct {
	Response struct {
		Status  string         `json:"status"`
		Error   jsontext.Value `json:"error"`
		Usage   jsontext.Value `json:"usage"`
		Output  []item         `json:"output"`
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
	case "":
		return nil, untyped(e)
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
	if what == "response.output_text.done" {
		return r.settle(p)
	}
	added, err := stringOf(p.Delta)
	switch {
	case err != nil:
		return nil, err
	case added == nil:
		added = new("")
	}
	w := writer{blocks: &r.blocks}
	if what != "response.output_text.delta" {
		w.add(p.name("reasoning"), reviewer.BlockReasoning, *added)
		return w.chunks, w.err
	}
	if text := w.add(p.name("text"), reviewer.BlockText, *added); !r.settled {
		r.said.WriteString(text)
	}
	return w.chunks, w.err
}

// settle takes a text's end, whose text stands for what came of it.
func (r *responses) settle(p part) ([]reviewer.Chunk, error) {
	text, err := stringOf(p.Text)
	if err != nil {
		return nil, err
	}
	r.settled = true
	if text != nil {
		r.said.Reset()
		r.said.WriteString(*text)
	}
	return r.blocks.end(p.name("text"), reviewer.BlockText, text)
}

// untyped is an event without a type: an error, or something of which nobody knows.
func untyped(e event) error {
	var p piece
	if err := decode(e, &p); err != nil || !p.isError() {
		return err
	}
	return reported(e.data)
}

// announce begins the blocks that have no text of their own, and refuses by its name
// what is no part of an answer.
func (r *responses) announce(what string, e event) ([]reviewer.Chunk, error) {
	var a announced
	if err := decode(e, &a); err != nil {
		return nil, err
	}
	if what == "response.output_item.added" || what == "response.output_item.done" {
		return r.item(a.OutputIndex, a.Item.Type)
	}
	switch a.Part.Type {
	case "output_text":
		w := writer{blocks: &r.blocks}
		w.add(a.name("text"), reviewer.BlockText, "")
		return w.chunks, w.err
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
func (r *responses) item(index int, itemType string) ([]reviewer.Chunk, error) {
	if itemType == "message" || itemType == "reasoning" {
		return nil, nil
	}
	w := writer{blocks: &r.blocks}
	w.add(fmt.Sprintf("item/%d", index), reviewer.BlockToolCall, "")
	return w.chunks, w.err
}

// repeats checks the items that the end of the response lists once more: what they say
// is what came before. The other kinds of items begin blocks.
func (r *responses) repeats(output []item) ([]reviewer.Chunk, error) {
	var chunks []reviewer.Chunk
	for i, one := range output {
		added, err := r.item(i, one.Type)
		if err != nil {
			return nil, err
		}
		chunks = append(chunks, added...)
		if one.Type != "message" || !isGiven(one.Content) {
			continue
		}
		var parts []member
		if err := json.Unmarshal(one.Content, &parts, lenient()); err != nil {
			return nil, ErrStreamBroken.With("the response's output is not what the protocol says").Because(err)
		}
		for _, p := range parts {
			if p.Type == "output_text" && (p.Text.Kind() != jsontext.KindString || unquoted(p.Text) != r.said.String()) {
				return nil, ErrStreamBroken.With("the end of the response has another text than the pieces before it")
			}
		}
	}
	return chunks, nil
}

// close takes the event that ends the response, which lists the items once more.
func (r *responses) close(what string, e event) ([]reviewer.Chunk, error) {
	var last ending
	if err := decode(e, &last); err != nil {
		return nil, err
	}
	response := last.Response
	if what == "response.failed" || isGiven(response.Error) {
		return nil, reported(response.Error)
	}
	chunks, err := r.repeats(response.Output)
	if err != nil {
		return nil, err
	}
	if counted, ok := usage(response.Usage); ok {
		chunks = append(chunks, counted)
	}
	switch {
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
		return reviewer.FinishKind("incomplete: " + reason)
	}
}

func (r *responses) finish() (reviewer.Finish, error) {
	if err := r.blocks.whole(); err != nil && (r.end == nil || r.end.Kind == reviewer.FinishStop) {
		return reviewer.Finish{}, err
	}
	if r.end == nil {
		return reviewer.Finish{}, ErrFinishMissing.With("the stream ended before the response did")
	}
	return *r.end, nil
}
