package offline

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/effects/secrets"
)

// secretWords name what is secret, in texts.
var secretWords = regexp.MustCompile(`(?i)secret|credential|passw(or)?d|passphrase|api[ _-]?key|private[ _-]?key|access[ _-]?key|\btokens?\b|_token|bearer|密钥|密码|凭据|凭证|令牌|口令|私钥`)

// destinations are what a text has in it that may lead out of the machine.
var destinations = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://|[a-z0-9_.-]+@[a-z0-9-]+\.[a-z0-9.-]+`)

// secretTold finds a file that leaves the machine and of which something in the
// session says that it holds a secret. The analysis sees a file's place and spelling;
// what people and earlier calls say of it is seen here.
func (r request) secretTold(d deed) string {
	texts, _ := leaves(r.pending.Arguments)
	all := strings.Join(texts, "\n")
	if !mayLeave(d, all) {
		return ""
	}
	_, known := shipped(r.pending.Name)
	if d.command.text == "" && !(known && d.shaped) && destinations.MatchString(all) && secretWords.MatchString(all+string(r.pending.Arguments)) {
		return r.pending.Name + " with a destination and a secret's name"
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(all), endsWord) {
		base := path.Base(w)
		if len(base) > 2 && strings.Contains(base, ".") && r.saidSecret(base) {
			return "a destination, and " + base
		}
	}
	return ""
}

// mayLeave reports whether something of a call may leave the machine.
func mayLeave(d deed, all string) bool {
	out := func(e effects.Effect) bool {
		return e.Kind == effects.Send || e.Kind == effects.VCSRemote || e.Kind == effects.Receive && d.Decision != effects.Allow
	}
	unknown := func(f effects.Finding) bool { return f.Rule == "tool-unknown" || f.Rule == "program-unknown" }
	return slices.ContainsFunc(d.Effects, out) || slices.ContainsFunc(d.Findings, unknown) && destinations.MatchString(all)
}

func endsWord(r rune) bool { return strings.ContainsRune(" \t\r\n=:@\"'<>|;&(),", r) }

// saidSecret reports whether a text of the session names a file and speaks of
// secrets.
func (r request) saidSecret(base string) bool {
	for _, e := range slices.Concat(r.instructions, r.history) {
		text := e.text()
		if e.Arguments != nil {
			text = *e.Arguments
		}
		if text = strings.ToLower(text); strings.Contains(text, base) && (secretWords.MatchString(text) || holdsSecret(text)) {
			return true
		}
	}
	return false
}

// holdsSecret reports whether there is a secret in a text, or one that cannot be told
// from what is around it.
func holdsSecret(text string) bool {
	spans, ok := secrets.Find(text)
	return len(spans) > 0 || !ok
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
