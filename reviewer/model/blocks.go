package model

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
)

// blocks gives each block of an answer its index, in the order in which they are
// first seen. The names are the protocol's.
type blocks struct {
	seen map[string]int
	// half is the first half of a surrogate pair, the last that came of the block halfOf.
	half, halfOf string
}

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

func (b *blocks) has(name string) bool {
	_, ok := b.seen[name]
	return ok
}

// add takes a block's next text, but for half a character at its end, which waits for
// the other half: that must be the very next text. A half that stays alone inside a text
// is passed on, since a reason may hold one and the reader of the answer knows where it
// stands; nowhere else. There is no chunk where half a character is all.
func (b *blocks) add(name string, kind reviewer.BlockKind, text string) (chunk reviewer.Delta, given bool, err error) {
	if b.half != "" {
		if b.halfOf != name {
			return reviewer.Delta{}, false, errHalf()
		}
		text, b.half = b.half+text, ""
	}
	rest, half := cutHalf(joined(text))
	b.half, b.halfOf = half, name
	switch {
	case kind != reviewer.BlockText && !utf8.ValidString(rest):
		return reviewer.Delta{}, false, errHalf()
	case half != "" && rest == "":
		return reviewer.Delta{}, false, nil
	}
	return reviewer.Delta{Index: b.index(name), Kind: kind, Text: rest}, true, nil
}

// writer collects the chunks of an event, up to the first error.
type writer struct {
	blocks *blocks
	chunks []reviewer.Chunk
	err    error
}

// add is [blocks.add], and gives the text that went into a chunk.
func (w *writer) add(name string, kind reviewer.BlockKind, text string) string {
	if w.err != nil {
		return ""
	}
	chunk, given, err := w.blocks.add(name, kind, text)
	if err != nil || !given {
		w.err = err
		return ""
	}
	w.chunks = append(w.chunks, chunk)
	return chunk.Text
}

// end ends a block. A text of its own stands for all that came before it.
func (b *blocks) end(name string, kind reviewer.BlockKind, text *string) ([]reviewer.Chunk, error) {
	if text != nil {
		if b.halfOf == name {
			b.half = ""
		}
		if _, half := cutHalf(*text); half != "" {
			return nil, errHalf()
		}
	}
	if err := b.whole(); err != nil {
		return nil, err
	}
	return []reviewer.Chunk{reviewer.BlockEnd{Index: b.index(name), Kind: kind, Text: text}}, nil
}

// whole reports a half that waits for the other one.
func (b *blocks) whole() error {
	if b.half != "" {
		return errHalf()
	}
	return nil
}

func errHalf() error { return ErrStreamBroken.With("half a surrogate pair stands alone in the answer") }

// lenient lets halves of surrogate pairs pass in escapes. What is no UTF-8 in itself is
// refused before.
func lenient() jsontext.Options { return jsontext.AllowInvalidUTF8(true) }

// decode reads an event's data, which is one JSON object. Members that nobody asks for
// are passed over, but not broken ones.
func decode(e event, into any) error {
	if jsontext.Value(e.data).Kind() != jsontext.KindBeginObject {
		return ErrStreamBroken.With("an event's data is no JSON object")
	}
	if !utf8.Valid(e.data) {
		return ErrStreamBroken.With("an event's data is not UTF-8")
	}
	if err := json.Unmarshal(e.data, into, lenient()); err != nil {
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
