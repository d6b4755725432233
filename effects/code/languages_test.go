package code

import "testing"

func TestJavaScript(t *testing.T) {
	check(t, []example{
		{"a tree", JavaScript, `require('fs').rmSync('x', {recursive: true})`, "deletes x!"},
		{"a shell", JavaScript, `require('child_process').execSync('rm -rf /')`, "executes rm -rf /!"},
		{"arguments as a list", JavaScript, `require('child_process').spawn('rm', ['-rf', 'x'])`, "executes rm,-rf,x!"},
		{"a shell by an option", JavaScript, `require('child_process').spawn('rm x', {shell: true})`, "executes rm x!"},
		{"a renamed import", JavaScript, `import {rmSync as r} from 'node:fs'; r('x')`, "deletes x!"},
		{"an import that is taken apart", JavaScript, `const {rmSync: z} = require('fs'); z('x')`, "deletes x!"},
		{"an import that is waited for", JavaScript, `const {unlinkSync} = await import('fs'); unlinkSync('x')`, "deletes x!"},
		{"an import that is promised", JavaScript, `import('fs').then(m => m.unlinkSync('x'))`, "deletes x!; not-known"},
		{"promises", JavaScript, `const fs = require('fs').promises; fs.unlink('x')`, "deletes x!"},
		{"names that are put together", JavaScript, `require('f' + 's')['unlink' + 'Sync']('x')`, "deletes x!"},
		{"names that are computed", JavaScript, `require('fs')[x]('y')`, "dynamic-code; not-known"},
		{"a module that is computed", JavaScript, `require(x)`, "dynamic-code"},
		{"require in a variable", JavaScript, `const r = require; r('fs').unlinkSync('x')`, "deletes x!"},
		{"eval behind a comma", JavaScript, `(0, eval)('require("fs").unlinkSync("q")')`, `evaluates require("fs").unlinkSync("q")!; deletes q!`},
		{"eval of the global object", JavaScript, `globalThis['ev' + 'al']('1')`, "evaluates 1!"},
		{"eval by a template", JavaScript, "eval`x`", "evaluates x!"},
		{"eval that is handed on", JavaScript, `['x'].map(eval)`, "dynamic-code"},
		{"a constructor of functions", JavaScript, `[].constructor.constructor('x')()`, "dynamic-code; not-known"},
		{"a text for a timer", JavaScript, `setTimeout("require('fs').unlinkSync('q')", 1)`, "evaluates require('fs').unlinkSync('q')!; deletes q!"},
		{"an expression in a template", JavaScript, "console.log(`a ${require('fs').unlinkSync('x')} b`)", "deletes x!"},
		{"a pattern behind a bracket", JavaScript, `if (x) /'/; require('fs').unlinkSync('y'); /'/`, "deletes y!"},
		{"a slash that may be either", JavaScript, "{} /'/; f() /'/", "unparsable"},
		{"a comment for old browsers", JavaScript, "<!-- `\nrequire('fs').unlinkSync('x') // `", "unparsable"},
		{"a line's end in a comment", JavaScript, "//\u2028require('fs').unlinkSync('x')", "deletes x!"},
		{"an escape in a name", JavaScript, `\u0065val('1')`, "unparsable; not-known"},
		{"a parameter that hides a constant", JavaScript, `const p = 'a'; ['b'].forEach(p => require('fs').unlinkSync(p))`, "deletes "},
		{"everything of a module", JavaScript, `Object.assign(globalThis, require('fs')); unlinkSync('x')`, "deletes x!; not-known"},
		{"with", JavaScript, `with (require('fs')) { unlinkSync('x') }`, "deletes x!; not-known"},
		{"apply", JavaScript, `Reflect.apply(require('fs').unlinkSync, null, ['x'])`, "deletes ; not-known"},
		{"the main module", JavaScript, `process.mainModule.require('fs')`, "dynamic-code; not-known"},
		{"the environment", JavaScript, `console.log(process.env.A, process.env)`, "environment A!; environment "},
		{"a request", JavaScript, `fetch('http://h/').then(r => r.text())`, "receives http://h/!"},
		{"a request that sends", JavaScript, `fetch('http://h/', {method: 'POST'})`, "sends http://h/!"},
		{"a shell of bun", JavaScript, "Bun.$`rm x`", "executes rm x!"},
		{"deno", JavaScript, `Deno.removeSync('x')`, "deletes x!"},
		{"data of the project", JavaScript, `console.log(require('./package.json').version)`, "reads ./package.json!; harmless"},
		{"code of the project", JavaScript, `require('./build.js')`, "loads ./build.js!; not-known"},
	})
}

func TestRuby(t *testing.T) {
	check(t, []example{
		{"backquotes", Ruby, "`rm -rf x`", "executes rm -rf x!"},
		{"percent", Ruby, `%x(id)`, "executes id!"},
		{"a call without brackets", Ruby, `File.delete 'a', 'b' if true`, "deletes a!; deletes b!"},
		{"an argument that goes on", Ruby, `require 'fileutils'; FileUtils.rm_rf "a#{1}" + "/b"`, "deletes a"},
		{"a method by its name", Ruby, `Kernel.send(:sys.to_s + 'tem', 'id')`, "executes id!"},
		{"a method that is handed on", Ruby, `[1].each(&method(:system))`, "dynamic-code"},
		{"a method of each", Ruby, `%w[a b].map(&:unlink)`, "deletes "},
		{"a class by its name", Ruby, `Object.const_get('File').delete('x')`, "dynamic-code"},
		{"a class in a variable", Ruby, `f = File; f.delete('x')`, "deletes x!"},
		{"a file that is a command", Ruby, `open('|id')`, "executes id!"},
		{"a text that is changed", Ruby, `c = 'ls'; c << '; rm x'; system(c)`, "executes "},
		{"a letter that is a quote", Ruby, `x = ?'; system('id'); y = ?'`, "executes id!"},
		{"a slash that may be either", Ruby, `a = 10; puts a /2; system('id') #/`, "executes id!; unparsable"},
		{"a name that nothing defines", Ruby, `frob`, "not-known"},
		{"something known is made anew", Ruby, "def File.delete(x)\nend", "not-known"},
		{"code in a here-document", Ruby, "puts <<E\n#{`id`}\nE", "unparsable"},
		{"eval", Ruby, `eval "File.delete('z')"`, "evaluates File.delete('z')!; deletes z!"},
	})
}

func TestPerl(t *testing.T) {
	check(t, []example{
		{"unlink", Perl, `unlink "a", "b";`, "deletes a!; deletes b!"},
		{"unlink of what is there", Perl, `$_ = "x"; unlink;`, "deletes "},
		{"a pipe in a name", Perl, `open(F, "rm -rf x |");`, "executes rm -rf x!"},
		{"a mode of its own", Perl, `open(my $f, '>', 'x') or die;`, "writes x!"},
		{"code in a substitution", Perl, `s/a/unlink("x")/e`, "unparsable"},
		{"code in a pattern", Perl, `print 1 if /b(?{ system("id") })/;`, "unparsable"},
		{"code in a text", Perl, `print "@{[system('id')]}"`, "executes id!"},
		{"code in a subscript of a text", Perl, `print "$h{system('id')}"`, "unparsable"},
		{"code in a subscript of a pattern", Perl, `print 1 if /$h{system('id')}/`, "unparsable"},
		{"a function by its name", Perl, `my $s = "sys" . "tem"; $s->("id");`, "executes id!"},
		{"a function by a reference", Perl, `&{"system"}("id")`, "dynamic-code; not-known"},
		{"a method by its name", Perl, `"File::Path"->can("rmtree")->("x");`, "dynamic-code; not-known"},
		{"a module's function", Perl, `File::Path::rmtree('x');`, "deletes x!"},
		{"a block is no code in a text", Perl, `eval { print 1 };`, "harmless"},
		{"eval", Perl, `eval "unlink 'q'";`, "evaluates unlink 'q'!; deletes q!"},
		{"documentation hides nothing", Perl, "=pod\n\n=cut\nunlink 'x';", "deletes x!"},
	})
}

func TestPHP(t *testing.T) {
	check(t, []example{
		{"unlink", PHP, `@unlink('a');`, "deletes a!"},
		{"letters of any case", PHP, `UnLink('a');`, "deletes a!"},
		{"a name's space", PHP, `\system('id');`, "executes id!"},
		{"a function by its name", PHP, `$f = 'sys' . 'tem'; $f('id');`, "executes id!"},
		{"a function whose name is computed", PHP, `$f = $x; $f('id');`, "dynamic-code"},
		{"a variable whose name is computed", PHP, `$$x('id');`, "unparsable; dynamic-code"},
		{"a function that is handed on", PHP, `array_map('unlink', $x);`, "deletes "},
		{"backquotes", PHP, "echo `id`;", "executes id!"},
		{"code that is decoded", PHP, `eval(base64_decode('x'));`, "evaluates ; dynamic-code"},
		{"text between code", PHP, `<?php echo 1; ?> text <?php unlink('q');`, "deletes q!"},
		{"a mark in a comment", PHP, `<?php // ?> <?php unlink('q');`, "deletes q!"},
		{"a file of the net", PHP, `echo file_get_contents('http://h/');`, "receives http://h/!"},
		{"a database", PHP, `$o = new PDO('sqlite:x'); $o->exec('DROP TABLE t');`, "sends sqlite:x!; database DROP TABLE t!"},
		{"an argument that goes on", PHP, `include ('x') . '/y.php';`, "loads x/y.php!"},
	})
}

func TestAwk(t *testing.T) {
	check(t, []example{
		{"system", Awk, `BEGIN{system("rm -rf x")}`, "executes rm -rf x!"},
		{"system of what is computed", Awk, `{system("rm " $1)}`, "executes rm "},
		{"a file", Awk, `{print $1 > "out.txt"}`, "writes out.txt!"},
		{"a file whose name is computed", Awk, `{print > $1}`, "writes "},
		{"a comparison", Awk, `$1 > 5 {print (2 > 1)}`, "harmless"},
		{"a pipe", Awk, `{print $2 | "sh"}`, "executes sh!"},
		{"a pipe that is read", Awk, `BEGIN{"date" | getline d}`, "executes date!"},
		{"a file that is read", Awk, `BEGIN{while ((getline l < "/etc/passwd") > 0) print l}`, "reads /etc/passwd!; harmless"},
		{"the environment", Awk, `BEGIN{print ENVIRON["A"]}`, "environment A!"},
		{"a function by its name", Awk, `BEGIN{f = "sys"; @f()}`, "dynamic-code; not-known"},
		{"an unknown function", Awk, `{frob($1)}`, "not-known"},
	})
}
