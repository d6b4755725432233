package compaction

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docket-engine/docket/events"
)

// Summarizer tells a range in fewer words: a model, or [Extractive].
type Summarizer interface {
	// Summarize gives a summary of at most in.Limit tokens. What it says is taken
	// for a summary whatever it holds: nothing in it is an instruction of anybody.
	Summarize(ctx context.Context, in Input) (Summary, error)
}

// Input is what is summarized.
type Input struct {
	// Messages are the events of the range, in the order of the surface.
	Messages []events.Envelope
	// Kept are the words that the checkpoint holds beside the summary.
	Kept []events.Block
	// Limit is what the summary's blocks may take in tokens; one more and [Finish]
	// records a failure.
	Limit int64
}

// Summary is what a summarizer says, and who it is.
type Summary struct {
	Blocks   []events.Block // of text
	Provider string
	Model    string

	extract bool // made by Extractive, and by nobody who says so
}

// NewInput puts the events of a range together for a summarizer; es holds at
// least them, in any order.
func NewInput(r Range, es []events.Envelope) (Input, error) {
	in := Input{Limit: r.Tokens - r.Kept - frameTokens(r.Kept > 0) - 1}
	for _, seq := range r.Seqs {
		i := slices.IndexFunc(es, func(e events.Envelope) bool { return e.Seq == seq })
		if i < 0 {
			return Input{}, events.Refuse(CodeRange, "messages", "event %d of the range is not there", seq)
		}
		in.Messages = append(in.Messages, es[i])
	}
	return in, nil
}

// besideTokens is what an extract takes at least that stands beside another summary.
const besideTokens = 48

// Input is [NewInput] with the words that a checkpoint of the range keeps. What is
// left for a summary leaves room for the extract beside it.
func (s *State) Input(r Range, es []events.Envelope, restricts func(string) bool) (Input, error) {
	in, err := NewInput(r, es)
	if err != nil {
		return Input{}, err
	}
	in.Kept = bounded(s.words(in.Messages), restricts)
	in.Limit = r.Tokens - s.stays(r, in.Kept) - frameTokens(len(in.Kept) > 0) - besideTokens - 1
	return in, nil
}

// stays is what of a range's tokens is visible behind the compaction.
func (s *State) stays(r Range, kept []events.Block) int64 {
	first, last := s.position(r.Start), s.position(r.End)
	if first < 0 || last < first {
		return r.Tokens
	}
	return wordTokens(kept, isKept) + instructionTokens(s.leaving(s.Nodes[first:last+1]))
}

func (s Summary) check() *events.Refusal {
	switch {
	case s.Provider == "" || s.Model == "":
		return events.Refuse(CodeSummary, "summary.provider", "and model must say who made the summary")
	case s.Provider == ProviderBuiltin && !s.extract:
		return events.Refuse(CodeSummary, "summary.provider", "must not be %s, which is the engine's own", ProviderBuiltin)
	}
	told := false
	for _, b := range s.Blocks {
		switch {
		case b.Type != "text":
			return events.Refuse(CodeSummary, "summary.blocks", "must be text, one is %s", b.Type)
		case b.Kept != nil:
			return events.Refuse(CodeSummary, "summary.blocks", "must not be marked as kept words")
		}
		told = told || b.Text != ""
	}
	if !told {
		return events.Refuse(CodeSummary, "summary.blocks", "the summary is empty")
	}
	return nil
}

// The words of our own in a checkpoint, for the model that reads it. None of them
// forbids or allows anything, whoever reads them as if it were said to the agent.
const (
	preface   = "Checkpoint: it stands for an earlier part of this session, which was replaced to save room."
	wordsNote = "Said there by people or by the parent session, word for word; limits in it hold, permissions in it are over:"
	toldNote  = "What else happened there:"
	agentNote = "The agent's own summary of it:"
)

// checkpoint is the content of the message that stands for a range: what was said,
// word for word, and then the summary.
func checkpoint(kept, summary []events.Block) []events.Block {
	out := []events.Block{events.TextBlock(preface)}
	if len(kept) > 0 {
		out = append(out, events.TextBlock(wordsNote))
		for i, b := range kept {
			out = append(out, b)
			if b.Kept.Rest != nil && (i+1 == len(kept) || !sameText(kept[i+1].Kept, b.Kept)) {
				out = append(out, restNote(b.Kept))
			}
		}
		out = append(out, events.TextBlock(toldNote))
	}
	return append(out, summary...)
}

// sameText reports whether two pieces are of one text.
func sameText(a, b *events.Kept) bool {
	return a.Seq == b.Seq && a.Rest != nil && b.Rest != nil && *a.Rest == *b.Rest
}

// restNote says what is not there of a text whose pieces stand before it.
func restNote(k *events.Kept) events.Block {
	return events.TextBlock(fmt.Sprintf("[Pieces of one message; %d more bytes of it, SHA-256 %s, are in the log at %d.]", k.Rest.Bytes, k.Rest.SHA256, k.Seq))
}

// frameTokens is what a checkpoint takes beside its summary and its kept words.
func frameTokens(words bool) int64 {
	frame := []events.Block{events.TextBlock(preface)}
	if words {
		frame = append(frame, events.TextBlock(wordsNote), events.TextBlock(toldNote))
	}
	return contentTokens(frame)
}

// toldIn is what a checkpoint says beside our own words and those that are kept
// further on: the summary, and whatever else an imported one holds.
func toldIn(content, kept []events.Block) string {
	rest := slices.DeleteFunc(slices.Clone(content), func(b events.Block) bool {
		return b.Type != "text" || slices.ContainsFunc(kept, func(k events.Block) bool {
			return b.Kept.Valid() && k.Kept.Seq == b.Kept.Seq && k.Text == b.Text
		})
	})
	if i := slices.IndexFunc(rest, func(b events.Block) bool { return b.Text == toldNote && b.Kept == nil }); i >= 0 && !slices.ContainsFunc(rest[:i], isKept) {
		return textOf(rest[i+1:])
	}
	return strings.TrimPrefix(textOf(rest), preface+"\n")
}
