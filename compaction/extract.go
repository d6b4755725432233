package compaction

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docket-engine/docket/events"
)

// The route by which summaries of [Extractive] are known: it is no model, and
// does not pretend to be one.
const (
	ProviderBuiltin = "builtin"
	ModelExtract    = "extract"
)

// Extractive summarizes without a model: it quotes. What people wrote comes
// first, word for word as far as there is room, then an earlier checkpoint, other
// sessions' messages, the agent's last words, and which tools were called. It
// says of itself that it is an extract, never adds a word of its own to what it
// quotes, and gives the same text for the same input.
type Extractive struct {
	// MaxTokens bounds the summary; 0 is 2,000.
	MaxTokens int64
}

const defaultExtract, leastExtract = 2000, 160

// Summarize gives the extract. It aims at half of the limit, so that something is
// saved, and has no errors.
func (x Extractive) Summarize(_ context.Context, in Input) (Summary, error) {
	most := x.MaxTokens
	if most <= 0 {
		most = defaultExtract
	}
	aim := min(most, in.Limit, max(in.Limit/2, leastExtract))
	text := extract(in.Messages, textBytes(aim))
	return Summary{Blocks: []events.Block{events.TextBlock(text)}, Provider: ProviderBuiltin, Model: ModelExtract}, nil
}

// section is a part of an extract: what it quotes, under a title.
type section struct {
	title string
	items []string
}

func extract(es []events.Envelope, limit int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Automatic extract of %d messages, made without a model: quotes, cut where it says […].", len(es))
	for _, s := range sections(es) {
		s.write(&b, limit-b.Len())
	}
	return b.String()
}

// sections sorts what is worth quoting, the most important first.
func sections(es []events.Envelope) []section {
	people := section{title: "User messages, in order:"}
	before := section{title: "Earlier checkpoint:"}
	others := section{title: "Messages of other sessions:"}
	agent := section{title: "Last words of the agent:"}
	tools := section{title: "Tool calls, the last ones:"}
	for _, e := range es {
		switch ev := any(e.Event).(type) { // results, notices and prompts are not quoted
		case events.UserMessage:
			switch text := textOf(ev.Content); {
			case ev.Source.Checkpoint():
				before.add(strings.TrimPrefix(text, preface+"\n"))
			case ev.Source.Kind == events.SourceUser:
				people.add(text)
			}
		case events.AgentMessage:
			others.add(textOf(ev.Content))
		case events.AssistantMessage:
			if text := textOf(ev.Message.Content); text != "" {
				agent.items = []string{text}
			}
			tools.addCalls(ev.Message.Content)
		}
	}
	return []section{people, before, others, agent, tools.last(8)}
}

func (s *section) add(text string) {
	if text != "" {
		s.items = append(s.items, text)
	}
}

func (s *section) addCalls(content []events.Block) {
	for _, b := range content {
		if b.Type == "tool-call" {
			s.add(b.Name + " " + b.Arguments)
		}
	}
}

func (s section) last(n int) section {
	s.items = s.items[max(0, len(s.items)-n):]
	return s
}

// The bytes around an item of a section, and what shows that it was cut.
const (
	bullet = "\n- "
	cutOff = " […]"
	// shortest is the least that is quoted of an item that does not fit.
	shortest = 40
)

// write adds the section if there is room for it. All items are shown from their
// beginning, cut at one length that lets them fit; if that would be next to
// nothing, the oldest are left out.
func (s section) write(b *strings.Builder, room int) {
	items := s.items
	room -= len(s.title) + 1
	each := fit(items, room)
	for len(items) > 0 && each < shortest && each < longest(items) {
		items = items[1:]
		each = fit(items, room-len(bullet)-len(cutOff))
	}
	if len(items) == 0 {
		return
	}
	b.WriteString("\n" + s.title)
	if len(items) < len(s.items) {
		b.WriteString(bullet + strings.TrimSpace(cutOff))
	}
	for _, item := range items {
		b.WriteString(bullet + clip(item, each))
		if len(item) > each {
			b.WriteString(cutOff)
		}
	}
}

// fit is the greatest length at which all items, cut there, take no more than
// the room.
func fit(items []string, room int) int {
	lengths := make([]int, 0, len(items))
	for _, item := range items {
		lengths = append(lengths, len(item))
		room -= len(bullet) + len(cutOff)
	}
	slices.Sort(lengths)
	for i, n := range lengths {
		if left := len(lengths) - i; n*left > room {
			return max(0, room/left)
		}
		room -= n
	}
	return longest(items)
}

func longest(items []string) (most int) {
	for _, item := range items {
		most = max(most, len(item))
	}
	return most
}

// textOf puts a message's text blocks together, one a line.
func textOf(content []events.Block) string {
	var texts []string
	for _, b := range content {
		if b.Type == "text" && b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}
