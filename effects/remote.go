package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// remotePrograms work on other machines by way of a shell there.
func remotePrograms() map[string]program {
	return map[string]program{
		"ssh":         {explainSSH},
		"slogin":      {explainSSH},
		"autossh":     {explainSSH},
		"mosh":        {explainSSH},
		"sshpass":     {explainSSH},
		"scp":         {explainSCP},
		"sftp":        {explainSFTP},
		"rsync":       {explainRsync},
		"sshfs":       {explainSSH},
		"ssh-copy-id": {explainKeySent},
		"ssh-keygen":  {explainKeygen},
		"ssh-keyscan": {explainLookup},
		"ssh-add":     {explainAgent},
		"ssh-agent":   {explainAgent},
		"openssl":     {explainOpenSSL},
		"rsh":         {explainSSH},
		"rlogin":      {explainSSH},
		"rexec":       {explainSSH},
		"vncviewer":   {explainConnection},
		"xfreerdp":    {explainConnection},
	}
}

// sshSpec is for ssh and what takes its options.
var sshSpec = spec{short: "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:P:Q:R:S:W:w:", first: true, long: "ssh= port= family= server="}

// explainSSH is a session on another machine. The reader has taken the command that
// runs there away, so that what is left is a shell, or tunnels.
func explainSSH(in *invocation) bool {
	o := sshSpec.read(in.args)
	if o.has("V", "G", "Q") {
		in.say("service-asked", in.span(in.Span), in.name)
		return o.strange == nil
	}
	in.sshOptions(&o)
	in.does(Execute, firstPrefix(o.operands), in.Span)
	if in.Stdin.Kind != shell.StdinNone {
		in.does(Send, firstPrefix(o.operands), in.Span)
	}
	in.say("runs-remote", in.span(in.Span), in.name)
	return true
}

func firstPrefix(words []shell.Word) string {
	if len(words) == 0 {
		return ""
	}
	return words[0].Prefix()
}

// sshOptions looks at options that run something here, or open a way.
func (in *invocation) sshOptions(o *options) {
	for i := range o.list {
		opt := &o.list[i]
		switch opt.name {
		case "R", "L", "D", "w", "W":
			in.say("tunnel-opened", in.span(opt.span), opt.value.Prefix())
		case "o":
			in.sshSetting(opt)
		case "F", "S", "I":
			in.say("request-rerouted", in.span(opt.span), opt.name)
		case "E":
			in.writesUnlessDash(opt.value)
		}
	}
}

// sshSetting is one that is given with -o.
func (in *invocation) sshSetting(opt *option) {
	text := strings.TrimLeft(opt.value.Prefix(), " \t")
	name := text
	if i := strings.IndexAny(text, "= \t"); i >= 0 {
		name = text[:i]
	}
	value := strings.TrimLeft(text[len(name):], "= \t")
	switch strings.ToLower(name) {
	case "proxycommand", "localcommand", "knownhostscommand", "permitlocalcommand", "proxyusefdpass", "securitykeyprovider", "pkcs11provider", "xauthlocation", "include", "match", "sendenv", "setenv":
		if value == "none" || value == "no" {
			return
		}
		in.say("runs-hidden", in.span(opt.value.Span), name)
		if opt.value.Known() && strings.HasSuffix(strings.ToLower(name), "command") && !strings.HasPrefix(strings.ToLower(name), "permit") {
			in.nested(value, opt.value.Span)
		}
	case "remoteforward", "localforward", "dynamicforward", "tunnel":
		in.say("tunnel-opened", in.span(opt.value.Span), name)
	case "":
		in.say("runs-hidden", in.span(opt.value.Span), wordText(opt.value))
	}
}

// isRemotePath reports whether a word is HOST:PATH or a URL of such.
func isRemotePath(w shell.Word) bool {
	text := w.Prefix()
	colon, slash := strings.IndexByte(text, ':'), strings.IndexByte(text, '/')
	return colon > 0 && (slash < 0 || colon < slash)
}

// explainSCP copies between machines.
func explainSCP(in *invocation) bool {
	o := spec{short: "346ABCOpqrRTvc:D:F:i:J:l:o:P:S:X:"}.read(in.args)
	for i := range o.list {
		switch o.list[i].name {
		case "S", "D":
			in.say("runs-hidden", in.span(o.list[i].span), o.list[i].name)
		case "o", "F":
			in.sshOptions(&options{list: o.list[i : i+1]})
		}
	}
	return in.carried(o.operands, o.has("r")) && o.strange == nil
}

// carried notes what is copied between machines, and in which direction.
func (in *invocation) carried(words []shell.Word, recursive bool) bool {
	if len(words) < 2 {
		return false
	}
	to := words[len(words)-1]
	unclear := !to.Known() && !isRemotePath(to) && to.Prefix() == ""
	for _, from := range words[:len(words)-1] {
		switch {
		case isRemotePath(from):
			in.note(noted{Effect: Effect{Kind: Receive, Target: from.Prefix(), Certain: in.Certain, Span: in.span(from.Span)}})
		default:
			in.touchesAll(Read, from, recursive)
		}
	}
	switch {
	case isRemotePath(to):
		in.note(noted{Effect: Effect{Kind: Send, Target: to.Prefix(), Certain: in.Certain, Span: in.span(to.Span)}})
	default:
		in.touchesAll(Write, to, recursive)
	}
	return !unclear
}

func explainSFTP(in *invocation) bool {
	o := spec{short: "46AaCfNpqrvB:b:c:D:F:i:J:l:o:P:R:S:s:X:"}.read(in.args)
	in.sshOptions(&o)
	in.does(Send, lastPrefix(o.operands), in.Span)
	return true
}

var rsyncSpec = spec{
	short: "vqcarRubldLkKHpEAXogDtUNOJSnWxyCFzhiPs0468mVIwB:e:f:M:T:@:",
	long: "verbose quiet no-motd checksum archive recursive relative no-implied-dirs backup backup-dir= suffix= update inplace append append-verify dirs mkpath links copy-links copy-unsafe-links safe-links munge-links copy-dirlinks keep-dirlinks " +
		"hard-links perms executability chmod= acls xattrs owner group devices specials times atimes open-noatime crtimes omit-dir-times omit-link-times super fake-super sparse preallocate write-devices dry-run whole-file checksum-choice= one-file-system block-size= " +
		"rsh= rsync-path= existing ignore-existing remove-source-files del delete delete-before delete-during delete-delay delete-after delete-excluded ignore-missing-args delete-missing-args ignore-errors force max-delete= max-size= min-size= partial partial-dir= delay-updates " +
		"prune-empty-dirs numeric-ids usermap= groupmap= chown= timeout= contimeout= ignore-times size-only modify-window= temp-dir= fuzzy compare-dest= copy-dest= link-dest= compress compress-choice= compress-level= skip-compress= cvs-exclude filter= exclude= exclude-from= " +
		"include= include-from= files-from= from0 old-args secluded-args copy-as= address= port= sockopts= blocking-io outbuf= stats 8-bit-output human-readable progress itemize-changes remote-option= out-format= log-file= log-file-format= password-file= early-input= list-only bwlimit= " +
		"stop-after= stop-at= fsync write-batch= only-write-batch= read-batch= protocol= iconv= checksum-seed= ipv4 ipv6 version help info= debug= stderr= no-inc-recursive no-perms no-owner no-group no-times no-relative no-links no-whole-file no-compress protect-args trust-sender",
}

// rsyncDeletes are options with which what is there and not at the source is lost.
var rsyncDeletes = []string{"del", "delete", "delete-before", "delete-during", "delete-delay", "delete-after", "delete-excluded", "delete-missing-args"}

// explainRsync copies folders, here or between machines.
func explainRsync(in *invocation) bool {
	o := rsyncSpec.read(in.args)
	if o.has("version", "help") && len(o.operands) == 0 {
		in.harmless()
		return true
	}
	for i := range o.list {
		switch opt := &o.list[i]; opt.name {
		case "e", "rsh", "rsync-path", "early-input":
			in.rsyncShell(opt)
		case "log-file", "write-batch", "only-write-batch":
			in.writesUnlessDash(opt.value)
		case "read-batch", "write-devices", "copy-as", "M", "remote-option":
			in.say("runs-hidden", in.span(opt.span), opt.name)
		}
	}
	if len(o.operands) < 2 || o.has("list-only") {
		for _, w := range o.operands {
			if !isRemotePath(w) {
				in.touches(Read, w)
			}
		}
		in.say("service-asked", in.span(in.Span), in.name)
		return o.understood() && len(o.operands) > 0
	}
	to := o.operands[len(o.operands)-1]
	if o.has("n", "dry-run") {
		for _, w := range o.operands {
			if !isRemotePath(w) {
				in.notes(noted{Effect: Effect{Kind: Read}, names: true}, w)
			}
		}
		in.say("service-asked", in.span(in.Span), in.name)
		return o.understood()
	}
	ok := in.carried(o.operands, true)
	in.rsyncLosses(&o, to)
	return ok && o.understood()
}

// rsyncLosses notes what the copy removes.
func (in *invocation) rsyncLosses(o *options, to shell.Word) {
	if o.has(rsyncDeletes...) {
		if isRemotePath(to) {
			in.say("service-destroys", in.span(to.Span), to.Prefix())
		} else {
			in.notes(noted{Effect: Effect{Kind: Delete}, recursive: true, broad: true}, to)
		}
	}
	if o.has("remove-source-files") {
		for _, from := range o.operands[:len(o.operands)-1] {
			if !isRemotePath(from) {
				in.touchesAll(Delete, from, true)
			}
		}
	}
}

// rsyncShell is a program that rsync starts, here or there.
func (in *invocation) rsyncShell(opt *option) {
	text, known := opt.value.Value()
	program, options, _ := strings.Cut(text, " ")
	if known && (program == "ssh" || program == "rsync") && !strings.Contains(strings.ToLower(options), "command") && !strings.ContainsAny(options, ";|&$`") {
		return
	}
	in.say("runs-hidden", in.span(opt.span), text)
	if known {
		in.nested(text, opt.value.Span)
	}
}

func explainKeySent(in *invocation) bool {
	in.does(Send, lastPrefix(in.args), in.Span)
	in.say("service-account", in.span(in.Span), in.name)
	return true
}

// explainKeygen makes keys, and shows or changes them.
func explainKeygen(in *invocation) bool {
	o := spec{short: "AacehHiklLoqvyYpuBQgrKs:t:b:C:f:N:P:m:E:F:R:r:I:n:V:z:D:O:w:Z:M:S:T:W:"}.read(in.args)
	file, named := o.get("f")
	switch {
	case o.has("l", "F", "L", "B") && !o.has("R"):
		in.say("service-asked", in.span(in.Span), in.name) // fingerprints
	case o.has("y", "e"):
		in.does(SecretRead, "ssh-keygen", in.Span)
	case named:
		in.touches(Write, file.value)
		in.say("service-account", in.span(in.Span), in.name)
	default:
		in.say("service-account", in.span(in.Span), in.name)
	}
	return o.strange == nil
}

func explainAgent(in *invocation) bool {
	if len(in.args) == 1 && in.hasWord("-l", "-L") {
		in.say("service-asked", in.span(in.Span), in.name)
		return true
	}
	in.say("service-account", in.span(in.Span), in.name)
	return true
}

// opensslShows are commands that only compute or show what is public.
const opensslShows = "version dgst sha256 sha1 md5 x509 verify rand list ciphers asn1parse crl prime speed help errstr base64"

// opensslPublic are commands that show nothing of a key.
const opensslPublic = "x509 verify dgst crl sha256 sha1 md5"

// explainOpenSSL reads the command and the files that it names.
func explainOpenSSL(in *invocation) bool {
	if len(in.args) == 0 {
		return false
	}
	verb, _ := in.args[0].Value()
	for i, w := range in.args[1:] {
		text, _ := w.Value()
		next := i + 2
		if next >= len(in.args) {
			break
		}
		switch text {
		case "-out", "-writerand", "-keyout", "-CAserial":
			in.writesUnlessDash(in.args[next])
		case "-in", "-inkey", "-key", "-CAkey", "-sign", "-CA", "-signkey", "-certfile":
			if text == "-in" && listed(opensslPublic, verb) {
				in.notes(noted{Effect: Effect{Kind: Read}, names: true}, in.args[next])
				continue
			}
			in.readsUnlessDash(in.args[next])
		case "-engine", "-provider", "-config", "-provider-path":
			return false
		case "-connect":
			in.note(noted{Effect: Effect{Kind: openSSLKind(in), Target: in.args[next].Prefix(), Certain: in.Certain, Span: in.span(w.Span)}})
		}
	}
	switch {
	case verb == "s_client":
		return !in.hasWord("-proxy")
	case verb == "s_server":
		in.say("tunnel-opened", in.span(in.Span), verb)
	case listed(opensslShows, verb), listed("genrsa genpkey req ecparam pkey rsa ec pkcs12 pkcs8 enc ca gendsa dhparam smime cms", verb):
		in.say("service-prepared", in.span(in.Span), verb)
		return verb != "enc" || !in.hasWord("-d") || !in.hasWord("-k")
	default:
		return false
	}
	return true
}

// openSSLKind tells whether a connection is only looked at.
func openSSLKind(in *invocation) Kind {
	switch in.Stdin.Kind {
	case shell.StdinNone, shell.StdinFile:
		return Receive
	case shell.StdinText:
		if t := strings.TrimSpace(in.Stdin.Text); t == "" || t == "Q" {
			return Receive
		}
	}
	return Send
}
