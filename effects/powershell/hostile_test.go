package powershell

import (
	"strings"
	"testing"
)

// A text may be made to be slow; the test's own time limit would tell.
func TestHostileTextsEnd(t *testing.T) {
	const size = 126 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	var doubling strings.Builder
	doubling.WriteString("$a = 'aaaaaaaaaaaaaaaa'\n")
	for i := range 25 {
		doubling.WriteString("$" + strings.Repeat("b", i+2) + ` = "` + strings.Repeat("$"+strings.Repeat("b", i+1), 2) + "\"\n")
	}
	for _, text := range []string{
		fill("$"), fill("$a "), fill("$a="), "$b = 'aaaaaaaaaaaaaaaa'\n" + doubling.String(), "$a = '" + fill("a")[:4000] + "'\necho " + strings.Repeat("$a", size/4),
		"$a = 'ls;ls;ls;ls;ls'\n" + strings.Repeat("iex $a\n", size/8), fill("@\"\n"), fill("<#"), fill("[a"), fill("[a]::"), fill("a|"), fill("a.b("),
		fill("{"), fill("% "), fill("if("), fill("'"), fill("\""), fill("`"), fill("cd a;"), fill("sal a b;"), fill("cmd /c "), fill("powershell "), fill("sudo "),
		fill("Start-Process "), fill("a,"), fill("-a:"), fill("--% "), fill("function a{"), fill("1+"), fill("\n"),
	} {
		if s := Read(text, "/home/user"); len(s.Commands) > maxCommands+10 {
			t.Errorf("%.20q… has %d commands", text, len(s.Commands))
		}
		ReadCmd(text, "/home/user")
	}
	for _, text := range []string{fill("%"), fill("!"), fill("%a"), fill("start "), fill("call "), fill("if "), fill("for "), fill("("), fill("\"a"), fill("^"), fill("/")} {
		ReadCmd(text, "")
	}
}
