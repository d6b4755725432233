package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// patch is what a text changes in files, told without looking at them.
type patch struct {
	edits []patchEdit
	ok    bool // all of the text is understood
}

// patchEdit is about one file.
type patchEdit struct {
	kind  Kind
	name  string
	moved bool // a deletion of what is there under another name afterwards
	span  shell.Span
	added strings.Builder // what is added, line by line
}

// maxPatchFiles bounds how many files a patch changes.
const maxPatchFiles = 512

// readPatch reads the envelope of apply_patch, or a unified diff.
func readPatch(text string) patch {
	r := patchReader{text: text}
	r.next()
	for r.more && strings.TrimSpace(r.line) == "" {
		r.next()
	}
	if strings.TrimSpace(r.line) == "*** Begin Patch" {
		r.next()
		return patch{ok: r.envelope(), edits: r.edits}
	}
	return patch{ok: r.unified() && len(r.edits) > 0, edits: r.edits}
}

// patchReader goes through a patch line by line.
type patchReader struct {
	text  string
	at    int // where the line behind this one begins
	start int // where this one does
	line  string
	more  bool
	edits []patchEdit
}

func (r *patchReader) next() {
	r.start, r.more = r.at, r.at < len(r.text)
	if !r.more {
		r.line = ""
		return
	}
	end := strings.IndexByte(r.text[r.at:], '\n')
	if end < 0 {
		end = len(r.text) - r.at
	}
	r.line = strings.TrimSuffix(r.text[r.at:r.at+end], "\r")
	r.at += end + 1
}

// edit begins one about a file whose name ends the line.
func (r *patchReader) edit(kind Kind, name string) bool {
	if name == "" || len(r.edits) == maxPatchFiles {
		return false
	}
	end := min(r.start+len(r.line), len(r.text))
	r.edits = append(r.edits, patchEdit{kind: kind, name: name, span: shell.Span{Start: max(r.start, end-len(name)), End: end}})
	return true
}

func (r *patchReader) add(line string) {
	e := &r.edits[len(r.edits)-1]
	e.added.WriteString(line)
	e.added.WriteByte('\n')
}

// envelope reads what stands behind "*** Begin Patch".
func (r *patchReader) envelope() bool {
	for ; r.more; r.next() {
		line := strings.TrimRight(r.line, " \t")
		if line == "*** End Patch" {
			return len(r.edits) > 0 && strings.TrimSpace(r.text[min(r.at, len(r.text)):]) == ""
		}
		if !r.envelopeLine(line) {
			return false
		}
	}
	return false
}

// envelopeLine reads one line; of its content only what begins like content.
func (r *patchReader) envelopeLine(line string) bool {
	if name, ok := strings.CutPrefix(line, "*** Add File: "); ok {
		return r.edit(Create, name)
	}
	if name, ok := strings.CutPrefix(line, "*** Update File: "); ok {
		return r.edit(Write, name)
	}
	if name, ok := strings.CutPrefix(line, "*** Delete File: "); ok {
		return r.edit(Delete, name)
	}
	if name, ok := strings.CutPrefix(line, "*** Move to: "); ok {
		if n := len(r.edits); n == 0 || r.edits[n-1].kind != Write {
			return false
		}
		r.edits[len(r.edits)-1].kind, r.edits[len(r.edits)-1].moved = Delete, true
		return r.edit(Write, name)
	}
	if len(r.edits) == 0 || strings.HasPrefix(line, "***") && line != "*** End of File" {
		return false
	}
	kind := r.edits[len(r.edits)-1].kind
	switch {
	case strings.HasPrefix(r.line, "+"):
		r.add(r.line[1:])
		return kind != Delete
	case kind == Write:
		return r.line == "" || r.line[0] == ' ' || r.line[0] == '-' || strings.HasPrefix(r.line, "@@") || line == "*** End of File"
	default:
		return line == ""
	}
}
