package events_test

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// mutate breaks one rule at or behind a record of a valid log, where it can.
type mutate func(records []events.Record, log *eventstest.Script, at int) (mutated []events.Record, ok bool)

// mutations by what they do.
var mutations = map[string]mutate{
	"a lost record": func(rs []events.Record, _ *eventstest.Script, at int) ([]events.Record, bool) {
		return slices.Delete(rs, at, at+1), true
	},
	"a repeated record": func(rs []events.Record, _ *eventstest.Script, at int) ([]events.Record, bool) {
		return slices.Insert(rs, at, rs[at]), true
	},
	"two that changed places": func(rs []events.Record, _ *eventstest.Script, at int) ([]events.Record, bool) {
		rs[at], rs[at+1] = rs[at+1], rs[at]
		return rs, true
	},
	"a type that nobody knows": onRequired(`^\{"type":"[^"]*"`, `{"type":"no/such"`),
	"a type of format 0":       onRequired(`^\{"type":"[^"]*"`, `{"type":"assistant/chunk"`),
	"a seq that is too high":   rewrite(`"seq":(\d+)`, `"seq":1$1`),
	"a seq with a fraction":    rewrite(`"seq":(\d+)`, `"seq":$1.5`),
	"a time before time 0":     rewrite(`"time":`, `"time":-`),
	"a lost time":              rewrite(`"time":\d+,`, ``),
	"data that is a list":      rewrite(`"data":(.*)\}$`, `"data":[$1]}`),
	"one member more":          rewrite(`\}$`, `,"sig":"x"}`),
	"one member twice":         rewrite(`\}$`, `,"seq":0}`),
	"half a line": func(rs []events.Record, _ *eventstest.Script, at int) ([]events.Record, bool) {
		rs[at].Line = rs[at].Line[:len(rs[at].Line)/2]
		return rs, true
	},
	"negative zero in data":                rewrite(`"data":\{\}?`, `"data":{"zero":-0,`),
	"a lone surrogate in data":             rewrite(`"data":\{\}?`, `"data":{"text":"\ud800",`),
	"data that is not UTF-8":               rewrite(`"data":\{\}?`, `"data":{"text":"`+"\xff"+`",`),
	"a surface op where none may be":       onLogOnly(`\}$`, `,"surfaceOp":"append"}`),
	"sources where none may be":            onLogOnly(`\}$`, `,"sourceEventSeqs":[0]}`),
	"no surface op where one must be":      onVisible(`,"surfaceOp":("append"|\{[^}]*\})`, ``),
	"a surface op that there is none of":   onVisible(`"surfaceOp":("append"|\{[^}]*\})`, `"surfaceOp":"prepend"`),
	"a source that comes later":            onVisible(`,"surfaceOp":("append"|\{[^}]*\}).*\}$`, `,"surfaceOp":$1,"sourceEventSeqs":[99999]}`),
	"a replacement of what is not visible": onVisible(`,"surfaceOp":.*\}$`, `,"surfaceOp":{"op":"replace","startSeq":99999,"endSeq":99999},"sourceEventSeqs":[0]}`),
	"a turn that is skipped":               onTypes(`"turn":(\d+)`, `"turn":1$1`, events.TypeTurnStart, events.TypeTurnEnd, events.TypeStepStart, events.TypeStepEnd),
	"a step that is skipped":               onTypes(`"step":(\d+)`, `"step":1$1`, events.TypeStepStart, events.TypeStepEnd),
	"a call in another step":               onTypes(`"step":(\d+)`, `"step":1$1`, events.TypeToolCall, events.TypeAssistantMessage, events.TypeReviewVerdict),
	"a decision without a question":        onTypes(`"id":"`, `"id":"not-`, events.TypeApprovalDecided),
	"a result that cites no call":          onAppendedResults(`,"sourceEventSeqs":\[\d+\]`, ``),
}

// rewrite changes a line where a pattern matches.
func rewrite(pattern, with string) mutate {
	return rewriteIf(pattern, with, func(events.Envelope) bool { return true })
}

func onTypes(pattern, with string, types ...events.Type) mutate {
	return rewriteIf(pattern, with, func(e events.Envelope) bool { return slices.Contains(types, e.Type()) })
}

func onVisible(pattern, with string) mutate {
	return rewriteIf(pattern, with, func(e events.Envelope) bool { return e.Type().Surface() })
}

func onLogOnly(pattern, with string) mutate {
	return rewriteIf(pattern, with, func(e events.Envelope) bool { return events.Known(e.Type()) && !e.Type().Surface() })
}

// onRequired leaves alone the records that may be ignored.
func onRequired(pattern, with string) mutate {
	return rewriteIf(pattern, with, func(e events.Envelope) bool { return !e.Ignorable })
}

// onAppendedResults leaves alone the replacements, which are exempt.
func onAppendedResults(pattern, with string) mutate {
	return rewriteIf(pattern, with, func(e events.Envelope) bool { return e.Type() == events.TypeToolResult && e.Surface.Append() })
}

// rewriteIf looks for the first record at or behind a place that the mutation
// can break, and changes the first match there.
func rewriteIf(pattern, with string, applies func(events.Envelope) bool) mutate {
	find := regexp.MustCompile(pattern)
	return func(rs []events.Record, log *eventstest.Script, at int) ([]events.Record, bool) {
		for i := at; i < len(rs); i++ {
			where := find.FindSubmatchIndex(rs[i].Line)
			if where == nil || !applies(log.Events[i]) {
				continue
			}
			replaced := find.Expand(nil, []byte(with), rs[i].Line, where)
			rs[i].Line = slices.Concat(rs[i].Line[:where[0]], replaced, rs[i].Line[where[1]:])
			rs[i].Line = bytes.Replace(rs[i].Line, []byte(",}"), []byte("}"), 1) // where data was empty
			return rs, true
		}
		return nil, false
	}
}
