package speech

import (
	"regexp"
	"strings"
)

// Block says what a part of a message is.
type Block int

// The blocks. Only prose, headings and items of lists are their writer's own words.
const (
	Prose Block = iota
	Heading
	ListItem
	Code
	Quote
	Diff
	Log
	Table
)

// Own reports whether a block's text is its writer's.
func (b Block) Own() bool { return b <= ListItem }

// part is a block with its text, where a line's end is a space.
type part struct {
	block Block
	text  string
}

var (
	listMarker  = regexp.MustCompile(`^\s*([-*•+]|[0-9]{1,3}[.)]|\[[ xX]\])\s+`)
	logMarker   = regexp.MustCompile(`^\s*(-{4,}|={4,}|\[?[0-9]{4}-[0-9]{2}-[0-9]{2}|\[?[0-9]{2}:[0-9]{2}:[0-9]{2}|\[[A-Za-z0-9 :._-]{1,24}\]\s|(ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|PASS|FAIL|---)[:\s]|ok\s{2}|at \S+[(:]|Traceback|File "|npm (ERR|WARN)|\S+:[0-9]+(:[0-9]+)?:|[$%>] |(usage|options|Usage|Options):|\w+@\w+[:~]|[A-Za-z.]*(Error|Exception):)`)
	codeEnd     = regexp.MustCompile(`[{}]\s*$|[=()\[\]].*;\s*$|^\s*(//|/\*|\*/|#include|<[/!a-zA-Z][^>]*>)`)
	diffMarker  = regexp.MustCompile(`^(diff --git |@@ -|\+\+\+ |--- [ab]/|Index: )`)
	fenceMarker = regexp.MustCompile("^\\s*(```+|~~~+)")
)

// parts splits a message into blocks.
func parts(text string) []part {
	p := &splitter{}
	for line := range strings.Lines(text) {
		p.line(strings.TrimRight(line, "\r\n"))
	}
	p.flush()
	return p.out
}

// splitter gathers the lines of one block.
type splitter struct {
	out   []part
	block Block
	lines []string
	fence string // what ends the fence that is open
	diff  bool
	blank bool // the last line was
	list  bool // the last block was an item of a list
}

// flush ends a block.
func (p *splitter) flush() {
	if len(p.lines) > 0 {
		p.out = append(p.out, part{p.block, strings.Join(p.lines, "\n")})
	}
	p.lines, p.block = nil, Prose
}

func (p *splitter) begin(b Block, line string) {
	p.flush()
	p.block, p.lines = b, []string{line}
}

// alone puts a line in a block of its kind.
func (p *splitter) alone(b Block, line string) {
	if p.block == b && len(p.lines) > 0 {
		p.lines = append(p.lines, line)
		return
	}
	p.begin(b, line)
}

func (p *splitter) line(line string) {
	short := line[:min(len(line), 200)]
	trimmed := strings.TrimSpace(short)
	wasBlank := p.blank
	p.blank = trimmed == ""
	if p.fence != "" {
		if strings.HasPrefix(trimmed, p.fence) {
			p.fence = ""
			p.flush()
			return
		}
		p.alone(Code, line)
		return
	}
	if found := fenceMarker.FindString(short); found != "" {
		p.begin(Code, "")
		p.fence = strings.TrimSpace(found)[:3]
		return
	}
	if p.blank {
		p.diff = false
		p.flush()
		return
	}
	if p.diff = p.diff && strings.ContainsRune("+-@ \\di", rune(line[0])) || diffMarker.MatchString(short); p.diff {
		p.alone(Diff, line)
		return
	}
	switch indented := strings.HasPrefix(line, "    ") || line[0] == '\t'; {
	case strings.HasPrefix(trimmed, ">"):
		p.alone(Quote, strings.TrimLeft(line, "> \t"))
	case strings.HasPrefix(trimmed, "|"):
		p.alone(Table, line)
	case strings.HasPrefix(trimmed, "#") && strings.HasPrefix(strings.TrimLeft(trimmed, "#"), " "):
		p.begin(Heading, strings.TrimLeft(trimmed, "# "))
		p.flush()
		p.list = false
	case listMarker.MatchString(short) && !strings.HasPrefix(trimmed, "+"):
		p.begin(ListItem, line[len(listMarker.FindString(short)):])
		p.list = true
	case indented && wasBlank && !p.list:
		p.alone(Code, line)
	case logMarker.MatchString(short):
		p.alone(Log, line)
	case codeEnd.MatchString(short):
		p.alone(Code, line)
	default:
		p.prose(line, wasBlank, indented)
	}
}

// prose goes on with the block before it, or begins a new one.
func (p *splitter) prose(line string, wasBlank, indented bool) {
	if len(p.lines) > 0 && (p.block == Prose || p.block == ListItem) {
		p.lines = append(p.lines, line)
		return
	}
	if wasBlank && !indented {
		p.list = false
	}
	p.begin(Prose, line)
}
