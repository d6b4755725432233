package effects

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

func explainMode(in *invocation) bool {
	args := in.args
	// A mode that takes rights away looks like an option: "-w".
	var o options
	for i, w := range args {
		text, ok := w.Value()
		if ok && len(text) > 1 && text[0] == '-' && strings.IndexByte("rwxXst", text[1]) >= 0 {
			o.operands = append(o.operands, w)
			rest := spec{short: "cfvR", long: chmodOptions}.read(append(append([]shell.Word{}, args[:i]...), args[i+1:]...))
			o.operands = append(o.operands, rest.operands...)
			o.strange, o.opaque, o.list = rest.strange, rest.opaque, rest.list
			return in.explainModes(&o)
		}
	}
	o = spec{short: "cfvRHLP", long: chmodOptions}.read(args)
	return in.explainModes(&o)
}

const chmodOptions = "changes silent quiet verbose recursive preserve-root no-preserve-root reference="

func (in *invocation) explainModes(o *options) bool {
	files := o.operands
	if !o.has("reference") {
		if len(files) == 0 {
			return false
		}
		in.mode(files[0])
		files = files[1:]
	}
	for _, w := range files {
		in.notes(noted{Effect: Effect{Kind: Write}, recursive: o.has("R", "recursive"), rights: true}, w)
	}
	return o.understood() && len(files) > 0
}

// mode judges rights: those that give a program somebody else's, open a file for
// everybody to write, or take it away from its owner.
func (in *invocation) mode(w shell.Word) {
	text, ok := w.Value()
	if !ok || !plainMode(text) {
		in.say("mode-opened", in.span(w.Span), text)
	}
}

func plainMode(mode string) bool {
	if mode != "" && strings.Trim(mode, "01234567") == "" {
		digits := strings.TrimLeft(mode, "0")
		if len(digits) > 3 || len(digits) < 3 {
			return false
		}
		return digits[0] >= '4' && (digits[2]-'0')&2 == 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		at := strings.IndexAny(clause, "+-=")
		if at < 0 || strings.Trim(clause[:at], "ugoa") != "" || strings.Trim(clause[at:], "+-=rwxXugo") != "" {
			return false
		}
		who, what := clause[:at], clause[at:]
		others := strings.ContainsAny(who, "oa")
		if others && strings.IndexByte(what, 'w') >= 0 && what[0] != '-' {
			return false
		}
		owner := who == "" || strings.ContainsAny(who, "ua")
		if owner && (what[0] == '-' && strings.ContainsAny(what, "rw") && who != "" || what[0] == '=' && strings.IndexByte(what, 'r') < 0) {
			return false
		}
	}
	return true
}

func explainOwner(in *invocation) bool {
	o := spec{short: "cfvhRHLP", long: "changes silent quiet verbose dereference no-dereference from= preserve-root no-preserve-root reference= recursive"}.read(in.args)
	in.say("owner-changed", in.span(in.Span), in.name)
	for i, w := range o.operands {
		if i > 0 || o.has("reference") {
			in.notes(noted{Effect: Effect{Kind: Write}, recursive: o.has("R", "recursive")}, w)
		}
	}
	return o.understood()
}

// explainDump is dd, whose words are assignments.
func explainDump(in *invocation) bool {
	for _, w := range in.args {
		name, value, ok := assigned(w)
		if !ok {
			return false
		}
		switch name {
		case "if":
			in.file(shows, value)
		case "of":
			in.touches(Write, value)
		case "bs", "ibs", "obs", "cbs", "count", "skip", "seek", "iseek", "oseek", "status", "conv", "iflag", "oflag":
		default:
			return false
		}
	}
	return true
}

// assigned splits a word like if=file.
func assigned(w shell.Word) (name string, value shell.Word, ok bool) {
	prefix := w.Prefix()
	before, after, found := strings.Cut(prefix, "=")
	if !found {
		return "", w, false
	}
	value = w
	value.Parts = append([]shell.Part{{Text: after}}, w.Parts[1:]...)
	if after == "" && len(w.Parts) > 1 {
		value.Parts = w.Parts[1:]
	}
	return before, value, true
}

func explainTruncate(in *invocation) bool {
	o := spec{short: "cor:s:", long: "no-create io-blocks reference= size="}.read(in.args)
	size, _ := o.get("s", "size")
	text, _ := size.value.Value()
	for _, w := range o.operands {
		in.touches(Write, w)
		if !strings.HasPrefix(text, "+") {
			in.emptied(w)
		}
	}
	return o.understood()
}

// emptied says that what a file holds would be lost, unless nobody would miss it.
func (in *invocation) emptied(w shell.Word) {
	for _, p := range in.places(w) {
		where := in.paths.area(p.path)
		if p.unknown || where == inWorkspace && !in.created(p.path) && in.mayExist(p.path) {
			in.say("file-emptied", in.span(w.Span), p.path)
		}
	}
}

// reads judges the patch that a program is given, if it can be read here: there is
// one, and nothing leads its names elsewhere.
func (in *invocation) reads(files []shell.Word, elsewhere bool) bool {
	text, ok := in.Stdin.Text, in.Stdin.Kind == shell.StdinText
	if in.Stdin.Kind == shell.StdinFile && len(files) == 0 {
		files = []shell.Word{in.Stdin.File}
	}
	if len(files) > 0 {
		places := in.places(files[0])
		if len(places) != 1 || !places[0].whole || len(files) > 1 {
			return false
		}
		var how origin
		how, text = in.origin(places[0].path)
		if ok = how == writtenHere; how == untouched {
			text, ok = in.load(places[0].path)
		}
	}
	if !ok || elsewhere || len(in.Dirs) > 1 || in.DirUnknown {
		return false
	}
	fixed := in.fixed
	if fixed == nil {
		place := in.span(in.Span)
		in.fixed = &place
	}
	in.patches(text, 0)
	in.fixed = fixed
	return true
}

// mayExist reports whether a file is there, as far as that is known.
func (in *invocation) mayExist(name string) bool {
	if in.facts.Files == nil {
		return true
	}
	_, err := in.facts.Files.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

func explainPatch(in *invocation) bool {
	o := spec{short: "bB:cd:D:eEfF:g:i:lnNo:p:r:RstTuvV:x:Y:z:Z", long: "backup backup-if-mismatch context directory= dry-run ed fuzz= forward input= strip= output= reject-file= reverse quiet silent unified verbose batch force merge=? posix prefix= read-only="}.read(in.args)
	if o.has("e", "ed") {
		in.say("runs-hidden", in.span(in.Span), in.name)
	}
	if o.has("dry-run") {
		return o.understood()
	}
	for _, name := range []string{"o", "output", "r", "reject-file"} {
		if opt, ok := o.get(name); ok {
			in.file(writes, opt.value)
		}
	}
	var inputs []shell.Word
	if opt, ok := o.get("i", "input"); ok {
		inputs = append(inputs, opt.value)
	}
	level, _ := o.get("p", "strip")
	text, _ := level.value.Value()
	if len(o.operands) > 0 || text != "1" || !in.reads(inputs, o.has("d", "directory", "R", "reverse")) {
		in.say("patch-unread", in.span(in.Span), in.name)
	}
	for _, w := range o.operands[:min(1, len(o.operands))] {
		in.touches(Write, w)
	}
	return o.understood()
}
