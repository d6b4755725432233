package auto_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

// line writes one event in short:
//
//	turn, endturn, step, endstep, endseed, descriptor
//	header PROVIDER/MODEL TOOL,TOOL     each with a description and parameters
//	user TEXT                           a message of source kind user
//	from KIND TEXT                      of another kind; a kind may be a JSON object
//	blocks KIND [JSON]                  with these blocks
//	agent SENDER TEXT                   an agent-message; "proven" before the text proves it
//	notice TEXT                         a review/notice
//	say ID NAME ARGUMENTS ; …           an assistant message with these calls; EMPTY for no arguments
//	call ID NAME ARGUMENTS              a tool/call
//	inner ROOT PARENT ID NAME JSON      a tool/ptc-dispatch-start
//	result ID TEXT, settle ROOT PARENT ID NAME JSON
//	checkpoint FIRST..LAST TEXT         a compaction's message
//	system TEXT                         a system/message
//	TYPE {DATA} [ignorable]             anything else
func (w *writer) line(line string) {
	w.t.Helper()
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "turn":
		w.turn, w.step = w.turn+1, 0
		w.put("turn/start", fmt.Sprintf(`{"turn":%d}`, w.turn), "")
	case "endturn":
		w.put("turn/end", fmt.Sprintf(`{"turn":%d,"reason":{"kind":"completed"}}`, w.turn), "")
	case "step":
		w.step, w.at = w.step+1, map[string]events.Seq{}
		w.put("step/start", w.scope("}"), "")
	case "endstep":
		w.put("step/end", w.scope("}"), "")
	case "system":
		w.put("system/message", w.scope(fmt.Sprintf(`,"message":{"content":%s}}`, textBlocks(rest))), appended)
	case "endseed":
		w.put("session/end-seed", `{"inherited":true}`, "")
	case "descriptor":
		w.put("subagent/descriptor", `{"version":3,"mode":"one-shot","provider":"spawn"}`, "")
	case "header":
		w.header(rest)
	default:
		w.message(word, rest)
	}
}

func (w *writer) scope(more string) string {
	return fmt.Sprintf(`{"turn":%d,"step":%d`, w.turn, w.step) + more
}

func (w *writer) header(rest string) {
	route, tools, _ := strings.Cut(rest, " ")
	provider, model, _ := strings.Cut(route, "/")
	var defined []string
	for name := range strings.SplitSeq(tools, ",") {
		if name != "" {
			defined = append(defined, definition(name))
		}
	}
	list := ""
	if len(defined) > 0 {
		list = `,"tools":[` + strings.Join(defined, ",") + `]`
	}
	w.put("request/header", fmt.Sprintf(`{"reason":"initial","header":{"config":{"provider":%q,"model":%q}%s}}`, provider, model, list), "")
}

func definition(name string) string {
	return fmt.Sprintf(`{"name":%q,"description":"does %s","parameters":{"type":"object"}}`, name, name)
}

const appended = `,"surfaceOp":"append"`

func (w *writer) message(word, rest string) {
	w.t.Helper()
	first, text, _ := strings.Cut(rest, " ")
	switch word {
	case "user":
		w.user(`{"kind":"user"}`, textBlocks(rest), appended)
	case "from":
		w.user(sourceOf(first), textBlocks(text), appended)
	case "blocks":
		w.user(sourceOf(first), text, appended)
	case "checkpoint":
		from, to, _ := strings.Cut(first, "..")
		w.user(`{"kind":"compact-checkpoint","compactionId":"k"}`, textBlocks(text),
			fmt.Sprintf(`,"surfaceOp":{"op":"replace","startSeq":%s,"endSeq":%s},"sourceEventSeqs":%s`, from, to, w.between(from, to)))
	case "agent":
		proof := ""
		if proven, ok := strings.CutPrefix(text, "proven "); ok {
			text, proof = proven, `,"parent":{"seq":1,"recordHash":"00"}`
		}
		w.put("agent-message", fmt.Sprintf(`{"id":"m","role":"user","form":"relay","senderSessionId":%q,"content":%s%s}`, first, textBlocks(text), proof), appended)
	case "notice":
		w.put("review/notice", fmt.Sprintf(`{"id":"m","role":"user","reviewer":"auto","content":%s}`, textBlocks(rest)), appended)
	default:
		w.tool(word, rest)
	}
}

func (w *writer) user(source, content, op string) {
	w.put("user/message", fmt.Sprintf(`{"id":"m","role":"user","source":%s,"content":%s}`, source, content), op)
}

// between lists the visible events of a range.
func (w *writer) between(from, to string) string {
	var seqs []string
	in := false
	for _, n := range w.session.Surface().Nodes() {
		in = in || fmt.Sprint(n) == from
		if in {
			seqs = append(seqs, fmt.Sprint(n))
		}
		in = in && fmt.Sprint(n) != to
	}
	return "[" + strings.Join(seqs, ",") + "]"
}

func (w *writer) tool(word, rest string) {
	w.t.Helper()
	switch word {
	case "say":
		var blocks []string
		for call := range strings.SplitSeq(rest, " ; ") {
			if f := strings.SplitN(call, " ", 3); len(f) == 3 {
				blocks = append(blocks, fmt.Sprintf(`{"type":"tool-call","id":%q,"name":%q,"arguments":%q}`, f[0], f[1], rawArguments(f[2])))
			} else {
				blocks = append(blocks, `{"type":"text","text":"says the agent"}`, `{"type":"reasoning","text":"thinks the agent"}`)
			}
		}
		w.put("assistant/message", w.scope(fmt.Sprintf(`,"message":{"role":"assistant","content":[%s]},"stream":[]}`, strings.Join(blocks, ","))), appended)
	case "call":
		f := strings.SplitN(rest, " ", 3)
		w.at[f[0]] = w.session.Next()
		w.put("tool/call", w.scope(fmt.Sprintf(`,"callId":%q,"name":%q,"arguments":%q}`, f[0], f[1], rawArguments(f[2]))), "")
	case "result":
		id, text, _ := strings.Cut(rest, " ")
		w.put("tool/result", w.scope(fmt.Sprintf(`,"message":{"source":{"kind":"tool","callId":%q},"content":%s}}`, id, textBlocks(text))),
			fmt.Sprintf(`%s,"sourceEventSeqs":[%d]`, appended, w.at[id]))
	case "inner", "settle":
		f := strings.SplitN(rest, " ", 5)
		data := fmt.Sprintf(`{"rootCallId":%q,"parentCallId":%q,"subCallId":%q,"name":%q,"arguments":%s`, f[0], f[1], f[2], f[3], f[4])
		if word == "inner" {
			w.put("tool/ptc-dispatch-start", data+"}", "")
		} else {
			w.put("tool/ptc-dispatch", data+`,"isError":false,"content":[]}`, "")
		}
	default:
		w.raw(word, rest)
	}
}

// rawArguments lets a line end in no arguments.
func rawArguments(text string) string {
	if text == "EMPTY" {
		return ""
	}
	return text
}

// raw writes an event whose data is given.
func (w *writer) raw(name, rest string) {
	w.t.Helper()
	end := strings.LastIndex(rest, "}")
	if end < 0 {
		w.t.Fatalf("no data in %s %s", name, rest)
	}
	marks := ""
	if events.Type(name).Surface() {
		marks = appended
	}
	if strings.Contains(rest[end:], "ignorable") {
		marks += `,"ignorable":true`
	}
	w.put(name, rest[:end+1], marks)
}

func textBlocks(text string) string {
	block, err := json.Marshal([]events.Block{events.TextBlock(text)})
	if err != nil {
		panic(err)
	}
	return string(block)
}

func sourceOf(kind string) string {
	if strings.HasPrefix(kind, "{") {
		return kind
	}
	return fmt.Sprintf(`{"kind":%q}`, kind)
}

// shippedSchema is what a program of the histories binds a tool to.
func shippedSchema(e events.Event) *reviewer.Schema {
	start, ok := e.(events.PTCDispatchStart)
	if !ok {
		return nil
	}
	return &reviewer.Schema{Name: start.Name, Description: new("does " + start.Name), Parameters: jsontext.Value(`{"type":"object"}`)}
}

func readSchema(t *testing.T, text string) *reviewer.Schema {
	t.Helper()
	if text == "none" {
		return nil
	}
	var s reviewer.Schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}
