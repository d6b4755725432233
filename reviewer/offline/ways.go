package offline

import (
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects"
)

// way is one in which instructions can name all of a call: each naming has to be
// granted.
type way []naming

// byWords are the rules about what the words of a command show, so that who names it word
// for word has named that. What is in none of these lists is nothing that anybody sees:
// it is not understood, hidden, computed, or more than is said, and no instruction names
// it.
const byWords = "address-strange address-inside secret-undelimited read-everything search-secrets link-leads-out write-pattern file-emptied " +
	"unpacked-over pattern-option mode-opened owner-changed moved-away changes-discarded remote-moved hooks-skipped project-run build-elsewhere " +
	"package-run script-not-understood code-unknown program-unknown script-unknown runs-remote variable-executes variable-leads search-changed " +
	"service-restores service-account container-privileged network-probed request-rerouted metadata-asked credentials-given tunnel-opened mail-sent " +
	"database-runs statements-unknown"

// byPath are the rules about one path, with the action that has to be named.
func byPath(rule string) (class, bool) {
	switch rule {
	case "read-outside", "secret-read":
		return reading, true
	case "write-outside", "write-secret", "write-metadata", "runs-later":
		return changing, true
	case "delete-unproven", "delete-outside", "delete-metadata":
		return deleting, true
	default:
		return 0, false
	}
}

// byOperation are the rules about what a service, a repository or a process is told,
// which the words of the command name one by one.
const byOperation = "vcs-remote package-installed package-published network-send process-ended cluster-changed cloud-changed service-changed service-destroys " +
	"system-changed database-changed database-destroys history-rewritten"

// byTool are the rules about a tool of which nothing is known but what it is given.
const byTool = "tool-unknown tool-destroys tool-hinted arguments-unknown"

// nameable reports whether instructions can name what a rule asks a review for.
func nameable(rule string) bool {
	_, path := byPath(rule)
	return path || listed(byOperation, rule) || listed(byTool, rule) || listed(byWords, rule)
}

// listed reports whether a list has a name.
func listed(list, name string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == name {
			return true
		}
	}
	return false
}

// ways are those in which a call can be named: piece by piece, by what each rule that
// asks for a review speaks about, or as a whole. There is none for what cannot be
// seen.
func (r request) ways(d deed) []way {
	if len(d.Findings) == 0 {
		return nil
	}
	for _, f := range d.Findings {
		if f.Decision == effects.Deny || f.Decision == effects.Review && !nameable(f.Rule) {
			return nil
		}
	}
	var out []way
	if d.shaped {
		if w := r.pieces(d); len(w) > 0 {
			out = append(out, w)
		}
		if n, ok := r.operation(d); ok {
			out = append(out, way{n})
		}
		if n, ok := r.push(d); ok {
			out = append(out, way{n})
		}
	}
	if n, ok := r.whole(d); ok {
		if inside, ok := r.inScripts(d); ok {
			out = append(out, append(way{n}, inside...))
		}
	}
	return out
}

// pieces names each path that a rule asks for. It is none if one of the rules is not
// about a path that is known whole, and in the call itself.
func (r request) pieces(d deed) way {
	var out way
	for _, f := range d.Findings {
		if f.Decision != effects.Review {
			continue
		}
		c, ok := byPath(f.Rule)
		if !ok || f.Span.Source != "" {
			return nil
		}
		any := false
		for _, e := range d.Effects {
			if e.Span != f.Span || !kindOf(c, e.Kind) {
				continue
			}
			if e.Target == "" || !e.Certain && !d.command.literal() || strings.ContainsAny(e.Target, "*?[") {
				return nil
			}
			out, any = append(out, pathNaming(r.cwd, e.Target, c)), true
		}
		if !any || len(out) > maxAlso {
			return nil
		}
	}
	return out
}

// kindOf reports whether an effect is one of the class of actions.
func kindOf(c class, k effects.Kind) bool {
	switch c {
	case reading:
		return k == effects.Read || k == effects.SecretRead
	case changing:
		return k == effects.Write || k == effects.Create || k == effects.Configure
	default:
		return k == effects.Delete
	}
}

// whole names the call by all of its words: a command word for word, or a tool with
// all that it is given.
func (r request) whole(d deed) (naming, bool) {
	if d.command.text == "" {
		return r.tool(d)
	}
	if !d.shaped || !d.command.open() || !r.onlyCommand(d.command.argument) {
		return naming{}, false
	}
	n := naming{class: running, forms: []string{strings.TrimSpace(d.command.text)}, names: d.command.significant(), against: classesOf(d)}
	return n, true
}

// tool names a tool that runs no command.
func (r request) tool(d deed) (naming, bool) {
	for _, f := range d.Findings {
		_, path := byPath(f.Rule)
		if f.Decision == effects.Review && !listed(byTool, f.Rule) && !path && f.Rule != "address-inside" {
			return naming{}, false
		}
	}
	texts, plain := leaves(r.pending.Arguments)
	if !plain || len(texts) > maxAlso || slices.Contains(texts, "") {
		return naming{}, false
	}
	return naming{class: using, forms: []string{r.pending.Name}, also: texts, names: []string{r.pending.Name}, against: classesOf(d)}, true
}

// classesOf are the kinds of actions that a call is made of, beside that it runs.
func classesOf(d deed) []class {
	var out []class
	for _, e := range d.Effects {
		if c := classOf(e.Kind); c != reading && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// classOf is the kind of action that an effect is, by which people forbid it.
func classOf(k effects.Kind) class {
	switch k {
	case effects.Read, effects.SecretRead:
		return reading
	case effects.Write, effects.Create, effects.Configure:
		return changing
	case effects.Delete:
		return deleting
	case effects.Send:
		return sending
	case effects.Receive:
		return fetching
	case effects.Install:
		return installing
	case effects.VCSRemote:
		return pushing
	case effects.HistoryRewrite:
		return rewriting
	case effects.Process:
		return killing
	case effects.Database, effects.Cloud, effects.Cluster:
		return operating
	default: // Execute, VCSLocal, Privilege
		return running
	}
}
