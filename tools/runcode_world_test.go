package tools_test

import (
	"context"
	"testing"
	"time"

	"github.com/docket-engine/docket/tools"
)

func TestAProgramReachesNothingButConsoleAndTools(t *testing.T) {
	got := runCode(t, &gateDouble{}, `
		const language = ["Object", "Function", "Array", "String", "Number", "BigInt", "RegExp", "Date", "Boolean", "Proxy",
			"Reflect", "Error", "AggregateError", "TypeError", "ReferenceError", "SyntaxError", "RangeError", "EvalError",
			"URIError", "GoError", "eval", "Math", "JSON", "ArrayBuffer", "DataView", "Uint8Array", "Uint8ClampedArray",
			"Int8Array", "Uint16Array", "Int16Array", "Uint32Array", "Int32Array", "Float32Array", "Float64Array",
			"BigInt64Array", "BigUint64Array", "Symbol", "WeakSet", "WeakMap", "Map", "Set", "Promise", "globalThis", "NaN",
			"undefined", "Infinity", "isNaN", "parseInt", "parseFloat", "isFinite", "decodeURI", "decodeURIComponent",
			"encodeURI", "encodeURIComponent", "escape", "unescape"];
		const others = Object.getOwnPropertyNames(globalThis).filter((name) => !language.includes(name));
		for (const name of ["require", "process", "fetch", "setTimeout", "XMLHttpRequest", "WebSocket", "Deno", "Bun", "os", "std",
			"module", "exports", "WebAssembly", "SharedArrayBuffer", "Atomics", "importScripts"])
			if (name in globalThis) others.push(name);
		return others.sort().join();`)
	want(t, got, "", "console,tools")
}

func TestToolsAreFrozenAndHaveNoOtherNames(t *testing.T) {
	got := runCode(t, &gateDouble{}, `
		"use strict";
		const refused = [];
		for (const [name, attempt] of Object.entries({
			add: () => { tools.evil = 1 },
			replace: () => { tools.read = () => 1 },
			remove: () => { delete tools.read },
			prototype: () => Object.setPrototypeOf(tools, {}),
			mark: () => { tools.read.x = 1 },
			global: () => { globalThis.tools = {} },
			define: () => Object.defineProperty(globalThis, "tools", {value: {}}),
			console: () => { console.log = 1 },
		})) try { attempt() } catch (e) { refused.push(name) }
		return [refused.join(), Object.isFrozen(tools), Object.getPrototypeOf(tools), "toString" in tools, typeof tools.none,
			Object.keys(tools).join()].join("|")`)
	want(t, got, "", "add,replace,remove,prototype,mark,global,define,console|true||false|undefined|delete,edit,read,shell,write")
}

func TestPollutedPrototypesForgeNoCalls(t *testing.T) {
	pollute := map[string]string{
		"object prototype":  `Object.prototype.value = "forged"; Object.prototype.path = "forged"; Object.prototype.enumerable = true; Object.prototype.get = () => "forged"`,
		"array prototype":   `Array.prototype[1] = "forged"; Array.prototype.push = Array.prototype.map = () => ["forged"]`,
		"toJSON":            `Object.prototype.toJSON = String.prototype.toJSON = Array.prototype.toJSON = () => "forged"`,
		"JSON":              `JSON.stringify = () => '{"path":"forged"}'; JSON.parse = () => "forged"; globalThis.JSON = null`,
		"promise":           `Promise.prototype.then = function () { return "forged" }; globalThis.Promise = class {}`,
		"promise resolve":   `Promise.resolve = () => "forged"; Object.defineProperty(Promise, Symbol.species, {get() { return Array }})`,
		"object functions":  `Object.getOwnPropertyDescriptor = () => ({value: "forged", enumerable: true}); Object.freeze = Object.keys = () => ["forged"]`,
		"function call":     `Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => "forged"`,
		"string conversion": `String.prototype.toString = Object.prototype.toString = Object.prototype.valueOf = () => "forged"`,
		"error":             `globalThis.Error = globalThis.TypeError = function () { return {message: "forged"} }; Error.prototype = null`,
		"iteration":         `Array.prototype[Symbol.iterator] = function* () { yield "forged" }; Object.prototype[Symbol.toPrimitive] = () => "forged"`,
		"setters":           `Object.defineProperty(Object.prototype, "path", {set() { throw 1 }, get() { return "forged" }})`,
	}
	for name, code := range pollute {
		t.Run(name, func(t *testing.T) {
			g := &gateDouble{}
			got := runCode(t, g, code+`;
				const text = await tools.read({path: "a", list: ["b"]});
				console.log(text);`)
			want(t, got, "", `{"path":"a","list":["b"]}`)
			wantNotes(t, g, `start 1 read {"path":"a","list":["b"]}`, "settle 1")
		})
	}
}

func TestTheTextOfAResultIsData(t *testing.T) {
	g := &gateDouble{}
	text := `{"settle":{"number":2}}` + "\n\"}\\u0000 ${x} \u2028"
	g.body = func(_ context.Context, _ tools.InnerCall) tools.InnerResult { return tools.InnerResult{Text: text} }
	want(t, runCode(t, g, `return await tools.read({})`), "", text)
}

func TestAProcessThatBreaksTheProtocolIsKilled(t *testing.T) {
	ready, wait := `echo '{"ready":{}}'; `, `; read line; exec sleep 100`
	for name, c := range map[string]struct {
		script string
		code   tools.Code
	}{
		"no JSON":            {`echo hello` + wait, tools.CodeProtocol},
		"unknown member":     {ready + `echo '{"output":{"text":"","more":1}}'` + wait, tools.CodeProtocol},
		"unknown message":    {ready + `echo '{"fork":{}}'` + wait, tools.CodeProtocol},
		"two in one":         {`echo '{"ready":{},"output":{"text":""}}'` + wait, tools.CodeProtocol},
		"none":               {`echo '{}'` + wait, tools.CodeProtocol},
		"null":               {`echo '{"ready":null}'` + wait, tools.CodeProtocol},
		"repeated member":    {ready + `echo '{"output":{"text":"a","text":"b"}}'` + wait, tools.CodeProtocol},
		"other case":         {`echo '{"Ready":{}}'` + wait, tools.CodeProtocol},
		"not ready":          {`echo '{"end":{"kind":"returned","text":"x","dropped":0}}'` + wait, tools.CodeProtocol},
		"ready twice":        {ready + ready + wait[2:], tools.CodeProtocol},
		"unknown tool":       {ready + `echo '{"call":{"number":1,"name":"evil","arguments":{}}}'` + wait, tools.CodeProtocol},
		"run_code itself":    {ready + `echo '{"call":{"number":1,"name":"run_code","arguments":{}}}'` + wait, tools.CodeProtocol},
		"number skipped":     {ready + `echo '{"call":{"number":2,"name":"read","arguments":{}}}'` + wait, tools.CodeProtocol},
		"no arguments":       {ready + `echo '{"call":{"number":1,"name":"read"}}'` + wait, tools.CodeProtocol},
		"unknown end":        {ready + `echo '{"end":{"kind":"fine","text":"x","dropped":0}}'` + wait, tools.CodeProtocol},
		"too much output":    {ready + `printf '{"output":{"text":"%70000d"}}\n' 1` + wait, tools.CodeProtocol},
		"an endless line":    {`head -c 9000000 /dev/zero | tr '\0' x` + wait, tools.CodeProtocol},
		"half a message":     {ready + `printf '{"output"'`, tools.CodeLost},
		"silence at the end": {ready + `exit 7`, tools.CodeLost},
		"never ready":        {`exec 1>&-; exec sleep 100`, tools.CodeLost},
		"late":               {ready + `exec sleep 100`, tools.CodeTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &gateDouble{}
			got := tools.RunOther(t.Context(), []string{"/bin/sh", "sh", "-c", c.script}, g, tools.Limits{Time: 100 * time.Millisecond})
			if got.Code != c.code {
				t.Errorf("got %q: %.300s, want %q", got.Code, got.Text, c.code)
			}
			wantNotes(t, g)
		})
	}
}
