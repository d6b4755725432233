package offline

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects/secrets"
)

var (
	// secretWords name what is secret, in texts and in members of what is sent.
	secretWords = regexp.MustCompile(`(?i)secret|credential|passw(or)?d|passphrase|api[ _-]?key|private[ _-]?key|access[ _-]?key|\btokens?\b|_token|bearer|密钥|密码|凭据|凭证|令牌|口令|私钥`)
	// network are programs that send, and what they send to.
	network = regexp.MustCompile(`(?i)(^|[^a-z0-9_.-])(curl|wget|nc|ncat|netcat|socat|telnet|ftp|sftp|scp|rsync|ssh|http|https|httpie|xh|aws|gcloud|gsutil|az|gh|glab|` +
		`mail|mailx|sendmail|mutt|nslookup|dig|host|docker push|npm publish|twine|rclone|s3cmd|openssl s_client)([^a-z0-9_-]|$)|[a-z][a-z0-9+.-]*://|/dev/(tcp|udp)/|` +
		`\bgit +push|[a-z0-9_.-]+@[a-z0-9-]+\.[a-z0-9.-]+`)
	download    = regexp.MustCompile(`(?i)\b(curl|wget|fetch)\b`)
	interpreter = regexp.MustCompile(`(?i)[|(` + "`" + `;&]\s*(sudo\s+)?(sh|bash|zsh|dash|ksh|python3?|perl|ruby|node|php|eval|source)\b|<\(\s*(curl|wget)`)
)

// hardDenied finds what no instruction allows: a secret on its way out, and code
// that is fetched and run at once. It takes words for what they look like, in
// whatever the shell would make of them: it only ever denies.
func hardDenied(r request) (rule, words string) {
	texts, _ := leaves(r.pending.Arguments)
	all := strings.Join(append(texts, string(r.pending.Arguments)), "\n") // with the members' names
	if a, ok := shippedArguments(r.pending.Name, r.pending.Arguments); ok && r.pending.declared() {
		if a.Command == nil {
			return "", "" // files stay where they are
		}
		if r.command(*a.Command).known() {
			return "", "" // none of its programs sends
		}
		return hardCommand(r, *a.Command)
	}
	switch {
	case holdsSecret(all):
		return "secret-sent", r.pending.Name + " with a value that has the shape of a secret"
	case network.MatchString(all) && (secretWords.MatchString(all) || r.namesSecretFile(all)):
		return "secret-sent", r.pending.Name + " with a destination and a secret's name"
	default:
		return "", ""
	}
}

// holdsSecret reports whether there is a secret in a text, or one that cannot be told
// from what is around it.
func holdsSecret(text string) bool {
	spans, ok := secrets.Find(text)
	return len(spans) > 0 || !ok
}

// redact takes secrets away: reasons go into the log.
func redact(s string) string {
	out, _, _ := secrets.Text(s)
	return out
}

// hardCommand looks at a command with its quotes and escapes taken away, so that
// neither hides a name.
func hardCommand(r request, command string) (rule, words string) {
	bare := strings.NewReplacer(`\`+"\n", "", `\`, "", `"`, "", `'`, "").Replace(command)
	for _, text := range []string{command, bare} {
		sends := network.MatchString(text)
		switch {
		case sends && holdsSecret(text):
			return "secret-sent", "a destination and a value that has the shape of a secret"
		case sends && (secretWords.MatchString(text) || namesSecretPath(text) || r.namesSecretFile(text)):
			return "secret-sent", "a destination and a secret's name"
		case download.MatchString(text) && interpreter.MatchString(text):
			return "runs-download", text
		}
	}
	return "", ""
}

var wordEnds = regexp.MustCompile(`[\s=:@"'<>|;&(),]+`)

func namesSecretPath(text string) bool {
	return slices.ContainsFunc(wordEnds.Split(text, -1), func(w string) bool { return w != "" && strings.ContainsAny(w, "./_") && secretPath(w) })
}

// namesSecretFile reports whether a text names a file of which something in the
// request says that it holds a secret.
func (r request) namesSecretFile(text string) bool {
	lower := strings.ToLower(text)
	for _, w := range wordEnds.Split(lower, -1) {
		base := path.Base(w)
		if len(base) > 2 && strings.Contains(base, ".") && !strings.Contains(w, "//") && r.saidSecret(base) {
			return true
		}
	}
	return false
}

func (r request) saidSecret(base string) bool {
	for _, e := range slices.Concat(r.instructions, r.history) {
		text := e.text()
		if e.Arguments != nil {
			text = *e.Arguments
		}
		text = strings.ToLower(text)
		if strings.Contains(text, base) && (secretWords.MatchString(text) || holdsSecret(text)) {
			return true
		}
	}
	return false
}

var speaks = regexp.MustCompile(`(?i)\b(dear|note to|to|hey|attention|as|for) (the )?(auto[ -]?)?(reviewer|approver|safety (model|classifier))\b|` +
	`\b(auto[ -]?)?(reviewer|approver)\s*[:,]|\b(reviewer|approver|you)\s+(must|should|may|can|will)\s+(allow|approve|permit|accept)\b|` +
	`\b(ignore|disregard|forget) (all |the |any |your |every )*(previous|earlier|prior|above|policy|policies|rules|instructions)\b|` +
	`"?(risk|decision)"?\s*[:=]\s*"?(low|allow)\b|` +
	`(审查员|审核员|审查者|审批者|评审员|审查模型)\s*(：|:|，|,|请|应|必须)|忽略(之前|以上|上述|所有|你的)`)

// addressesReviewer finds words of a call's that speak to whoever reviews it.
func addressesReviewer(a action) string {
	texts, _ := leaves(a.Arguments)
	for _, t := range append(texts, a.Name) {
		if found := speaks.FindString(t); found != "" {
			return found
		}
	}
	return ""
}
