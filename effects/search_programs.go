package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// searchPrograms show the lines that a pattern is found in.
func searchPrograms() map[string]program {
	grep := search{usage{
		spec:  spec{short: "EFGPe:f:iyvwxcLlm:oqsbHhnTZA:B:C:aD:d:IrRUuzV", long: "extended-regexp fixed-strings basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case invert-match word-regexp line-regexp count color=? colour=? files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= line-number initial-tab null after-context= before-context= context= text binary-files= devices= directories= exclude= exclude-from= exclude-dir= include= recursive dereference-recursive line-buffered binary null-data", numbers: true},
		files: searches, but: 1, unless: "e f regexp file", shown: "f file", looked: "exclude-from", calm: true,
	}}
	rg := search{usage{
		spec:  spec{short: "e:f:sSiFwxvPUzac0A:B:C:d:g:t:T:m:M:j:r:E:nNHIlLoqupbh.", long: "regexp= file= case-sensitive smart-case ignore-case fixed-strings word-regexp line-regexp invert-match pcre2 multiline search-zip text count count-matches null after-context= before-context= context= max-depth= maxdepth= glob= iglob= type= type-not= max-count= max-columns= max-columns-preview threads= replace= encoding= line-number no-line-number with-filename no-filename files files-with-matches files-without-match only-matching quiet unrestricted pretty byte-offset hidden no-ignore no-ignore-vcs no-ignore-parent color= colors= column no-column heading no-heading json stats sort= sortr= trim follow no-messages type-list type-add= vimgrep passthru multiline-dotall auto-hybrid-regex engine= no-config pre= pre-glob= hostname-bin= ignore-file= debug trace line-buffered one-file-system crlf null-data max-filesize= no-unicode no-pcre2-unicode context-separator= field-match-separator= path-separator= include-zero binary no-binary no-hidden no-require-git no-ignore-global no-ignore-dot"},
		files: searches, but: 1, unless: "e f regexp file files type-list", shown: "f file", looked: "ignore-file", runs: "pre hostname-bin", calm: true,
	}}
	ag := search{usage{
		spec:  spec{short: "acCsSiwvlLgG:oQtuUnrRpzA:B:m:f0", long: "ackmate after= before= context= count color nocolor group nogroup heading noheading files-with-matches files-without-matches file-search-regex= hidden ignore= ignore-case literal max-count= depth= numbers nonumbers smart-case case-sensitive stats unrestricted vimgrep word-regexp type= pager= column follow nobreak break", numbers: true},
		files: searches, but: 1, runs: "pager", calm: true,
	}}
	all := map[string]program{"rg": {rg.explain}, "ripgrep": {rg.explain}, "ag": {ag.explain}, "ack": {ag.explain}}
	for _, name := range []string{"grep", "egrep", "fgrep", "rgrep", "ggrep", "zgrep", "bzgrep", "xzgrep", "ugrep"} {
		all[name] = program{grep.explain}
	}
	return all
}

type search struct{ usage }

func (s search) explain(in *invocation) bool {
	o := s.read(in.args)
	if !o.has("q", "quiet", "l", "files-with-matches", "L", "files-without-match", "c", "count", "files", "type-list") {
		in.searchedFor(s, &o)
	}
	return s.usage.explain(in)
}

// searchedFor says so if a search would show secrets, or whatever there is.
func (in *invocation) searchedFor(s search, o *options) {
	wide := o.has("r", "R", "recursive", "dereference-recursive") || in.name == "rgrep" || s.runs != ""
	patterns := make([]shell.Word, 0, 2)
	for _, opt := range o.list {
		if opt.given && (opt.name == "e" || opt.name == "regexp") {
			patterns = append(patterns, opt.value)
		}
	}
	rest := o.operands
	if len(patterns) == 0 && !o.has("f", "file") && len(rest) > 0 {
		patterns, rest = append(patterns, rest[0]), rest[1:]
	}
	for _, w := range rest {
		wide = wide || mayBeSecret(w)
	}
	if wide && len(rest) > 0 && !o.has("r", "R", "recursive", "dereference-recursive") && in.allPlain(rest) {
		wide = false
	}
	if in.Stdin.Kind != shell.StdinNone && len(rest) == 0 && !o.has("r", "R", "recursive") || !wide {
		return
	}
	if narrowed(o) {
		return
	}
	sources := in.sourceFolders(rest)
	for _, w := range patterns {
		text, ok := w.Value()
		if o.has("v", "invert-match") || ok && (showsAll(text) || !sources && looksForSecrets(text)) {
			in.say("search-secrets", in.span(w.Span), text)
		}
	}
}

// secretFolders are such as hold settings and keys.
const secretFolders = ". config configs conf settings env envs secret secrets keys certs deploy deployment deployments k8s kubernetes helm charts infra infrastructure terraform ansible ops environments"

// sourceFolders reports whether words name folders of the project that are not known
// to hold settings.
func (in *invocation) sourceFolders(words []shell.Word) bool {
	for _, w := range words {
		text, ok := w.Value()
		name := base(strings.TrimRight(text, "/"))
		if !ok || in.leaves(w) || text == "" || strings.HasPrefix(name, ".") || listed(secretFolders, strings.ToLower(name)) {
			return false
		}
	}
	return len(words) > 0
}

// narrowed reports whether options keep a search to files that hold no secrets.
func narrowed(o *options) bool {
	narrow := false
	for i := range o.list {
		switch o.list[i].name {
		case "t", "type":
			narrow = true
		case "include", "g", "glob", "G":
			text, ok := o.list[i].value.Value()
			pattern := shell.Word{Parts: []shell.Part{{Kind: shell.Glob, Text: text}}}
			if !ok || text == "" || text[0] != '!' && mayBeSecret(pattern) {
				return false
			}
			narrow = narrow || text[0] != '!'
		}
	}
	return narrow
}

// allPlain reports whether words name files with a name ending, so that a search in
// them is no search through folders.
func (in *invocation) allPlain(words []shell.Word) bool {
	for _, w := range words {
		text, ok := w.Value()
		if !ok || strings.LastIndexByte(text, '.') <= strings.LastIndexByte(text, '/')+1 {
			return false
		}
	}
	return true
}

// showsAll reports whether a pattern is in nearly every line.
func showsAll(pattern string) bool {
	return len(strings.Trim(pattern, "^$.*+?\\wSsDW[](){}|aeiou ")) == 0
}

// secretWords are what somebody looks for who wants secrets.
var secretWords = []string{
	"password", "passwd", "passphrase", "secret", "api_key", "apikey", "api-key", "api.key", "access_key", "access-key", "private key", "private_key", "privatekey", "begin rsa", "begin openssh", "begin ec", "akia", "ghp_", "github_pat", "xox", "sk_live", "credential", "auth_token", "access_token", "accesstoken", "bearer ", "_token", "jdbc:", "aws_secret", "aws_access",
}

func looksForSecrets(pattern string) bool {
	for _, word := range secretWords {
		if indexFold(pattern, word) >= 0 {
			return true
		}
	}
	return false
}
