package effects

import (
	"path"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// unknownTool is a tool of which nothing is known but its name, what its maker says,
// and what its arguments name. Nothing of that makes it harmless.
func (a *analysis) unknownTool(c Call) {
	a.say("tool-unknown", Span{}, c.Tool)
	deletes := hasWord(c.Tool, destructiveWords) || c.Hints != nil && c.Hints.Destructive != nil && *c.Hints.Destructive
	sendsOut := hasWord(c.Tool, sendingWords) || c.Hints != nil && c.Hints.OpenWorld != nil && *c.Hints.OpenWorld
	if deletes {
		a.say("tool-destroys", Span{}, c.Tool)
	}
	if len(c.Arguments) > maxArguments {
		a.say("too-complex", Span{}, c.Tool)
		return
	}
	seen := 0
	eachText(c.Arguments, func(text string) bool {
		seen++
		if seen > 16*maxEffects {
			a.full = true
			return false
		}
		if sendsOut && sends(text) {
			a.say("secret-sent", Span{}, c.Tool)
		}
		a.unknownText(text, deletes)
		return true
	})
}

// unknownText judges a text of which nobody knows what the tool does with it.
func (a *analysis) unknownText(text string, deletes bool) {
	own := &a.facts.Engine
	if own.address(text) || a.isEnginePath(text) {
		a.say("engine-touched", Span{}, text)
	} else if words := a.namesEngine(own, text); words != "" {
		a.say("engine-named", Span{}, words)
	}
	if deletes && len(text) < 4096 && (strings.ContainsAny(text, `/\~`) || strings.HasPrefix(text, "$") || strings.HasPrefix(text, "%")) {
		a.unknownDeletion(text)
	}
}

func (a *analysis) isEnginePath(text string) bool {
	if len(a.paths.lowEngine) == 0 || len(text) > 4096 || strings.IndexByte(text, '/') < 0 && strings.IndexByte(text, '\\') < 0 {
		return false
	}
	name := strings.TrimPrefix(text, "file://")
	if rest, ok := strings.CutPrefix(name, "~"); ok {
		name = a.paths.home + rest
	}
	return a.paths.ofEngine(asciiFold(a.resolve(join(a.absolute(""), a.plain(name)))))
}

// unknownDeletion judges a path among the arguments of a tool that deletes: what is
// never deleted is not deleted so either.
func (a *analysis) unknownDeletion(text string) {
	if spellsHome(shell.Word{Parts: []shell.Part{{Text: text}}}) {
		a.say("delete-home", Span{}, text)
		return
	}
	name := strings.TrimPrefix(text, "file://")
	if rest, ok := strings.CutPrefix(name, "~"); ok && (rest == "" || rest[0] == '/') && a.paths.home != "" {
		name = a.paths.home + rest
	}
	w := patternWord(name)
	in := invocation{analysis: a, Command: &shell.Command{}}
	for _, p := range in.places(w) {
		if !path.IsAbs(p.path) || p.unknown {
			continue
		}
		e := noted{Effect: Effect{Kind: Delete, Target: p.path}, pattern: p.pattern, device: p.device}
		if rule := a.deleteGuard(e, a.paths.area(p.path)); rule != "" {
			a.say(rule, Span{}, text)
		}
	}
}

// destructiveWords and sendingWords are parts of tools' names (seed 004).
var (
	destructiveWords = nameSet("delete remove rm destroy drop purge erase wipe truncate clear clean unlink trash rmdir format reset kill terminate uninstall")
	sendingWords     = nameSet("send post publish upload share email mail message create update push deploy comment tweet notify webhook submit fetch request http browser navigate export sync invite reply")
)

// hasWord reports whether a tool's name has one of the words in it.
func hasWord(tool string, words map[string]bool) bool {
	start := 0
	for i := 0; i <= len(tool); i++ {
		end := i == len(tool) || !isLetter(tool[i])
		hump := !end && i > start && tool[i] >= 'A' && tool[i] <= 'Z' && tool[i-1] >= 'a'
		if !end && !hump {
			continue
		}
		if i > start && words[asciiFold(tool[start:i])] {
			return true
		}
		if start = i; end {
			start++
		}
	}
	return false
}
