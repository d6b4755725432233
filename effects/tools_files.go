package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// fileTools read and change single files.
func fileTools() map[string]tool {
	return map[string]tool{
		"read read_file readfile view view_file view_image read_image read_text_file open_file notebookread":                                                                   readTool,
		"write write_file writefile create_file createfile create save_file save-file write_to_file":                                                                           writeTool,
		"edit edit_file editfile multiedit multi_edit replace str_replace search_replace replace_in_file replace_string_in_file smart_edit notebookedit insert_edit_into_file": editTool,
		"delete delete_file deletefile remove_file":                  deleteTool,
		"move_file rename_file":                                      moveTool,
		"create_directory make_directory":                            folderTool,
		"str_replace_editor str_replace_based_edit_tool text_editor": editorTool,
		"apply_patch applypatch patch":                               patchTool,
	}
}

// pathNames are the members by which tools name a file; one of them, and only one,
// is in a call.
var pathNames = []string{"path", "file_path", "filePath", "filepath", "absolute_path", "absolutePath", "notebook_path", "notebookPath", "target_file", "filename", "file"}

// oddPath says so of a name that tools read in ways of their own, or that people read
// otherwise than it stands.
func (a *analysis) oddPath(name string, at Span) bool {
	odd := name == "" || name[0] == '~' || name[0] == '$' || name[0] == '%' || strings.Contains(name, "://") || strings.HasPrefix(name, "file:") || unseen(name)
	if odd {
		a.say("path-strange", at, name)
	}
	return odd
}

// named is an invocation that stands for a tool which was given a name of a file, and
// that name as a word.
func (a *analysis) named(name, argument string) (*invocation, shell.Word) {
	a.argument = argument
	w := shell.Word{Parts: []shell.Part{{Text: name}}, Quoted: true, Span: shell.Span{End: len(name)}}
	return &invocation{analysis: a, Command: &shell.Command{Certain: true}}, w
}

// fileTool does something with one file.
func (a *analysis) fileTool(e noted, name, argument string) {
	in, w := a.named(name, argument)
	if !a.oddPath(name, a.span(w.Span)) {
		in.notes(e, w)
	}
}

// widened takes the members by which a call asks for more than the session's sandbox
// gives, and says so.
func (a *analysis) widened(m *members) {
	wide := m.is("dangerouslyDisableSandbox") || m.is("with_escalated_permissions") || m.is("disable_sandbox")
	if mode, ok := m.text("sandbox_permissions"); ok && mode != "" && mode != "use_default" && mode != "workspace-write" && mode != "read-only" {
		wide = true
	}
	m.skip("justification")
	if wide {
		a.say("sandbox-widened", Span{}, "")
	}
}

func readTool(a *analysis, m *members) bool {
	name, argument, ok := m.oneText(pathNames...)
	if !ok {
		return false
	}
	m.skip("offset", "limit", "start_line", "end_line", "startLine", "endLine", "start_line_one_indexed", "end_line_one_indexed_inclusive",
		"should_read_entire_file", "explanation", "view_range", "pages", "head", "tail", "encoding")
	a.fileTool(noted{Effect: Effect{Kind: Read}}, name, argument)
	return true
}

func writeTool(a *analysis, m *members) bool {
	name, argument, ok := m.oneText(pathNames...)
	content, contentName, full := m.oneText("content", "contents", "file_text", "fileText", "text")
	if !ok || !full {
		return false
	}
	m.skip("explanation", "overwrite", "instructions", "encoding")
	a.widened(m)
	a.fileTool(noted{Effect: Effect{Kind: Write}}, name, argument)
	a.content(name, contentName, content)
	return true
}

// textNames are members of edits that hold what the file then says.
var textNames = []string{"new_string", "newString", "newText", "new_text", "new_str", "new_source", "replacement", "code_edit", "insert_text", "new"}

func editTool(a *analysis, m *members) bool {
	name, argument, ok := m.oneText(pathNames...)
	if !ok {
		return false
	}
	if edits, many := m.objects("edits"); many {
		for _, e := range edits {
			if !a.edited(e, name) || !e.done() {
				return false
			}
		}
	} else if !a.edited(m, name) {
		return false
	}
	m.skip("explanation", "instruction", "instructions", "dryRun")
	a.widened(m)
	a.fileTool(noted{Effect: Effect{Kind: Write}}, name, argument)
	return true
}

// edited takes one replacement.
func (a *analysis) edited(m *members, name string) bool {
	text, textName, ok := m.oneText(textNames...)
	if !ok {
		return false
	}
	m.skip("old_string", "oldString", "oldText", "old_text", "old_str", "old", "replace_all", "replaceAll", "expected_replacements", "insert_line", "insertLine",
		"cell_id", "cell_type", "edit_mode", "instruction", "instructions", "allow_multiple", "explanation")
	a.content(name, textName, text)
	return true
}

func deleteTool(a *analysis, m *members) bool {
	name, argument, ok := m.oneText(pathNames...)
	if !ok {
		return false
	}
	m.skip("explanation")
	a.widened(m)
	a.fileTool(noted{Effect: Effect{Kind: Delete}, recursive: m.is("recursive")}, name, argument)
	return true
}

func moveTool(a *analysis, m *members) bool {
	from, fromName, ok := m.oneText("source", "from", "old_path", "oldPath")
	to, toName, ok2 := m.oneText("destination", "to", "new_path", "newPath")
	if !ok || !ok2 {
		return false
	}
	a.fileTool(noted{Effect: Effect{Kind: Delete}, moved: true}, from, fromName)
	a.fileTool(noted{Effect: Effect{Kind: Write}}, to, toName)
	return true
}

func folderTool(a *analysis, m *members) bool {
	name, argument, ok := m.oneText("path", "dir_path", "dirPath")
	if ok {
		a.fileTool(noted{Effect: Effect{Kind: Create}, folder: true}, name, argument)
	}
	return ok
}

// editorTool is the one tool that views and changes files by its command.
func editorTool(a *analysis, m *members) bool {
	verb, ok := m.text("command")
	if !ok {
		return false
	}
	switch verb {
	case "view":
		return readTool(a, m)
	case "create":
		return writeTool(a, m)
	case "str_replace", "insert":
		if verb == "insert" && m.values["insert_text"] != nil && m.values["new_str"] != nil {
			return false
		}
		return editTool(a, m)
	case "undo_edit":
		name, argument, ok := m.oneText("path")
		if ok {
			a.fileTool(noted{Effect: Effect{Kind: Write}}, name, argument)
		}
		return ok
	default:
		return false
	}
}
