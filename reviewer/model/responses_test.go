package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
)

// typed writes events of the responses protocol: a type, and members behind it.
func typed(pairs ...string) string {
	var text strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		members := pairs[i+1]
		if members != "" {
			members = "," + members
		}
		fmt.Fprintf(&text, "event: %s\ndata: {\"type\":%q,\"sequence_number\":%d%s}\n\n", pairs[i], pairs[i], i/2, members)
	}
	return text.String()
}

const (
	begun     = `"response":{"id":"r1","status":"in_progress","output":[]}`
	completed = `"response":{"id":"r1","status":"completed","error":null,"incomplete_details":null,"output":[{"type":"reasoning"},{"type":"message"}],"usage":{"input_tokens":7,"output_tokens":3}}`
	atMessage = `"item_id":"m1","output_index":1,"content_index":0`
	atThought = `"item_id":"t1","output_index":0,"summary_index":0`
)

func TestAnAnswerByResponsesIsRead(t *testing.T) {
	checkProtocol(t, reviewer.APIResponses, map[string]protocolCase{
		"reasoning and text, with all that is announced": {
			stream: typed(
				"response.created", begun,
				"response.in_progress", begun,
				"response.output_item.added", `"output_index":0,"item":{"id":"t1","type":"reasoning","summary":[]}`,
				"response.reasoning_summary_part.added", atThought+`,"part":{"type":"summary_text","text":""}`,
				"response.reasoning_summary_text.delta", atThought+`,"delta":"x"`,
				"response.reasoning_summary_text.done", atThought+`,"text":"x"`,
				"response.output_item.done", `"output_index":0,"item":{"id":"t1","type":"reasoning"}`,
				"response.output_item.added", `"output_index":1,"item":{"id":"m1","type":"message","content":[]}`,
				"response.content_part.added", atMessage+`,"part":{"type":"output_text","text":""}`,
				"response.output_text.delta", atMessage+`,"delta":"a"`,
				"response.output_text.delta", atMessage+`,"delta":"b"`,
				"response.output_text.done", atMessage+`,"text":"ab"`,
				"response.content_part.done", atMessage+`,"part":{"type":"output_text","text":"ab"}`,
				"response.output_item.done", `"output_index":1,"item":{"id":"m1","type":"message"}`,
				"response.completed", completed),
			want: lines(`0 reasoning "x"`, `1 text ""`, `1 text "a"`, `1 text "b"`, `1 text ends "ab"`, `1 text ""`, "usage 7 3", stop),
		},
		"text alone": {
			stream: typed("response.output_text.delta", atMessage+`,"delta":"a"`, "response.completed", `"response":{"status":"completed"}`),
			want:   lines(`0 text "a"`, stop),
		},
		"[DONE] behind the end": {
			stream: typed("response.output_text.delta", atMessage+`,"delta":"a"`, "response.completed", `"response":{"status":"completed"}`) + events(done),
			want:   lines(`0 text "a"`, stop),
		},
		"raw reasoning": {
			stream: typed("response.reasoning_text.delta", `"output_index":0,"content_index":0,"delta":"x"`,
				"response.output_text.delta", atMessage+`,"delta":"a"`, "response.completed", `"response":{"status":"completed"}`),
			want: lines(`0 reasoning "x"`, `1 text "a"`, stop),
		},
		"an end of a text without the text": {
			stream: typed("response.output_text.delta", atMessage+`,"delta":"a"`, "response.output_text.done", atMessage, "response.completed", `"response":{"status":"completed"}`),
			want:   lines(`0 text "a"`, `0 text ends nil`, stop),
		},
		"events without names": {
			stream: events(`{"type":"response.output_text.delta",`+atMessage+`,"delta":"a"}`, `{"type":"response.completed","response":{"status":"completed"}}`),
			want:   lines(`0 text "a"`, stop),
		},
		"two parts of text are two blocks": {
			stream: typed("response.output_text.delta", atMessage+`,"delta":"a"`,
				"response.content_part.added", `"output_index":1,"content_index":1,"part":{"type":"output_text","text":""}`,
				"response.completed", `"response":{"status":"completed"}`),
			want: lines(`0 text "a"`, `1 text ""`, stop),
		},
	})
}

func TestAResponseThatIsNoAnswerSaysWhatItIs(t *testing.T) {
	text := lines(`0 text "a"`)
	a := typed("response.output_text.delta", atMessage+`,"delta":"a"`)
	isDone := typed("response.completed", `"response":{"status":"completed"}`)
	finish := func(kind string) string { return `finish ` + kind + ` "" "" 0 ""` + "\n" }
	checkProtocol(t, reviewer.APIResponses, map[string]protocolCase{
		"a call": {
			stream: typed("response.output_item.added", `"output_index":0,"item":{"type":"function_call","name":"f"}`,
				"response.function_call_arguments.delta", `"output_index":0,"delta":"{"`) + isDone,
			want: lines(`0 tool-call ""`, stop),
		},
		"a call that shows at the end only": {
			stream: a + typed("response.completed", `"response":{"status":"completed","output":[{"type":"message"},{"type":"web_search_call"}]}`),
			want:   text + lines(`1 tool-call ""`, stop),
		},
		"a refusal":            {stream: typed("response.refusal.delta", atMessage+`,"delta":"no"`) + isDone, want: finish("refusal")},
		"a part that refuses":  {stream: typed("response.content_part.added", atMessage+`,"part":{"type":"refusal"}`) + isDone, want: finish("refusal")},
		"max tokens":           {stream: a + typed("response.incomplete", `"response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}`), want: text + finish("max-tokens")},
		"a content filter":     {stream: a + typed("response.incomplete", `"response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}`), want: text + finish("content-filter")},
		"incomplete as stop":   {stream: a + typed("response.incomplete", `"response":{"incomplete_details":{"reason":"stop"}}`), want: text + finish("incomplete: stop")},
		"incomplete, no cause": {stream: a + typed("response.incomplete", `"response":{"status":"incomplete"}`), want: text + finish("incomplete: incomplete")},
		"cancelled":            {stream: a + typed("response.cancelled", `"response":{"status":"cancelled"}`), want: text + finish("aborted")},
		"failed": {
			stream: a + typed("response.failed", `"response":{"status":"failed","error":{"code":"server_error","message":"overloaded"}}`),
			want:   text + lines(`finish error "server_error" "overloaded" 200 "req_42"`),
		},
		"completed with an error": {
			stream: a + typed("response.completed", `"response":{"status":"completed","error":{"code":"odd","message":"m"}}`),
			want:   text + lines(`finish error "odd" "m" 200 "req_42"`),
		},
		"an error": {
			stream: a + typed("error", `"code":"rate_limit_exceeded","message":"slow down","param":null`),
			want:   text + lines(`finish error "rate_limit_exceeded" "slow down" 200 "req_42"`),
		},
		"an error without the event's name": {
			stream: events(`{"type":"error","error":{"code":"context_length_exceeded","message":"too long"}}`),
			err:    model.ErrRequestTooLarge, says: "context_length_exceeded",
		},
		"no end":                  {stream: a, want: text, err: model.ErrFinishMissing},
		"[DONE] alone":            {stream: a + events(done), want: text, err: model.ErrFinishMissing},
		"an event behind the end": {stream: a + isDone + typed("response.in_progress", begun), want: text, err: model.ErrChunkAfterFinish},
		"a second end":            {stream: a + isDone + isDone, want: text, err: model.ErrChunkAfterFinish},
		"completed, not so":       {stream: a + typed("response.completed", `"response":{"status":"in_progress"}`), want: text, err: model.ErrStreamBroken, says: "in_progress"},
		"completed, no status":    {stream: a + typed("response.completed", ""), want: text, err: model.ErrStreamBroken},
		"a part of another kind":  {stream: typed("response.content_part.added", atMessage+`,"part":{"type":"output_audio"}`), err: model.ErrStreamBroken, says: "output_audio"},
		"a delta of another type": {stream: typed("response.output_text.delta", atMessage+`,"delta":1`), err: model.ErrStreamBroken},
		"no JSON":                 {stream: events("oops"), err: model.ErrStreamBroken},
	})
}
