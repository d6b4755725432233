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

// Extractive summarizes without a model: it quotes. Messages that are kept beside
// it are left to that; of the others, those with a user's role come first, then what
// an earlier checkpoint told, other sessions' messages, the agent's last words, and
// which tools were called. It says of itself that it is an extract, never adds a word
// of its own to what it quotes, and gives the same text for the same input.
type Extractive struct {
	// MaxTokens bounds the summary; 0 is 2,000.
	MaxTokens int64
}

const defaultExtract, leastExtract = 2000, 160

// Summarize gives the extract. It aims at half of the limit, so that something is
// saved, but carries what an earlier checkpoint told. It has no errors.
func (x Extractive) Summarize(_ context.Context, in Input) (Summary, error) {
	most := x.MaxTokens
	if most <= 0 {
		most = defaultExtract
	}
	parts := sections(in)
	least := leastExtract + parts[1].tokens()
	aim := min(most, in.Limit, max(in.Limit/2, least))
	text := extract(parts, len(in.Messages), textBytes(aim))
	return Summary{Blocks: []events.Block{events.TextBlock(text)}, Provider: ProviderBuiltin, Model: ModelExtract, extract: true}, nil
}

// section is a part of an extract: what it quotes, under a title.
type section struct {
	title string
	items []string
}

const (
	extractTitle = "Automatic extract of %d messages, in quotes; […] stands for the rest of one."
	beforeTitle  = "Earlier checkpoint:"
)

func extract(parts []section, messages, limit int) string {
	var b strings.Builder
	fmt.Fprintf(&b, extractTitle, messages)
	for _, s := range parts {
		room := limit - b.Len()
		if s.title == beforeTitle {
			room = room * 3 / 4 // what is new has its place
		}
		s.write(&b, room)
	}
	return b.String()
}

// sections sorts what is worth quoting, the most important first.
func sections(in Input) []section {
	people := section{title: "User messages, in order:"}
	before := section{title: beforeTitle}
	others := section{title: "Messages of other sessions:"}
	agent := section{title: "Last words of the agent:"}
	tools := section{title: "Tool calls, the last ones:"}
	kept := map[events.Seq]bool{}
	for _, b := range in.Kept {
		kept[b.Kept.Seq] = true
	}
	for _, e := range in.Messages {
		switch ev := any(e.Event).(type) { // results, notices and prompts are not quoted
		case events.UserMessage:
			switch {
			case ev.Source.Checkpoint():
				before.add(carried(toldIn(ev.Content, in.Kept)))
			case ev.Source.Kind == events.SourceUser && !kept[e.Seq]:
				people.add(textOf(ev.Content))
			}
		case events.AgentMessage:
			if !kept[e.Seq] {
				others.add(textOf(ev.Content))
			}
		case events.AssistantMessage:
			if text := textOf(ev.Message.Content); text != "" {
				agent.items = []string{text}
			}
			tools.addCalls(ev.Message.Content)
		}
	}
	return []section{people, before, others, agent, tools.last(8)}
}

// carried is what an earlier checkpoint told, without the title of an extract in it,
// so that titles do not pile up.
func carried(told string) string {
	var n int
	if _, err := fmt.Sscanf(told, extractTitle, &n); err != nil {
		return told
	}
	_, told, _ = strings.Cut(told, "\n")
	return strings.TrimPrefix(told, beforeTitle+bullet)
}

// tokens is about what the section takes whole.
func (s section) tokens() int64 {
	bytes := 0
	for _, item := range s.items {
		bytes += len(item) + len(bullet) + len(cutOff)
	}
	return textTokens(bytes)
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
