package tools_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/tools"
)

func TestArgumentsThatAreNoLosslessJSONAreRefusedAndNothingIsLogged(t *testing.T) {
	for name, c := range map[string]struct{ arguments, message string }{
		"nothing":              {``, "want one object of arguments, got 0 values"},
		"two values":           {`{}, {}`, "got 2 values"},
		"undefined":            {`undefined`, "arguments is undefined"},
		"undefined member":     {`{a: {b: undefined}}`, "arguments.a.b is undefined"},
		"undefined element":    {`[1, undefined]`, "arguments[1] is undefined"},
		"function":             {`{a: () => 1}`, "arguments.a is a function"},
		"toJSON":               {`{toJSON() { return {} }}`, "arguments.toJSON is a function"},
		"class":                {`class {}`, "arguments is a function"},
		"symbol":               {`{a: Symbol("x")}`, "arguments.a is a symbol"},
		"symbol property":      {`{[Symbol("x")]: 1}`, "has a symbol among its properties"},
		"NaN":                  {`{a: NaN}`, "arguments.a is NaN"},
		"infinity":             {`{a: Infinity}`, "arguments.a is Infinity"},
		"minus infinity":       {`{a: -Infinity}`, "arguments.a is -Infinity"},
		"minus zero":           {`{a: -0}`, "arguments.a is -0"},
		"BigInt":               {`{a: 5n}`, "arguments.a is a BigInt"},
		"cycle":                {`(() => { const a = {}; a.b = [a]; return a })()`, "arguments.b[0] is an object within itself"},
		"sparse array":         {`{a: [1, , 2]}`, "arguments.a[1] is not there"},
		"empty array":          {`new Array(3)`, "arguments[0] is not there"},
		"endless array":        {`new Array(4294967295)`, "4294967295 elements"},
		"array with property":  {`Object.assign([1], {x: 2})`, "is an array with properties"},
		"array with hidden":    {`Object.defineProperty([1], "x", {value: 2})`, "is an array with properties"},
		"array of own kind":    {`new (class extends Array {})()`, "an object of a kind of its own (Array)"},
		"getter":               {`{get a() { return 1 }}`, "arguments.a is a getter or hidden"},
		"getter in array":      {`Object.defineProperty([0], 0, {get() { return 1 }, enumerable: true})`, "arguments[0] is a getter"},
		"hidden":               {`Object.defineProperty({}, "a", {value: 1})`, "arguments.a is a getter or hidden"},
		"proxy":                {`new Proxy({}, {})`, "arguments is a proxy"},
		"proxy of array":       {`{a: new Proxy([], {})}`, "arguments.a is a proxy"},
		"revoked proxy":        {`(() => { const r = Proxy.revocable({}, {}); r.revoke(); return r.proxy })()`, "arguments is a proxy"},
		"date":                 {`new Date(0)`, "kind of its own (Date)"},
		"map":                  {`new Map()`, "kind of its own"},
		"error":                {`new Error("x")`, "kind of its own (Error)"},
		"boxed":                {`{a: new Number(1)}`, "kind of its own (Number)"},
		"boxed string":         {`new String("x")`, "kind of its own (String)"},
		"regular expression":   {`/x/`, "kind of its own (RegExp)"},
		"typed array":          {`new Uint8Array(1)`, "kind of its own"},
		"buffer":               {`new ArrayBuffer(1)`, "kind of its own"},
		"promise":              {`Promise.resolve(1)`, "kind of its own"},
		"arguments":            {`(function () { return arguments })(1)`, "kind of its own (Arguments)"},
		"instance":             {`new (class A { x = 1 })()`, "kind of its own (Object)"},
		"inherited":            {`Object.create({a: 1})`, "kind of its own (Object)"},
		"globalThis":           {`globalThis`, "no JSON"},
		"half a surrogate":     {`"\ud800"`, "half a surrogate pair"},
		"the other half":       {`{a: "x\udc00y"}`, "half a surrogate pair"},
		"the wrong way round":  {`"\udc00\ud800"`, "half a surrogate pair"},
		"half in a name":       {`{"\ud800": 1}`, "is not there"},
		"very deep":            {`(() => { let a = 1; for (let i = 0; i < 200; i++) a = [a]; return a })()`, "more than 100 deep"},
		"very long":            {`"x".repeat(1 << 21)`, "more than 1048576 bytes"},
		"very long in sum":     {`[..."abc"].map((c) => c.repeat(1 << 19))`, "more than 1048576 bytes"},
		"very long when coded": {`"\u0001".repeat(1 << 19)`, "more than 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &gateDouble{}
			got := runCode(t, g, `try { await tools.read(`+c.arguments+`) } catch (e) { return e.name + ": " + e.message }`)
			if got.IsError || !strings.HasPrefix(got.Text, "TypeError: tools.read: ") || !strings.Contains(got.Text, c.message) {
				t.Errorf("got %q: %s, want a TypeError with %q", got.Code, got.Text, c.message)
			}
			wantNotes(t, g)
		})
	}
}

func TestArgumentsArriveAsTheyAre(t *testing.T) {
	for name, c := range map[string]struct{ arguments, want string }{
		"order of members":  {`{b: 1, a: 2, 1: 3}`, `{"1":3,"b":1,"a":2}`},
		"numbers":           {`[0, 1.5, 1e21, 1e-7, -3, 9007199254740993]`, `[0,1.5,1e+21,1e-7,-3,9007199254740992]`},
		"texts":             {`["", "ä\n\u0000\"", "\u{1F600}"]`, `["","ä\n\u0000\"","😀"]`},
		"literals":          {`[true, false, null]`, `[true,false,null]`},
		"no prototype":      {`Object.assign(Object.create(null), {a: []})`, `{"a":[]}`},
		"proto as a name":   {`JSON.parse('{"__proto__": {"a": 1}}')`, `{"__proto__":{"a":1}}`},
		"the same twice":    {`(() => { const a = {}; return [a, a] })()`, `[{},{}]`},
		"frozen":            {`Object.freeze({a: Object.freeze([1])})`, `{"a":[1]}`},
		"a text":            {`"x"`, `"x"`},
		"not for the tool ": {`{unknown: 1}`, `{"unknown":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &gateDouble{}
			want(t, runCode(t, g, `return await tools.read(`+c.arguments+`)`), "", c.want)
		})
	}
}

func TestRunCodeRefusesBadArguments(t *testing.T) {
	for name, c := range map[string]struct{ args, text string }{
		"missing":  {`{}`, "code is missing"},
		"type":     {`{"code":1}`, "code is a number, want a string"},
		"unknown":  {`{"code":"","Code":""}`, `"Code" is not an argument of run_code, which has: code`},
		"too long": {`{"code":"` + strings.Repeat(" ", 300<<10) + `"}`, "code has 307200 bytes, 262144 are the most"},
	} {
		t.Run(name, func(t *testing.T) {
			g := &gateDouble{}
			got := tools.RunCode(tools.Limits{}).Run(t.Context(), tools.Env{Caller: g}, jsontext.Value(c.args))
			want(t, got, tools.CodeInvalidArguments, c.text)
		})
	}
	got := tools.RunCode(tools.Limits{}).Run(t.Context(), tools.Env{}, jsontext.Value(`{"code":""}`))
	want(t, got, tools.CodeNotStarted, "there is nothing here that a program's calls could go through")
}
