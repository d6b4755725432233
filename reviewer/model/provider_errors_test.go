package model_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/model"
)

func TestAnErrorIsFoundInEachFormThatProvidersSend(t *testing.T) {
	html := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	for name, c := range map[string]struct {
		status int
		header http.Header
		body   string
		want   string
	}{
		"Gemini: in an array":              {400, nil, `[{"error":{"code":400,"message":"Invalid payload","status":"INVALID_ARGUMENT","details":[{"@type":"t"}]}}]`, `"400" "Invalid payload" 400`},
		"FastAPI: a detail":                {404, nil, `{"detail":"Not Found"}`, `"" "Not Found" 404`},
		"FastAPI: a list of complaints":    {422, nil, `{"detail":[{"type":"extra_forbidden","loc":["body","messages",0,"name"],"msg":"Extra inputs are not permitted","input":"secret words"},{"loc":["body","store"],"msg":"no"}]}`, `"" "body.messages.0.name: Extra inputs are not permitted; body.store: no" 422`},
		"FastAPI: a detail that is one":    {400, nil, `{"detail":{"code":"bad","message":"no such model"}}`, `"bad" "no such model" 400`},
		"Mistral: complaints in a message": {422, nil, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","user"],"msg":"not permitted"}]},"type":"invalid_request_error","param":null,"code":null}`, `"invalid_request_error" "body.user: not permitted" 422`},
		"Mistral: twice the same":          {422, nil, `{"object":"Error","detail":[{"loc":["body"],"msg":"a"}],"message":[{"loc":["body"],"msg":"a"}],"type":"invalid_request_error","code":3001}`, `"3001" "body: a" 422`},
		"vLLM: the members alone":          {400, nil, `{"object":"error","message":"bad","type":"BadRequestError","param":null,"code":400}`, `"400" "bad" 400`},
		"xAI: a code and an error as text": {400, nil, `{"code":"Client specified an invalid argument","error":"no such field"}`, `"Client specified an invalid argument" "no such field" 400`},
		"Ollama: an error as text":         {404, nil, `{"error":"model not found"}`, `"" "model not found" 404`},
		"Cohere: a message":                {401, nil, `{"message":"invalid api token"}`, `"" "invalid api token" 401`},
		"Anthropic: an error of a type":    {529, nil, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}`, `"overloaded_error" "Overloaded" 529`},
		"Cloudflare: a list of errors":     {403, nil, `{"success":false,"errors":[{"code":10000,"message":"Authentication error"}],"messages":[],"result":null}`, `"10000" "Authentication error" 403`},
		"OpenRouter: a provider behind it": {502, nil, `{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"{\"error\":{\"message\":\"gone\",\"type\":\"t\"}}","provider_name":"P"}}}`, `"502" "Provider returned error: gone" 502`},
		"OpenRouter: words from behind it": {502, nil, `{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"upstream is down"}}}`, `"502" "Provider returned error: upstream is down" 502`},
		"429 with a time":                  {429, http.Header{"Retry-After": {"12"}}, `{"error":{"message":"slow down","type":"tokens","code":"rate_limit_exceeded"}}`, `"rate_limit_exceeded" "slow down (Retry-After: 12)" 429`},
		"503 with a date":                  {503, http.Header{"Retry-After": {"Wed, 21 Oct 2026 07:28:00 GMT"}}, `{"detail":"loading"}`, `"" "loading (Retry-After: Wed, 21 Oct 2026 07:28:00 GMT)" 503`},
		"a redirect":                       {307, http.Header{"Location": {"https://elsewhere.example/v1"}}, "", `"" "the response has no error in JSON; its content type is application/json (redirects are not followed, this one goes to https://elsewhere.example/v1)" 307`},
		"a page":                           {502, html, "<html><h1>Bad gateway</h1></html>", `"" "the response has no error in JSON; its content type is text/html; charset=utf-8" 502`},
		"an array of nothing":              {500, nil, `[]`, `"" "the response has no error in JSON; its content type is application/json" 500`},
		"an array in an array":             {500, nil, `{"error":[[[[[[{"message":"deep"}]]]]]]}`, `"" "the response has no error in JSON; its content type is application/json" 500`},
		"a success that holds an error":    {200, nil, `{"error":{"message":"no credits","code":402}}`, `"402" "no credits" 200`},
		"MiniMax: a success that is none":  {200, nil, `{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, `"1008" "insufficient balance" 200`},
		"Gemini: a success in an array":    {200, nil, `[{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}]`, `"503" "overloaded" 200`},
		"a problem in JSON":                {200, http.Header{"Content-Type": {"application/problem+json"}}, `{"type":"about:blank","status":503,"detail":"busy"}`, `"about:blank" "busy" 200`},
		"a document in place of events":    {200, http.Header{"Content-Type": {eventStream}}, `{"error":{"message":"no credits","code":402}}`, `"402" "no credits" 200`},
		"a document of many lines":         {200, http.Header{"Content-Type": {eventStream}}, "{\n  \"error\": {\n\n    \"message\": \"no credits\"\n  }\n}\n", `"" "no credits" 200`},
		"an array in place of events":      {200, http.Header{"Content-Type": {eventStream}}, `[{"error":{"message":"no credits","code":402}}]`, `"402" "no credits" 200`},
	} {
		t.Run(name, func(t *testing.T) {
			chunks, err := ask(t.Context(), t, serve(t, fails(c.status, c.header, c.body)))
			if want := "finish error " + c.want + " \"req_7\"\n"; err != nil || shown(chunks) != want {
				t.Errorf("got  %s, %v\nwant %s", shown(chunks), err, want)
			}
		})
	}
}

func TestAnErrorInTheStreamIsTheProviders(t *testing.T) {
	a := events(said(`"content":"a"`))
	finish := func(code, message string) string {
		return lines(`0 text "a"`, `finish error "`+code+`" "`+message+`" 200 "req_42"`)
	}
	checkProtocol(t, reviewer.APICompletions, map[string]protocolCase{
		"OpenRouter: beside a choice":            {stream: a + events(`{"id":"g1","error":{"code":"server_error","message":"disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`), want: finish("server_error", "disconnected")},
		"vLLM: in place of the choices":          {stream: a + events(`{"object":"error","message":"out of memory","type":"InternalServerError","param":null,"code":500}`, done), want: finish("500", "out of memory")},
		"FastAPI: a detail":                      {stream: a + events(`{"detail":"gone"}`), want: finish("", "gone")},
		"a type that says it":                    {stream: a + events(`{"type":"error","message":"gone"}`), want: finish("error", "gone")},
		"DashScope: a code and a message":        {stream: a + events(`{"code":"InvalidParameter","message":"bad","request_id":"r"}`), want: finish("InvalidParameter", "bad")},
		"MiniMax: base_resp":                     {stream: a + events(`{"choices":null,"base_resp":{"status_code":1002,"status_msg":"rate limit"}}`), want: finish("1002", "rate limit")},
		"MiniMax: base_resp beside choices":      {stream: a + events(`{"choices":[{"index":0,"finish_reason":"stop","delta":{}}],"base_resp":{"status_code":1027,"status_msg":"sensitive"}}`), want: finish("1027", "sensitive")},
		"an event of that name":                  {stream: a + "event: error\ndata: {\"error\":{\"message\":\"gone\",\"code\":1}}\n\n", want: finish("1", "gone")},
		"an event of that name without data":     {stream: a + "event: error\n\n" + events(ended("stop"), done), want: finish("", "")},
		"llama.cpp: a field of that name":        {stream: a + "error: {\"code\":500,\"message\":\"gone\",\"type\":\"server_error\"}\n\n" + events(done), want: finish("500", "gone")},
		"a field of that name without data":      {stream: a + "error:\n\n" + events(ended("stop"), done), want: finish("", "")},
		"a document behind the events":           {stream: a + `{"error":{"message":"gone","code":1}}`, want: finish("1", "gone")},
		"an error behind the end":                {stream: a + events(ended("stop"), `{"error":{"message":"gone","code":1}}`), want: finish("1", "gone")},
		"an error that is an empty text":         {stream: a + events(`{"error":""}`), want: finish("", "")},
		"a document that is no error":            {stream: a + `{"id":"x"}` + "\n", want: lines(`0 text "a"`), err: model.ErrStreamBroken},
		"a base_resp that says that all is well": {stream: events(`{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}],"base_resp":{"status_code":0,"status_msg":""}}`), want: lines(`0 text "a"`, stop)},
		"no error":                               {stream: events(`{"error":null,"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}`), want: lines(`0 text "a"`, stop)},
	})
}

func TestAWholeAnswerIsNoStream(t *testing.T) {
	for name, body := range map[string]string{
		"of completions": `{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"{}"},"finish_reason":"stop"}],"usage":{}}`,
		"of responses":   `{"id":"r","object":"response","status":"completed","error":null,"output":[{"type":"message","content":[{"type":"output_text","text":"{}"}]}]}`,
	} {
		chunks, err := ask(t.Context(), t, serve(t, fails(200, nil, body)))
		if !errors.Is(err, model.ErrNotStream) || !strings.Contains(err.Error(), "a whole answer and no event stream") || len(chunks) != 0 {
			t.Errorf("%s: got %s, %v", name, shown(chunks), err)
		}
	}
}

// TestATooLongRequestIsToldFromOtherErrors has how each provider says it, and what
// sounds like it.
func TestATooLongRequestIsToldFromOtherErrors(t *testing.T) {
	inError := func(members string) string { return `{"error":{` + members + `}}` }
	invalid := func(message string) string {
		return inError(`"type":"invalid_request_error","code":null,"message":"` + message + `"`)
	}
	for name, c := range map[string]struct {
		status   int
		body     string
		tooLarge bool
	}{
		"OpenAI":                     {400, inError(`"message":"m","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"`), true},
		"llama.cpp, with a number":   {400, inError(`"code":400,"message":"m","type":"exceed_context_size_error","n_prompt_tokens":4390,"n_ctx":4096`), true},
		"llama.cpp, with status 500": {500, inError(`"code":500,"message":"Context size has been exceeded.","type":"server_error"`), true},
		"llama.cpp, with status 200": {200, inError(`"code":400,"message":"m","type":"exceed_context_size_error"`), true},
		"llama.cpp, in words":        {400, inError(`"code":400,"message":"the request exceeds the available context size. try more","type":"invalid_request_error"`), true},
		"ds4":                        {400, inError(`"message":"Prompt tokens (9) exceeds context size (5)","type":"context_exceeded"`), true},
		"GitHub":                     {413, inError(`"code":"tokens_limit_reached","message":"m"`), true},
		"Anthropic":                  {400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208732 tokens > 200000 maximum"}}`, true},
		"Anthropic, with the output": {400, `{"type":"error","error":{"type":"invalid_request_error","message":"input length and ` + "`max_tokens`" + ` exceed context limit: 198214 + 8192 > 200000"}}`, true},
		"vLLM":                       {400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000.","type":"BadRequestError","param":null,"code":400}`, true},
		"vLLM, newer":                {400, inError(`"message":"The prompt (total length 25938) is too long to fit into the model","type":"BadRequestError","param":"input_tokens","code":400`), true},
		"DeepSeek":                   {400, inError(`"message":"This model's maximum context length is 65536 tokens.","type":"invalid_request_error","param":null,"code":"invalid_request_error"`), true},
		"xAI":                        {400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 136973 tokens."}`, true},
		"Mistral":                    {400, `{"object":"error","message":"Prompt contains 41041 tokens, too large for model with 32768 maximum context length","type":"invalid_request_error","code":"3051"}`, true},
		"Ollama":                     {400, invalid("the input length exceeds the context length"), true},
		"Ollama, newer":              {400, invalid("prompt too long; exceeded max context length by 11 tokens"), true},
		"LM Studio":                  {400, `{"error":"Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`, true},
		"LM Studio, newer":           {200, `{"error":{"message":"The number of tokens to keep from the initial prompt is greater than the context length."}}`, true},
		"SGLang":                     {400, invalid("The input (9000 tokens) is longer than the model's context length (8192 tokens)."), true},
		"Gemini":                     {400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, true},
		"Bedrock":                    {400, `{"message":"Input is too long for requested model."}`, true},
		"OpenRouter, from behind it": {400, inError(`"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"This model's maximum context length is 262144 tokens.\",\"code\":400}}"}`), true},
		"FastAPI":                    {422, `{"detail":"the prompt is too long"}`, true},
		"nginx":                      {413, "<html>Request Entity Too Large</html>", true},
		"a limit of requests":        {429, inError(`"message":"too many tokens per minute: maximum context length is 10 tokens","code":"rate_limit_exceeded"`), false},
		"a limit of the account":     {403, invalid("your plan's maximum context length is 10 tokens"), false},
		"too many tokens at once":    {400, invalid("Too many tokens, please wait before trying again."), false},
		"a phrase":                   {400, invalid("see maximum context length"), false},
		"the output is too long":     {400, invalid("max_tokens is too large: 10000"), false},
		"a name is too long":         {400, invalid("the model's name is too long"), false},
		"a gateway's error":          {502, invalid("prompt is too long"), false},
	} {
		t.Run(name, func(t *testing.T) {
			chunks, err := ask(t.Context(), t, serve(t, fails(c.status, nil, c.body)))
			failure, _ := errors.AsType[*reviewer.Failure](err)
			switch {
			case c.tooLarge && (!errors.Is(err, model.ErrRequestTooLarge) || failure.Class != reviewer.ClassTooLarge || len(chunks) != 0):
				t.Errorf("got %s, %v; want REQUEST_TOO_LARGE", shown(chunks), err)
			case !c.tooLarge && (err != nil || !strings.HasPrefix(shown(chunks), "finish error")):
				t.Errorf("got %s, %v; want the provider's error", shown(chunks), err)
			}
		})
	}
}

// TestNoPieceOfTheKeyIsShown: wherever a provider puts the key, and however much of it.
func TestNoPieceOfTheKeyIsShown(t *testing.T) {
	long := strings.Repeat("x", 500)
	for name, answer := range map[string]http.HandlerFunc{
		"in a detail":                 fails(403, nil, `{"detail":"`+secret+` is wrong"}`),
		"in a list":                   fails(422, nil, `{"detail":[{"loc":["header","`+secret+`"],"msg":"`+secret+`"}]}`),
		"in an array":                 fails(401, nil, `[{"error":{"message":"`+secret+`","status":"`+secret+`"}}]`),
		"in a text":                   fails(401, nil, `{"error":"Bearer `+secret+`"}`),
		"its beginning":               fails(401, nil, `{"error":"no such key: `+secret[:14]+`"}`),
		"its end":                     fails(401, nil, `{"error":"no such key: ..`+secret[9:]+`"}`),
		"from behind the provider":    fails(401, nil, `{"error":{"message":"m","metadata":{"raw":"key `+secret+`"}}}`),
		"in base_resp":                fails(200, nil, `{"base_resp":{"status_code":1004,"status_msg":"`+secret+`"}}`),
		"in a redirect":               fails(302, http.Header{"Location": {"https://host.example/?key=" + secret}}, ""),
		"in Retry-After":              fails(503, http.Header{"Retry-After": {secret}}, ""),
		"where a message is cut":      fails(400, nil, `{"error":{"message":"`+long+long+secret[:1]+secret+long+`"}}`),
		"where a half message is cut": fails(503, http.Header{"Retry-After": {"1"}}, `{"error":{"message":"`+long+` `+secret+long+`"}}`),
		"where a note is cut":         fails(302, http.Header{"Location": {long[:60] + secret + long}}, ""),
		"as a content type":           fails(200, http.Header{"Content-Type": {"text/" + long[:110] + secret}}, ""),
		"as a finish reason":          says(events(ended(secret))),
		"as a part's kind":            says(events(said(`"content":[{"type":"` + secret + `"}]`))),
		"in an error field":           says("error: {\"message\":\"" + secret + "\"}\n\n"),
		"in a document":               says(`{"error":{"message":"` + secret + `"}}`),
	} {
		chunks, err := ask(t.Context(), t, serve(t, answer))
		text := shown(chunks)
		if err != nil {
			text += err.Error()
		}
		for i := range len(secret) - 7 {
			if strings.Contains(text, secret[i:i+8]) {
				t.Errorf("%s: %q holds %q of the key", name, text, secret[i:i+8])
				break
			}
		}
	}
}
