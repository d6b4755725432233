package model

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
)

// completions reads the completions protocol: pieces of one choice, its finish reason,
// and then nothing that adds to them up to the end of the stream.
type completions struct {
	blocks  blocks
	said    strings.Builder // the text so far, which a closing object must repeat
	refused bool
	closed  bool   // a closing object came
	reason  string // of the finish, empty before it
}

// piece is an event's data.
type piece struct {
	Object   jsontext.Value `json:"object"`
	Type     jsontext.Value `json:"type"`
	Code     jsontext.Value `json:"code"`
	Message  jsontext.Value `json:"message"`
	Error    jsontext.Value `json:"error"`
	Detail   jsontext.Value `json:"detail"`
	BaseResp jsontext.Value `json:"base_resp"`
	Usage    jsontext.Value `json:"usage"`
	Choices  []choice       `json:"choices"`
}

type choice struct {
	Index        int     `json:"index"`
	Delta        *delta  `json:"delta"`
	Message      *delta  `json:"message"` // of a closing object
	FinishReason *string `json:"finish_reason"`
}

// delta is what a piece adds. Reasoning has three names; servers that send more than one
// send the same text each time.
type delta struct {
	Content          jsontext.Value   `json:"content"`
	ReasoningContent jsontext.Value   `json:"reasoning_content"`
	Reasoning        jsontext.Value   `json:"reasoning"`
	ReasoningDetails jsontext.Value   `json:"reasoning_details"`
	Refusal          string           `json:"refusal"`
	ToolCalls        []jsontext.Value `json:"tool_calls"`
	FunctionCall     jsontext.Value   `json:"function_call"`
	Images           []jsontext.Value `json:"images"`
}

func isGiven(value jsontext.Value) bool {
	return value != nil && value.Kind() != jsontext.KindNull
}

// isError reports whether the piece tells of a failure, in whatever form: an error of
// its own, or one where the choices would be.
func (p piece) isError() bool {
	alone := isGiven(p.Detail) || plain(p.Object) == "error" || plain(p.Type) == "error" ||
		plain(p.Code) != "" && plain(p.Message) != ""
	return isGiven(p.Error) || failedBase(p.BaseResp) || p.Choices == nil && alone
}

func (c *completions) take(e event) ([]reviewer.Chunk, error) {
	if e.name == "error" {
		return nil, reported(e.data)
	}
	var p piece
	if err := decode(e, &p); err != nil {
		return nil, err
	}
	if p.isError() {
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
// adding anything, with the same reason once more: some servers send usage so. It may
// also be there as a whole, if that says what the pieces said.
func (c *completions) choice(one choice) ([]reviewer.Chunk, error) {
	var chunks []reviewer.Chunk
	ended := c.closed || c.reason != ""
	if one.Delta != nil {
		added, err := c.delta(*one.Delta)
		if err != nil {
			return nil, err
		}
		chunks = added
	}
	if one.Message != nil {
		if err := c.close(*one.Message); err != nil {
			return nil, err
		}
	}
	given := one.FinishReason != nil && *one.FinishReason != ""
	switch {
	case ended && len(chunks) > 0:
		return nil, ErrChunkAfterFinish.With("the answer goes on behind its end")
	case given && c.reason != "" && c.reason != *one.FinishReason:
		return nil, ErrChunkAfterFinish.With("the answer has a second finish reason, which is another one")
	case given:
		c.reason = *one.FinishReason
	}
	return chunks, nil
}

// close takes the whole message that some servers send behind its pieces. It adds
// nothing, and says the same text or is none that can be believed.
func (c *completions) close(m delta) error {
	c.closed = true
	spans, err := contentOf(m.Content)
	if err != nil {
		return err
	}
	texts := textsIn(spans)
	switch {
	case m.Refusal != "" || m.calls() || len(m.Images) > 0:
		return ErrStreamBroken.With("the closing object holds more than the answer's text")
	case len(texts) > 1 || len(texts) == 1 && texts[0] != c.said.String():
		return ErrStreamBroken.With("the closing object has another text than the pieces before it")
	default:
		return nil
	}
}

func textsIn(spans []span) []string {
	var texts []string
	for _, s := range spans {
		if s.kind == reviewer.BlockText {
			texts = append(texts, s.text)
		}
	}
	return texts
}

func (d delta) calls() bool { return len(d.ToolCalls) > 0 || isGiven(d.FunctionCall) }

// thought is the reasoning of a piece under the first of its names that holds any.
func (d delta) thought() (string, error) {
	for _, value := range []jsontext.Value{d.ReasoningContent, d.Reasoning} {
		if text, err := thoughtOf(value); err != nil || text != "" {
			return text, err
		}
	}
	return detailsOf(d.ReasoningDetails), nil
}

// delta makes chunks of the parts that hold something. An empty string is how servers
// begin a message before they know what comes, and begins no block.
func (c *completions) delta(d delta) ([]reviewer.Chunk, error) {
	thought, err := d.thought()
	if err != nil {
		return nil, err
	}
	spans, err := contentOf(d.Content)
	if err != nil {
		return nil, err
	}
	w := writer{blocks: &c.blocks}
	if thought != "" {
		w.add("reasoning", reviewer.BlockReasoning, thought)
	}
	c.content(&w, spans)
	if d.Refusal != "" {
		c.refused = true
		w.add("refusal", reviewer.BlockText, d.Refusal)
	}
	if d.calls() {
		w.add("call", reviewer.BlockToolCall, "")
	}
	if len(d.Images) > 0 {
		w.add("image", reviewer.BlockImage, "")
	}
	return w.chunks, w.err
}

// content writes the parts of a piece. Pieces of one kind are one block, as they are in
// a content that is a string. Two texts in one piece are two, though, and what is
// thought behind the text does not belong to what was thought before it.
func (c *completions) content(w *writer, spans []span) {
	texts := len(textsIn(spans))
	for i, s := range spans {
		switch {
		case s.kind == reviewer.BlockText && texts > 1:
			w.add(fmt.Sprintf("text %d", i), s.kind, s.text)
		case s.text == "" && s.kind != reviewer.BlockImage:
		case s.kind == reviewer.BlockReasoning && c.blocks.has("text"):
			w.add("reasoning behind the text", s.kind, s.text)
		case s.kind == reviewer.BlockText:
			c.said.WriteString(w.add("text", s.kind, s.text))
		default:
			w.add(string(s.kind), s.kind, s.text)
		}
	}
}

// finish translates the finish reason. One that is unknown keeps its name, which is
// none that counts.
func (c *completions) finish() (reviewer.Finish, error) {
	if err := c.blocks.whole(); err != nil && (c.reason == "" || c.reason == "stop") {
		return reviewer.Finish{}, err
	}
	if c.reason == "" {
		return reviewer.Finish{}, ErrFinishMissing.With("the stream ended without a finish reason")
	}
	kind := reviewer.FinishKind(c.reason)
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
