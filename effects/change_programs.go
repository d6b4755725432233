package effects

import (
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// changePrograms make, copy, move and change files.
func changePrograms() map[string]program {
	return map[string]program{
		"cp": {explainCopy}, "gcp": {explainCopy}, "mv": {explainMove}, "gmv": {explainMove},
		"ln": {explainLink}, "link": {explainLink}, "install": {explainInstall}, "dd": {explainDump}, "truncate": {explainTruncate}, "patch": {explainPatch},
		"chmod": {explainMode}, "chown": {explainOwner}, "chgrp": {explainOwner},
		"tee":       usage{spec: spec{short: "aip", long: "append ignore-interrupts output-error=?"}, files: writes}.program(),
		"touch":     usage{spec: spec{short: "acd:fhmr:t:", long: "no-create date= no-dereference reference= time="}, files: writes, looked: "r reference"}.program(),
		"mkdir":     {explainFolder},
		"mktemp":    usage{spec: spec{short: "dqut:p:V", long: "directory dry-run quiet suffix= tmpdir=?"}, files: writes, written: "p tmpdir"}.program(),
		"mkfifo":    usage{spec: spec{short: "m:Z", long: "mode="}, files: writes}.program(),
		"split":     usage{spec: spec{short: "a:b:C:d::ex::l:n:t:u", long: "suffix-length= additional-suffix= bytes= line-bytes= numeric-suffixes=? hex-suffixes=? elide-empty-files filter= lines= number= separator= unbuffered verbose", numbers: true}, files: shows, last: writes, runs: "filter"}.program(),
		"csplit":    usage{spec: spec{short: "b:f:kn:sz", long: "suffix-format= prefix= keep-files digits= quiet silent elide-empty-files suppress-matched"}, written: "f prefix"}.program(),
		"gzip":      squeeze("123456789acdfhklLnNqrS:tvV", "stdout to-stdout decompress uncompress force keep list no-name name quiet recursive suffix= test verbose fast best rsyncable"),
		"gunzip":    squeeze("acfhklLnNqrS:tvV", "stdout to-stdout force keep list no-name name quiet recursive suffix= test verbose"),
		"bzip2":     squeeze("123456789cdfkqstvz", "stdout decompress compress keep force test quiet verbose small fast best"),
		"bunzip2":   squeeze("cfkqstv", "stdout keep force test quiet verbose small"),
		"xz":        squeeze("0123456789cdefF:klM:qQtT:vz", "stdout to-stdout decompress compress keep force test list quiet verbose threads= extreme memory= format="),
		"unxz":      squeeze("cfkqtT:v", "stdout keep force test quiet verbose threads="),
		"zstd":      squeeze("0123456789cdD:fklo:qrtT:vz", "stdout decompress compress keep force test list quiet verbose threads= rm ultra long=? fast=? adapt"),
		"unzstd":    squeeze("cfkqtT:vo:", "stdout keep force test quiet verbose"),
		"sponge":    usage{spec: spec{short: "a"}, files: writes}.program(),
		"fallocate": usage{spec: spec{short: "l:o:nvxcdiz", long: "length= offset= keep-size"}, files: writes}.program(),
		"setfattr":  usage{spec: spec{short: "n:v:x:h"}, files: writes}.program(),
	}
}

// squeeze is a program that puts a packed file in the place of each of its operands,
// or the other way round, unless it is told to leave them.
func squeeze(short, long string) program {
	u := usage{spec: spec{short: short, long: long}}
	return program{func(in *invocation) bool {
		o := u.read(in.args)
		u := u
		u.written = "o"
		u.files = writes
		if o.has("c", "l", "t", "stdout", "to-stdout", "list", "test") {
			u.files = shows
		}
		return u.explain(in)
	}}
}

// into notes an effect on a file that a program makes. If it is a folder, the sources
// get into it by their own names, so that those count as well.
func (in *invocation) into(folder shell.Word, sources []shell.Word, e noted) {
	in.notes(e, folder)
	dir, ok := folder.Value()
	if !ok {
		return
	}
	for _, s := range sources {
		name, known := s.Value()
		if !known || name == "" || strings.HasSuffix(name, "..") {
			if s.HasGlob() && mayRunLater(s) {
				in.say("write-pattern", in.span(s.Span), "")
			}
			continue
		}
		w := folder
		w.Parts = []shell.Part{{Text: path.Join(dir, path.Base(name))}}
		in.notes(e, w)
	}
}

const copyOptions = "archive attributes-only backup=? copy-contents dereference force interactive link no-clobber no-dereference preserve=? no-preserve= parents recursive reflink=? remove-destination sparse= strip-trailing-slashes symbolic-link suffix= target-directory= no-target-directory update=? verbose one-file-system debug keep-directory-symlink"

// endpoints tells what is taken from what is made.
func endpoints(o *options) (sources []shell.Word, target shell.Word, ok bool) {
	if opt, has := o.get("t", "target-directory"); has {
		return o.operands, opt.value, len(o.operands) > 0
	}
	if len(o.operands) < 2 {
		return nil, shell.Word{}, false
	}
	last := len(o.operands) - 1
	return o.operands[:last], o.operands[last], true
}

func explainCopy(in *invocation) bool {
	o := spec{short: "abdfHilLnpPrRsS:t:TuvxZc", long: copyOptions}.read(in.args)
	sources, target, ok := endpoints(&o)
	if !ok {
		return false
	}
	for _, s := range sources {
		in.copied(s)
	}
	in.into(target, sources, noted{Effect: Effect{Kind: Write}})
	return o.understood()
}

// copied notes that what a word names is read, to be written elsewhere.
func (in *invocation) copied(w shell.Word) {
	if text, _ := w.Value(); text == "/dev/null" {
		in.say("file-emptied", in.span(in.Span), in.name)
		return
	}
	in.file(shows, w)
}

func explainMove(in *invocation) bool {
	o := spec{short: "bfinS:t:TuvZx", long: "backup=? debug exchange force interactive no-clobber no-copy strip-trailing-slashes suffix= target-directory= no-target-directory update=? verbose"}.read(in.args)
	sources, target, ok := endpoints(&o)
	if !ok {
		return false
	}
	gone := false
	for _, p := range in.places(target) {
		gone = gone || isDevice(p.path)
	}
	away := in.leaves(target)
	for _, s := range sources {
		in.notes(noted{Effect: Effect{Kind: Delete}, moved: !gone, recursive: true}, s)
		if away {
			in.say("moved-away", in.span(s.Span), "")
		}
	}
	if !gone {
		in.into(target, sources, noted{Effect: Effect{Kind: Write}})
	}
	return o.understood()
}

// leaves reports whether a word leads out of the project.
func (in *invocation) leaves(w shell.Word) bool {
	for _, p := range in.places(w) {
		if where := in.paths.area(p.path); p.unknown || where != inWorkspace && p.path != in.paths.workspace {
			return true
		}
	}
	return false
}

// explainLink makes another name for a file, by which it may be written later: so it
// is as if the file was copied.
func explainLink(in *invocation) bool {
	o := spec{short: "bdFfhiLnPrsS:t:Tv", long: "backup=? directory force interactive logical no-dereference physical relative symbolic suffix= target-directory= no-target-directory verbose"}.read(in.args)
	sources, target, ok := endpoints(&o)
	if !ok && len(o.operands) == 1 {
		sources, target = o.operands, shell.Word{Parts: []shell.Part{{Text: "."}}, Span: o.operands[0].Span}
	} else if !ok {
		return false
	}
	for _, s := range sources {
		from := in.fromLink(s, target, o.has("s", "symbolic") && !o.has("r", "relative"))
		in.file(shows, from)
		in.leadsOut(from)
	}
	in.into(target, sources, noted{Effect: Effect{Kind: Write}})
	if o.has("s", "symbolic") {
		in.linked(target, sources)
	}
	return o.understood()
}

// leadsOut says of a link's source that it lies elsewhere than what may be worked on:
// what goes through the link later has a path of the project.
func (in *invocation) leadsOut(source shell.Word) {
	for _, p := range in.places(source) {
		if p.unknown {
			continue // a computed source needs review as it is
		}
		switch in.paths.area(p.path) {
		case inWorkspace, inTemp, inDevice:
		default:
			in.say("link-leads-out", in.span(source.Span), p.path)
		}
	}
}

// fromLink is what a link leads to: a relative one starts where the link lies.
func (in *invocation) fromLink(source, link shell.Word, symbolic bool) shell.Word {
	from, ok := source.Value()
	to, known := link.Value()
	if !symbolic || !ok || !known || path.IsAbs(from) || strings.HasPrefix(from, "~") {
		return source
	}
	if !strings.HasSuffix(to, "/") {
		to = path.Dir(to)
	}
	source.Parts = []shell.Part{{Text: path.Join(to, from)}}
	return source
}

// explainFolder makes folders, in which nothing is yet that says anything.
func explainFolder(in *invocation) bool {
	o := spec{short: "m:pvZ", long: "mode= parents verbose"}.read(in.args)
	for _, w := range o.operands {
		in.notes(noted{Effect: Effect{Kind: Create}, folder: true}, w)
	}
	return o.understood()
}

func explainInstall(in *invocation) bool {
	o := spec{short: "bCcdDg:m:o:psS:t:TvZ", long: "backup=? compare directory group= mode= owner= preserve-timestamps strip strip-program= suffix= target-directory= no-target-directory verbose"}.read(in.args)
	if o.has("strip-program", "s", "strip") {
		in.say("runs-hidden", in.span(in.Span), in.name)
	}
	in.modes(&o)
	if o.has("d", "directory") {
		for _, w := range o.operands {
			in.touches(Write, w)
		}
		return o.understood()
	}
	sources, target, ok := endpoints(&o)
	for _, s := range sources {
		in.copied(s)
	}
	if ok {
		in.into(target, sources, noted{Effect: Effect{Kind: Write}})
	}
	return ok && o.understood()
}

// modes judges the rights that an option gives.
func (in *invocation) modes(o *options) {
	if opt, ok := o.get("m", "mode"); ok {
		in.mode(opt.value)
	}
	if opt, ok := o.get("o", "owner", "g", "group"); ok {
		in.say("owner-changed", in.span(opt.span), in.name)
	}
}
