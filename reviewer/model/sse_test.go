package model

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/docket-engine/docket/reviewer"
)

// read runs a whole stream through a protocol, and writes down what came of it.
func read(in io.Reader, speech protocol) (string, *reviewer.Finish, error) {
	var b strings.Builder
	err := readAll(newEventReader(in, 1<<20), speech, func(chunk reviewer.Chunk) bool {
		if d, ok := chunk.(reviewer.Delta); ok && (!isText(d.Text) || d.Kind != reviewer.BlockText && !utf8.ValidString(d.Text)) {
			panic(fmt.Sprintf("a block of the kind %s has the text %q", d.Kind, d.Text))
		}
		if end, ok := chunk.(reviewer.BlockEnd); ok {
			text := "nil"
			if end.Text != nil {
				text = *end.Text
			}
			fmt.Fprintf(&b, "%d %s %q\n", end.Index, end.Kind, text)
		} else {
			fmt.Fprintf(&b, "%#v\n", chunk)
		}
		return true
	})
	if err != nil {
		return b.String(), nil, err
	}
	finish, err := speech.finish()
	if err != nil {
		return b.String(), nil, err
	}
	return b.String(), &finish, nil
}

// isText reports whether a text is UTF-8 but for halves of pairs, none of which has its
// other half beside it, and none of which is the first half at the end.
func isText(text string) bool {
	if utf8.ValidString(text) {
		return true
	}
	_, half := cutHalf(text)
	return half == "" && joined(text) == text && utf8.ValidString(halves.Replace(text))
}

// halves takes all halves of pairs out of a text.
var halves = func() *strings.Replacer {
	var all []string
	for r := rune(0xD800); r <= 0xDFFF; r++ {
		all = append(all, string(appendHalf(nil, r)), "")
	}
	return strings.NewReplacer(all...)
}()

// FuzzHalves cuts a text anywhere between its halves of characters, as servers do that
// count in UTF-16: it comes out as it was.
func FuzzHalves(f *testing.F) {
	f.Add("a😀b😀😁", uint64(0b10101), true)
	f.Add("é\u2028\"\\\n", uint64(0b11), false)
	f.Fuzz(func(t *testing.T, text string, cuts uint64, escaped bool) {
		if !utf8.ValidString(text) {
			return
		}
		var stream, piece strings.Builder
		flush := func() {
			fmt.Fprintf(&stream, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"}}]}\n\n", piece.String())
			piece.Reset()
		}
		for i, unit := range utf16.Encode([]rune(text)) {
			if escaped || unit < 0x20 || unit == '"' || unit == '\\' || utf16.IsSurrogate(rune(unit)) {
				fmt.Fprintf(&piece, `\u%04x`, unit)
			} else {
				piece.WriteRune(rune(unit))
			}
			if cuts>>(i%64)&1 == 1 {
				flush()
			}
		}
		flush()
		stream.WriteString("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")
		speech := &completions{}
		_, finish, err := read(strings.NewReader(stream.String()), speech)
		if err != nil || finish == nil || speech.said.String() != text {
			t.Fatalf("got %q, %v; want %q", speech.said.String(), err, text)
		}
	})
}

// FuzzErrors reads anything as an error: what is told is bounded, and holds no key.
func FuzzErrors(f *testing.F) {
	f.Add(`[{"error":{"message":"m","code":1,"metadata":{"raw":"{}"}}}]`, 400)
	f.Add(`{"detail":[{"loc":["a",1],"msg":"very-secret-key"}],"message":{"error":["x"]}}`, 200)
	f.Fuzz(func(t *testing.T, body string, status int) {
		failed := reported([]byte(body))
		failed.status = status
		chunk, err := failed.outcome(key{secret: "very-secret-key"})
		told := fmt.Sprint(chunk, err)
		if len(told) > 3*maxMessage || strings.Contains(told, "very-sec") {
			t.Fatalf("got %d bytes: %s", len(told), told)
		}
	})
}

func FuzzStreams(f *testing.F) {
	for _, seed := range []string{
		"", "data: [DONE]", "\uFEFF: ping\r\ndata: {}\r\r\ndata", "data:\ndata:x\n\n",
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\",\"reasoning\":\"x\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":1}}\n\ndata: [DONE]\n\n",
		"event: error\ndata: {\"message\":\"m\",\"code\":1}\n\n",
		"data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"message\"}]}}\n\n",
		"error: {\"code\":500}\n\n", "event: error\n\n", "{\"error\":{\"message\":\"m\"}}", "data: {\"detail\":[{\"loc\":[1],\"msg\":\"m\"}]}\n\n",
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"\\ud83d\"}]},{\"type\":\"text\",\"text\":\"a\\ude00\"}]}}]}\n\n",
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\\ude00\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[{\"index\":0,\"message\":{\"content\":\"a😀\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\ndata: [DONE]\n\n",
		"data: {\"type\":\"response.output_item.added\",\"item\":{\"type\":\"function_call\"}}\n\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		for name, speech := range map[string]func() protocol{
			"completions": func() protocol { return &completions{} },
			"responses":   func() protocol { return &responses{} },
		} {
			chunks, finish, err := read(strings.NewReader(stream), speech())
			again, finish2, err2 := read(iotest.OneByteReader(strings.NewReader(stream)), speech())
			if chunks != again || (finish == nil) != (finish2 == nil) || fmt.Sprint(err) != fmt.Sprint(err2) {
				t.Fatalf("%s: the result depends on how the bytes come: %q, %v against %q, %v", name, chunks, err, again, err2)
			}
			if (finish == nil) == (err == nil) {
				t.Fatalf("%s: got the finish %v and the error %v", name, finish, err)
			}
			if finish != nil && finish.Kind == reviewer.FinishStop && !strings.Contains(stream, "{") {
				t.Fatalf("%s: a stream without an event is a whole answer: %q", name, stream)
			}
			_, isFailure := errors.AsType[*reviewer.Failure](err)
			_, isProvider := errors.AsType[*providerError](err)
			if err != nil && !isFailure && !isProvider {
				t.Fatalf("%s: the error %v has no class", name, err)
			}
		}
	})
}

func TestAnEventIsFoundAtItsEmptyLine(t *testing.T) {
	events := newEventReader(strings.NewReader("event: a\ndata: 1\ndata:2\n\n:x\nid: 4\n\ndata:  3\r\n\r\n"), 100)
	for _, want := range []event{{"a", []byte("1\n2")}, {"", []byte(" 3")}} {
		got, err := events.next()
		if err != nil || got.name != want.name || string(got.data) != string(want.data) {
			t.Errorf("got %q %q, %v; want %q %q", got.name, got.data, err, want.name, want.data)
		}
	}
	if _, err := events.next(); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want the end", err)
	}
}

func TestALineAndAnEventHaveALimit(t *testing.T) {
	for _, stream := range []string{"data: " + strings.Repeat("x", 100), strings.Repeat("data: xxxxxxxxx\n", 20)} {
		if _, err := newEventReader(strings.NewReader(stream), 50).next(); !errors.Is(err, ErrStreamTooLarge) {
			t.Errorf("got %v, want STREAM_TOO_LARGE", err)
		}
	}
}

func TestAKeyPrintsAsNothing(t *testing.T) {
	k := key{secret: "very-secret"}
	for _, format := range []string{"%v", "%s", "%+v", "%#v", "%q"} {
		if text := fmt.Sprintf(format, k); strings.Contains(text, "secret") {
			t.Errorf("%s prints %s", format, text)
		}
	}
}
