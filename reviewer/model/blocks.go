package model

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
)

// blocks gives each block of an answer its index, in the order in which they are
// first seen. The names are the protocol's.
type blocks struct{ seen map[string]int }

func (b *blocks) index(name string) int {
	if i, ok := b.seen[name]; ok {
		return i
	}
	if b.seen == nil {
		b.seen = make(map[string]int)
	}
	b.seen[name] = len(b.seen)
	return b.seen[name]
}

func (b *blocks) delta(name string, kind reviewer.BlockKind, text string) reviewer.Chunk {
	return reviewer.Delta{Index: b.index(name), Kind: kind, Text: text}
}

// decode reads an event's data, which is one JSON object. Members that nobody asks for
// are passed over, but not broken ones.
func decode(e event, into any) error {
	if jsontext.Value(e.data).Kind() != jsontext.KindBeginObject {
		return ErrStreamBroken.With("an event's data is no JSON object")
	}
	if err := json.Unmarshal(e.data, into); err != nil {
		return ErrStreamBroken.With("an event's data is not what the protocol says").Because(err)
	}
	return nil
}

// tokens are the counts of both protocols, under both their names.
type tokens struct {
	PromptTokens     int64 `json:"prompt_tokens"`
	CompletionTokens int64 `json:"completion_tokens"`
	InputTokens      int64 `json:"input_tokens"`
	OutputTokens     int64 `json:"output_tokens"`
}

// usage reads counts where they can be read: nothing depends on them.
func usage(value jsontext.Value) (reviewer.Usage, bool) {
	var counted tokens
	if value.Kind() != jsontext.KindBeginObject || json.Unmarshal(value, &counted) != nil {
		return reviewer.Usage{}, false
	}
	return reviewer.Usage{
		Input:  max(counted.PromptTokens, counted.InputTokens),
		Output: max(counted.CompletionTokens, counted.OutputTokens),
	}, true
}
