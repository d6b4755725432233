package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// editPrograms change texts by a little program on their command line.
func editPrograms() map[string]program {
	return map[string]program{
		"sed": {explainSed}, "gsed": {explainSed}, "jq": {explainJq}, "gojq": {explainJq}, "jaq": {explainJq}, "yq": {explainYq},
		"vi": {explainEditor}, "vim": {explainEditor}, "nvim": {explainEditor}, "nano": {explainEditor}, "emacs": {explainEditor}, "ed": {explainEditor}, "ex": {explainEditor}, "view": {explainEditor}, "code": {explainEditor},
	}
}

func explainSed(in *invocation) bool {
	o := spec{short: "nEre:f:i::I::l:sbuza", long: "quiet silent debug expression= file= follow-symlinks in-place=? line-length= posix regexp-extended separate sandbox unbuffered null-data zero-terminated"}.read(in.args)
	files, programs := o.operands, make([]shell.Word, 0, 2)
	for i := range o.list {
		switch o.list[i].name {
		case "e", "expression":
			programs = append(programs, o.list[i].value)
		case "f", "file":
			in.say("script-unknown", in.span(o.list[i].span), in.name)
		}
	}
	if len(programs) == 0 && !o.has("f", "file") {
		if len(files) == 0 {
			return false
		}
		programs, files = files[:1], files[1:]
	}
	for _, w := range programs {
		in.sedProgram(w)
	}
	how := shows
	if o.has("i", "I", "in-place") {
		how = writes
	}
	for _, w := range files {
		in.file(how, w)
	}
	return o.strange == nil && (!o.opaque || len(files) > 0)
}

func (in *invocation) sedProgram(w shell.Word) {
	text, ok := w.Value()
	if !ok {
		in.say("code-computed", in.span(w.Span), in.name)
		return
	}
	s := sedScript{text: text}
	if !s.read() || s.runs {
		in.say("runs-hidden", in.span(w.Span), text)
	}
	for _, name := range s.written {
		in.touches(Write, shell.Word{Parts: []shell.Part{{Text: name}}, Span: w.Span})
	}
	for _, name := range s.shown {
		in.touches(Read, shell.Word{Parts: []shell.Part{{Text: name}}, Span: w.Span})
	}
}

// sedScript reads a sed program: which files it reads and writes, and whether it runs
// something.
type sedScript struct {
	text           string
	at             int
	written, shown []string
	runs           bool
}

func (s *sedScript) read() bool {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', ';', '{', '}', '!', ',', '$', '+', '~', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			s.at++
		case '/':
			s.at++
			if !s.until('/') {
				return false
			}
			s.flags("IM")
		case '\\':
			if s.at += 2; s.at > len(s.text) || !s.until(s.text[s.at-1]) {
				return false
			}
			s.flags("IM")
		default:
			s.at++
			if !s.command(c) {
				return false
			}
		}
	}
	return true
}

// until goes behind the next delimiter that no backslash and no class hides.
func (s *sedScript) until(delimiter byte) bool {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case delimiter:
			s.at++
			return true
		case '\\':
			s.at++
		}
		s.at++
	}
	return false
}

func (s *sedScript) flags(letters string) {
	for s.at < len(s.text) && strings.IndexByte(letters, s.text[s.at]) >= 0 {
		s.at++
	}
}

// line takes the rest of the line.
func (s *sedScript) line() string {
	rest, _, _ := strings.Cut(s.text[s.at:], "\n")
	s.at += len(rest)
	return strings.TrimSpace(rest)
}

func (s *sedScript) command(c byte) bool {
	switch c {
	case '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
		return true
	case 'q', 'Q', 'l', 'L':
		return true // a number behind it is read as an address
	case 'e':
		s.runs = true
		s.line()
		return true
	case 'b', 't', 'T', ':', '#', 'v':
		if c != '#' {
			end := strings.IndexAny(s.text[s.at:], ";}\n")
			if end < 0 {
				end = len(s.text) - s.at
			}
			s.at += end
			return true
		}
		s.line()
		return true
	case 'a', 'i', 'c':
		for strings.HasSuffix(s.line(), `\`) && s.at < len(s.text) {
			s.at++
		}
		return true
	case 'r', 'R':
		s.shown = append(s.shown, s.line())
		return true
	case 'w', 'W':
		s.written = append(s.written, s.line())
		return true
	case 's', 'y':
		return s.substitution(c)
	default:
		return false
	}
}

func (s *sedScript) substitution(c byte) bool {
	if s.at >= len(s.text) {
		return false
	}
	delimiter := s.text[s.at]
	s.at++
	if delimiter == '\n' || delimiter == '\\' || !s.until(delimiter) || !s.until(delimiter) {
		return false
	}
	for c == 's' && s.at < len(s.text) {
		switch s.text[s.at] {
		case 'g', 'p', 'i', 'I', 'm', 'M', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			s.at++
		case 'e':
			s.at++
			s.runs = true
		case 'w':
			s.at++
			s.written = append(s.written, s.line())
		default:
			return true
		}
	}
	return true
}

// jqWord is a jq option with the words behind it.
const jqPairs = "--arg --argjson --slurpfile --rawfile --argfile"

func explainJq(in *invocation) bool {
	args := make([]shell.Word, 0, len(in.args))
	for i := 0; i < len(in.args); i++ {
		text, ok := in.args[i].Value()
		if !ok || !listed(jqPairs, text) {
			args = append(args, in.args[i])
			continue
		}
		if i += 2; i < len(in.args) && strings.HasSuffix(text, "file") {
			in.file(shows, in.args[i])
		}
	}
	o := spec{short: "nrcsSRjaeCMf:L:hV", long: "null-input raw-output compact-output slurp sort-keys raw-input join-output ascii-output exit-status color-output monochrome-output from-file= indent= tab args jsonargs stream seq unbuffered raw-output0 yaml-input yaml-output"}.read(args)
	rest := o.operands
	if opt, ok := o.get("f", "from-file"); ok {
		in.file(searches, opt.value)
	} else if len(rest) > 0 {
		in.jqProgram(rest[0])
		rest = rest[1:]
	}
	if !o.has("args", "jsonargs") {
		for _, w := range rest {
			in.file(shows, w)
		}
	}
	return o.strange == nil && !o.has("L")
}

// jqProgram judges a filter: it can show the environment, and nothing else.
func (in *invocation) jqProgram(w shell.Word) {
	text, ok := wordText(w), w.Known()
	if strings.Contains(text, "$ENV") || wordIn(text, "env") {
		in.does(SecretRead, "environment", w.Span)
	}
	if !ok && w.Prefix() == "" {
		in.printsSecrets([]shell.Word{w})
	}
}

// wordIn reports whether a word stands in a text, not as a member's name.
func wordIn(text, word string) bool {
	for rest, from := text, 0; ; {
		at := strings.Index(rest[from:], word)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(word)
		if (at == 0 || !letter(rest[at-1]) && rest[at-1] != '.' && rest[at-1] != '"') && (end == len(rest) || !letter(rest[end])) {
			return true
		}
		from = end
	}
}

func letter(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= lower(c) && lower(c) <= 'z'
}

func explainYq(in *invocation) bool {
	o := spec{short: "PCMNjrnieo:p:I:svyYcSR", long: "prettyPrint colors no-colors no-doc tojson unwrapScalar=? null-input inplace exit-status output-format= input-format= indent= verbose raw-output yaml-output"}.read(in.args)
	rest := o.operands
	if text, ok := first(rest); ok && (text == "eval" || text == "e" || text == "eval-all" || text == "ea") {
		rest = rest[1:]
	}
	how := shows
	if o.has("i", "inplace") {
		how = writes
	}
	for i, w := range rest {
		text, known := w.Value()
		if i == 0 && (len(rest) > 1 || !known || strings.HasPrefix(text, ".") || in.Stdin.Kind != shell.StdinNone) {
			if wordIn(text, "env") || wordIn(text, "strenv") || wordIn(text, "envsubst") || wordIn(text, "load") || wordIn(text, "load_str") || wordIn(text, "system") {
				in.does(SecretRead, "environment", w.Span)
			}
			continue
		}
		in.file(how, w)
	}
	return o.strange == nil
}

// explainEditor is a program for people: what it does is asked of it later.
func explainEditor(*invocation) bool { return false }
