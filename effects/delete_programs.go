package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// deletePrograms take files and folders away, or whole disks.
func deletePrograms() map[string]program {
	all := map[string]program{
		"rm": {explainRemove}, "grm": {explainRemove}, "srm": {explainRemove},
		"unlink": {explainRemove}, "shred": {explainShred}, "rmdir": {explainRemoveEmpty},
		"trash": {explainRemove}, "trash-put": {explainRemove}, "rimraf": {explainRemove}, "del-cli": {explainRemove}, "trash-cli": {explainRemove},
	}
	for _, name := range []string{
		"mkfs", "mke2fs", "mkfs.ext2", "mkfs.ext3", "mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "mkfs.vfat", "mkfs.fat", "mkfs.ntfs", "mkfs.f2fs", "mkdosfs", "newfs",
		"wipefs", "fdisk", "sfdisk", "cfdisk", "gdisk", "sgdisk", "parted", "partprobe", "blkdiscard", "mkswap", "swapoff", "swapon", "hdparm", "badblocks", "tune2fs", "resize2fs", "nvme", "sg_format",
	} {
		all[name] = program{explainDisk}
	}
	return all
}

func explainRemove(in *invocation) bool {
	o := spec{short: "frRivdIlPWxz", long: "force recursive interactive=? verbose dir one-file-system preserve-root=? no-preserve-root glob"}.read(in.args)
	in.removes(&o, noted{Effect: Effect{Kind: Delete}, recursive: o.has("r", "R", "recursive")})
	return o.strange == nil
}

// removes notes a deletion of each operand, of which there should be one.
func (in *invocation) removes(o *options, e noted) {
	if len(o.operands) == 0 {
		in.say("delete-nothing", in.span(in.Span), in.name)
	}
	if len(o.operands) > 1 && !in.allCreated(o.operands) {
		in.say("delete-many", in.span(in.Span), in.name)
	}
	for _, w := range o.operands {
		in.notes(e, w)
	}
}

// allCreated reports whether this session made all that the words name.
func (in *invocation) allCreated(words []shell.Word) bool {
	for _, w := range words {
		for _, p := range in.places(w) {
			if !p.whole || !in.created(p.path) {
				return false
			}
		}
	}
	return true
}

func explainRemoveEmpty(in *invocation) bool {
	o := spec{short: "pv", long: "parents verbose ignore-fail-on-non-empty"}.read(in.args)
	for _, w := range o.operands {
		in.notes(noted{Effect: Effect{Kind: Delete}, empty: true}, w)
	}
	return o.strange == nil && len(o.operands) > 0
}

func explainShred(in *invocation) bool {
	o := spec{short: "fn:s:uvxz", long: "force iterations= random-source= size= remove=? verbose exact zero"}.read(in.args)
	in.removes(&o, noted{Effect: Effect{Kind: Delete}})
	return o.strange == nil
}

// explainDisk is a program that makes, cuts up or wipes what files lie on. Some can
// be asked to list only.
func explainDisk(in *invocation) bool {
	for _, w := range in.args {
		switch text, _ := w.Value(); text {
		case "-l", "--list", "-h", "--help", "-V", "print":
			in.say("read-outside", in.span(in.Span), in.name)
			return true
		}
	}
	in.say("disk-changed", in.span(in.Span), in.name)
	return true
}

// finders look for files.
func findPrograms() map[string]program {
	return map[string]program{
		"find": {explainFind}, "gfind": {explainFind}, "fd": {explainFd}, "fdfind": {explainFd},
	}
}

// findTests are the words of find that take a value and do nothing.
const findTests = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -links -inum -samefile -maxdepth -mindepth -used -fstype -printf -regextype -context -D"

const findFlags = "-print -print0 -ls -prune -quit -empty -true -false -follow -depth -d -mount -xdev -noleaf -daystart -executable -readable -writable -nouser -nogroup -not -a -and -o -or ! ( ) , -H -L -P -O1 -O2 -O3 -E -X -s -x -warn -nowarn -ignore_readdir_race -noignore_readdir_race"

func explainFind(in *invocation) bool {
	var roots []shell.Word
	args := in.args
	for len(args) > 0 {
		if text, _ := args[0].Value(); text != "-L" && text != "-P" && text != "-H" && text != "-E" {
			break
		}
		args = args[1:]
	}
	for i := 0; i < len(args); i++ {
		text, known := args[i].Value()
		if strings.HasPrefix(args[i].Prefix(), "-") || text == "!" || text == "(" {
			break
		}
		if !known || text != "" {
			roots = append(roots, args[i])
		}
	}
	if len(roots) == 0 {
		roots = []shell.Word{{Parts: []shell.Part{{Text: "."}}, Span: in.Span}}
	}
	f := finder{invocation: in, roots: roots}
	for _, r := range roots {
		in.file(looks, r)
	}
	return f.expression(args)
}

// finder is a find and where it begins.
type finder struct {
	*invocation
	roots []shell.Word
}

// expression reads the tests and actions; false where one is not known.
func (f finder) expression(args []shell.Word) bool {
	begun := false
	for i := 0; i < len(args); i++ {
		text, known := args[i].Value()
		begun = begun || strings.HasPrefix(args[i].Prefix(), "-") || text == "!" || text == "("
		switch {
		case !begun || listed(findFlags, text) && known:
		case !known:
			return false
		case listed(findTests, text) || strings.HasPrefix(text, "-newer"):
			i++
		case text == "-delete":
			f.removesAll(args[i].Span)
		case text == "-exec" || text == "-execdir" || text == "-ok" || text == "-okdir":
			i = endOfExec(args, i)
		case text == "-fprint" || text == "-fprint0" || text == "-fls" || text == "-fprintf":
			if i++; i == len(args) {
				return false
			}
			f.file(writes, args[i])
			if text == "-fprintf" {
				i++
			}
		case text == "-files0-from":
			return false
		default:
			return false
		}
	}
	return true
}

// removesAll notes that all that is found is deleted.
func (f finder) removesAll(at shell.Span) {
	for _, r := range f.roots {
		for _, p := range f.places(r) {
			e := noted{Effect: Effect{Kind: Delete, Target: p.path, Span: f.span(at)}, pattern: true, recursive: true, nested: f.Nested}
			if p.unknown {
				e.Target = ""
			}
			f.note(e)
		}
	}
}

// endOfExec is the place of the word that ends the command of an -exec: the command
// itself is among the script's.
func endOfExec(args []shell.Word, i int) int {
	for ; i < len(args); i++ {
		text, _ := args[i].Value()
		if before, _ := args[i-1].Value(); text == ";" || text == "+" && before == "{}" {
			break
		}
	}
	return i
}

func explainFd(in *invocation) bool {
	u := usage{
		spec:  spec{short: "HIuUEsigFapllL0d:t:e:E:S:j:c:X:x:1qh", long: "hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob fixed-strings absolute-path list-details follow full-path print0 max-depth= min-depth= exact-depth= type= extension= exclude= size= changed-within= changed-before= max-results= color= threads= quiet base-directory= exec= exec-batch= path-separator= search-path= strip-cwd-prefix=? format= one-file-system"},
		files: looks, but: 1, looked: "base-directory search-path", calm: true,
	}
	for i, w := range in.args {
		// What -x starts is among the script's commands.
		switch text, _ := w.Value(); text {
		case "-x", "-X", "--exec", "--exec-batch":
			in.args = in.args[:i]
			return u.explain(in)
		}
	}
	return u.explain(in)
}
