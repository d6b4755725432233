package effects

import (
	"strconv"
	"strings"
)

// unified reads a unified diff, also as git writes it. Lines of content are counted
// as their heads say, so that none of them passes for a head, nor the reverse.
func (r *patchReader) unified() bool {
	from := ""
	for r.more {
		line := r.line
		switch {
		case strings.HasPrefix(line, "--- "):
			from = diffName(line[len("--- "):])
		case strings.HasPrefix(line, "+++ "):
			if !r.unifiedFile(from, diffName(line[len("+++ "):])) {
				return false
			}
			from = ""
		case strings.HasPrefix(line, "@@ "):
			if !r.hunk(line) {
				return false
			}
			continue // behind the hunk already
		case strings.HasPrefix(line, "rename from "):
			if !r.edit(Delete, line[len("rename from "):]) {
				return false
			}
			r.edits[len(r.edits)-1].moved = true
		case strings.HasPrefix(line, "rename to "):
			if !r.edit(Write, line[len("rename to "):]) {
				return false
			}
		case strings.HasPrefix(line, "diff --git "), strings.HasPrefix(line, "index "), strings.HasPrefix(line, "similarity index "), strings.HasPrefix(line, "Index: "),
			strings.HasPrefix(line, "====="), line == "new file mode 100644", line == "deleted file mode 100644", line == "deleted file mode 100755", line == "":
		default:
			return false // a mode, a link, binary content, or no diff
		}
		r.next()
	}
	return true
}

// diffName takes a name out of a diff's head, without the time behind it; "" is the
// file that is not there.
func diffName(text string) string {
	name, _, _ := strings.Cut(text, "\t")
	if name == "/dev/null" {
		return ""
	}
	if strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/") {
		return name[2:]
	}
	return name
}

func (r *patchReader) unifiedFile(from, to string) bool {
	switch {
	case strings.HasPrefix(from, `"`), strings.HasPrefix(to, `"`):
		return false
	case to == "":
		return r.edit(Delete, from)
	case from == "":
		return r.edit(Create, to)
	case from != to && !r.renames(from, to):
		// Which of the two is changed is the patching program's to choose.
		return r.edit(Write, from) && r.edit(Write, to)
	default:
		return r.edit(Write, to)
	}
}

// renames reports whether the diff has said that a file goes by another name.
func (r *patchReader) renames(from, to string) bool {
	n := len(r.edits)
	return n >= 2 && r.edits[n-2].name == from && r.edits[n-1].name == to && r.edits[n-2].moved
}

// hunk reads the lines of "@@ -1,2 +1,3 @@".
func (r *patchReader) hunk(head string) bool {
	fields := strings.Fields(head)
	if len(r.edits) == 0 || len(fields) < 4 || fields[3] != "@@" {
		return false
	}
	before, ok := hunkLength(fields[1], '-')
	after, ok2 := hunkLength(fields[2], '+')
	if !ok || !ok2 {
		return false
	}
	r.next()
	for ; before > 0 || after > 0; r.next() {
		if !r.more {
			return false
		}
		switch {
		case r.line == "" || r.line[0] == ' ':
			before, after = before-1, after-1
		case r.line[0] == '-':
			before--
		case r.line[0] == '+':
			after--
			r.add(r.line[1:])
		case r.line[0] == '\\':
		default:
			return false
		}
	}
	if r.more && strings.HasPrefix(r.line, `\ `) {
		r.next()
	}
	return before == 0 && after == 0
}

func hunkLength(field string, sign byte) (int, bool) {
	if field == "" || field[0] != sign {
		return 0, false
	}
	_, length, given := strings.Cut(field[1:], ",")
	if !given {
		return 1, true
	}
	n, err := strconv.Atoi(length)
	return n, err == nil && n >= 0
}
