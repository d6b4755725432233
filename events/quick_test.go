package events

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// quickLines are lines that are read quickly, whole.
var quickLines = []string{
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`,
	`{"type":"turn/end","seq":9007199254740,"time":1,"data":{"turn":1,"reason":{"kind":"completed"}}}`,
	`{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":2}}`,
	`{"type":"step/end","seq":1,"time":1,"data":{"turn":1,"step":2},"ignorable":true}`,
	`{"type":"tool/call","seq":1,"time":1,"data":{"turn":1,"step":1,"callId":"c","name":"bash","arguments":"{\"a\":\"\\u00e9\\n\"}"}}`,
	`{"type":"user/message","seq":1,"time":1,"data":{"id":"m","role":"user","source":{"kind":"user","rpcId":"r","clientTimeZone":"UTC"},"content":[{"type":"text","text":"é\u00e9 \/ \t"},{"type":"image","data":{"w":1.5,"h":-2,"tags":[null,true,false,{}]}}]},"surfaceOp":"append","sourceEventSeqs":[0]}`,
	`{"type":"assistant/message","seq":1,"time":1,"data":{"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"reasoning","text":""},{"type":"tool-call","id":"c","name":"bash","arguments":""}],"source":{"kind":"model","provider":"p","model":"m"}},"stream":[{"type":"text-delta"}],"usage":{"inputTokens":12,"share":0.25},"interrupted":true},"surfaceOp":"append"}`,
	`{"type":"tool/result","seq":3,"time":1,"data":{"turn":1,"step":1,"message":{"id":"r","role":"tool","source":{"kind":"tool","callId":"c"},"content":[],"isError":true},"error":{"name":"E","code":"X"},"meta":{"a":[]}},"surfaceOp":"append","sourceEventSeqs":[1,2]}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"todos":[{"text":"x","done":false}]}}`,
}

// strangeLines are valid, or not, and left to the strict decoder.
var strangeLines = []string{
	``, `{`, `[]`, `{}`, `null`, `{"type":"turn/start"}`, `{"type":"turn/start","seq":0,"time":1}`,
	`{"type": "turn/start","seq":0,"time":1,"data":{"turn":1}}`,
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}} `,
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}{}`,
	`{"type":"turn/start","seq":0,"seq":0,"time":1,"data":{"turn":1}}`,
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1,"turn":1}}`,
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1,"tur\u006e":1}}`,
	`{"type":"turn/start","seq":00,"time":1,"data":{"turn":1}}`,
	`{"type":"turn/start","seq":-0,"time":1,"data":{"turn":1}}`,
	`{"type":"turn/start","seq":1.0,"time":1,"data":{"turn":1}}`,
	`{"type":"turn/start","seq":1e2,"time":1,"data":{"turn":1}}`,
	`{"type":"turn/start","seq":9007199254740993,"time":1,"data":{"turn":1}}`,
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":0}}`,
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":"1"}}`,
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1,"note":"kept"}}`,
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1},"ignorable":false}`,
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1},"more":1}`,
	`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1},}`,
	`{"type":"turn/start","seq":0,"time":1,"data":null}`,
	`{"type":"turn/start","seq":0,"time":1,"data":[1]}`,
	`{"seq":0,"time":1,"data":{"turn":1},"type":"turn/start"}`,
	`{"type":"turn/end","seq":0,"time":1,"data":{"turn":1,"reason":{"kind":"error","failure":{"message":"m","code":"c"}}}}`,
	`{"type":"turn/end","seq":0,"time":1,"data":{"turn":1,"reason":{"kind":"nothing"}}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":1e400}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":-0.0}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":01}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":1.}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":.5}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":[1,]}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":[,1]}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":tru}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":"\ud83d\ude00"}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":"\ud83d"}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":"\x"}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":"` + "\xff" + `"}}`,
	`{"type":"todo/write","seq":1,"time":1,"data":{"n":"` + "\t" + `"}}`,
	`{"type":"user/message","seq":1,"time":1,"data":{"id":"m","role":"user","source":{"kind":"agent-message","form":"relay","senderSessionId":"s"},"content":[]},"surfaceOp":"append"}`,
	`{"type":"user/message","seq":1,"time":1,"data":{"id":"m","role":"user","source":{"kind":"plugin","plugin":"compact"},"content":[]},"surfaceOp":{"op":"replace","startSeq":0,"endSeq":0},"sourceEventSeqs":[0]}`,
	`{"type":"user/message","seq":1,"time":1,"data":{"id":"m","role":"user","source":{"kind":"user"},"content":null},"surfaceOp":"append"}`,
	`{"type":"user/message","seq":1,"time":1,"data":{"id":"m","role":"user","source":{"kind":"user"},"content":[{"type":"text"}]},"surfaceOp":"append"}`,
	`{"type":"user/message","seq":1,"time":1,"data":{"id":"m","role":"user","source":{"kind":"user"},"content":[{"type":"tool-call","id":"","name":"n","arguments":""}]},"surfaceOp":"append","sourceEventSeqs":[]}`,
	`{"type":"tool/result","seq":3,"time":1,"data":{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c"},"content":[],"isError":true},"error":{"name":"E","code":"X","reason":"\ud83d"}},"surfaceOp":"append"}`,
}

func TestQuickReadsWhatLogsAreFullOf(t *testing.T) {
	for _, line := range quickLines {
		if _, ok := quickEnvelope(Format4, []byte(line)); !ok {
			t.Errorf("%s is left to the strict decoder", line)
		}
	}
	chunk := `{"type":"assistant/chunk","seq":1,"time":1,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"a"}}}`
	if _, ok := quickEnvelope(Format0, []byte(chunk)); !ok {
		t.Errorf("%s is left to the strict decoder", chunk)
	}
}

func TestQuickReadsNothingOtherwiseThanTheStrictDecoder(t *testing.T) {
	for _, line := range append(quickLines, strangeLines...) {
		compareQuick(t, []byte(line))
	}
}

// TestQuickIsAsStrictAtEveryByte cuts and changes good lines everywhere.
func TestQuickIsAsStrictAtEveryByte(t *testing.T) {
	for _, line := range quickLines {
		for i := range len(line) {
			compareQuick(t, []byte(line[:i]))
			compareQuick(t, []byte(line[:i]+line[i+1:]))
			for _, c := range []byte("\"\\{}[],:0-.e1 \x00\xc3n") {
				changed := []byte(line)
				changed[i] = c
				compareQuick(t, changed)
			}
		}
	}
}

// compareQuick fails if a line is read quickly that the strict decoder refuses
// or reads otherwise.
func compareQuick(t testing.TB, line []byte) {
	t.Helper()
	for _, format := range []Format{Format0, Format4} {
		before := bytes.Clone(line)
		got, ok := quickEnvelope(format, line)
		if !bytes.Equal(line, before) {
			t.Fatalf("the line was changed: %q", before)
		}
		if !ok {
			continue
		}
		want, err := decodeStrictly(format, line)
		if err != nil {
			t.Fatalf("%q is read quickly, and refused: %v", line, err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(SurfaceOp{})); diff != "" {
			t.Fatalf("%q is read otherwise (-strict +quick):\n%s", line, diff)
		}
	}
}

// CompareQuick is for tests of package events_test, which can draw logs.
var CompareQuick = compareQuick

func FuzzQuick(f *testing.F) {
	for _, line := range append(quickLines, strangeLines...) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) { compareQuick(t, line) })
}
