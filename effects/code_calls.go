package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/code"
	"github.com/docket-engine/docket/effects/shell"
)

// codeWord is a text on the command line that an interpreter runs.
func (in *invocation) codeWord(lang language, w shell.Word) {
	text, ok := w.Value()
	if !ok {
		in.say("code-computed", in.span(w.Span), in.name)
		return
	}
	in.code(lang, text, w.Span, false)
}

// codeLanguage is the name by which a language is read.
func codeLanguage(l language) code.Language {
	switch l {
	case pythonCode:
		return code.Python
	case javaScript:
		return code.JavaScript
	case rubyCode:
		return code.Ruby
	case perlCode:
		return code.Perl
	case phpCode:
		return code.PHP
	default:
		return code.Awk
	}
}

// code is a text in a language other than a shell's. Of a file, places in the text are
// places in the file; others are at the word that the text came in.
func (in *invocation) code(lang language, text string, at shell.Span, file bool) {
	report := code.Scan(codeLanguage(lang), text)
	if report.Harmless {
		in.harmless()
	}
	if report.Unknown {
		words := in.name
		if len(report.Problems) > 0 {
			words = report.Problems[0].Words
		}
		in.say("code-unknown", in.span(at), words)
	}
	for i := range report.Calls {
		span := at
		if file {
			span = shell.Span{Start: report.Calls[i].Span.Start, End: report.Calls[i].Span.End}
		}
		in.codeCall(&report.Calls[i], span)
	}
	for _, name := range report.Imports {
		in.shadowed(lang, name, at)
	}
}

// shadowed says so if the project has a file of its own by the name of a module.
func (in *invocation) shadowed(lang language, name string, at shell.Span) {
	if lang != pythonCode || in.facts.Files == nil || strings.ContainsAny(name, "./") {
		return
	}
	if in.exists(name+".py") || in.exists(name+"/__init__.py") {
		in.say("code-unknown", in.span(at), name)
	}
}

// codeCall notes what one call of a text does.
func (in *invocation) codeCall(c *code.Call, at shell.Span) {
	switch c.Kind {
	case code.Reads:
		in.codeFile(Read, c, at)
	case code.Writes, code.Creates:
		in.codeFile(Write, c, at)
	case code.Deletes:
		in.codeFile(Delete, c, at)
	case code.Executes:
		in.codeRuns(c, at)
	case code.Sends:
		in.does(Send, c.Target, at)
	case code.Receives:
		in.codeFetch(c, at)
	case code.Kills:
		in.does(Process, c.Target, at)
	case code.Privilege:
		in.does(Privilege, c.Name, at)
	case code.Environment:
		if c.Target == "" || !c.Known || secretVariable(c.Target) {
			in.does(SecretRead, c.Target, at)
		}
	case code.Database:
		in.does(Database, c.Target, at)
	case code.Cloud:
		in.does(Cloud, c.Name, at)
	case code.Loads:
		in.codeLoads(c, at)
	default: // evaluates code that is computed, loads a library
		in.say("code-unknown", in.span(at), c.Name)
	}
}

// codeFile notes what is done to a file. A deletion by another language's means hides
// what is deleted (seed 004).
func (in *invocation) codeFile(k Kind, c *code.Call, at shell.Span) {
	w := shell.Word{Parts: []shell.Part{{Text: c.Target}}, Quoted: true, Span: at}
	if !c.Known {
		w.Parts = append(w.Parts, shell.Part{Kind: shell.Unknown})
		if c.Target == "" {
			w.Parts = w.Parts[1:]
		}
	}
	if c.Known && c.Target == "" {
		in.say("code-unknown", in.span(at), c.Name)
		return
	}
	e := noted{Effect: Effect{Kind: k}, recursive: c.Recursive}
	if k == Delete {
		inner := *in.Command
		inner.Nested = true
		in = &invocation{analysis: in.analysis, script: in.script, Command: &inner, name: in.name}
	}
	in.notes(e, w)
}

// codeFetch is a request that only fetches: from a place that is named.
func (in *invocation) codeFetch(c *code.Call, at shell.Span) {
	if !c.Known {
		in.does(Send, c.Target, at) // the address may carry anything
		return
	}
	in.does(Receive, c.Target, at)
}

// codeRuns is a program that the code starts: it counts as if it stood in the call.
func (in *invocation) codeRuns(c *code.Call, at shell.Span) {
	if in.reading.depth >= maxScriptDepth {
		in.say("too-complex", in.span(at), c.Name)
		return
	}
	text := c.Target
	switch {
	case !c.Known:
		in.say("code-computed", in.span(at), c.Name)
		if !c.Shell {
			text = quoteWords(c.Argv)
		}
		if text == "" {
			return
		}
		text += ` "$REST"`
	case !c.Shell:
		text = quoteWords(c.Argv)
	}
	if text == "" {
		in.say("code-computed", in.span(at), c.Name)
		return
	}
	in.reading.depth++
	in.commandAt(text, at)
	in.reading.depth--
}

// quoteWords writes a program and its arguments so that a shell reads them as they
// are.
func quoteWords(words []string) string {
	var out strings.Builder
	for i, w := range words {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
	}
	return out.String()
}

// codeLoads is another file or package of code.
func (in *invocation) codeLoads(c *code.Call, at shell.Span) {
	in.say("code-unknown", in.span(at), c.Target)
}
