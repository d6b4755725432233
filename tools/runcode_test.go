package tools_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/tools"
)

func wantNotes(t *testing.T, g *gateDouble, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), g.notes()); diff != "" {
		t.Errorf("on the record (-want +got):\n%s", diff)
	}
}

func TestAProgramPrintsCallsAndReturns(t *testing.T) {
	g := &gateDouble{}
	got := runCode(t, g, `
		console.log("a", 1, {b: [2]});
		const text = await tools.read({path: "x"});
		return JSON.parse(text).path; // the last line may be a comment`)
	want(t, got, "", "a 1 {\n  \"b\": [\n    2\n  ]\n}\nx")
	wantNotes(t, g, `start 1 read {"path":"x"}`, "settle 1")
}

func TestCallsStartInTheOrderOfSubmission(t *testing.T) {
	g := &gateDouble{}
	got := runCode(t, g, `
		const paths = ["a", "b", "c", "d", "e"];
		const texts = await Promise.all(paths.map((path) => tools.read({path})));
		return texts.map((text) => JSON.parse(text).path).join("");`)
	want(t, got, "", "abcde")
	var starts []string
	for _, note := range g.notes() {
		if strings.HasPrefix(note, "start") {
			starts = append(starts, note)
		}
	}
	wantStarts := []string{`start 1 read {"path":"a"}`, `start 2 read {"path":"b"}`, `start 3 read {"path":"c"}`, `start 4 read {"path":"d"}`, `start 5 read {"path":"e"}`}
	if diff := cmp.Diff(wantStarts, starts); diff != "" {
		t.Errorf("starts (-want +got):\n%s", diff)
	}
	if g.most != 1 {
		t.Errorf("got %d calls before the gate at once, want 1", g.most)
	}
}

func TestBodiesOverlapAndReviewsDoNot(t *testing.T) {
	all := make(chan struct{})
	arrived := make(chan struct{}, 3)
	g := &gateDouble{body: func(_ context.Context, c tools.InnerCall) tools.InnerResult {
		arrived <- struct{}{}
		<-all // no body ends before the three of them run
		return tools.InnerResult{Text: c.Name}
	}}
	go func() {
		for range 3 {
			<-arrived
		}
		close(all)
	}()
	got := runCode(t, g, `return (await Promise.all([tools.read({}), tools.write({}), tools.edit({})])).join()`)
	want(t, got, "", "read,write,edit")
	if g.widest != 3 || g.most != 1 {
		t.Errorf("got %d bodies and %d reviews at once, want 3 and 1", g.widest, g.most)
	}
}

func TestAResultComesBeforeThatOfAnEarlierCall(t *testing.T) {
	second := make(chan struct{})
	g := &gateDouble{body: func(_ context.Context, c tools.InnerCall) tools.InnerResult {
		if c.Number == 1 {
			<-second
		} else if c.Number == 3 {
			close(second) // the program has the second one's result
		}
		return tools.InnerResult{Text: fmt.Sprint(c.Number)}
	}}
	got := runCode(t, g, `
		const first = tools.read({});
		console.log(await tools.read({}));
		await tools.read({});
		return await first;`)
	want(t, got, "", "2\n1")
}

func TestADeniedCallIsAnExceptionThatCanBeCaught(t *testing.T) {
	line := `Auto review rejected tool "delete"; its body was not executed`
	g := &gateDouble{start: func(context.Context, tools.InnerCall) error { return denial(line) }}
	got := runCode(t, g, `
		try {
			await tools.delete({path: "x"});
		} catch (e) {
			return [e instanceof Error, e.name, e.message].join(" | ");
		}`)
	want(t, got, "", "true | Error | "+line)
	wantNotes(t, g, `start 1 delete {"path":"x"}`, "settle 1")
	if g.widest != 0 {
		t.Error("a body ran without leave")
	}
}

func TestAnExceptionThatNothingCatchesFailsTheRun(t *testing.T) {
	for name, c := range map[string]struct{ code, text string }{
		"of the program":        {`console.log("before"); throw new TypeError("no")`, "TypeError: no"},
		"not an error":          {`throw {a: 1}`, "{\n  \"a\": 1\n}"},
		"a string":              {`throw "x"`, "thrown: x"},
		"a denial":              {`await tools.read({})`, "Error: refused"},
		"not awaited":           {`const p = tools.read({}); p.then(null, (e) => { throw new Error("later " + e.message) }); await p.catch(() => 0); await null`, "nothing caught: Error: later refused"},
		"syntax":                {`return (`, "SyntaxError"},
		"a module":              {`import fs from "fs"`, "SyntaxError"},
		"no function body":      {`}); ({get x() { throw 1 }}); (function () { return {get x() { throw 1 }}`, "no function body"},
		"an undefined name":     {`return require("fs")`, "ReferenceError: require is not defined"},
		"nothing settles":       {`await new Promise(() => {})`, "waits for a promise that nothing settles"},
		"recursion":             {`(function f() { f() })()`, "more than"},
		"recursion in a native": {`(function f() { [1].map(f) })()`, "more than"},
		"getters of the error":  {`throw {get stack() { throw 1 }, toJSON() { throw 2 }}`, "[Object that JSON cannot hold]"},
	} {
		t.Run(name, func(t *testing.T) {
			g := &gateDouble{start: func(context.Context, tools.InnerCall) error { return denial("refused") }}
			got := runCode(t, g, c.code)
			if got.Code != tools.CodeRunFailed || !strings.Contains(got.Text, c.text) {
				t.Errorf("got %q: %s, want %q with %q", got.Code, got.Text, tools.CodeRunFailed, c.text)
			}
		})
	}
}

func TestAQueuedCallIsAbandonedUnloggedWhenTheRunIsOver(t *testing.T) {
	inGate, leave := make(chan struct{}), make(chan struct{})
	g := &gateDouble{start: func(context.Context, tools.InnerCall) error {
		close(inGate)
		<-leave
		return nil
	}}
	done := make(chan tools.Result)
	go func() {
		done <- runCode(t, g, `tools.read({path: "first"}); tools.read({path: "second"}); console.log("over"); return 1`)
	}()
	<-inGate
	awaitPrograms(t, 0) // the program is over
	select {
	case got := <-done:
		t.Fatalf("got %+v before the started call has ended", got)
	default:
	}
	close(leave)
	want(t, <-done, "", "over\n1")
	wantNotes(t, g, `start 1 read {"path":"first"}`, "settle 1")
}

func TestACallThatCannotBePutOnTheRecordEndsTheRun(t *testing.T) {
	g := &gateDouble{start: func(_ context.Context, c tools.InnerCall) error {
		if c.Number == 2 {
			return errors.New("the log is closed")
		}
		return nil
	}}
	got := runCode(t, g, `await tools.read({}); try { await tools.read({}) } catch { return "caught" }`)
	want(t, got, tools.CodeCaller, "call 2 could not be started: the log is closed")
	wantNotes(t, g, "start 1 read {}", "settle 1", "start 2 read {}")
}

func TestBindingsAreFrozenWhenTheProgramStarts(t *testing.T) {
	parameters := []byte(`{"type":"object"}`)
	g := &gateDouble{bound: []tools.Schema{{Name: "one", Description: "d", Parameters: parameters}, {Name: "run_code"}}}
	var seen []string
	g.body = func(_ context.Context, c tools.InnerCall) tools.InnerResult {
		seen = append(seen, fmt.Sprintf("%s %s %s", c.Schema.Name, c.Schema.Description, c.Schema.Parameters))
		copy(parameters, "[false]")
		g.bound[0].Description = "another"
		return tools.InnerResult{}
	}
	got := runCode(t, g, `await tools.one({}); await tools.one({}); return Object.keys(tools).join() + typeof tools.run_code`)
	want(t, got, "", "oneundefined")
	frozen := `one d {"type":"object"}`
	if diff := cmp.Diff([]string{frozen, frozen}, seen); diff != "" {
		t.Errorf("schemas (-want +got):\n%s", diff)
	}
}

func TestAProgramMakesSoManyCallsAndNoMore(t *testing.T) {
	g := &gateDouble{}
	got := runLimited(t.Context(), t, g, tools.Limits{Calls: 3}, `
		for (let i = 0; ; i++) try { await tools.read({}) } catch (e) { return i + e.message }`)
	want(t, got, "", "3tools.read: a program may make 3 calls")
	if n := len(g.notes()); n != 6 {
		t.Errorf("got %d notes, want 6: %q", n, g.notes())
	}
}
