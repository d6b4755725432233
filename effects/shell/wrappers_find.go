package shell

import "strings"

// unwrapFind looks for the command behind -exec and its like. Of several, the first
// one is given, and the rest of the words with it: see moreFind.
func unwrapFind(u *unwrapped, args []Word) wrapperKind {
	u.keeps = true
	for i, w := range args {
		switch text, _ := w.Value(); text {
		case "-exec", "-execdir", "-ok", "-okdir":
		default:
			continue
		}
		end := i + 1
		for end < len(args) && !isText(args[end], ";") && !(isText(args[end], "+") && isText(args[end-1], "{}")) {
			end++
		}
		if end == i+1 {
			return strangeWrapper
		}
		u.args, u.placeholder = args[i+1:end], "{}"
		return isWrapper
	}
	return notWrapper
}

// moreFind gives the words behind a find's first command, in which there may be
// another one; nil if there is none.
func moreFind(args []Word) []Word {
	for i, w := range args {
		text, _ := w.Value()
		if !strings.HasPrefix(text, "-exec") && !strings.HasPrefix(text, "-ok") {
			continue
		}
		for end := i + 1; end < len(args); end++ {
			if isText(args[end], ";") || isText(args[end], "+") && isText(args[end-1], "{}") {
				return args[end+1:]
			}
		}
		return nil
	}
	return nil
}

// unwrapFd looks for the command behind -x.
func unwrapFd(u *unwrapped, args []Word) wrapperKind {
	u.keeps = true
	for i, w := range args {
		text, ok := w.Value()
		exec := text == "-x" || text == "-X" || text == "--exec" || text == "--exec-batch"
		switch {
		case exec && i+1 < len(args):
			u.args, u.placeholder, u.fromStdin = args[i+1:], "{}", !holdsPlaceholder(args[i+1:])
			return isWrapper
		case exec, ok && strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && strings.ContainsAny(text, "xX"):
			return strangeWrapper
		}
	}
	return notWrapper
}

func holdsPlaceholder(words []Word) bool {
	for _, w := range words {
		for _, p := range w.Parts {
			if strings.ContainsRune(p.Text, '{') {
				return true
			}
		}
	}
	return false
}

// unwrapParallel has the command in front of ::: or what it reads.
func unwrapParallel(u *unwrapped, args []Word) wrapperKind {
	o := wrap{
		flags: "0j:kmnvXN:L:I:a:d:q", long: "jobs= keep-order null dry-run verbose halt= bar eta progress line-buffer ungroup group tag arg-file= colsep= delay= timeout= retries= joblog= results= max-args= no-run-if-empty will-cite silent quote resume",
	}.read(args)
	switch {
	case o.strange:
		return strangeWrapper
	case o.has("dry-run"):
		return notWrapper
	}
	command := o.operands
	for i, w := range command {
		if text, _ := w.Value(); strings.HasPrefix(text, ":::") {
			command = command[:i]
			break
		}
	}
	u.fromStdin = true
	if len(command) == 0 {
		u.stdinText = true // each line is a command
		return isWrapper
	}
	text := joined(command)
	if u.placeholder = "{}"; !holdsPlaceholder(command) {
		text = joined(append(append([]Word(nil), command...), Word{Parts: []Part{{Kind: Unknown, Text: "{}"}}, Span: command[len(command)-1].Span}))
	} else {
		text = unknownPlaceholders(text)
	}
	u.text = &text
	return isWrapper
}

// unknownPlaceholders puts an unknown part where a text has {…}.
func unknownPlaceholders(w Word) Word {
	out := w
	out.Parts = nil
	for _, p := range w.Parts {
		rest := p.Text
		for p.Kind == Literal {
			i := strings.IndexByte(rest, '{')
			j := strings.IndexByte(rest[max(i, 0):], '}')
			if i < 0 || j < 0 {
				break
			}
			out.Parts = appendPart(out.Parts, Part{Text: rest[:i]})
			out.Parts = append(out.Parts, Part{Kind: Unknown, Text: rest[i : i+j+1]})
			rest = rest[i+j+1:]
		}
		if rest != "" {
			out.Parts = appendPart(out.Parts, Part{Kind: p.Kind, Text: rest})
		}
	}
	return out
}
