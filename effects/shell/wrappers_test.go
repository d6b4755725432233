package shell

import (
	"strings"
	"testing"
)

// words splits a line at blanks; one that begins with $ is not known.
func words(line string) []Word {
	var out []Word
	for f := range strings.FieldsSeq(line) {
		kind := Literal
		if f[0] == '$' {
			kind = Unknown
		}
		out = append(out, Word{Parts: []Part{{Kind: kind, Text: strings.ReplaceAll(f, "_", " ")}}, Many: kind == Unknown})
	}
	return out
}

func line(list []Word) string {
	var out []string
	for _, w := range list {
		out = append(out, sourceOf(w))
	}
	return strings.Join(out, " ")
}

func sourceOf(w Word) string {
	var text strings.Builder
	for _, p := range w.Parts {
		text.WriteString(p.Text)
	}
	return text.String()
}

// describe is what a wrapper starts, in one line.
func describe(u unwrapped, kind wrapperKind) string {
	switch kind {
	case notWrapper:
		return "no"
	case strangeWrapper:
		return "strange"
	}
	out := line(u.args)
	for _, a := range u.env {
		out = a.Name + "=" + sourceOf(a.Value) + " " + out
	}
	if u.text != nil {
		out = "text: " + sourceOf(*u.text)
	}
	if u.stdinText {
		out += "reads"
	}
	if u.script != nil {
		out += "script: " + sourceOf(*u.script)
	}
	if u.remote != "" {
		out = "at " + u.remote + ": " + out
	}
	if u.dir != nil {
		out = "in " + sourceOf(*u.dir) + ": " + out
	}
	if u.fromStdin {
		out += " <" + u.placeholder + ">"
	}
	return strings.TrimSpace(out)
}

// TestAWrapperIsTakenAway: its options are told from the command behind it.
func TestAWrapperIsTakenAway(t *testing.T) {
	for command, want := range map[string]string{
		"ls -la":                                "no",
		"env":                                   "no",
		"env -i A=1 B=2 rm -rf x":               "B=2 A=1 rm -rf x",
		"env -u A rm x":                         "rm x",
		"env --unset=A rm x":                    "rm x",
		"env -C /tmp rm x":                      "in /tmp: rm x",
		"env -S rm_-rf_x y":                     "text: rm -rf x y",
		"env --frobnicate rm x":                 "strange",
		"env $X rm":                             "strange",
		"nohup rm x":                            "rm x",
		"timeout 5 rm x":                        "rm x",
		"timeout -k 1 --signal=KILL 5s rm -f x": "rm -f x",
		"timeout -s KILL":                       "strange",
		"nice -n 10 rm x":                       "rm x",
		"nice -5 rm x":                          "rm x",
		"stdbuf -oL -e0 rm x":                   "rm x",
		"/usr/bin/time -f %e rm x":              "rm x",
		"command rm x":                          "rm x",
		"command -v rm":                         "no",
		"exec -a name rm x":                     "rm x",
		"sudo -u root -E rm x":                  "rm x",
		"sudo A=1 rm x":                         "A=1 rm x",
		"sudo -s rm x":                          "text: rm x",
		"sudo -l":                               "no",
		"doas -u root rm x":                     "rm x",
		"su -c rm_x root":                       "text: rm x",
		"su root -c rm_x":                       "text: rm x",
		"runuser -u dev rm x":                   "rm x",
		"xargs rm":                              "rm <>",
		"xargs -0 -n 1 rm -f":                   "rm -f <>",
		"xargs -I{} rm {}":                      "rm {} <{}>",
		"xargs -i rm {}":                        "rm {} <{}>",
		"xargs --replace=% rm %":                "rm % <%>",
		"xargs":                                 "echo <>",
		"find . -name x":                        "no",
		"find . -exec rm {} +":                  "rm {}",
		"find . -exec rm -f {} ; -print":        "rm -f {}",
		"find . -execdir sh -c rm_x ;":          "sh -c rm x",
		"fd -e log -x rm":                       "rm <{}>",
		"fd -Hx rm":                             "strange",
		"watch -n 1 rm x":                       "text: rm x",
		"watch -x rm x":                         "rm x",
		"flock lock rm x":                       "rm x",
		"flock lock -c rm_x":                    "text: rm x",
		"script -c rm_x log":                    "text: rm x",
		"strace -f -o out rm x":                 "rm x",
		"busybox rm x":                          "rm x",
		"busybox --list":                        "no",
		"poetry run rm x":                       "rm x",
		"poetry install":                        "no",
		"uv run --frozen rm x":                  "rm x",
		"uv run --with evil rm x":               "strange",
		"bundle exec rm x":                      "rm x",
		"mise exec node@20 -- rm x":             "rm x",
		"ssh host rm x":                         "at host: text: rm x",
		"ssh -p 22 -i key dev@host rm x":        "at host: text: rm x",
		"ssh host":                              "at host: reads",
		"ssh -N -L 1:b:2 host":                  "no",
		"docker exec -it web rm x":              "at web: rm x",
		"docker exec -u root web rm x":          "at web: rm x",
		"docker run --rm -v a:b image rm x":     "at image: rm x",
		"docker compose -f f.yml exec web rm x": "at web: rm x",
		"docker ps -a":                          "no",
		"docker --version":                      "no",
		"kubectl exec -it pod -- rm x":          "at ?: rm x",
		"kubectl exec pod -c web -- rm x":       "at pod: rm x",
		"kubectl exec pod rm x":                 "strange",
		"kubectl -n shop get pods":              "no",
		"tmux new-session -d rm x":              "text: rm x",
		"tmux send-keys rm Enter":               "strange",
		"tmux ls":                               "no",
		"screen -dmS name rm x":                 "rm x",
		"nix-shell -p jq --run rm_x":            "text: rm x",
		"parallel rm ::: a b":                   "text: rm {} <{}>",
		"parallel -j 4 rm {.} ::: a":            "text: rm {.} <{}>",
		"bash -c rm_x":                          "text: rm x",
		"bash -lc rm_x name arg":                "text: rm x",
		"bash -o pipefail -c rm_x":              "text: rm x",
		"bash -euo pipefail -c rm_x":            "text: rm x",
		"bash --norc -xec rm_x":                 "text: rm x",
		"bash":                                  "reads",
		"bash -s a b":                           "reads",
		"sh -":                                  "reads",
		"sh /dev/stdin":                         "reads",
		"sh file.sh a":                          "script: file.sh",
		"bash -x file.sh":                       "script: file.sh",
		"bash -n file.sh":                       "no",
		"bash -c":                               "strange",
		"bash $X":                               "strange",
		"at now":                                "reads",
		"at -l":                                 "no",
	} {
		t.Run(command, func(t *testing.T) {
			if got := describe(unwrap(words(command))); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestEachCommandOfAFindIsFound behind the first one.
func TestEachCommandOfAFindIsFound(t *testing.T) {
	args := words("find . -exec a {} ; -exec b {} +")
	u, _ := unwrap(args)
	if got := line(u.args); got != "a {}" {
		t.Errorf("got %q first", got)
	}
	more := moreFind(args[1:])
	u, _ = unwrap(append([]Word{args[0]}, more...))
	if got := line(u.args); got != "b {}" {
		t.Errorf("got %q second", got)
	}
	if more = moreFind(more); len(more) != 0 {
		t.Errorf("got %q behind the last one", line(more))
	}
}

// TestWhatACommandPrintsIsKnown where only its words and a known input decide.
func TestWhatACommandPrintsIsKnown(t *testing.T) {
	for _, k := range []struct {
		args  []string
		stdin string
		want  string
		known bool
	}{
		{[]string{"echo", "rm", "-rf"}, "", "rm -rf\n", true},
		{[]string{"echo", "-n", "rm"}, "", "rm", true},
		{[]string{"echo", "-e", `\x72\155`}, "", "rm\n", true},
		{[]string{"echo", `\x72`}, "", "", false},
		{[]string{"printf", `\x72m %s\n`, "a", "b"}, "", "rm a\nrm b\n", true},
		{[]string{"printf", "%b", `\162m`}, "", "rm", true},
		{[]string{"printf", "%5s", "a"}, "", "", false},
		{[]string{"printf", "%d%%", "5"}, "", "5%", true},
		{[]string{"base64", "-d"}, "cm0gLXJm\n", "rm -rf", true},
		{[]string{"base64", "--decode"}, "cm0", "rm", true},
		{[]string{"base64", "-d"}, "%%%", "", false},
		{[]string{"base32", "-d"}, "OJWQ====", "rm", true},
		{[]string{"xxd", "-r", "-p"}, "72 6d", "rm", true},
		{[]string{"rev"}, "mr", "rm", true},
		{[]string{"tr", "a-y", "b-z"}, "ql", "rm", true},
		{[]string{"tr", "-d", "x"}, "rxm", "rm", true},
		{[]string{"tr", "[:upper:]", "[:lower:]"}, "RM", "", false},
		{[]string{"cat"}, "rm", "rm", true},
		{[]string{"cat", "file"}, "rm", "", false},
		{[]string{"basename", "/usr/bin/rm"}, "", "rm\n", true},
		{[]string{"dirname", "/usr/bin/rm"}, "", "/usr/bin\n", true},
		{[]string{"date"}, "", "", false},
	} {
		var args []Word
		for _, a := range k.args {
			args = append(args, Word{Parts: []Part{{Text: a}}})
		}
		stdin := Stdin{Kind: StdinText, Text: k.stdin}
		if got, known := output(args, stdin); known != k.known || known && got != k.want {
			t.Errorf("%q: got %q, %t, want %q, %t", k.args, got, known, k.want, k.known)
		}
	}
}

// TestWhatCannotBeSeenIsStrange, and text in one's own language is not.
func TestWhatCannotBeSeenIsStrange(t *testing.T) {
	for text, want := range map[string]ProblemKind{
		"ls -la\n\tx":         "",
		"echo привет, мир":    "",
		"echo 你好　世界":          "",
		"echo café ñandú":     "",
		"echo 👩‍💻":            "",
		"gіt status":          LookAlike,
		"rm\u00a0-rf":         LookAlike,
		"ls \u202egnp.exe":    LookAlike,
		"r\u200bm":            LookAlike,
		"cat ／etc":            LookAlike,
		"ls \x1b[2K":          ControlBytes,
		"ls \x00":             ControlBytes,
		"ls \x7f":             ControlBytes,
		"ls \xff":             ControlBytes,
		"echo αβγ":            "",
		"echo pαth":           LookAlike,
		"\ufeffls":            LookAlike,
		"echo ok; ls \u2066a": LookAlike,
	} {
		found := strange(text, 0)
		if want == "" {
			if len(found) > 0 {
				t.Errorf("%q: got %v", text, found)
			}
			continue
		}
		if len(found) == 0 || found[0].Kind != want {
			t.Errorf("%q: got %v, want %s", text, found, want)
		}
	}
}
