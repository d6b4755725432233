package events

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The source kinds of messages from another session that became an event of
// their own (reference 8, item 1).
const (
	sourceCoordinator = "coordinator" // format 0
	sourceRelay       = "relay"       // format 0
	sourcePlugin      = "plugin"
)

// lift brings an event's data into the current shape and gives its current type.
// The stored bytes stay as they are; each format has its rules (reference 8,
// item 7).
func lift(format Format, t Type, e *Envelope) (Type, error) {
	if e.Data.Kind() != '{' {
		return t, fieldf("data", "must be an object, is %s", kindName(e.Data.Kind()))
	}
	if format == Format0 {
		t = lifted0[t].rename(t)
		if up := lifted0[t].data; up != nil {
			if err := up(e); err != nil {
				return t, within("data", err)
			}
		}
	}
	return t, nil
}

// lifting says how format 0 differs for a type.
type lifting struct {
	to   Type
	data func(*Envelope) error
}

func (l lifting) rename(t Type) Type {
	if l.to != "" {
		return l.to
	}
	return t
}

var lifted0 = map[Type]lifting{
	"tool/code-dispatch-start": {to: TypePTCDispatchStart},
	"tool/code-dispatch":       {to: TypePTCDispatch},
	TypePTCDispatchStart:       {data: liftInner},
	TypePTCDispatch:            {data: liftInner},
	TypeUserMessage:            {data: liftCheckpoint},
	TypeAssistantMessage:       {data: liftAssistant},
	TypeToolResult:             {data: liftResult},
	TypeRequestHeader:          {data: liftHeader},
	TypeSubagentDescriptor:     {data: liftDescriptor},
}

// liftInner renames the ids of inner calls: <parent>:code:<n> to <parent>:ptc:<n>.
func liftInner(e *Envelope) error {
	o, err := parseObject(e.Data)
	if err != nil {
		return err
	}
	root := o.text("rootCallId")
	for _, name := range []string{"parentCallId", "subCallId"} {
		if inner, ok := strings.CutPrefix(o.text(name), root); ok && root != "" {
			o = o.setText(name, root+strings.ReplaceAll(inner, ":code:", ":ptc:"))
		}
	}
	e.Data = o.bytes()
	return nil
}

// liftCheckpoint gives a compaction's message the source kind that it has now.
func liftCheckpoint(e *Envelope) error {
	o, source, err := inside(e.Data, "source")
	if err != nil || source.text("kind") != sourcePlugin || source.text("plugin") != "compact" {
		return err
	}
	e.Data = o.set("source", source.setText("kind", SourceCheckpoint).without("plugin").bytes()).bytes()
	return nil
}

// liftAssistant adds the stream that format 0 kept as chunk events, empty, and
// drops the chunks from the sources.
func liftAssistant(e *Envelope) error {
	e.Sources = nil
	o, err := parseObject(e.Data)
	if err != nil {
		return err
	}
	if _, ok := o.get("stream"); !ok {
		e.Data = o.set("stream", jsontext.Value("[]")).bytes()
	}
	return nil
}

// liftResult takes the content of a tool message out of its one tool-result block.
func liftResult(e *Envelope) error {
	o, message, err := inside(e.Data, "message")
	if err != nil {
		return err
	}
	content, _ := message.get("content")
	var blocks []jsontext.Value
	if err := unmarshal(content, &blocks); err != nil || len(blocks) != 1 {
		return fieldf("message.content", "must be one tool-result block")
	}
	block, err := parseObject(blocks[0])
	if err != nil || block.text("type") != "tool-result" {
		return fieldf("message.content", "must be one tool-result block")
	}
	inner, ok := block.get("content")
	if !ok {
		return fieldf("message.content.0.content", "is missing")
	}
	message = message.set("content", inner)
	if failed, ok := block.get("isError"); ok {
		message = message.set("isError", failed)
	}
	e.Data = o.set("message", message.bytes()).bytes()
	return nil
}

// liftHeader drops what request headers do not hold any more.
func liftHeader(e *Envelope) error {
	o, header, err := inside(e.Data, "header")
	if err != nil {
		return err
	}
	header = header.without("system")
	for _, name := range []string{"tools", "adapterDefaults"} {
		if v, ok := header.get(name); ok && (string(v) == "[]" || string(v) == "{}") {
			header = header.without(name)
		}
	}
	e.Data = o.set("header", header.bytes()).bytes()
	return nil
}

func liftDescriptor(e *Envelope) error {
	o, err := parseObject(e.Data)
	if err != nil {
		return err
	}
	if v, _ := o.get("version"); string(v) == "2" {
		e.Data = o.set("version", jsontext.Value("3")).bytes()
	}
	return nil
}

// liftSender makes a user message that stands for a type of ours that type again,
// in every format: one from another session an agent-message, and one that an
// export wrote for a reviewer's notice a review/notice.
func liftSender(e *Envelope) (Type, error) {
	o, source, err := inside(e.Data, "source")
	if err != nil {
		return TypeUserMessage, within("data", err)
	}
	to, names := ownType(e.Format, source)
	if to == TypeUserMessage {
		return to, nil
	}
	for _, name := range names {
		v, ok := source.get(name)
		if !ok {
			return TypeUserMessage, fieldf("data.source."+name, "is missing")
		}
		o = o.set(name, v)
	}
	e.Data = o.without("source").bytes()
	return to, nil
}

// mayBeOwn is a first look at a source's kind, so that other messages, which are
// most, are not taken apart.
func mayBeOwn(kind string) bool {
	switch kind {
	case SourceAgentMessage, SourceReviewNotice, sourceCoordinator, sourceRelay:
		return true
	default:
		return false
	}
}

// ownType gives the type that a user message of this source is here, and the
// members of the source that are then its own.
func ownType(format Format, source object) (to Type, names []string) {
	switch kind := source.text("kind"); {
	case kind == SourceAgentMessage, format == Format0 && (kind == sourceCoordinator || kind == sourceRelay):
		return TypeAgentMessage, []string{"senderSessionId", "form"}
	case kind == SourceReviewNotice && source.text("reviewer") != "":
		return TypeReviewNotice, []string{"reviewer"}
	default:
		return TypeUserMessage, nil
	}
}

// inside parses an object and one of its members that is an object as well.
func inside(v jsontext.Value, name string) (outer, inner object, err error) {
	if outer, err = parseObject(v); err != nil {
		return nil, nil, err
	}
	m, ok := outer.get(name)
	if !ok || m.Kind() != '{' {
		return nil, nil, fieldf(name, "must be an object")
	}
	inner, err = parseObject(m)
	return outer, inner, err
}
