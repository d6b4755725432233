package powershell

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// ReadCmd finds the commands of a text for cmd.exe. Its own commands get the names and
// parameters of the cmdlets that do the same.
func ReadCmd(text, home string) shell.Script {
	var s shell.Script
	r := newReader(text, home, &s)
	if len(text) <= maxText {
		r.check()
	}
	r.batch()
	return s
}

// cmd is cmd.exe as a command of PowerShell: cmd /c text.
func (r *reader) cmd(args []shell.Word, start int) bool {
	for i, a := range args {
		t, ok := a.Value()
		low := strings.ToLower(t)
		if !ok || !strings.HasPrefix(low, "/") {
			r.problem(shell.DynamicCode, "cmd", start)
			return false
		}
		if !strings.HasPrefix(low, "/c") && !strings.HasPrefix(low, "/k") && !strings.HasPrefix(low, "/r") {
			continue
		}
		all := []string{}
		if len(t) > 2 {
			all = append(all, t[2:])
		}
		for _, w := range args[i+1:] {
			v, known := w.Value()
			if !known {
				r.problem(shell.DynamicCode, w.Prefix(), start)
				return false
			}
			if strings.Contains(v, " ") && len(args) > i+2 {
				v = `"` + v + `"`
			}
			all = append(all, v)
		}
		at := r.span(start, r.pos)
		inner := &reader{
			text: strings.Join(all, " "), home: r.home, script: r.script, shared: r.shared, nested: r.nested + 1, at: &at, loose: r.loose,
			via: append(append([]shell.Wrapper(nil), r.via...), shell.Wrapper{Name: "cmd", Span: at}),
		}
		inner.batch()
		return true
	}
	r.problem(shell.DynamicCode, "cmd", start) // it reads its input
	return false
}

// batch reads a text of cmd.exe.
func (r *reader) batch() {
	if r.nested > 0 {
		r.shared.expanded += len(r.text)
	}
	if len(r.text) > maxText || r.nested > maxNested || r.shared.expanded > maxText {
		r.problem(shell.TooComplex, "", 0)
		return
	}
	for r.pos < len(r.text) && len(r.script.Commands) <= maxCommands {
		switch c := r.cur(); {
		case c <= ' ' || c == '&' || c == '(' || c == ')' || c == '@' || c == '|' || c == ',' || c == ';' || c == '=':
			r.pos++
		case r.comment():
			r.toLineEnd()
		default:
			r.batchCommand()
		}
	}
	if r.pos < len(r.text) {
		r.problem(shell.TooComplex, "", r.pos)
	}
}

// comment reports whether a remark or a label stands here.
func (r *reader) comment() bool {
	if r.cur() == ':' {
		return true
	}
	rest := r.text[r.pos:]
	return len(rest) >= 3 && strings.EqualFold(rest[:3], "rem") && (len(rest) == 3 || rest[3] <= ' ')
}

func (r *reader) toLineEnd() {
	for r.pos < len(r.text) && r.cur() != '\n' {
		r.pos++
	}
}

func (r *reader) batchCommand() {
	start := r.pos
	var words []shell.Word
	var redirects []shell.Redirect
	for r.pos < len(r.text) {
		c := r.cur()
		switch {
		case c == '\n' || c == '&' || c == '|' || c == ')' && len(words) > 0:
			r.batchAdd(words, redirects, start)
			return
		case c <= ' ' || c == ',' || c == ';' || c == '=':
			r.pos++
		case c == '>' || c >= '0' && c <= '9' && r.next() == '>':
			if rd, ok := r.redirect(); ok && !strings.EqualFold(rd.Target.Prefix(), "nul") {
				redirects = append(redirects, rd)
			}
		case c == '<':
			r.pos++
			for r.cur() == ' ' {
				r.pos++
			}
			w := r.batchWord()
			redirects = append(redirects, shell.Redirect{Op: shell.ReadFrom, Target: w, Span: w.Span})
		default:
			before := r.pos
			words = append(words, r.batchWord())
			if r.pos == before {
				r.pos++
			}
		}
	}
	r.batchAdd(words, redirects, start)
}

// batchWord reads a word with its quotes, carets and variables.
func (r *reader) batchWord() shell.Word {
	start := r.pos
	var b builder
	in := false
	for r.pos < len(r.text) {
		c := r.cur()
		switch {
		case c == '"':
			in = !in
			b.quoted = true
			r.pos++
		case c == '\n' || !in && (c <= ' ' || strings.IndexByte("&|<>,;=)", c) >= 0):
			return r.batchFinish(&b, in, start)
		case c == '^' && !in:
			r.pos++
			if r.cur() == '\r' {
				r.pos++
			}
			if r.cur() != '\n' && r.pos < len(r.text) {
				b.text.WriteByte(r.cur())
			}
			r.pos++
		case c == '%' || c == '!':
			r.batchVariable(&b, c)
		case c == '/' && !in && r.pos > start: // del/s/q
			return r.batchFinish(&b, in, start)
		default:
			b.text.WriteByte(c)
			r.pos++
		}
	}
	return r.batchFinish(&b, in, start)
}

func (r *reader) batchFinish(b *builder, open bool, start int) shell.Word {
	if open {
		r.problem(shell.Unparsable, "a quote has no end", start)
	}
	return b.word(r.span(start, r.pos))
}

// batchVariable is %X%, %1, %%i, %~dp0 or !X!.
func (r *reader) batchVariable(b *builder, c byte) {
	rest := r.text[r.pos+1 : min(len(r.text), r.pos+256)]
	end := strings.IndexByte(rest, c)
	line := strings.IndexAny(rest, " \t\r\n\"")
	if end > 0 && (line < 0 || end < line) {
		name := strings.ToLower(r.text[r.pos+1 : r.pos+1+end])
		source := r.text[r.pos : r.pos+end+2]
		r.pos += end + 2
		if (name == "userprofile" || name == "home") && r.home != "" {
			b.literal(r.home)
			return
		}
		b.unknown(source)
		return
	}
	if c == '!' || end == -1 && line == 0 {
		b.text.WriteByte(c)
		r.pos++
		return
	}
	from := r.pos
	r.pos++
	for r.pos < len(r.text) && (isWord(r.cur()) || r.cur() == '~' || r.cur() == '%' || r.cur() == '*') {
		r.pos++
	}
	b.unknown(r.since(from))
}

// batchNames are the commands of cmd.exe that have a cmdlet like them.
var batchNames = paired(`del=Remove-Item erase=Remove-Item rd=Remove-Item rmdir=Remove-Item copy=Copy-Item xcopy=Copy-Item
	move=Move-Item ren=Rename-Item rename=Rename-Item md=New-Item mkdir=New-Item type=Get-Content dir=Get-ChildItem
	echo=Write-Output cd=Set-Location chdir=Set-Location pushd=Push-Location popd=Pop-Location cls=Clear-Host format=Format-Volume
	ver=Get-Host vol=Get-Volume date=Get-Date time=Get-Date pause=Read-Host more=Out-Host`)

func (r *reader) batchAdd(words []shell.Word, redirects []shell.Redirect, start int) {
	c := shell.Command{Redirects: redirects, Span: r.span(start, r.pos)}
	if len(words) == 0 {
		if len(redirects) > 0 {
			r.add(c)
		}
		return
	}
	n, ok := words[0].Value()
	if !ok {
		r.problem(shell.DynamicProgram, words[0].Prefix(), start)
		c.Args = words
		r.add(c)
		return
	}
	low := strings.TrimSuffix(strings.ToLower(n), ".exe")
	switch low {
	case "if", "for", "do", "goto", "else", "setlocal", "endlocal", "shift":
		if low == "if" || low == "for" || low == "else" || low == "do" {
			r.batchConstruct(low, words, c, start)
		}
		return
	case "call", "start":
		r.batchStart(low, words[1:], c, start)
		return
	case "cmd":
		if r.cmd(words[1:], start) {
			return
		}
	case "powershell", "pwsh":
		c.Args = append([]shell.Word{text(low, words[0].Span)}, words[1:]...)
		if r.powershell(c, start) {
			return
		}
	}
	name, ok := batchNames[low]
	if !ok {
		c.Args = append([]shell.Word{text(strings.TrimSuffix(n, ".exe"), words[0].Span)}, words[1:]...)
		if !strings.ContainsAny(n, `\/:`) {
			c.Args[0].Parts[0].Text = low
		}
		r.add(c)
		return
	}
	c.Args = append([]shell.Word{text(name, words[0].Span)}, switches(low, words[1:])...)
	if name == "Set-Location" {
		r.changeDir(c.Args[1:])
	}
	r.add(c)
}

// switches are the options of cmd.exe as parameters.
func switches(name string, words []shell.Word) []shell.Word {
	var out []shell.Word
	for _, w := range words {
		t := strings.ToLower(w.Prefix())
		if len(t) < 2 || t[0] != '/' || w.Quoted || name == "echo" {
			if name == "del" || name == "erase" || name == "copy" || name == "move" {
				w = globbed(w)
			}
			out = append(out, w)
			continue
		}
		switch {
		case t[1] == 's':
			out = append(out, text("-Recurse", w.Span))
		case t[1] == 'q' || t[1] == 'f' || t[1] == 'y':
			out = append(out, text("-Force", w.Span))
		}
	}
	if name == "md" || name == "mkdir" {
		out = append(out, text("-ItemType", shell.Span{}), text("Directory", shell.Span{}))
	}
	return out
}

// batchConstruct is if or for: what it runs is read, and is not certain.
func (r *reader) batchConstruct(kind string, words []shell.Word, c shell.Command, start int) {
	r.nested++
	defer func() { r.nested-- }()
	if r.nested > maxDepth {
		r.problem(shell.TooComplex, kind, start)
		return
	}
	rest := words[1:]
	switch kind {
	case "for":
		for i, w := range rest {
			if strings.EqualFold(w.Prefix(), "do") {
				rest = rest[i+1:]
				break
			}
			if strings.Contains(w.Prefix(), "'") { // for /f … in ('command')
				r.problem(shell.DynamicCode, "for", start)
			}
		}
		if len(rest) == len(words)-1 {
			return // its body follows
		}
	case "if":
		rest = condition(rest)
	}
	loose := r.loose
	r.loose = true
	if len(rest) > 0 {
		r.batchAdd(rest, c.Redirects, start)
	}
	r.loose = loose
}

// condition leaves out what if asks for.
func condition(words []shell.Word) []shell.Word {
	for len(words) > 0 && (strings.EqualFold(words[0].Prefix(), "not") || strings.EqualFold(words[0].Prefix(), "/i")) {
		words = words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	switch strings.ToLower(words[0].Prefix()) {
	case "exist", "defined", "errorlevel", "cmdextversion":
		return words[min(2, len(words)):]
	}
	if len(words) > 1 {
		switch strings.ToLower(words[1].Prefix()) {
		case "equ", "neq", "lss", "leq", "gtr", "geq":
			return words[min(3, len(words)):]
		}
	}
	return words[min(2, len(words)):] // a==b: the signs part words
}

// batchStart is call and start, whose options and title are left out.
func (r *reader) batchStart(by string, words []shell.Word, c shell.Command, start int) {
	for len(words) > 0 && (strings.HasPrefix(words[0].Prefix(), "/") || by == "start" && words[0].Quoted && len(words) > 1) {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	inner := *r
	inner.nested++
	inner.via = append(append([]shell.Wrapper(nil), r.via...), shell.Wrapper{Name: by, Span: c.Span})
	if inner.nested > maxNested*4 {
		r.problem(shell.TooComplex, by, start)
		return
	}
	inner.batchAdd(words, c.Redirects, start)
	r.pos = inner.pos
}
