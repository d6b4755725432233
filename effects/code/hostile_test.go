package code

import (
	"strings"
	"testing"
)

// A text may be made to be slow. Each of these grows with the square of its length, or
// faster, where something is not bounded; the test's own time limit would tell.
func TestHostileTextsEnd(t *testing.T) {
	const size = 126 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for lang, texts := range map[Language][]string{
		Python: {
			"import json\njson" + fill(".a"), "p = '" + strings.Repeat("x = 1;", size/12) + "'\n" + strings.Repeat("exec(p)\n", size/16),
			"a = " + fill("'a'+"), "a='aaaaaaaa'\n" + fill("a=a+a\n"), fill("a, "), "a, " + fill("b, ") + "= 1", fill("for a in b, "), fill("f'{f'"),
			fill("a=b="), fill("lambda a,"), fill("@a\n"), fill("def a("), fill("from a import (b,"), fill("'"), fill("\\"), fill("[a]+"),
		},
		JavaScript: {fill("import "), fill("const {a,"), fill("`${"), fill("a=>"), fill("(a,b)=>{"), fill("/"), fill("a["), fill("</"), fill("require("), fill("x?.")},
		Ruby:       {fill("<<\"a"), fill("<<A\n"), fill("%w["), fill("|a,"), fill("a ?"), fill("`#{"), fill("x.y "), fill("a b "), fill("&:a,")},
		Perl:       {fill("<"), fill(`"$a[`), fill("<<'a"), fill("s/a/b/;"), fill("y "), fill("m{"), fill("$a{"), fill("qw "), fill("@{")},
		PHP:        {fill("?><?"), fill(`"{$a`), fill("<<<A\n"), fill("$a->"), fill("echo "), fill("new "), fill("array_map(")},
		Awk:        {fill("print>"), fill("|getline"), fill("/"), fill("print("), fill("@a("), fill("\"a\"|")},
	} {
		for _, text := range texts {
			if r := Scan(lang, text); len(r.Calls) > maxCalls || len(r.Problems) > maxProblems+1 {
				t.Errorf("%s: %.20q… has %d calls and %d problems", lang, text, len(r.Calls), len(r.Problems))
			}
		}
	}
}
