package shell

// Most commands of an agent are words without anything that a shell does something
// with. They need no parser.

// inert are the bytes that stand for themselves wherever they are in a word.
var inert = func() (t [256]bool) {
	for c := '0'; c <= 'z'; c++ {
		t[c] = letter(byte(c))
	}
	for _, c := range []byte("-_./,@%+:") {
		t[c] = true
	}
	return t
}()

// simple gives the words of a text that is one command of inert words; nil for any
// other text.
func (r *reader) simple(src *source) []Word {
	text, count := src.text, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inert[c]:
			if i == 0 || text[i-1] == ' ' {
				count++
			}
		case c != ' ':
			return nil
		}
	}
	if count == 0 || count > maxWords/8 {
		return nil
	}
	out, parts := make([]Word, 0, count), make([]Part, 0, count)
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		start := i
		for i < len(text) && text[i] != ' ' {
			i++
		}
		if len(out) == 0 && reserved(text[start:i]) {
			return nil
		}
		parts = append(parts, Part{Text: text[start:i]})
		out = append(out, Word{Parts: parts[len(parts)-1 : len(parts) : len(parts)], Span: src.at(start, i)})
	}
	return out
}

// reserved reports whether a word may be one of the grammar, or one of which the
// parser makes more than words.
func reserved(s string) bool {
	if len(s) > 8 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	switch s {
	case "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select", "function", "time", "coproc",
		"declare", "typeset", "local", "export", "readonly", "nameref", "let", "end", "repeat", "foreach", "always", "nocorrect", "noglob":
		return true
	}
	return false
}

// plainCommand runs a command of inert words.
func (r *reader) plainCommand(words []Word, f frame, sc *scope) result {
	c := Command{Args: words, Span: Span{words[0].Span.Start, words[len(words)-1].Span.End}, Stdin: f.stdin}
	return r.launch(c, f, sc)
}
