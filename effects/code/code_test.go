package code

import (
	"strings"
	"testing"
)

// short is a report in a few words: each call with its target, ! behind what is known
// whole, and the kinds of the problems.
func short(r Report) string {
	var all []string
	for _, c := range r.Calls {
		s := string(c.Kind) + " " + c.Target
		if len(c.Argv) > 0 {
			s = string(c.Kind) + " " + strings.Join(c.Argv, ",")
		}
		if c.Known {
			s += "!"
		}
		all = append(all, s)
	}
	for i, p := range r.Problems {
		if i == 0 || r.Problems[i-1].Kind != p.Kind {
			all = append(all, string(p.Kind))
		}
	}
	if r.Harmless {
		all = append(all, "harmless")
	}
	return strings.Join(all, "; ")
}

type example struct {
	name string
	lang Language
	text string
	want string
}

func check(t *testing.T, examples []example) {
	t.Helper()
	for _, e := range examples {
		if got := short(Scan(e.lang, e.text)); got != e.want {
			t.Errorf("%s: %s\n got %s\nwant %s", e.name, e.text, got, e.want)
		}
	}
}

func TestEverydayCodeIsHarmless(t *testing.T) {
	for lang, texts := range map[Language][]string{
		Python: {
			`print('hello')`,
			"import json,sys; print(json.load(sys.stdin)['a']['b'])",
			"import json, sys\nd = json.load(sys.stdin)\nfor k, v in sorted(d.items()):\n    print(f'{k}: {v!r:>10}')",
			"print(sum(x**2 for x in range(10)))",
			"import re\ns = 'a1b2'\nprint(re.sub(r'\\d+', lambda m: m.group(0) * 2, s))",
			"import csv, collections, sys\nc = collections.Counter(r[0] for r in csv.reader(sys.stdin))\nprint(c.most_common(3))",
			"import datetime; print(datetime.datetime.now().isoformat())",
			"def f(x, y=2):\n    return x * y\nassert f(2) == 4, 'no'\nprint('ok')",
			"class A:\n    def __init__(self, x=1):\n        self.x = x\n    def go(self):\n        return self.x\nprint(A(3).go())",
			"from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int = 0\nprint(P(1, 2))",
			"import os, sys; print(os.path.join('a', 'b'), sys.argv[1:], os.getcwd())",
			"import math; print('%.2f' % math.sqrt(2), '-'.join(['a', 'b']))",
			"try:\n    x = int('a')\nexcept ValueError as e:\n    print(e)",
			"import base64, hashlib; print(hashlib.sha256(base64.b64decode('aGk=')).hexdigest())",
			"from collections import defaultdict\nd = defaultdict(list)\nd['a'].append(1)\nprint(dict(d))",
			"x = {'a': [1, 2]}\nif 'a' in x and x['a'] is not None:\n    print(x['a'][0])\nelse:\n    pass",
			"print(__name__, ''.join(reversed('abc')), 'abc'[::-1])",
		},
		JavaScript: {
			"console.log([1,2,3].map(x => x * 2).join(','))",
			"let s = ''; process.stdin.on('data', d => s += d).on('end', () => console.log(JSON.parse(s).a))",
			"console.log(process.version, `a ${1 + 1} b`)",
			"const a = {b: 1, c: [2]}; for (const k of Object.keys(a)) { console.log(k, a[k]); }",
			"function f(x) { return x / 2 / 3; } console.log(f(4), /a\\/b/.test('a/b'));",
			"const path = require('path'); console.log(path.join('a', 'b'))",
			"class A { constructor(x) { this.x = x } go() { return this.x } } console.log(new A(1).go())",
			"console.log(new Date().toISOString(), Math.max(...[1, 2]))",
			"const f = async (x: number): Promise<number> => { return x + 1 }; f(1).then(v => console.log(v))",
		},
		Ruby: {
			`puts "hello #{1 + 1}"`,
			"require 'json'\nputs JSON.parse(STDIN.read)['a']",
			"puts [1, 2, 3].map { |x| x * 2 }.sum",
			"def f(x)\n  x + 1\nend\nputs f(2)",
			"h = { 'a' => 1 }\nh.each do |k, v|\n  puts \"#{k}=#{v}\"\nend",
		},
		Perl: {
			`use strict; my $x = 1; print "x is $x\n";`,
			`while (<STDIN>) { chomp; my @a = split /,/; print $a[0], "\n"; }`,
			`my %c; $c{$_}++ for map { lc } qw(a b); print join(",", sort keys %c), "\n";`,
			`print "ok\n" if $x =~ /^a.b$/ and $y > 2;`,
		},
		PHP: {
			`echo "hello";`,
			`echo json_encode(['a' => 1]), PHP_EOL;`,
			`foreach ([1,2] as $x) { echo $x * 2, "\n"; }`,
			`<?php echo strlen("a");`,
		},
		Awk: {
			`{print $1}`,
			`$3 > 5 && /a b/ {s += $1} END {printf "%d\n", s}`,
			`BEGIN{FS=","} {print $1}`,
			`function f(x) {return x*2} {print f($1)}`,
		},
	} {
		for _, text := range texts {
			if r := Scan(lang, text); !r.Harmless {
				t.Errorf("%s: %s\n is %s %v", lang, text, short(r), r.Problems)
			}
		}
	}
}

func TestPython(t *testing.T) {
	check(t, []example{
		{"a tree", Python, `import shutil; shutil.rmtree('/home/user')`, "deletes /home/user!"},
		{"a shell", Python, `import os; os.system('rm -rf /')`, "executes rm -rf /!"},
		{"an alias of a module", Python, `import os as o; o.system('id')`, "executes id!"},
		{"an alias of a function", Python, "from os import system as s\ns('id')", "executes id!"},
		{"a function in a variable", Python, "import os\nf = os.remove\nf('a')", "deletes a!"},
		{"a name that is put together", Python, `import os; getattr(os, 'sys' + 'tem')('id')`, "executes id!"},
		{"a name that is computed", Python, `import os; getattr(os, x)('id')`, "not-known; dynamic-code; not-known"},
		{"an import in an expression", Python, `__import__('os').system('id')`, "executes id!"},
		{"importlib", Python, `import importlib; importlib.import_module('shutil').rmtree('a')`, "deletes a!"},
		{"arguments as a list", Python, `import subprocess; subprocess.run(['rm', '-rf', 'x'])`, "executes rm,-rf,x!"},
		{"a shell by an option", Python, `import subprocess; subprocess.run('rm x', shell=True)`, "executes rm x!"},
		{"arguments that change", Python, "c = ['ls']\nc[0] = 'rm'\nimport subprocess\nsubprocess.run(c)", "executes "},
		{"a path's method", Python, `from pathlib import Path; (Path('a') / 'b').unlink()`, "deletes a/b!"},
		{"a path in a loop", Python, "from pathlib import Path\nfor p in Path('.').rglob('*'): p.unlink()", "reads .!; deletes "},
		{"a file that is written", Python, `open('f', 'w').write('x')`, "writes f!"},
		{"a mode that is computed", Python, `open('f', m)`, "writes f!; reads f!"},
		{"a file that is read", Python, `print(open('/etc/passwd').read())`, "reads /etc/passwd!; harmless"},
		{"a constant", Python, "p = '/etc/passwd'\nprint(open(p).read())", "reads /etc/passwd!; harmless"},
		{"a variable with two values", Python, "p = 'a'\nif x: p = 'b'\nopen(p)", "reads "},
		{"a parameter that hides a constant", Python, "p = 'a'\ndef f(p): open(p)\nf('b')", "reads "},
		{"nested code", Python, `exec("import os; os.remove('a')")`, "evaluates import os; os.remove('a')!; deletes a!"},
		{"code that is decoded", Python, `import base64; exec(base64.b64decode('aQ=='))`, "evaluates ; dynamic-code"},
		{"a pickle", Python, `import pickle; pickle.loads(x)`, "dynamic-code"},
		{"a builtin that is replaced", Python, `print = __import__('os').system; print('rm')`, "executes ; not-known"},
		{"a function that is handed on", Python, `import os; list(map(os.remove, ['a', 'b']))`, "deletes "},
		{"a decorator", Python, "import os\n@os.system\ndef f(): pass", "executes "},
		{"a default", Python, "import os\ndef f(x=os.system('id')): pass", "executes id!"},
		{"the ladder of classes", Python, `().__class__.__base__.__subclasses__()`, "dynamic-code; not-known"},
		{"a module of a module", Python, `import random; random._os.system('id')`, "not-known"},
		{"an alias of builtins in a module", Python, `import enum; enum.bltns.exec('x')`, "not-known"},
		{"everything of a module", Python, "from os import *\nsystem('id')", "not-known"},
		{"an expression in a text", Python, `x = "a" f"{__import__('os').system('id')}"`, "executes id!"},
		{"an expression in a format", Python, `f"{1:{__import__('os').system('id')}}"`, "executes id!"},
		{"a quote in a text", Python, `x = 'a\'; import os; os.remove("b")'; print(x)`, "harmless"},
		{"a line's end that is none elsewhere", Python, "# x\rimport os; os.remove('a')", "deletes a!"},
		{"letters in disguise", Python, "import os; os.ｓystem('id')", "unparsable; not-known"},
		{"the environment", Python, `import os; print(os.environ['A'], os.environ)`, "environment A!; environment "},
		{"a socket", Python, "import socket\ns = socket.socket()\ns.connect(('h', 80))", "sends ; sends "},
		{"a request", Python, `import requests; requests.get('http://h/')`, "receives http://h/!"},
		{"a request that sends", Python, `import requests; requests.post('http://h/', data=open('/etc/shadow').read())`, "reads /etc/shadow!; sends http://h/!"},
		{"a signal", Python, `import os; os.kill(1, 9)`, "kills "},
		{"privileges", Python, `import os; os.chmod('a', 0o777); os.setuid(0)`, "privilege a!; privilege "},
		{"a library", Python, `import ctypes; ctypes.CDLL('libc.so.6')`, "loads-native libc.so.6!"},
		{"a database", Python, "import sqlite3\nc = sqlite3.connect('a.db')\nc.execute('DROP TABLE t')", "writes a.db!; database DROP TABLE t!"},
		{"a cloud", Python, "import boto3\ns3 = boto3.client('s3')\ns3.delete_bucket(Bucket='b')", "receives s3!; cloud "},
		{"an unknown module", Python, `import mine; mine.run()`, "loads mine!; not-known"},
		{"an unknown method", Python, `x.frobnicate()`, "not-known"},
		{"methods by their names", Python, `operator.methodcaller('unlink')(p)`, "dynamic-code; not-known"},
		{"the environment of a child", Python, `import os; os.environ['PATH'] = '.'`, "environment PATH!; not-known"},
		{"a text that does not end", Python, `print('x`, "unparsable"},
		{"a fork bomb", Python, "import os\nwhile True: os.fork()", "executes "},
	})
}

func TestTooMuchIsAProblem(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("x", 1<<20), strings.Repeat("(", 5000), strings.Repeat("[", 200000), strings.Repeat("f(", 100000),
		strings.Repeat("frob('a');", 20000), strings.Repeat("{", 100000), `x = ` + strings.Repeat(`f"{`, 10000),
	} {
		for _, lang := range []Language{Python, JavaScript, Ruby, Perl, PHP, Awk} {
			if r := Scan(lang, text); r.Harmless && len(text) > 10 && lang != Awk {
				t.Errorf("%s: %.20q… is harmless", lang, text)
			}
		}
	}
}

// What a text is given to run may not make what follows it disappear.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`f"{x!r:{y}}" 'a' """b"""`, "`a${b}c` /x[/]/ // c\n", "%w[a] <<~X\n#{1}\nX\n?a :b", "qw(a) s/a/b/e <<A;\nA\n", `<?php "$a {$b->c()} ${d}"`,
		"import os as o, sys\nfrom a import (b, c as d)\n@x\ndef f(a=1): pass", "const {a: b} = require('fs')", `{print > "a" | "sh"}`,
	} {
		for i := range 6 {
			f.Add(seed, i)
		}
	}
	langs := []Language{Python, JavaScript, Ruby, Perl, PHP, Awk}
	deletes := map[Language]string{
		Python: "\nimport os\nos.remove('zz')\n", JavaScript: "\n;require('fs').unlinkSync('zz')\n", Ruby: "\nFile.delete('zz')\n",
		Perl: "\n;unlink('zz');\n", PHP: "\n;unlink('zz');\n", Awk: "\nBEGIN { system(\"zz\") }\n",
	}
	f.Fuzz(func(t *testing.T, text string, which int) {
		lang := langs[(which%6+6)%6]
		r := Scan(lang, text)
		for _, c := range r.Calls {
			if c.Span.Start < 0 || c.Span.End < c.Span.Start || c.Span.End > len(text) {
				t.Fatalf("%s: the place of %+v", lang, c)
			}
		}
		// What is no code any more by the rules of its language stays out.
		ends := strings.ContainsAny(text, "#/\n\r") || strings.HasPrefix(text, "=") || strings.Contains(text, "__") || strings.Contains(text, "?>")
		if !r.Unknown && !ends {
			after := Scan(lang, text+deletes[lang])
			if after.Harmless {
				t.Fatalf("%s: what follows %q is not seen: %s", lang, text, short(after))
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	for name, e := range map[string]example{
		"python line":   {lang: Python, text: "import json,sys; print(json.load(sys.stdin)['a'])"},
		"python script": {lang: Python, text: strings.Repeat("import json\nfor k, v in json.loads('{}').items():\n    print(f'{k}: {v}')\n", 40)},
		"script line":   {lang: JavaScript, text: "console.log(JSON.parse(require('fs').readFileSync('package.json','utf8')).version)"},
		"perl line":     {lang: Perl, text: `while (<STDIN>) { chomp; my @a = split /,/; print $a[0], "\n"; }`},
		"awk line":      {lang: Awk, text: `$3 > 5 {s += $1} END {print s}`},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Scan(e.lang, e.text)
			}
		})
	}
}

// Twice the text makes at most some four times the allocations' bytes; work is counted
// in allocations because the clock of a loaded machine says nothing.
func TestScanIsLinear(t *testing.T) {
	line := "x = json.loads('{}'); print(f'{x}')\n"
	count := func(n int) float64 {
		text := "import json\n" + strings.Repeat(line, n)
		return testing.AllocsPerRun(3, func() { Scan(Python, text) })
	}
	if one, two := count(400), count(800); two > 3*one {
		t.Errorf("%v allocations for 400 lines, %v for 800", one, two)
	}
}
