package secrets

// cutName is the member that says how many members were left out.
const cutName = "[cut]"

// list is one that is being copied: what does not fit any more is only counted, and
// takes the last one that did along, in whose place the count stands.
type list struct {
	total, limit int
	start, mark  int // in the output
	secrets      int // before the mark
}

func (w *writer) begin(open byte, limit int) list {
	w.out = append(w.out, open)
	return list{limit: limit, start: len(w.out)}
}

// next reports whether one more is written, and writes the comma before it.
func (w *writer) next(l *list) bool {
	l.total++
	if l.total > l.limit {
		return false
	}
	if l.total == l.limit {
		l.mark, l.secrets = len(w.out), w.done.Secrets
	}
	if len(w.out) > l.start {
		w.out = append(w.out, ',')
	}
	return true
}

// end goes back to the mark if something was left out, and says how much.
func (w *writer) end(l list, shut byte, unit string) error {
	if l.total > l.limit {
		w.out, w.done.Secrets, w.done.Cut = w.out[:l.mark], l.secrets, true
		if l.mark > l.start {
			w.out = append(w.out, ',')
		}
		if unit == unitMembers {
			w.out = append(w.out, `"`+cutName+`":`...)
		}
		if err := w.quote(cutMarker(l.total-l.limit+1, unit)); err != nil {
			return err
		}
	}
	w.out = append(w.out, shut)
	_, err := w.in.ReadToken()
	return err
}

func (w *writer) object(depth int) error {
	if _, err := w.in.ReadToken(); err != nil {
		return err
	}
	l := w.begin('{', w.limits.Keys)
	var called string // what {"name": …, "value": …} says its value is called
	cut := false
	for w.in.PeekKind() != '}' {
		t, err := w.in.ReadToken()
		if err != nil {
			return err
		}
		name := t.String()
		if spans, ok := Find(name); len(spans) > 0 || !ok {
			w.done.Undisclosable = true // it cannot be shown, nor be missing
		}
		cut = cut || name == cutName
		if !w.next(&l) {
			if err := w.in.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if called, err = w.member(depth, name, called); err != nil {
			return err
		}
	}
	if cut && l.total > l.limit {
		w.done.Undisclosable = true // two members of that name would be no JSON
	}
	return w.end(l, '}', unitMembers)
}

// member copies one member. called is what the members before it say that a value is
// called.
func (w *writer) member(depth int, name, called string) (string, error) {
	if err := w.quote(name); err != nil {
		return "", err
	}
	w.out = append(w.out, ':')
	at := spot{name: name, rank: rankOf(name), bulk: w.limits.Bulk && bulkName(name)}
	if called != "" && equalFold(name, "value") {
		at = spot{name: called, rank: rankOf(called)}
	}
	if w.in.PeekKind() != '"' {
		return called, w.value(depth+1, at)
	}
	t, err := w.in.ReadToken()
	if err != nil {
		return "", err
	}
	text := t.String()
	if naming(name) && rankOf(text) >= medium {
		called = text
	}
	return called, w.quote(w.text(text, at))
}

func naming(name string) bool {
	return equalFold(name, "name") || equalFold(name, "key") || equalFold(name, "header")
}

// maxArguments bounds how many items are looked at as a program's arguments.
const maxArguments = 64

func (w *writer) array(depth int, at spot) error {
	if _, err := w.in.ReadToken(); err != nil {
		return err
	}
	l := w.begin('[', w.limits.Array)
	var args []string
	for w.in.PeekKind() != ']' {
		if !w.next(&l) {
			if err := w.in.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if w.in.PeekKind() != '"' {
			if err := w.value(depth+1, spot{name: at.name, rank: at.rank}); err != nil {
				return err
			}
			continue
		}
		t, err := w.in.ReadToken()
		if err != nil {
			return err
		}
		item := spot{name: at.name, rank: at.rank}
		text := t.String()
		if args = append(args, text); len(args) > 1 && len(args) <= maxArguments {
			item.known = lastArgument(args)
		}
		if err := w.quote(w.text(text, item)); err != nil {
			return err
		}
	}
	return w.end(l, ']', unitItems)
}

// lastArgument is what is secret in the last item if they are a command.
func lastArgument(args []string) []Span {
	var known []Span
	for _, p := range Position(args[0], args[1:]) {
		if p.Argument == len(args)-2 {
			known = append(known, p.Span)
		}
	}
	return known
}

// bulkName is true of members that hold long texts.
func bulkName(name string) bool {
	var buf [maxName]byte
	if len(name) > maxName {
		return false
	}
	n := 0
	for i := 0; i < len(name); {
		if !alnum(name[i]) {
			i++
			continue
		}
		n, i = component(name, i, &buf)
	}
	switch string(buf[:n]) {
	case "body", "content", "data", "diff", "patch", "payload", "str", "string", "text", "description", "justification":
		return true
	}
	return false
}
