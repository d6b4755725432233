package model_test

import (
	"testing"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
)

// said is a piece with a delta's members; ended one with a finish reason.
func said(members string) string {
	return `{"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{` + members + `},"finish_reason":null}]}`
}

func ended(reason string) string {
	return `{"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `","logprobs":null}]}`
}

const (
	counted = `{"id":"c1","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`
	done    = "[DONE]"
	stop    = `finish stop "" "" 0 ""`
)

func TestAnAnswerByCompletionsIsRead(t *testing.T) {
	hello := said(`"role":"assistant","content":""`)
	checkProtocol(t, reviewer.APICompletions, map[string]protocolCase{
		"text": {
			stream: events(hello, said(`"content":"a"`), said(`"content":"é\n"`), ended("stop"), done),
			want:   lines(`0 text "a"`, `0 text "é\n"`, stop),
		},
		"no [DONE] after the finish reason": {
			stream: events(said(`"content":"a"`), ended("stop")),
			want:   lines(`0 text "a"`, stop),
		},
		"[DONE] without an empty line": {
			stream: events(said(`"content":"a"`), ended("stop")) + "data: [DONE]",
			want:   lines(`0 text "a"`, stop),
		},
		"reasoning_content": {
			stream: events(said(`"role":"assistant","content":null,"reasoning_content":""`), said(`"content":null,"reasoning_content":"x"`),
				said(`"content":"a","reasoning_content":null`), ended("stop"), done),
			want: lines(`0 reasoning "x"`, `1 text "a"`, stop),
		},
		"reasoning": {
			stream: events(said(`"content":"","reasoning":"x"`), said(`"content":"a"`), ended("stop"), done),
			want:   lines(`0 reasoning "x"`, `1 text "a"`, stop),
		},
		"both names of reasoning are one text": {
			stream: events(said(`"reasoning":"x","reasoning_content":"x"`), said(`"content":"a"`), ended("stop")),
			want:   lines(`0 reasoning "x"`, `1 text "a"`, stop),
		},
		"reasoning and text in one piece": {
			stream: events(said(`"content":"a","reasoning":"x"`), ended("stop")),
			want:   lines(`0 reasoning "x"`, `1 text "a"`, stop),
		},
		"text before reasoning keeps that order": {
			stream: events(said(`"content":"a"`), said(`"reasoning":"x"`), ended("stop")),
			want:   lines(`0 text "a"`, `1 reasoning "x"`, stop),
		},
		"text and finish reason in one piece": {
			stream: events(`{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}`, done),
			want:   lines(`0 text "a"`, stop),
		},
		"usage without choices before the end": {
			stream: events(said(`"content":"a"`), ended("stop"), counted, done),
			want:   lines(`0 text "a"`, "usage 7 3", stop),
		},
		"usage in a piece that adds nothing": {
			stream: events(said(`"content":"a"`), ended("stop"),
				`{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`, done),
			want: lines(`0 text "a"`, "usage 7 3", stop),
		},
		"usage that cannot be read": {
			stream: events(said(`"content":"a"`), ended("stop"), `{"choices":[],"usage":{"prompt_tokens":"many"}}`, done),
			want:   lines(`0 text "a"`, stop),
		},
		"pieces without choices": {
			stream: events(`{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}`, `{}`, said(`"content":"a"`), ended("stop")),
			want:   lines(`0 text "a"`, stop),
		},
	})
}

func TestEndsOtherThanStopKeepTheirName(t *testing.T) {
	finish := func(kind string) string { return `finish ` + kind + ` "" "" 0 ""` }
	checkProtocol(t, reviewer.APICompletions, map[string]protocolCase{
		"length":           {stream: events(said(`"content":"a"`), ended("length"), done), want: lines(`0 text "a"`, finish("max-tokens"))},
		"a content filter": {stream: events(ended("content_filter"), done), want: lines(finish("content-filter"))},
		"a tool call": {
			stream: events(said(`"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{}"}}]`), ended("tool_calls"), done),
			want:   lines(`0 tool-call ""`, finish("tool-calls")),
		},
		"a function call":          {stream: events(said(`"function_call":{"name":"f"}`), ended("function_call")), want: lines(`0 tool-call ""`, finish("tool-calls"))},
		"a tool call and stop":     {stream: events(said(`"tool_calls":[{}]`), said(`"content":"a"`), ended("stop")), want: lines(`0 tool-call ""`, `1 text "a"`, stop)},
		"no tool calls":            {stream: events(said(`"content":"a","tool_calls":[],"function_call":null`), ended("stop")), want: lines(`0 text "a"`, stop)},
		"a refusal":                {stream: events(said(`"refusal":"I will not"`), ended("stop"), done), want: lines(`0 text "I will not"`, finish("refusal"))},
		"an image":                 {stream: events(said(`"images":[{}]`), ended("stop")), want: lines(`0 image ""`, stop)},
		"a reason that is unknown": {stream: events(said(`"content":"a"`), ended("eos"), done), want: lines(`0 text "a"`, finish("eos"))},
		"a reason like stop":       {stream: events(said(`"content":"a"`), ended("STOP"), done), want: lines(`0 text "a"`, finish("STOP"))},
		"no resources":             {stream: events(ended("insufficient_system_resource")), want: lines(`finish error "insufficient_system_resource" "" 0 ""`)},
		"an error in the stream": {
			stream: events(said(`"content":"a"`), `{"error":{"message":"overloaded","code":502},"choices":[]}`),
			want:   lines(`0 text "a"`, `finish error "502" "overloaded" 200 "req_42"`),
		},
		"an error as a text": {stream: events(`{"error":"overloaded"}`), want: lines(`finish error "" "overloaded" 200 "req_42"`)},
		"an event named error": {
			stream: "event: error\ndata: {\"message\":\"overloaded\",\"type\":\"server_error\"}\n\n",
			want:   lines(`finish error "server_error" "overloaded" 200 "req_42"`),
		},
		"an error behind the finish reason": {
			stream: events(said(`"content":"a"`), ended("stop"), `{"error":{"message":"late"}}`),
			want:   lines(`0 text "a"`, `finish error "" "late" 200 "req_42"`),
		},
		"an error that tells of a long request": {
			stream: events(`{"error":{"message":"too long","code":"context_length_exceeded"}}`),
			err:    model.ErrRequestTooLarge, says: "(code context_length_exceeded, HTTP status 200, request req_42): too long",
		},
	})
}

func TestWhatBreaksTheCompletionsProtocolIsAFailure(t *testing.T) {
	a := said(`"content":"a"`)
	text := lines(`0 text "a"`)
	checkProtocol(t, reviewer.APICompletions, map[string]protocolCase{
		"nothing":                          {stream: "", err: model.ErrFinishMissing},
		"no finish reason":                 {stream: events(a), want: text, err: model.ErrFinishMissing},
		"[DONE] without a finish reason":   {stream: events(a, done), want: text, err: model.ErrFinishMissing},
		"an empty finish reason":           {stream: events(a, ended(""), done), want: text, err: model.ErrFinishMissing},
		"text behind the finish reason":    {stream: events(a, ended("stop"), a, done), want: text, err: model.ErrChunkAfterFinish},
		"a call behind the finish reason":  {stream: events(a, ended("stop"), said(`"tool_calls":[{}]`)), want: text, err: model.ErrChunkAfterFinish},
		"another finish reason":            {stream: events(a, ended("stop"), ended("length"), done), want: text, err: model.ErrChunkAfterFinish, says: "another one"},
		"stop behind another reason":       {stream: events(a, ended("length"), ended("stop"), done), want: text, err: model.ErrChunkAfterFinish},
		"text beside the same reason":      {stream: events(a, ended("stop"), `{"choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]}`), want: text, err: model.ErrChunkAfterFinish},
		"text behind [DONE]":               {stream: events(a, ended("stop"), done, a), want: text, err: model.ErrChunkAfterFinish, says: "behind [DONE]"},
		"usage behind [DONE]":              {stream: events(a, ended("stop"), done, counted), want: text, err: model.ErrChunkAfterFinish},
		"[DONE] twice, and then more":      {stream: events(a, ended("stop"), done, done, a), want: text, err: model.ErrChunkAfterFinish},
		"a comment behind [DONE]":          {stream: events(a, ended("stop"), done) + ": bye\n", want: text, err: model.ErrChunkAfterFinish},
		"two choices":                      {stream: events(`{"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}`), err: model.ErrStreamBroken, says: "more than one choice"},
		"a second choice in its own piece": {stream: events(a, `{"choices":[{"index":1,"delta":{"content":"b"}}]}`), want: text, err: model.ErrStreamBroken, says: "more than one choice"},
		"data that is no JSON":             {stream: events(a, "oops"), want: text, err: model.ErrStreamBroken},
		"data that is no object":           {stream: events(a, "null"), want: text, err: model.ErrStreamBroken, says: "no JSON object"},
		"data that breaks off":             {stream: events(a, `{"choices":[`), want: text, err: model.ErrStreamBroken},
		"two values in one event":          {stream: events(a, `{} {}`), want: text, err: model.ErrStreamBroken},
		"a member twice":                   {stream: events(`{"choices":[{"index":0,"delta":{"content":"a","content":"b"}}]}`), err: model.ErrStreamBroken},
		"content that is no string":        {stream: events(said(`"content":{"type":"text","text":"a"}`)), err: model.ErrStreamBroken},
		"bytes that are not UTF-8":         {stream: events(said("\"content\":\"\xff\"")), err: model.ErrStreamBroken},
		"half a surrogate pair":            {stream: events(said(`"content":"\ud83d"`)), err: model.ErrStreamBroken},
		"content that is a number":         {stream: events(said(`"content":1`)), err: model.ErrStreamBroken},
		"[DONE] with more in its event":    {stream: events(a, ended("stop"), done+" "), want: text, err: model.ErrStreamBroken},
	})
}
