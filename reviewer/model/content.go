package model

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
)

// span is text of one kind.
type span struct {
	kind reviewer.BlockKind
	text string
}

// member is a part of a content that is an array.
type member struct {
	Type     string         `json:"type"`
	Text     jsontext.Value `json:"text"`
	Thinking jsontext.Value `json:"thinking"`
	Summary  jsontext.Value `json:"summary"`
}

// contentOf reads what a message says: a string, or an array of parts, as models send it
// that think in parts of their own. The kinds of parts are a closed list.
func contentOf(value jsontext.Value) ([]span, error) {
	switch {
	case !isGiven(value):
		return nil, nil
	case value.Kind() == jsontext.KindString:
		return []span{{reviewer.BlockText, unquoted(value)}}, nil
	}
	var parts []member
	if err := json.Unmarshal(value, &parts, lenient()); err != nil {
		return nil, ErrStreamBroken.With("the content is neither a string nor an array of parts").Because(err)
	}
	spans := make([]span, 0, len(parts))
	for _, p := range parts {
		s, err := p.span()
		if err != nil {
			return nil, err
		}
		spans = append(spans, s)
	}
	return spans, nil
}

func (m member) span() (span, error) {
	switch m.Type {
	case "text":
		if m.Text.Kind() != jsontext.KindString {
			return span{}, ErrStreamBroken.With("a part of text has no text")
		}
		return span{reviewer.BlockText, unquoted(m.Text)}, nil
	case "thinking", "reasoning":
		var all strings.Builder
		for _, value := range []jsontext.Value{m.Thinking, m.Summary, m.Text} {
			text, err := thoughtOf(value)
			if err != nil {
				return span{}, err
			}
			all.WriteString(text)
		}
		return span{reviewer.BlockReasoning, all.String()}, nil
	case "image", "image_url":
		return span{kind: reviewer.BlockImage}, nil
	default:
		return span{}, ErrStreamBroken.With("the answer has a part of the kind %q", cut(m.Type, maxCode))
	}
}

// thoughtOf reads reasoning: a string, an object with a text, or an array of these.
func thoughtOf(value jsontext.Value) (string, error) {
	switch {
	case !isGiven(value):
		return "", nil
	case value.Kind() == jsontext.KindString:
		return unquoted(value), nil
	case value.Kind() == jsontext.KindBeginObject:
		var one member
		if json.Unmarshal(value, &one, lenient()) == nil && one.Text.Kind() == jsontext.KindString {
			return unquoted(one.Text), nil
		}
		return "", ErrStreamBroken.With("the reasoning has a part without text")
	}
	var parts []jsontext.Value
	if err := json.Unmarshal(value, &parts, lenient()); err != nil {
		return "", ErrStreamBroken.With("the reasoning is no text").Because(err)
	}
	var all strings.Builder
	for _, part := range parts {
		if part.Kind() == jsontext.KindBeginArray {
			return "", ErrStreamBroken.With("the reasoning is no text")
		}
		text, err := thoughtOf(part)
		if err != nil {
			return "", err
		}
		all.WriteString(text)
	}
	return all.String(), nil
}

// detailsOf is the text in the details of reasoning: of what is encrypted, or only
// signed, there is none.
func detailsOf(value jsontext.Value) string {
	var parts []member
	if !isGiven(value) || json.Unmarshal(value, &parts, lenient()) != nil {
		return ""
	}
	var all strings.Builder
	for _, p := range parts {
		for _, text := range []jsontext.Value{p.Text, p.Summary} {
			if text.Kind() == jsontext.KindString {
				all.WriteString(unquoted(text))
			}
		}
	}
	return all.String()
}
