package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// packPrograms put files together and take them apart.
func packPrograms() map[string]program {
	return map[string]program{
		"tar": {explainTar}, "gtar": {explainTar}, "bsdtar": {explainTar},
		"zip": {explainZip}, "unzip": {explainUnzip}, "zipinfo": usage{spec: spec{short: "12lmsvhMtTzZ"}, files: looks}.program(),
		"7z": {explainSevenZip}, "7za": {explainSevenZip}, "7zz": {explainSevenZip},
		"ar": {explainAr}, "jar": {explainAr},
	}
}

const (
	tarShort = "AcdrtuxBC:f:F:g:GH:I:jJkK:lL:mMnN:oOpPQ:RsST:UvV:wWX:zZab:ihH"
	tarLong  = "catenate concatenate create delete diff compare append list update extract get file= directory= gzip gunzip bzip2 xz zstd lzma lzip auto-compress verbose exclude= exclude-from= exclude-vcs exclude-vcs-ignores exclude-caches strip-components= wildcards no-wildcards to-stdout keep-old-files keep-newer-files overwrite skip-old-files preserve-permissions same-permissions no-same-owner no-same-permissions same-owner numeric-owner owner= group= mtime= mode= sort= transform= xform= files-from= null no-recursion one-file-system dereference totals=? format= absolute-names touch show-transformed-names anchored ignore-failed-read warning= unlink-first recursive-unlink remove-files " + tarRuns
	tarRuns  = "to-command= checkpoint=? checkpoint-action= use-compress-program= info-script= new-volume-script= rsh-command= rmt-command="
)

func explainTar(in *invocation) bool {
	args := in.args
	if text, ok := first(args); ok && text != "" && text[0] != '-' {
		// The old form: letters without a dash, their values behind them.
		w := args[0]
		w.Parts = []shell.Part{{Text: "-" + text}}
		args = append([]shell.Word{w}, args[1:]...)
		if strings.IndexByte(text, 'f') >= 0 && !strings.HasSuffix(text, "f") {
			w.Parts = []shell.Part{{Text: "-" + strings.Replace(text, "f", "", 1) + "f"}}
			args[0] = w
		}
	}
	o := spec{short: tarShort, long: tarLong}.read(args)
	if o.has("to-command", "checkpoint-action", "use-compress-program", "I", "info-script", "F", "new-volume-script", "rsh-command", "rmt-command") {
		in.say("runs-hidden", in.span(in.Span), in.name)
	}
	in.patternOption(&o)
	archive, named := o.get("f", "file")
	if text, ok := archive.value.Value(); ok && strings.IndexByte(text, ':') > 0 {
		in.say("runs-hidden", in.span(archive.span), text) // on another host, by ssh
	}
	switch {
	case o.has("x", "extract", "get"):
		in.file(looks, archive.value)
		if !o.has("O", "to-stdout") {
			in.unpacked(&o, o.has("P", "absolute-names"), "C", "directory")
		}
	case o.has("t", "list", "d", "diff", "compare"):
		in.file(looks, archive.value)
	case o.has("c", "create", "r", "append", "u", "update", "A"):
		in.packed(&o, archive)
		if o.has("remove-files") {
			return false
		}
	default:
		return false
	}
	return named && o.understood() || o.understood() && !o.has("x")
}

// packed notes what goes into an archive.
func (in *invocation) packed(o *options, archive option) {
	if archive.given {
		in.file(writes, archive.value)
	}
	in.changeInto(o, "C", "directory")
	for _, w := range o.operands {
		in.file(searches, w)
	}
	for _, name := range []string{"T", "files-from", "X", "exclude-from"} {
		if opt, ok := o.get(name); ok {
			in.file(looks, opt.value)
		}
	}
}

// changeInto has the operands start in the folder that an option names.
func (in *invocation) changeInto(o *options, names ...string) {
	opt, ok := o.get(names...)
	if !ok {
		return
	}
	in.file(searches, opt.value)
	if dir, known := opt.value.Value(); known {
		for i, w := range o.operands {
			if text, ok := w.Value(); ok && !strings.HasPrefix(text, "/") {
				o.operands[i].Parts = []shell.Part{{Text: dir + "/" + text}}
			}
		}
	}
}

// unpacked notes that files appear, of which nobody knows the names, in the folder
// that an option names. They can take the place of any file there.
func (in *invocation) unpacked(o *options, anywhere bool, names ...string) {
	target, ok := o.get(names...)
	if !ok {
		target.value = shell.Word{Parts: []shell.Part{{Text: "."}}, Span: in.Span}
	}
	if anywhere {
		in.say("write-computed", in.span(in.Span), in.name)
	}
	in.notes(noted{Effect: Effect{Kind: Write}, recursive: true}, target.value)
	for _, p := range in.places(target.value) {
		if p.path == in.paths.workspace {
			in.say("unpacked-over", in.span(in.Span), in.name)
		}
	}
}

// patternOption says so if a pattern could stand for a file that is named like an
// option: there are files of that kind in wait for somebody who packs all there is.
func (in *invocation) patternOption(o *options) {
	for _, w := range o.operands {
		if w.HasGlob() && w.Prefix() == "" {
			in.say("pattern-option", in.span(w.Span), in.name)
		}
	}
}

// first is the first word's text, if it is known.
func first(words []shell.Word) (string, bool) {
	if len(words) == 0 {
		return "", false
	}
	return words[0].Value()
}

func explainZip(in *invocation) bool {
	o := spec{short: "0123456789rqvjum9dfFgeoxiyXlTt:Db:n:P:sk@", long: "recurse-paths quiet verbose junk-paths exclude include update freshen delete test"}.read(in.args)
	in.patternOption(&o)
	if o.has("m", "T", "test", "P") {
		return false // moves files away, runs a command, has a password on the line
	}
	for i, w := range o.operands {
		if i == 0 {
			in.file(writes, w)
			continue
		}
		in.file(searches, w)
	}
	return o.understood() && len(o.operands) > 0
}

func explainUnzip(in *invocation) bool {
	o := spec{short: "acd:fjlLnopqtuvxzCDXZ12"}.read(in.args)
	if len(o.operands) > 0 {
		in.file(looks, o.operands[0])
	}
	if !o.has("l", "t", "v", "z", "p", "Z") {
		in.unpacked(&o, false, "d")
	}
	return o.understood() && len(o.operands) > 0
}

func explainSevenZip(in *invocation) bool {
	verb, _ := first(in.args)
	if verb != "l" && verb != "t" || len(in.args) < 2 {
		return false
	}
	for _, w := range in.args[1:] {
		if !strings.HasPrefix(w.Prefix(), "-") {
			in.file(looks, w)
		}
	}
	return true
}

// explainAr is ar and jar, whose first word is letters.
func explainAr(in *invocation) bool {
	verb, ok := first(in.args)
	verb = strings.TrimLeft(verb, "-")
	if !ok || verb == "" || len(in.args) < 2 {
		return false
	}
	switch verb[0] {
	case 't', 'p':
		in.file(looks, in.args[1])
	case 'c', 'r', 'q':
		for i, w := range in.args[1:] {
			if i == 0 {
				in.file(writes, w)
				continue
			}
			in.file(searches, w)
		}
	default:
		return false
	}
	return true
}
