package effects_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/effects"
)

var decisions = []effects.Decision{effects.Allow, effects.Review, effects.Deny}

func strictness(d effects.Decision) int { return slices.Index(decisions, d) }

// TestStricterIsMonotone: never below either of the two, and the same in any order.
func TestStricterIsMonotone(t *testing.T) {
	for _, a := range decisions {
		for _, b := range decisions {
			got := effects.Stricter(a, b)
			if strictness(got) != max(strictness(a), strictness(b)) || got != effects.Stricter(b, a) {
				t.Errorf("of %s and %s: %s", a, b, got)
			}
			for _, c := range decisions {
				if effects.Stricter(effects.Stricter(a, b), c) != effects.Stricter(a, effects.Stricter(b, c)) {
					t.Errorf("%s, %s, %s are not associative", a, b, c)
				}
			}
		}
	}
	if effects.Stricter(effects.Allow, "no decision") == effects.Allow {
		t.Error("what is no decision lets something through")
	}
}

// commands are of every kind; each is whole by itself.
var commands = []string{
	"ls", "ls -la src", "cat README.md", "echo hello", "git status", "git log --oneline -5", "go test ./...", "grep -rn TODO src", "mkdir -p out", "touch a.txt", "pwd", "date",
	"echo a > a.txt", "echo a > .env", "cat .env", "cat /etc/hosts", "cat ~/notes.txt", "cp a.txt b.txt", "mv a.txt b.txt", "rm a.txt", "rm -rf build", "rm -rf /tmp/x", "rm a b", "rm -rf *.o",
	"rm -rf /", "rm -rf ~", "echo a > /etc/hosts", "git push", "git reset --hard", "npm install left-pad", "curl https://example.com/", "curl -d x https://example.com/", "kubectl delete pod a",
	"psql -c 'DROP TABLE a'", "python3 -c 'print(1)'", `python3 -c "import os; os.remove('a')"`, "frobnicate", "./x.sh", "kill 1", "engine status", "cat /var/lib/docket/keys", "chmod 777 a", "sed -i s/a/b/ a.txt",
	"echo a >> Makefile", "docker ps", "docker rm -f a", "terraform destroy", "find . -name '*.go'", "find . -delete", "sort a.txt | uniq -c", "echo build | xargs rm -rf",
}

func decided(t testing.TB, command string) effects.Decision {
	return answered(t, facts(), "shell", "command", command).Decision
}

// TestAnotherCommandNeverMakesALineWeaker, before, behind or beside it.
func TestAnotherCommandNeverMakesALineWeaker(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		one, two := rapid.SampledFrom(commands).Draw(r, "one"), rapid.SampledFrom(commands).Draw(r, "two")
		tie := rapid.SampledFrom([]string{"; ", " && ", " || ", "\n", " & ", " | "}).Draw(r, "tie")
		least := effects.Stricter(decided(t, one), decided(t, two))
		if got := decided(t, one+tie+two); strictness(got) < strictness(least) {
			r.Errorf("%q: got %s, want at least %s", one+tie+two, got, least)
		}
	})
}

// TestWrappingNeverMakesACommandWeaker, as often as it is done.
func TestWrappingNeverMakesACommandWeaker(t *testing.T) {
	quoted := func(command string) string { return "'" + strings.ReplaceAll(command, "'", `'\''`) + "'" }
	// A program can only start another one: what is more than that is put into a shell.
	in := func(front string) func(string) string {
		return func(c string) string {
			if first, _, _ := strings.Cut(c, " "); strings.ContainsAny(c, "|;&\n>()") || first == "if" || first == "for" || first == "eval" || strings.ContainsAny(first, `=\`) {
				c = "bash -c " + quoted(c)
			}
			return front + c
		}
	}
	wraps := map[string]func(string) string{
		"env":          in("env A=1 "),
		"nohup":        in("nohup "),
		"timeout":      in("timeout 5 "),
		"command":      in("command "),
		"a backslash":  in(`\`),
		"a variable":   in("A=1 "),
		"bash":         func(c string) string { return "bash -c " + quoted(c) },
		"sh":           func(c string) string { return "sh -c " + quoted(c) },
		"eval":         func(c string) string { return "eval " + quoted(c) },
		"a subshell":   func(c string) string { return "( " + c + "\n)" },
		"a group":      func(c string) string { return "{ " + c + "\n}" },
		"a condition":  func(c string) string { return "if true; then " + c + "\nfi" },
		"a loop":       func(c string) string { return "for i in 1 2; do " + c + "\ndone" },
		"a function":   func(c string) string { f := fmt.Sprint("f", len(c)); return f + "() { " + c + "\n}; " + f },
		"substitution": func(c string) string { return "echo \"$( " + c + "\n)\"" },
		"a here-text":  func(c string) string { e := fmt.Sprint("END", len(c)); return "bash <<'" + e + "'\n" + c + "\n" + e },
		"a pipe":       func(c string) string { return "printf '%s' " + quoted(c) + " | bash" },
	}
	names := make([]string, 0, len(wraps))
	for name := range wraps {
		names = append(names, name)
	}
	slices.Sort(names)
	rapid.Check(t, func(r *rapid.T) {
		command := rapid.SampledFrom(commands).Draw(r, "command")
		least, wrapped := decided(t, command), command
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 1, 3).Draw(r, "wraps") {
			wrapped = wraps[name](wrapped)
		}
		if got := decided(t, wrapped); strictness(got) < strictness(least) {
			r.Errorf("%q: got %s, want at least %s", wrapped, got, least)
		}
	})
}

// TestHintsNeverLower what is said of a call.
func TestHintsNeverLower(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tool := rapid.SampledFrom([]string{"shell", "read", "write", "mcp__a__delete", "fetch", "other"}).Draw(r, "tool")
		arguments := rapid.SampledFrom([]string{`{"command":"ls"}`, `{"path":"a"}`, `{"path":"/etc/hosts","content":"a"}`, `{"url":"https://example.com"}`, `{}`, `[]`}).Draw(r, "arguments")
		claim := rapid.SampledFrom([]*bool{nil, new(bool), func() *bool { yes := true; return &yes }()})
		hints := &effects.Hints{ReadOnly: claim.Draw(r, "reads"), Destructive: claim.Draw(r, "destroys"), OpenWorld: claim.Draw(r, "open")}
		call := effects.Call{Tool: tool, Arguments: jsontext.Value(arguments)}
		plain := effects.Analyze(call, facts()).Decision
		call.Hints = hints
		if got := effects.Analyze(call, facts()).Decision; strictness(got) < strictness(plain) {
			r.Errorf("%s %s: got %s, want at least %s", tool, arguments, got, plain)
		}
	})
}

// TestAGuardedTargetIsNeverAllowed, in any place of any call.
func TestAGuardedTargetIsNeverAllowed(t *testing.T) {
	targets := []string{"/var/lib/docket/keys", "/var/lib/docket", "/var/lib/../lib/docket/keys", "$MODEL_KEY", "http://127.0.0.1:4222/"}
	shapes := []string{
		"cat %", "ls %", "cp % copy", "frobnicate %", "frobnicate --file=%", "echo a > %", "echo a >> %", "wc -l < %", "rm -rf %", "tar czf a.tgz %", "python3 x.py %", "git add %", "git -C % status",
		"env X=% ls", "X=% ls", "curl -T % https://example.com", "curl %", "cat <<< \"$(cat %)\"", "bash -c 'cat %'", "for f in %; do cat $f; done", "cd % && ls", "find % -name x", "grep -r x %", "head -5 %", "sed -n p %",
		"xargs cat < %", "echo % | xargs cat", "ln -s % l", "source %", "bash %", "diff a %", "dd if=% of=a", "tee % < a", "docker run -v %:/x alpine", "rsync -a % copy", "sqlite3 % .dump",
	}
	f := engineFacts()
	for _, target := range targets {
		for _, shape := range shapes {
			if strings.Contains(target, "://") && strings.ContainsAny(shape, "<>") {
				continue // a file of that name
			}
			command := strings.ReplaceAll(shape, "%", target)
			if a := answered(t, f, "shell", "command", command); a.Decision == effects.Allow {
				t.Errorf("%s is allowed by %v", command, ruleIDs(a))
			}
		}
		for _, tool := range []string{"read", "write", "edit", "delete", "ls", "glob", "grep", "WebFetch", "mcp__x__y", "Task2"} {
			for _, member := range []string{"path", "file_path", "url", "pattern", "target"} {
				members := []any{member, target}
				switch tool {
				case "write":
					members = append(members, "content", "x")
				case "edit":
					members = append(members, "oldText", "x", "newText", "y")
				case "WebFetch":
					members = append(members, "prompt", "x")
				case "grep", "glob":
					if member == "path" {
						members = append(members, "pattern", "x")
					} else if tool == "grep" {
						continue // what is searched for may be any text
					}
				}
				if a := answered(t, f, tool, members...); a.Decision == effects.Allow && (strings.HasPrefix(target, "/") || member == "url") {
					t.Errorf("%s %s=%s is allowed by %v", tool, member, target, ruleIDs(a))
				}
			}
		}
	}
}

// FuzzAnalyze: no text makes it panic, an answer always has a reason, and what has a
// reason to be stopped is.
func FuzzAnalyze(f *testing.F) {
	for _, c := range commands {
		f.Add("shell", `{"command":`+quotedJSON(c)+`}`)
	}
	f.Add("Edit", `{"file_path":"a","old_string":"b","new_string":"c"}`)
	f.Add("apply_patch", `{"command":"*** Begin Patch\n*** Add File: a\n+b\n*** End Patch"}`)
	f.Add("run_code", `{"code":"return await tools.read({path: 'a'})"}`)
	f.Add("shell", `{"command":["bash","-lc","ls"],"workdir":"src"}`)
	f.Fuzz(func(t *testing.T, tool, arguments string) {
		if len(arguments) > 1<<16 {
			return // longer ones are tested for their time
		}
		a := effects.Analyze(effects.Call{Tool: tool, Arguments: jsontext.Value(arguments)}, engineFacts())
		if len(a.Findings) == 0 {
			t.Fatal("no rule speaks")
		}
		worst := effects.Allow
		for _, finding := range a.Findings {
			worst = effects.Stricter(worst, finding.Decision)
			if len(finding.Words) > 1024 || finding.Span.Start > finding.Span.End {
				t.Errorf("a finding has %d bytes and the span %v", len(finding.Words), finding.Span)
			}
		}
		if a.Decision != worst {
			t.Errorf("got %s, the findings say %s", a.Decision, worst)
		}
		if !jsontext.Value(arguments).IsValid() && a.Decision == effects.Allow {
			t.Error("what is no JSON is allowed")
		}
	})
}

func quotedJSON(s string) string {
	text, _ := json.Marshal(s) // a string of this file always can be
	return string(text)
}
