package projections

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/lineage"
)

// HistoryText is a session's history as a request shows it, in JSON indented by two
// spaces. It is valid until the History is used again; nobody changes it.
type HistoryText struct {
	Instructions []byte // PROJECT_INSTRUCTIONS
	// FILTERED_HISTORY is Done and then Rest: what is final, and what is not.
	Done, Rest []byte
}

var errIncomplete = errors.New("the history was not given all that is visible")

// Text renders the history without the call that is pending.
func (h *History) Text(s *Session, pending CallRef) HistoryText {
	h.sync(s)
	h.seen = nil // the session is not ahead any more
	h.rest, h.told = h.rest[:0], append(h.told[:0], h.instructions...)
	rest := array{bytes: h.rest, empty: len(h.done) == 0}
	told := array{bytes: h.told, empty: len(h.instructions) == 0}
	a := s.Authority()
	for _, seq := range s.Surface().Nodes()[h.taken:] {
		n := h.nodes[seq]
		switch {
		case n == nil:
		case n.instruction:
			told.instruction(n)
		default:
			for _, e := range n.show(a, pending) {
				rest.entry(e)
			}
		}
	}
	h.rest, h.told = rest.close(), told.close()
	return HistoryText{Instructions: h.told, Done: h.done, Rest: h.rest}
}

// render puts a message behind what is final, where its own texts are not needed
// any more.
func (h *History) render(n *historyNode, a lineage.Authority) {
	entries := n.show(a, CallRef{})
	if n.instruction {
		told := array{bytes: h.instructions, empty: len(h.instructions) == 0}
		told.instruction(n)
		h.instructions = told.bytes
		return
	}
	done := array{bytes: h.done, empty: len(h.done) == 0}
	for _, e := range entries {
		done.entry(e)
		e.text = nil
	}
	h.done = done.bytes
}

// array writes the elements of a JSON array, each on lines of its own.
type array struct {
	bytes []byte
	empty bool // nothing stands before what comes next
}

func (a *array) next() {
	if a.empty {
		a.bytes = append(a.bytes, "[\n  "...)
	} else {
		a.bytes = append(a.bytes, ",\n  "...)
	}
	a.empty = false
}

func (a *array) close() []byte {
	if a.empty {
		return append(a.bytes, "[]"...)
	}
	return append(a.bytes, "\n]"...)
}

func (a *array) entry(e *historyEntry) {
	if e.text == nil {
		e.text = appendEntry(nil, &e.Entry)
	}
	a.next()
	a.bytes = append(a.bytes, e.text...)
}

func (a *array) instruction(n *historyNode) {
	a.next()
	b := message(a.bytes, EntryUser, RoleConstraint, n.entries[0].Source)
	for i, e := range n.entries {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n      "...)
		b = indented(b, rawBlock(&e.Entry), "      ")
	}
	a.bytes = append(b, "\n    ]\n  }"...)
}

// appendEntry writes an entry as an element of FILTERED_HISTORY.
func appendEntry(b []byte, e *Entry) []byte {
	if e.Kind == EntryCall {
		b = append(b, "{\n    \"kind\": \"tool-call\",\n    \"role\": \"fact\",\n    \"mode\": "...)
		b = quoted(b, e.Mode)
		b = append(b, ",\n    \"name\": "...)
		b = quoted(b, e.Name)
		b = append(b, ",\n    \"arguments\": "...)
		b = quoted(b, e.Arguments)
		return append(b, "\n  }"...)
	}
	b = message(b, e.Kind, e.Role, e.Source)
	b = append(b, "\n      "...)
	b = indented(b, rawBlock(e), "      ")
	return append(b, "\n    ]\n  }"...)
}

// message begins a message, up to its blocks.
func message(b []byte, kind EntryKind, role lineage.Role, source jsontext.Value) []byte {
	b = append(b, "{\n    \"kind\": "...)
	b = quoted(b, string(kind))
	b = append(b, ",\n    \"role\": "...)
	b = quoted(b, string(role))
	b = append(b, ",\n    \"source\": "...)
	b = indented(b, source, "    ")
	return append(b, ",\n    \"content\": ["...)
}

func rawBlock(e *Entry) jsontext.Value {
	if e.Block.Raw != nil {
		return e.Block.Raw
	}
	return marshalled(e.Block)
}

// quoted writes a string as JSON. Text on a log is UTF-8.
func quoted(b []byte, s string) []byte {
	out, err := jsontext.AppendQuote(b, s)
	if err == nil {
		return out
	}
	out, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\ufffd")) // it is UTF-8 now
	return out
}
