package code

import "strings"

// act reports what a call of a known function does, and gives its result.
func (w *walker) act(v value, act action, a arguments, start int) value {
	w.effectsOf(v, act, a, start)
	switch act.special {
	case "":
	case "open":
		w.open(v, act, a, start)
	case "shell", "argv", "popen":
		w.execute(v, act, a, start)
	case "eval", "function":
		w.evaluate(v, act, a, start)
	case "getattr":
		return w.getattr(a, start)
	case "send": // a method by its name
		return w.sent(v, a, start)
	case "import":
		return w.imported(v, a, start)
	case "fetch":
		w.fetch(v, act, a, start)
	case "path":
		return w.path(v, act, a)
	case "text":
		return w.textOf(a, act)
	case "home":
		return value{kind: object, name: "pathlib.Path", text: "~", known: true}
	case "cwd":
		return value{kind: object, name: "pathlib.Path", text: ".", known: true}
	case "environ":
		w.report.call(Call{Kind: Environment, Name: v.name, Span: w.span(start)})
	case "callback":
		w.callback(act, a, start)
	case "replace": // of a text with two arguments, of a file with one
		if a.count() < 2 {
			w.problem(NotKnown, v.name, start)
		}
	case "timer": // a text is run as well
		if f, ok := a.at(0); ok && (f.kind == lit || f.kind == part) {
			w.evaluate(v, act, a, start)
		}
	case "require":
		w.required(v, a, start)
	case "same", "exists":
	default:
		w.problem(DynamicCode, v.name, start)
	}
	if act.makes != "" {
		made := value{kind: object, name: act.makes}
		if act.makesWith >= 0 {
			if t, ok := a.at(int(act.makesWith)); ok {
				made.text, made.known = t.beginning()
			}
		}
		return made
	}
	return value{}
}

// effectsOf is effects, with the object of a method as what "self" stands for.
func (w *walker) effectsOf(v value, act action, a arguments, start int) {
	for _, e := range act.does {
		c := Call{Kind: e.kind, Name: v.name, Recursive: e.recursive, Span: w.span(start)}
		if e.arg < 0 {
			if v.kind == member {
				c.Target, c.Known = v.text, v.known && v.name[0] != '.'
			}
		} else {
			w.targets(c, e, a)
			continue
		}
		w.report.call(c)
	}
}

// mentioned are the effects of a function that is not called here.
func (w *walker) mentioned(n string, act action, at int) {
	for _, e := range act.does {
		w.report.call(Call{Kind: e.kind, Name: n, Recursive: e.recursive, Span: w.span(at)})
	}
}

// targets reports an effect on an argument; on each of them for place 9, and on each
// of a list.
func (w *walker) targets(c Call, e effect, a arguments) {
	if e.arg == 9 {
		for _, arg := range a.all {
			w.target(c, arg.value)
		}
		if len(a.all) == 0 {
			w.report.call(c)
		}
		return
	}
	v, ok := a.at(int(e.arg))
	if e.kind == Reads && len(a.all) == 0 { // a listing of where it stands
		v, ok = literal("."), true
	}
	if e.key != "" {
		if k, has := a.keyed(e.key); has {
			v, ok = k, true
		}
	}
	if _, spread := a.keyed("*"); spread || !ok {
		v = value{}
	}
	w.target(c, v)
}

func (w *walker) target(c Call, v value) {
	if v.kind == list && len(v.list) > 0 {
		for _, e := range v.list {
			w.target(c, e)
		}
		return
	}
	c.Target, c.Known = v.beginning()
	w.report.call(remoteFile(c))
}

// remoteFile is a file that is one of another host, by its name.
func remoteFile(c Call) Call {
	if strings.Contains(c.Target, "://") && !strings.HasPrefix(c.Target, "file:") {
		switch c.Kind {
		case Reads:
			c.Kind = Receives
		case Writes, Creates, Deletes:
			c.Kind = Sends
		}
	}
	return c
}

// open reads or writes, as its mode says.
func (w *walker) open(v value, act action, a arguments, start int) {
	file, ok := a.at(int(act.arg))
	mode, has := a.at(int(act.arg) + 1)
	if k, is := a.keyed("mode"); is {
		mode, has = k, true
	}
	if k, is := a.keyed("file"); is {
		file, ok = k, true
	}
	if act.arg < 0 { // a method of a path: its mode comes first
		file, ok = value{kind: object, text: v.text, known: v.known && v.name[0] != '.'}, true
		mode, has = a.at(0)
	}
	_, spread := a.keyed("*")
	c := Call{Name: v.name, Kind: Reads, Span: w.span(start)}
	if ok && !spread {
		c.Target, c.Known = file.beginning()
	}
	if w.lang.lang == Perl {
		w.openPerl(c, a)
		return
	}
	if strings.HasPrefix(c.Target, "|") && w.lang.lang == Ruby || c.Target == "" && !c.Known && w.lang.lang == Ruby && !strings.HasPrefix(v.name, "File") {
		w.report.call(Call{Name: v.name, Kind: Executes, Target: strings.TrimPrefix(c.Target, "|"), Known: c.Known, Shell: true, Span: c.Span})
		return
	}
	switch {
	case spread || has && mode.kind != lit:
		c.Kind = Writes
		w.report.call(c)
		c.Kind = Reads
	case has && strings.ContainsAny(mode.text, "wax+c"):
		c.Kind = Writes
		if strings.Contains(mode.text, "+") {
			w.report.call(Call{Name: v.name, Kind: Reads, Target: c.Target, Known: c.Known, Span: c.Span})
		}
	}
	w.report.call(remoteFile(c))
}

// openPerl reads the mode in front of the name, or as an argument of its own.
func (w *walker) openPerl(c Call, a arguments) {
	mode, _ := a.at(1)
	file, three := a.at(2)
	m, known := mode.beginning()
	m = strings.TrimSpace(m)
	if !three {
		c.Target, c.Known = strings.TrimSpace(strings.TrimLeft(m, "<>+ ")), known
	} else {
		c.Target, c.Known = file.beginning()
	}
	switch {
	case !known && m == "":
		c.Kind, c.Shell, c.Known = Executes, true, false
	case strings.HasPrefix(m, "|"), strings.HasSuffix(m, "|"), strings.Contains(m, "-|"), strings.Contains(m, "|-"):
		c.Kind, c.Shell = Executes, true
		if !three {
			c.Target = strings.Trim(m, "| ")
		} else if a.count() > 3 {
			c.Known = false
		}
	case strings.HasPrefix(m, ">"), strings.HasPrefix(m, "+"):
		c.Kind = Writes
	case !known: // it may end in |
		c.Kind, c.Shell = Executes, true
	}
	w.report.call(c)
}

// execute starts a program: a text for a shell, or a list.
func (w *walker) execute(v value, act action, a arguments, start int) {
	first, ok := a.at(int(max(act.arg, 0)))
	if !ok {
		for _, key := range [...]string{"args", "cmd", "command"} {
			if k, has := a.keyed(key); has {
				first, ok = k, true
			}
		}
	}
	c := Call{Kind: Executes, Name: v.name, Span: w.span(start), Shell: act.special == "shell"}
	_, spread := a.keyed("*")
	if shell, has := a.keyed("shell"); has {
		c.Shell = c.Shell || shell.kind == truth
		if shell.kind != truth && shell.kind != data {
			ok = false
		}
	} else if act.special == "argv" && w.mentions(a, "shell", "executable") {
		c.Shell = true
	}
	rest, list2 := a.at(int(max(act.arg, 0)) + 1)
	switch {
	case !ok || spread:
	case first.kind == list:
		c.Argv, c.Known = texts(first.list)
		if c.Shell && len(c.Argv) > 0 {
			c.Target = c.Argv[0]
		}
	case act.special == "popen" && first.kind != list: // a shell, if there is only one text
		c.Target, c.Known = first.beginning()
		c.Shell = !list2 || rest.kind == data
		if list2 && (rest.kind == lit || rest.kind == part) {
			c.Argv, c.Known = texts(values(a))
			c.Target = ""
		}
	case act.special == "argv" && !c.Shell:
		c.Argv, c.Known = texts(append([]value{first}, rest.list...))
		if list2 && rest.kind != list && rest.kind != data && rest.kind != truth {
			c.Argv, c.Known = texts(values(a))
		}
		if list2 && rest.kind == data && w.lang.lang == JavaScript && !w.mentions(a, "stdio", "encoding", "cwd", "env") {
			c.Known = false
		}
	default:
		c.Target, c.Known = first.beginning()
		if list2 && rest.kind == list {
			c.Known = false
		}
	}
	w.report.call(c)
}

func values(a arguments) []value {
	var all []value
	for _, arg := range a.all {
		if arg.key == "" {
			all = append(all, arg.value)
		}
	}
	return all
}

// texts are those of a list up to the first that is not known.
func texts(all []value) ([]string, bool) {
	argv := make([]string, 0, len(all))
	for _, v := range all {
		t, known := v.beginning()
		if !known {
			return argv, false
		}
		argv = append(argv, t)
	}
	return argv, true
}

// evaluate reads code that is written out as well.
func (w *walker) evaluate(v value, act action, a arguments, start int) {
	text, ok := a.at(int(act.arg))
	if act.special == "function" && a.count() > 0 { // new Function("a", "…")
		text, ok = a.at(a.count() - 1)
	}
	c := Call{Kind: Evaluates, Name: v.name, Span: w.span(start)}
	if ok {
		c.Target, c.Known = text.beginning()
		c.Known = c.Known && text.kind == lit
	}
	w.report.call(c)
	if !c.Known {
		w.problem(DynamicCode, v.name, start)
		return
	}
	calls, problems := len(w.report.Calls), len(w.report.Problems)
	scan(w.lang.lang, text.text, w.report, w.nested+1)
	for i := calls; i < len(w.report.Calls); i++ {
		w.report.Calls[i].Span = c.Span
	}
	for i := problems; i < len(w.report.Problems); i++ {
		w.report.Problems[i].Span = c.Span
	}
}
