package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// runContainer starts a program in a container: what it is given of this machine
// decides how bad that can be.
func runContainer(r *request) bool {
	r.note(noted{Effect: r.effect(Cluster)})
	for i, w := range r.rest {
		text, known := w.Value()
		if !known {
			text = w.Prefix()
		}
		if text == "" || text[0] != '-' {
			if !known && i == 0 {
				r.say("container-computed", r.span(w.Span), "")
			}
			continue
		}
		name, value, cut := strings.Cut(text, "=")
		if !cut && len(name) > 2 && name[1] != '-' && strings.IndexByte("vmp", name[1]) >= 0 {
			name, value, cut = name[:2], name[2:], true
		}
		if !cut && i+1 < len(r.rest) {
			value = r.rest[i+1].Prefix()
		}
		r.containerOption(w, name, value)
	}
	return true
}

// containerOption says what an option gives a container of this machine.
func (r *request) containerOption(w shell.Word, name, value string) {
	switch name {
	case "-v", "--volume":
		source, _, _ := strings.Cut(value, ":")
		r.mounted(w, source)
	case "--mount":
		for part := range strings.SplitSeq(value, ",") {
			if key, source, _ := strings.Cut(part, "="); key == "source" || key == "src" {
				r.mounted(w, source)
			}
		}
	case "--privileged", "--cap-add", "--device", "--security-opt", "--volumes-from":
		if value != "no-new-privileges" && value != "no-new-privileges:true" {
			r.say("container-privileged", r.span(w.Span), name)
		}
	case "--pid", "--ipc", "--uts", "--userns", "--net", "--network", "--cgroupns":
		if value == "host" || strings.HasPrefix(value, "container:") {
			r.say("container-privileged", r.span(w.Span), name)
		}
	case "--env-file":
		r.secretNamed(shell.Word{Parts: []shell.Part{{Text: value}}, Span: w.Span})
	}
}

// mounted is a folder or file of this machine that a container gets.
func (r *request) mounted(w shell.Word, source string) {
	if !strings.ContainsAny(source, "/~.") {
		return // a volume by its name
	}
	p := r.place(shell.Word{Parts: []shell.Part{{Text: source}}}, r.dirOf())
	switch r.paths.area(p.path) {
	case inEngine:
		r.say("engine-touched", r.span(w.Span), p.path)
	case atRoot, inSystem, inHomeItself, inCredentials:
		if strings.HasSuffix(p.path, "docker.sock") || isPublic(p.path) {
			r.say("container-privileged", r.span(w.Span), p.path)
			return
		}
		r.say("container-escapes", r.span(w.Span), p.path)
	default:
		if strings.HasSuffix(p.path, ".sock") || r.paths.holdsEngine(p.path) {
			r.say("container-privileged", r.span(w.Span), p.path)
		}
	}
}

// dirOf is a folder that the command may be started in.
func (in *invocation) dirOf() string {
	if len(in.Dirs) > 0 {
		return in.Dirs[0]
	}
	return in.facts.Dir
}

func execContainer(r *request) bool {
	r.note(noted{Effect: r.effect(Execute)})
	r.say("runs-remote", r.point(), r.verb)
	for _, w := range r.rest {
		if text, _ := w.Value(); text == "--privileged" || text == "-u" || text == "--user=root" {
			r.say("container-privileged", r.span(w.Span), text)
		}
	}
	return true
}

// composeUp starts what the project's own file names: as root, outside of any sandbox.
func composeUp(r *request) bool {
	r.note(noted{Effect: r.effect(Cluster)})
	return true
}

// copyContainer copies out of a container, or into one.
func copyContainer(r *request) bool {
	o := spec{short: "aqL", long: "archive quiet follow-link all index=", first: false}.read(r.rest)
	if len(o.operands) != 2 || !o.understood() {
		return false
	}
	from, _ := o.operands[0].Value()
	if text, known := o.operands[1].Value(); known && (text == "-" || strings.IndexByte(text, ':') < 0) {
		r.say("service-asked", r.point(), from)
		r.writesUnlessDash(o.operands[1])
		return strings.IndexByte(from, ':') > 0
	}
	r.touches(Read, o.operands[0])
	r.note(noted{Effect: r.effect(Cluster)})
	return true
}

// saveImage writes an image or a container's files to a file.
func saveImage(r *request) bool {
	o := spec{short: "o:q", long: "output= quiet platform= format=", first: false}.read(r.rest)
	if file, ok := o.get("o", "output"); ok {
		r.writesUnlessDash(file.value)
	}
	r.say("service-asked", r.point(), r.verb)
	return o.understood()
}

// refineDocker looks at what options make of a verb.
func refineDocker(r *request) act {
	for i, w := range r.rest {
		text, known := w.Value()
		if !known {
			continue
		}
		switch {
		case r.act == prepares && (text == "--push" || strings.HasPrefix(text, "--push=") || strings.Contains(text, "push=true") || strings.Contains(text, "type=registry")):
			return uploads
		case r.act == prepares && (strings.HasPrefix(text, "-o") || text == "--output" || strings.HasPrefix(text, "--output=") || strings.Contains(text, "dest=") || text == "--network=host" || text == "--load=false"):
			return noAct
		case r.act == prepares && (text == "-v" || text == "--volume" || text == "--secret"):
			if i+1 < len(r.rest) {
				return noAct
			}
		case r.act == prepares && text != "" && text[0] != '-' && (strings.Contains(text, "://") || strings.HasPrefix(text, "github.com/") || strings.HasPrefix(text, "git@")):
			return noAct // the instructions come from elsewhere
		}
	}
	if r.act == prepares {
		r.buildFrom()
	}
	return r.act
}

// buildFrom notes the folder and the file that an image is built from.
func (r *request) buildFrom() {
	for i, w := range r.rest {
		text, _ := w.Value()
		switch {
		case (text == "-f" || text == "--file") && i+1 < len(r.rest):
			r.readsUnlessDash(r.rest[i+1])
		case text == "." || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, ".."):
			r.touches(Read, w)
		}
	}
}

func (in *invocation) readsUnlessDash(w shell.Word) {
	if text, known := w.Value(); known && text == "-" {
		return
	}
	in.touches(Read, w)
}
