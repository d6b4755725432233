package shell

import (
	"strings"
	"testing"
)

// FuzzRead checks that no text makes the reader fall, that every place is inside the
// text, that the bounds hold, and that what no shell takes is a problem.
func FuzzRead(f *testing.F) {
	for _, s := range typical {
		f.Add(s)
	}
	for _, s := range []string{
		`bash -c 'rm "$1"' _ x`, `f() { f; }; f`, "cat <<-E | sh\n\ta $b\n\tE", `x=(a b); echo ${x[@]:1} ${x/a/b} ${!x}`, `case a in a) b;; esac`,
		`find . -exec a {} + -exec b {} \;`, `eval "a $(b)" <<< c`, `$((1+a[2]))`, `a{b,c{1..3}}d`, `ssh h 'a; b' | xargs -I% c %`, "a `b \\`c\\``", `[[ a =~ b ]] && let x=1`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Read(text, testEnv)
		if len(s.Commands) > maxCommands || len(s.Problems) > maxProblems {
			t.Fatalf("%d commands, %d problems", len(s.Commands), len(s.Problems))
		}
		within := func(at Span) {
			if at.Start < 0 || at.Start > at.End || at.End > len(text) {
				t.Fatalf("place %v in %d bytes", at, len(text))
			}
		}
		for _, p := range s.Problems {
			within(p.Span)
		}
		for i, c := range s.Commands {
			within(c.Span)
			if len(c.Args) > 2*maxWords {
				t.Fatalf("%d words", len(c.Args))
			}
			for _, w := range c.Args {
				within(w.Span)
			}
			for _, from := range c.Stdin.From {
				if from < 0 || from >= len(s.Commands) {
					t.Fatalf("command %d reads from %d of %d", i, from, len(s.Commands))
				}
			}
		}
		if len(text) < maxBrackets && len(s.Problems) == 0 {
			if file, _ := parse(text); file == nil && len(strings.TrimSpace(text)) > 0 {
				t.Fatal("no shell takes it, and that is no problem")
			}
		}
	})
}

func TestATextInAnotherShellRunsTheSame(t *testing.T) {
	for _, text := range typical {
		if strings.Contains(text, "'") || strings.Contains(text, "$(") {
			continue
		}
		plain, nested := Read(text, testEnv), Read("bash -c '"+text+"'", testEnv)
		want, got := notation(plain), strings.ReplaceAll(notation(nested), "bash: ", "")
		got = strings.ReplaceAll(got, "bash+", "")
		if got != want {
			t.Errorf("%s\n plain  %s\n nested %s", text, want, got)
			continue
		}
		for i, c := range plain.Commands {
			if at := nested.Commands[i].Span; at.Start != c.Span.Start+9 || at.End != c.Span.End+9 {
				t.Errorf("%s: command %d stands at %v, nested at %v", text, i, c.Span, at)
			}
		}
	}
}

func TestQuotesChangeNothing(t *testing.T) {
	const want = `rm -rf /x y`
	for _, text := range []string{`rm -rf /x y`, `'rm' -rf /x y`, `"rm" "-rf" '/x' y`, `r\m -r\f /\x \y`, `$'rm' $'\x2drf' $"/x" y`, `r''m -r""f /x y`, "rm \\\n-rf /x y", `{rm,-rf,/x,y}`, `eval 'rm -rf /x y'`} {
		got := strings.TrimPrefix(notation(Read(text, testEnv)), "eval: ")
		if got != want {
			t.Errorf("%s is %s", text, got)
		}
	}
}

// TestWorkGrowsWithTheText counts work instead of time.
func TestWorkGrowsWithTheText(t *testing.T) {
	for _, unit := range []string{`'a'b`, `\a`, `$X`, "a ", "${X:-a}", "*a", "a,", `"$X" `} {
		spent := func(n int) int {
			r := reader{env: testEnv, work: maxWork}
			text := "x " + strings.Repeat(unit, n)
			sc := scope{dirs: dirset{list: []string{"/src"}}}
			r.outer = text
			r.source(&source{text: text, whole: Span{0, len(text)}, exact: true}, frame{certain: true}, &sc)
			return maxWork - r.work
		}
		small, big := spent(500), spent(1000)
		if big > 2*small+64 {
			t.Errorf("%q: %d for 500 of them, %d for 1000", unit, small, big)
		}
	}
}

func TestFloodsAreTooComplex(t *testing.T) {
	for _, unit := range []string{"(", "$(", "{", "${a:-", "if ", "! ", "f()", "a;", "a && ", "a | ", "coproc ", "[[ ! ", "sudo ", "a=$a$a;"} {
		text := "true;" + strings.Repeat(unit, maxText/2/len(unit)) + "a"
		complex := false
		for _, p := range Read(text, testEnv).Problems {
			complex = complex || p.Kind == TooComplex || p.Kind == Unparsable
		}
		if !complex {
			t.Errorf("half a megabyte of %q is read without a problem", unit)
		}
	}
	if s := Read(strings.Repeat("a", maxText+1), testEnv); len(s.Problems) != 1 || s.Problems[0].Kind != TooComplex {
		t.Errorf("more than the bound: %v", s.Problems)
	}
}
