package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// perform notes what an act does; false if an option may make it another one.
func (r *request) perform(a act) bool {
	r.secretsNamed()
	switch {
	case a == noAct || !r.optionsKnown(a):
		return false
	case (a == changes || a == destroys || a == uploads) && r.rehearsed():
		a = asks
	}
	switch a {
	case asks, fetches, prepares:
		r.say(quietRule(a), r.point(), r.verb)
	case shares:
		r.note(noted{Effect: r.effect(SecretRead), nested: r.Nested})
	case changes, destroys:
		r.note(noted{Effect: r.effect(r.service.kind), rule: r.service.rule()})
		if a == destroys {
			r.say("service-destroys", r.point(), r.object())
		}
	case runs:
		r.note(noted{Effect: r.effect(Execute)})
		r.say("runs-remote", r.point(), r.verb)
	case uploads:
		r.note(noted{Effect: r.effect(Send)})
	case installs:
		r.note(noted{Effect: r.effect(Install)})
	case arranges:
		r.note(noted{Effect: r.effect(Configure), rule: "runs-later"})
	case speaksFor:
		r.say("service-account", r.point(), r.verb)
	default:
		return false
	}
	return true
}

// quietRule allows.
func quietRule(a act) string {
	switch a {
	case prepares:
		return "service-prepared"
	case fetches:
		return "network-fetch"
	default:
		return "service-asked"
	}
}

// rule is the one about a change where the kind of the effect does not say it.
func (s *service) rule() string {
	switch s.kind {
	case Privilege:
		return "system-changed"
	case Send:
		return "service-changed"
	default:
		return ""
	}
}

// effect is one on what the verb names.
func (r *request) effect(k Kind) Effect {
	return Effect{Kind: k, Target: r.object(), Certain: r.Certain, Span: Span{Argument: r.argument, Source: r.source, Start: r.point().Start, End: r.point().End}}
}

// object is the verb with what it acts on, as far as that is written out.
func (r *request) object() string {
	var text strings.Builder
	text.WriteString(joinVerb(r.name, r.words()))
	for i, w := range r.rest {
		v, known := w.Value()
		if i == 3 || !known || v == "" || len(v) > maxWords {
			break
		}
		if v[0] != '-' {
			text.WriteString(" " + v)
		}
	}
	return text.String()
}

// words are those of the verb as they were given.
func (r *request) words() string {
	if strings.IndexByte(r.verb, '*') < 0 {
		return r.verb
	}
	text := ""
	for _, w := range r.args[:len(r.args)-len(r.rest)] {
		if v, _ := w.Value(); v != "" && v[0] != '-' {
			text = joinVerb(text, v)
		}
	}
	return text
}

// rehearsed reports whether an option has the verb only say what it would do. It must
// be an option for certain, and the only one of its name.
func (r *request) rehearsed() bool {
	if r.service.dry == "" {
		return false
	}
	found := 0
	for i, w := range r.rest {
		text, known := w.Value()
		if !known {
			if w.Many || w.Prefix() == "" || w.Prefix()[0] == '-' {
				return false // it may take the option back
			}
			continue
		}
		if text == "--" {
			break
		}
		name, value, _ := strings.Cut(text, "=")
		switch {
		case !listed(r.service.dry, name) && !listed(r.service.dry, text):
			if strings.HasPrefix(text, "--no-dry") {
				return false
			}
		case value == "none" || value == "false" || value == "0" || value == "no":
			return false
		case i > 0 && mayTake(r.rest[i-1]):
			return false
		default:
			found++
		}
	}
	return found == 1
}

// mayTake reports whether a word may be an option whose value is the next one.
func mayTake(w shell.Word) bool {
	text, known := w.Value()
	return !known || len(text) > 1 && text[0] == '-' && strings.IndexByte(text, '=') < 0 && text != "--recursive" && text != "--delete" && text != "--force" && text != "-r"
}

// optionsKnown notes the files that options have written, and reports whether none of
// them makes the verb do more than the table says.
func (r *request) optionsKnown(a act) bool {
	harmless := a == asks || a == fetches || a == prepares || a == shares
	for i, w := range r.args {
		text, known := w.Value()
		if !known {
			if text = w.Prefix(); text == "" || text[0] != '-' {
				continue
			}
		}
		if len(text) < 2 || text[0] != '-' {
			continue
		}
		if text == "--" {
			break
		}
		name, _, cut := strings.Cut(text, "=")
		if listed(r.service.run, name) {
			return false
		}
		if listed(r.service.written, name) || listed(r.service.written, text) {
			r.writes(w, i, cut)
			continue
		}
		if harmless && namesOutput(name) {
			r.writesPath(i, text)
		}
		if harmless && loud(name) && !listed(r.service.quiet, name) {
			return false
		}
	}
	return true
}

// namesOutput reports whether an option is called as those are that name a file or
// folder which is written.
func namesOutput(name string) bool {
	name = strings.TrimLeft(name, "-")
	switch name {
	case "o", "output", "out", "dest", "destination":
		return true
	}
	out := strings.HasPrefix(name, "output-") || strings.HasPrefix(name, "out-") || strings.HasPrefix(name, "log-") || strings.HasPrefix(name, "dest-") || strings.HasPrefix(name, "download-") || strings.HasPrefix(name, "export-")
	return out && (strings.HasSuffix(name, "file") || strings.HasSuffix(name, "dir") || strings.HasSuffix(name, "directory") || strings.HasSuffix(name, "path") || strings.HasSuffix(name, "folder"))
}

// writesPath notes what an option's value leads to if it is spelled like a path.
func (r *request) writesPath(i int, text string) {
	_, value, cut := strings.Cut(text, "=")
	if !cut {
		if i+1 == len(r.args) {
			return
		}
		value = r.args[i+1].Prefix()
	}
	if strings.IndexByte(value, '/') < 0 || strings.ContainsAny(value, "{}") || strings.Contains(value, "://") {
		return
	}
	r.touches(Write, shell.Word{Parts: []shell.Part{{Text: value}}, Span: r.args[i].Span})
}

// writes notes the file that an option names.
func (r *request) writes(w shell.Word, i int, cut bool) {
	switch {
	case cut:
		value := w
		value.Parts = append([]shell.Part{{Text: w.Prefix()[strings.IndexByte(w.Prefix(), '=')+1:]}}, w.Parts[1:]...)
		r.writesUnlessDash(value)
	case i+1 < len(r.args):
		r.writesUnlessDash(r.args[i+1])
	}
}

func (in *invocation) writesUnlessDash(w shell.Word) {
	if text, known := w.Value(); known && (text == "-" || text == "") {
		return
	}
	in.touches(Write, w)
}

// loudWords are those that, as a part of an option's name, say that a verb does more
// than its table says.
var loudWords = map[string]bool{
	"delete": true, "remove": true, "rm": true, "prune": true, "purge": true, "destroy": true, "drop": true, "clear": true, "wipe": true,
	"clean": true, "exec": true, "execute": true, "command": true, "cmd": true, "hook": true, "plugin": true, "editor": true, "pager": true,
	"apply": true, "write": true, "overwrite": true, "save": true, "upload": true, "push": true, "import": true, "fix": true, "repair": true,
	"reset": true, "unlock": true, "kill": true, "force": true, "replace": true, "install": true, "update": true, "upgrade": true, "create": true,
	"set": true, "outfile": true, "migrate": true, "run": true, "eval": true, "script": true, "shell": true, "privileged": true, "cleanup": true,
	"autoapprove": true, "plugins": true, "hooks": true, "commands": true, "approve": true, "restore": true, "rotate": true, "revoke": true, "disable": true, "enable": true, "commit": true,
}

// loud reports whether an option's name has such a word in it.
func loud(name string) bool {
	name = strings.TrimLeft(name, "-")
	if len(name) < 2 {
		return false
	}
	for part := range strings.SplitSeq(name, "-") {
		if loudWords[part] {
			return true
		}
	}
	return false
}

// secretsNamed notes files that hold secrets, and that the service is given.
func (r *request) secretsNamed() {
	for i, w := range r.rest {
		text := w.Prefix()
		name, _, _ := strings.Cut(text, "=")
		if listed(usesSecrets, name) || i > 0 && listed(usesSecrets, r.rest[i-1].Prefix()) {
			continue
		}
		r.secretNamed(w)
	}
}

// usesSecrets are options whose value is a file by which a service knows who asks, or
// that it has its settings from.
const usesSecrets = "--kubeconfig --creds --nkey --cert --key --cacert --ca-file --cert-file --key-file --client-key --client-certificate --tlscert --tlskey --tlsca --tlscacert --tls-cert --tls-key --identity --identity-file -i " +
	"--credential-file --password-file --var-file -var-file --config --defaults-file --token-file --vault-password-file --service-account-key"

func (in *invocation) secretNamed(w shell.Word) {
	text := w.Prefix()
	if text == "" {
		return
	}
	at := 0
	if text[0] == '-' || isName(text) {
		at = strings.IndexByte(text, '=') + 1
	}
	value := text[at:]
	for _, scheme := range []string{"fileb://", "file://", "@"} {
		value = strings.TrimPrefix(value, scheme)
	}
	if strings.IndexByte(value, '/') < 0 && strings.IndexByte(value, '.') < 0 && !sensitive(value) || strings.Contains(value, "://") {
		return
	}
	for _, p := range in.places(shell.Word{Parts: []shell.Part{{Text: value}}, Span: w.Span}) {
		if in.paths.area(p.path) == inCredentials || in.paths.area(p.path) == inEngine || sensitive(p.path) {
			in.note(noted{Effect: Effect{Kind: Read, Target: p.path, Certain: in.Certain, Span: in.span(w.Span)}})
		}
	}
}

// isName reports whether a word begins like a setting: NAME=value.
func isName(s string) bool {
	i := strings.IndexByte(s, '=')
	return i > 0 && isPlainWord(s[:i])
}
