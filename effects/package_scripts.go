package effects

import (
	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/effects/shell"
)

// packageScript runs a script of a package.json, with those before and behind it.
// Where the file cannot be read, the script's name has to do.
func (in *invocation) packageScript(name string, at shell.Word, args []shell.Word) {
	path, scripts, ok := in.packageScripts()
	if !ok {
		if path == "" && buildsByName(name) {
			in.builds("project-build", in.span(at.Span), name)
		} else {
			in.say("script-unknown", in.span(at.Span), name)
		}
		in.scriptArguments(args)
		return
	}
	if _, found := scripts[name]; !found {
		if p, known := in.programs[name]; known && (in.name == "yarn" || in.name == "pnpm") && in.exists("node_modules/.bin/"+name) {
			in.name, in.args = name, args
			if !p.explain(in) {
				in.say("arguments-unknown", in.span(in.Span), name)
			}
			return
		}
		in.say("script-unknown", in.span(at.Span), name)
		return
	}
	in.runScripts(path, scripts, "pre"+name, name, "post"+name)
	in.scriptArguments(args)
}

// scriptArguments are words that a script is given besides its own.
func (in *invocation) scriptArguments(args []shell.Word) {
	if !in.tool(args, "") {
		in.say("arguments-unknown", in.span(in.Span), in.name)
	}
}

// lifecycle runs the scripts of the project itself that an install starts.
func (in *invocation) lifecycle() {
	switch path, scripts, ok := in.packageScripts(); {
	case ok:
		in.runScripts(path, scripts, "preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare")
	case path != "":
		in.say("script-unknown", in.span(in.Span), path)
	}
}

// packageScripts reads the scripts of the package that the command works on. There is
// a path if there is a file, also if it cannot be read.
func (in *invocation) packageScripts() (path string, scripts map[string]string, ok bool) {
	w := shell.Word{Parts: []shell.Part{{Text: "package.json"}}, Span: in.Span}
	places := in.places(w)
	if len(places) != 1 || !places[0].whole {
		return "", nil, false
	}
	path = places[0].path
	origin, text := in.origin(path)
	if origin == untouched {
		text, ok = in.load(path)
	} else {
		ok = origin == writtenHere
	}
	if !ok {
		if origin == untouched && !in.exists("package.json") {
			path = ""
		}
		return path, nil, false
	}
	var file struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(text), &file) != nil {
		return path, nil, false
	}
	return path, file.Scripts, true
}

func (in *invocation) runScripts(path string, scripts map[string]string, names ...string) {
	for _, name := range names {
		text, ok := scripts[name]
		if !ok || text == "" {
			continue
		}
		in.inside(path+"\x00"+name, in.startDirs()[0], in.Span, func() {
			in.source = path
			in.command(text)
		})
	}
	in.builds("project-build", in.span(in.Span), in.name)
}
