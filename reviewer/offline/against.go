package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/docket-engine/docket/reviewer/offline/speech"
)

// refusedBy reports whether a refusal is against the naming: of its action, and not
// provably of something else.
func (n naming) refusedBy(cwd string, f speech.Refusal) bool {
	acts := n.acts()
	switch {
	case n.class == reading && !f.Acts.Has(reading):
		return false
	case n.looks && f.Acts.Has(running) && (f.Stop || f.Consult):
		return false
	case f.Acts == speech.Of(using):
		return n.path == "" && slices.ContainsFunc(f.Words, n.called) || slices.ContainsFunc(f.Targets, func(t string) bool { return n.target(cwd, t) })
	case !acts.Meets(f.Acts) && !(n.class == running && n.path != "" && f.Acts.Meets(speech.Of(changing, deleting, reading))):
		return false
	case n.path != "" && n.class != running && f.Acts.Has(speech.Creating) && !f.Acts.Has(changing) && !f.Acts.Has(deleting) && !n.made:
		return false
	}
	if slices.ContainsFunc(f.Except, func(t string) bool { return n.target(cwd, t) }) || slices.ContainsFunc(f.ExceptKinds, n.ofKind) {
		return false
	}
	if f.Everything {
		return !n.looks || !f.Acts.Meets(speech.Changes) || f.Acts.Has(running)
	}
	if n.path == "" && acts.Meets(f.Acts&^speech.Of(changing, deleting, speech.Creating, running, using, reading, speech.Testing, speech.Building)) {
		return true // of no path, such as a push
	}
	return slices.ContainsFunc(f.Targets, func(t string) bool { return n.target(cwd, t) }) || slices.ContainsFunc(f.Kinds, n.ofKind)
}

// ofKind reports whether a path is of a kind of files, by its name and place.
func (n naming) ofKind(k speech.Kind) bool {
	p := strings.ToLower(n.path)
	base, ext := path.Base(p), path.Ext(p)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(p, w) })
	}
	switch {
	case n.path == "":
		return false
	case k == speech.Tests:
		return has("test", "spec", "fixture")
	case k == speech.Docs:
		return has("/docs/", "/doc/", "readme", "changelog") || slices.Contains([]string{".md", ".rst", ".adoc"}, ext)
	case k == speech.Settings:
		return has("config", "settings", "/conf") || slices.Contains([]string{".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".env", ".json", ".properties"}, ext) || strings.HasPrefix(base, ".")
	default: // sources
		return !slices.Contains([]string{".md", ".rst", ".txt", ".adoc"}, ext)
	}
}
