package model_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
)

// again is a piece that adds nothing behind a finish reason, with that reason again.
func again(reason, members string) string {
	return `{"id":"g1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"` + reason + `","native_finish_reason":"` + reason + `","logprobs":null}]` + members + `}`
}

// whole is the object that MiniMax sends behind its pieces.
func whole(message string) string {
	return `{"id":"m1","object":"chat.completion","choices":[{"finish_reason":"stop","index":0,"message":{` + message + `}}],` +
		`"usage":{"total_tokens":10,"prompt_tokens":7,"completion_tokens":3},"input_sensitive":false,"base_resp":{"status_code":0,"status_msg":""}}`
}

const used = `,"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10,"cost":0.1}`

// TestStreamsOfProviders has what providers send, in the order in which they send it.
func TestStreamsOfProviders(t *testing.T) {
	a := said(`"content":"a"`)
	text := lines(`0 text "a"`, stop)
	checkProtocol(t, reviewer.APICompletions, map[string]protocolCase{
		"OpenRouter: comments, and the finish reason twice, with usage": {
			stream: ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n" +
				events(said(`"role":"assistant","content":"","reasoning":null`), a, again("stop", ""), again("stop", used), done),
			want: lines(`0 text "a"`, "usage 7 3", stop),
		},
		"OpenRouter: usage behind the finish reason": {
			stream: events(a, again("stop", ""), `{"id":"g1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]`+used+`}`, done),
			want:   lines(`0 text "a"`, "usage 7 3", stop),
		},
		"OpenRouter: reasoning with details": {
			stream: events(said(`"content":"","reasoning":"x","reasoning_details":[{"type":"reasoning.text","text":"x","format":null,"index":0}]`),
				a, said(`"content":"","reasoning_details":[{"type":"reasoning.text","signature":"s","index":0}]`), again("stop", ""), done),
			want: lines(`0 reasoning "x"`, `1 text "a"`, stop),
		},
		"OpenRouter: details alone, of a summary": {
			stream: events(said(`"content":"","reasoning_details":[{"type":"reasoning.summary","summary":"x"}]`), a,
				said(`"content":"","reasoning_details":[{"type":"reasoning.encrypted","data":"eA=="}]`), ended("stop"), done),
			want: lines(`0 reasoning "x"`, `1 text "a"`, stop),
		},
		"LM Studio: the finish reason, then usage without choices": {
			stream: events(said(`"role":"assistant","content":"a"`), ended("stop"), `{"id":"l1","object":"chat.completion.chunk","model":"m","choices":[]`+used+`}`, done),
			want:   lines(`0 text "a"`, "usage 7 3", stop),
		},
		"LM Studio: the finish reason twice": {
			stream: events(a, ended("stop"), ended("stop"), done), want: text,
		},
		"MiniMax: a closing object that says the same": {
			stream: events(said(`"role":"assistant","name":"MiniMax AI","content":"","audio_content":"","reasoning_content":"x"`), said(`"role":"","content":"a"`), said(`"content":"b"`), ended("stop"),
				whole(`"role":"assistant","name":"MiniMax AI","content":"ab","audio_content":"","reasoning_content":"x"`), done),
			want: lines(`0 reasoning "x"`, `1 text "a"`, `1 text "b"`, "usage 7 3", stop),
		},
		"MiniMax: the closing object has the only finish reason": {
			stream: events(a, whole(`"content":"a"`)), want: lines(`0 text "a"`, "usage 7 3", stop),
		},
		"MiniMax: the closing object has no message, or one without content": {
			stream: events(a, `{"object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","delta":null}]}`, whole(`"role":"assistant","content":null`), done),
			want:   lines(`0 text "a"`, "usage 7 3", stop),
		},
		"MiniMax: the halves of a pair are the same character": {
			stream: events(said(`"content":"a\ud83d"`), said(`"content":"\ude00"`), ended("stop"), whole(`"content":"a😀"`), done),
			want:   lines(`0 text "a"`, `0 text "😀"`, "usage 7 3", stop),
		},
		"Magistral: thinking and text are parts": {
			stream: events(said(`"role":"assistant","content":""`),
				said(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}]}]`),
				said(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"y"}],"closed":true}]`),
				said(`"content":[{"type":"text","text":"a"}]`), said(`"content":"b"`), ended("stop"), done),
			want: lines(`0 reasoning "x"`, `0 reasoning "y"`, `1 text "a"`, `1 text "b"`, stop),
		},
		"Magistral: the last thought and the text in one piece": {
			stream: events(said(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}]},{"type":"text","text":"a"}]`), ended("stop"), done),
			want:   lines(`0 reasoning "x"`, `1 text "a"`, stop),
		},
		"Magistral: parts that hold nothing": {
			stream: events(said(`"content":[]`), said(`"content":[{"type":"thinking","thinking":[]}]`), said(`"content":[{"type":"text","text":""}]`), a, ended("stop"), done),
			want:   text,
		},
		"gpt-oss at Databricks: reasoning is a part with a summary": {
			stream: events(said(`"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"x"}]}]`), said(`"content":[{"type":"text","text":"a"}]`), ended("stop"), done),
			want:   lines(`0 reasoning "x"`, `1 text "a"`, stop),
		},
		"Bedrock behind a gateway: reasoning is an object": {
			stream: events(said(`"reasoning_content":{"text":"x"}`), said(`"reasoning_content":{"text":"y"},"content":null`), a, ended("stop"), done),
			want:   lines(`0 reasoning "x"`, `0 reasoning "y"`, `1 text "a"`, stop),
		},
		"DeepSeek: comments, nulls, usage null in each piece": {
			stream: ": keep-alive\n\n" + events(
				`{"id":"d1","choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning_content":""},"logprobs":null,"finish_reason":null}],"usage":null}`,
				said(`"content":null,"reasoning_content":"x"`)) + ": keep-alive\n\n" + events(said(`"content":"a","reasoning_content":null`), ended("stop"), done),
			want: lines(`0 reasoning "x"`, `1 text "a"`, stop),
		},
		"Ollama: an empty finish reason in each piece": {
			stream: events(`{"choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":""}]}`, ended("stop"), done), want: text,
		},
		"Azure: a filter's results before the role": {
			stream: events(`{"choices":[],"id":"","object":"","model":"","prompt_filter_results":[{"prompt_index":0}]}`, said(`"role":"assistant"`), a, ended("stop"), done), want: text,
		},
		"one-api: [DONE] twice":                     {stream: events(a, ended("stop"), done, done), want: text},
		"Ray: [DONE] twice, the last without lines": {stream: events(a, ended("stop"), done) + "data:[DONE]", want: text},
		"MiniMax and Nous: no [DONE]":               {stream: events(a, ended("stop")), want: text},
		"a character cut in halves":                 {stream: events(said(`"content":"\ud83d"`), said(`"content":"\ude00"`), ended("stop"), done), want: lines(`0 text "😀"`, stop)},
		"a character of reasoning cut in halves":    {stream: events(said(`"reasoning":"x\ud83d"`), said(`"reasoning":"\ude00"`), a, ended("stop"), done), want: lines(`0 reasoning "x"`, `0 reasoning "😀"`, `1 text "a"`, stop)},
	})
}

// TestWhatStaysAFailure is what nothing above lets in.
func TestWhatStaysAFailure(t *testing.T) {
	a := said(`"content":"a"`)
	text := lines(`0 text "a"`)
	checkProtocol(t, reviewer.APICompletions, map[string]protocolCase{
		"a closing object with another text": {stream: events(a, ended("stop"), whole(`"content":"b"`), done), want: text, err: model.ErrStreamBroken, says: "another text"},
		"a closing object with more text":    {stream: events(a, ended("stop"), whole(`"content":"ab"`)), want: text, err: model.ErrStreamBroken, says: "another text"},
		"a closing object with less text":    {stream: events(a, ended("stop"), whole(`"content":""`)), want: text, err: model.ErrStreamBroken, says: "another text"},
		"a closing object alone":             {stream: events(whole(`"content":"a"`), done), err: model.ErrStreamBroken, says: "another text"},
		"a closing object with a call":       {stream: events(a, whole(`"content":"a","tool_calls":[{}]`)), want: text, err: model.ErrStreamBroken, says: "more than"},
		"a closing object that refuses":      {stream: events(a, whole(`"content":"a","refusal":"no"`)), want: text, err: model.ErrStreamBroken, says: "more than"},
		"a closing object with two texts":    {stream: events(a, whole(`"content":[{"type":"text","text":"a"},{"type":"text","text":""}]`)), want: text, err: model.ErrStreamBroken, says: "another text"},
		"a closing object with another end":  {stream: events(a, ended("length"), whole(`"content":"a"`)), want: text, err: model.ErrChunkAfterFinish},
		"a closing object of two choices":    {stream: events(a, `{"choices":[{"index":0,"message":{"content":"a"}},{"index":1,"message":{"content":"b"}}]}`), want: text, err: model.ErrStreamBroken, says: "more than one choice"},
		"text behind a closing object":       {stream: events(a, whole(`"content":"a"`), a), want: text + "usage 7 3\n", err: model.ErrChunkAfterFinish},
		"a closing object and no end":        {stream: events(a, `{"choices":[{"index":0,"message":{"content":"a"}}]}`, done), want: text, err: model.ErrFinishMissing},
		"reasoning behind the end":           {stream: events(a, ended("stop"), said(`"reasoning":"x"`)), want: text, err: model.ErrChunkAfterFinish},
		"a thought behind the end":           {stream: events(a, ended("stop"), said(`"content":[{"type":"thinking","thinking":"x"}]`)), want: text, err: model.ErrChunkAfterFinish},
		"text in details behind the end":     {stream: events(a, ended("stop"), said(`"reasoning_details":[{"type":"reasoning.text","text":"x"}]`)), want: text, err: model.ErrChunkAfterFinish},
		"a part of another kind":             {stream: events(said(`"content":[{"type":"document_url","document_url":"u"}]`)), err: model.ErrStreamBroken, says: `"document_url"`},
		"a part without a kind":              {stream: events(said(`"content":[{"text":"a"}]`)), err: model.ErrStreamBroken, says: `kind ""`},
		"a part of text without text":        {stream: events(said(`"content":[{"type":"text"}]`)), err: model.ErrStreamBroken, says: "no text"},
		"a part that is a string":            {stream: events(said(`"content":["a"]`)), err: model.ErrStreamBroken},
		"a thought that is a number":         {stream: events(said(`"content":[{"type":"thinking","thinking":1}]`)), err: model.ErrStreamBroken},
		"half a pair, and no more":           {stream: events(said(`"content":"a\ud83d"`), ended("stop"), done), want: text, err: model.ErrStreamBroken, says: "half a surrogate pair"},
		"half a pair, then the other block":  {stream: events(said(`"reasoning":"\ud83d"`), said(`"content":"\ude00"`), ended("stop")), err: model.ErrStreamBroken, says: "half a surrogate pair"},
		"half a pair alone in reasoning":     {stream: events(said(`"reasoning":"a\ud83d b"`), a, ended("stop")), err: model.ErrStreamBroken, says: "half a surrogate pair"},
		"the other half first":               {stream: events(said(`"reasoning":"\ude00"`), said(`"reasoning":"\ud83d"`), a, ended("stop")), err: model.ErrStreamBroken, says: "half a surrogate pair"},
		"half a character in bytes":          {stream: events(said("\"content\":\"\xf0\x9f\"")), err: model.ErrStreamBroken, says: "not UTF-8"},
		"a surrogate in bytes":               {stream: events(said("\"content\":\"\xed\xa0\x80\"")), err: model.ErrStreamBroken, says: "not UTF-8"},
	})
	finish := func(kind string) string { return `finish ` + kind + ` "" "" 0 ""` }
	// What these are is seen, and judged where the blocks of an answer are.
	checkProtocol(t, reviewer.APICompletions, map[string]protocolCase{
		"two texts in one piece":             {stream: events(said(`"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]`), ended("stop")), want: lines(`0 text "a"`, `1 text "b"`, stop)},
		"two texts, one of them empty":       {stream: events(said(`"content":[{"type":"text","text":""},{"type":"text","text":"b"}]`), ended("stop")), want: lines(`0 text ""`, `1 text "b"`, stop)},
		"a thought behind the text":          {stream: events(said(`"content":[{"type":"thinking","thinking":"x"}]`), a, said(`"content":[{"type":"thinking","thinking":"y"}]`), ended("stop")), want: lines(`0 reasoning "x"`, `1 text "a"`, `2 reasoning "y"`, stop)},
		"a text before the thought":          {stream: events(said(`"content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"y"}]`), ended("stop")), want: lines(`0 text "a"`, `1 reasoning "y"`, stop)},
		"an image among the parts":           {stream: events(said(`"content":[{"type":"text","text":"a"},{"type":"image_url","image_url":"u"}]`), ended("stop")), want: lines(`0 text "a"`, `1 image ""`, stop)},
		"thinking in the text":               {stream: events(said(`"content":"<think>x</think>"`), a, ended("stop")), want: lines(`0 text "<think>x</think>"`, `0 text "a"`, stop)},
		"a call that is empty":               {stream: events(a, said(`"function_call":{"name":"","arguments":""}`), ended("stop")), want: lines(`0 text "a"`, `1 tool-call ""`, stop)},
		"half a pair cut off by the length":  {stream: events(said(`"content":"a\ud83d"`), ended("length"), done), want: lines(`0 text "a"`, finish("max-tokens"))},
		"half a pair alone in the text":      {stream: events(said(`"content":"a\ud83d b"`), ended("stop")), want: lines(`0 text "a\xed\xa0\xbd b"`, stop)},
		"the same reason, which is no stop":  {stream: events(a, ended("length"), ended("length"), done), want: lines(`0 text "a"`, finish("max-tokens"))},
		"the same reason, which is a filter": {stream: events(ended("content_filter"), ended("content_filter")), want: lines(finish("content-filter"))},
	})
}

func TestTheEndOfAResponseRepeatsItsText(t *testing.T) {
	text := lines(`0 text "a"`)
	delta := typed("response.output_text.delta", atMessage+`,"delta":"a"`)
	ends := func(content string) string {
		return typed("response.completed", `"response":{"status":"completed","output":[{"type":"message","content":`+content+`}]}`)
	}
	checkProtocol(t, reviewer.APIResponses, map[string]protocolCase{
		"the same text":           {stream: delta + ends(`[{"type":"output_text","text":"a"}]`), want: text + lines(stop)},
		"no text":                 {stream: delta + ends(`[]`), want: text + lines(stop)},
		"another text":            {stream: delta + ends(`[{"type":"output_text","text":"b"}]`), want: text, err: model.ErrStreamBroken, says: "another text"},
		"a text that nobody sent": {stream: ends(`[{"type":"output_text","text":"a"}]`), err: model.ErrStreamBroken, says: "another text"},
		"the text's own end is what counts": {
			stream: delta + typed("response.output_text.done", atMessage+`,"text":"b"`) + ends(`[{"type":"output_text","text":"b"}]`),
			want:   text + lines(`0 text ends "b"`, stop),
		},
		"a character cut in halves": {
			stream: typed("response.output_text.delta", atMessage+`,"delta":"\ud83d"`, "response.output_text.delta", atMessage+`,"delta":"\ude00"`) + ends(`[{"type":"output_text","text":"😀"}]`),
			want:   lines(`0 text "😀"`, stop),
		},
		"half a pair, and the text's end": {
			stream: typed("response.output_text.delta", atMessage+`,"delta":"\ud83d"`, "response.output_text.done", atMessage+`,"text":"a"`) + ends(`[]`),
			want:   lines(`0 text ends "a"`, stop),
		},
		"half a pair, and no more": {stream: typed("response.output_text.delta", atMessage+`,"delta":"\ud83d"`) + ends(`[]`), err: model.ErrStreamBroken, says: "half a surrogate pair"},
		"half a pair ends the text": {
			stream: typed("response.output_text.done", atMessage+`,"text":"a\ud83d"`), err: model.ErrStreamBroken, says: "half a surrogate pair",
		},
		"an error without a type": {stream: delta + events(`{"error":{"code":502,"message":"gone"}}`), want: text + lines(`finish error "502" "gone" 200 "req_42"`)},
		"an event without a type": {stream: delta + events(`{"x":1}`) + ends(`[]`), want: text + lines(stop)},
	})
}

// packed answers with a body that is compressed, in pieces that are sent at once.
func packed(contentType string, status int, pieces ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		drain(r)
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(status)
		z := gzip.NewWriter(w)
		for _, p := range pieces {
			io.WriteString(z, p)
			z.Flush()
			http.NewResponseController(w).Flush()
		}
		z.Close()
	}
}

func TestAResponseThatIsCompressedIsRead(t *testing.T) {
	a, end := events(said(`"content":"a"`)), events(ended("stop"), done)
	chunks, err := ask(t.Context(), t, serve(t, packed(eventStream, 200, a, end)))
	if err != nil || shown(chunks) != lines(`0 text "a"`, stop) {
		t.Errorf("got %s, %v", shown(chunks), err)
	}
	chunks, err = ask(t.Context(), t, serve(t, packed("application/json", 401, `{"error":{"message":"bad key","code":"k"}}`)))
	if err != nil || shown(chunks) != lines(`finish error "k" "bad key" 401 ""`) {
		t.Errorf("got %s, %v", shown(chunks), err)
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   *reviewer.Failure
	}{
		"a bomb": {packed(eventStream, 200, strings.Repeat(strings.Repeat("\n", 1<<20), 40)), model.ErrStreamTooLarge},
		"cut off": {func(w http.ResponseWriter, r *http.Request) {
			drain(r)
			w.Header().Set("Content-Type", eventStream)
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, a+end)
			z.Flush()
		}, model.ErrConnectionLost},
		"another encoding": {func(w http.ResponseWriter, r *http.Request) {
			drain(r)
			w.Header().Set("Content-Type", eventStream)
			w.Header().Set("Content-Encoding", "br")
		}, model.ErrNotStream},
	} {
		chunks, err := ask(t.Context(), t, serve(t, c.answer))
		if !errors.Is(err, c.want) || strings.Contains(shown(chunks), "finish") {
			t.Errorf("%s: got %s, %v; want %s", name, shown(chunks), err, c.want.Code)
		}
	}
}

func TestEventsAreFoundHoweverTheirLinesEnd(t *testing.T) {
	checked := make(map[string]protocolCase)
	for name, lineEnd := range map[string]string{"LF": "\n", "CRLF": "\r\n", "CR": "\r"} {
		stream := "\uFEFF" + strings.Join([]string{
			": hello", "", "data: {\"choices\":[{\"index\":0,", ": between the lines of an event", "data:\"delta\":", "data: {\"content\":\"a\"}}]}", "",
			"", "event: message", "id: 7", fmt.Sprintf("data: %s", ended("stop")), "retry: 100", "", ":", "", "data: [DONE]", "", "",
		}, lineEnd)
		checked[name] = protocolCase{stream: stream, want: lines(`0 text "a"`, stop)}
	}
	checkProtocol(t, reviewer.APICompletions, checked)
}
