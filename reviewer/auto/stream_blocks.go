package auto

import (
	"fmt"
	"strings"

	"github.com/docket-engine/docket/reviewer"
)

// maxBlocks is far above what models send, a few blocks of reasoning and one of
// text: blocks without text must end as well, and finding one is a linear search.
const maxBlocks = 256

// answer takes a stream's chunks in.
type answer struct {
	limit  int64 // of the blocks' text, in bytes
	taken  int64
	blocks []*block // in the order in which their indices were first seen
	finish *reviewer.Finish
}

type block struct {
	index int
	kind  reviewer.BlockKind
	text  strings.Builder
	ended bool
}

// add takes one more chunk. Nothing may come behind the finish, not even what would
// be ignored before it.
func (a *answer) add(c reviewer.Chunk) error {
	if a.finish != nil {
		return ErrChunkAfterFinish.With("the stream went on after its finish")
	}
	switch c := c.(type) {
	case reviewer.Delta:
		return a.delta(c)
	case reviewer.BlockEnd:
		return a.end(c)
	case reviewer.Usage:
		return nil
	case reviewer.Finish:
		a.finish = &c
		return nil
	default:
		return ErrBlockBroken.With("the stream has a chunk of the unknown kind %T", c)
	}
}

func (a *answer) delta(d reviewer.Delta) error {
	b, err := a.block(d.Index, d.Kind)
	if err != nil {
		return err
	}
	if err := a.take(len(d.Text)); err != nil || b.ended {
		return err
	}
	b.text.WriteString(d.Text)
	return nil
}

// end sets a block's text for good. What repeats the deltas counts once.
func (a *answer) end(e reviewer.BlockEnd) error {
	b, err := a.block(e.Index, e.Kind)
	if err != nil {
		return err
	}
	if b.ended {
		return ErrBlockBroken.With("block %d ends twice", e.Index)
	}
	b.ended = true
	if e.Text == nil {
		return nil
	}
	if err := a.take(max(0, len(*e.Text)-b.text.Len())); err != nil {
		return err
	}
	b.text.Reset()
	b.text.WriteString(*e.Text)
	return nil
}

// block finds the block of an index, or begins it.
func (a *answer) block(index int, kind reviewer.BlockKind) (*block, error) {
	for _, b := range a.blocks {
		if b.index != index {
			continue
		}
		if b.kind != kind {
			return nil, ErrBlockBroken.With("block %d is of the kind %q and of the kind %q", index, b.kind, kind)
		}
		return b, nil
	}
	if len(a.blocks) == maxBlocks {
		return nil, ErrAnswerBlocks.With("the answer has more than %d blocks", maxBlocks)
	}
	b := &block{index: index, kind: kind}
	a.blocks = append(a.blocks, b)
	return b, nil
}

// take counts the bytes of all blocks: reasoning, and what is ignored, as well.
func (a *answer) take(n int) error {
	a.taken += int64(n)
	if a.taken > a.limit {
		return ErrAnswerTooLarge.With("the answer is larger than %d bytes", a.limit)
	}
	return nil
}

// text is the answer of a stream that has ended.
func (a *answer) text() (string, error) {
	if err := a.finished(); err != nil {
		return "", err
	}
	last := len(a.blocks) - 1
	for i, b := range a.blocks {
		switch {
		case b.kind == reviewer.BlockText && i == last, b.kind == reviewer.BlockReasoning && i < last:
		case b.kind == reviewer.BlockText:
			return "", ErrAnswerBlocks.With("the answer has a block of the kind %q behind its text", a.blocks[i+1].kind)
		case b.kind == reviewer.BlockReasoning:
			return "", ErrAnswerBlocks.With("the answer has reasoning and no text")
		default:
			return "", ErrAnswerBlocks.With("the answer has a block of the kind %q", bounded(string(b.kind)))
		}
	}
	if last < 0 {
		return "", ErrAnswerBlocks.With("the answer has no blocks")
	}
	return withHalves(a.blocks[last].text.String())
}

// finished reports why the end of the stream is none of a whole answer.
func (a *answer) finished() error {
	if a.finish == nil {
		return ErrFinishMissing.With("the stream ended without a finish")
	}
	switch f := a.finish; f.Kind {
	case reviewer.FinishStop:
		return nil
	case reviewer.FinishError:
		return ErrModelError.With("the model's provider failed%s", particulars(*f))
	case reviewer.FinishAborted:
		return ErrModelAborted.With("the model's answer was aborted%s", particulars(*f))
	default:
		return ErrFinishNotStop.With("the answer ended with %q and not with stop%s", bounded(string(f.Kind)), particulars(*f))
	}
}

// particulars are what the provider said of its failure, as far as it did.
func particulars(f reviewer.Finish) string {
	var known []string
	if f.Code != "" {
		known = append(known, "code "+bounded(f.Code))
	}
	if f.Status != 0 {
		known = append(known, fmt.Sprintf("HTTP status %d", f.Status))
	}
	if f.RequestID != "" {
		known = append(known, "request "+bounded(f.RequestID))
	}
	said := strings.Join(known, ", ")
	if said != "" {
		said = " (" + said + ")"
	}
	if f.Message != "" {
		said += ": " + bounded(f.Message)
	}
	return said
}
