package effects

import "github.com/docket-engine/docket/effects/shell"

// findTools list files and search through them.
func findTools() map[string]tool {
	return map[string]tool{
		"ls list list_dir listdir list_directory list_files":                       listTool,
		"glob glob_search find_files file_search":                                  globTool,
		"grep grep_search search_file_content search_files search_text grep_files": grepTool,
		"read_many_files": readManyTool,
	}
}

// folderNames are the members by which tools name the folder that they look through.
var folderNames = []string{"path", "dir_path", "dirPath", "directory", "target_directory", "relative_workspace_path", "dir"}

// folder takes the folder that is looked through; the one where commands start if
// none is named.
func (a *analysis) folder(m *members) (name, argument string, ok bool) {
	for _, n := range folderNames {
		if m.values[n] != nil {
			name, argument, ok = m.oneText(folderNames...)
			return name, argument, ok && (name != "" || argument != "")
		}
	}
	return ".", "", true
}

func listTool(a *analysis, m *members) bool {
	name, argument, ok := a.folder(m)
	if !ok {
		return false
	}
	m.skip("ignore", "recursive", "respect_git_ignore", "file_filtering_options", "explanation", "offset", "limit", "depth", "max_depth")
	a.fileTool(noted{Effect: Effect{Kind: Read}, names: true}, name, argument)
	return true
}

func globTool(a *analysis, m *members) bool {
	name, argument, ok := a.folder(m)
	pattern, patternName, hasPattern := m.oneText("pattern", "query", "glob_pattern", "glob")
	if !ok || !hasPattern {
		return false
	}
	m.skip("case_sensitive", "respect_git_ignore", "respect_gemini_ignore", "explanation", "limit", "maxResults", "excludePatterns", "exclude", "head_limit")
	a.fileTool(noted{Effect: Effect{Kind: Read}, names: true}, name, argument)
	a.patternTool(noted{Effect: Effect{Kind: Read}, names: true}, pattern, patternName, name)
	return true
}

// patternTool does something with the files that a pattern stands for.
func (a *analysis) patternTool(e noted, pattern, argument, folder string) {
	a.argument = argument
	w := patternWord(pattern)
	if a.oddPath(pattern, a.span(w.Span)) {
		return
	}
	in := invocation{analysis: a, Command: &shell.Command{Certain: true, Dirs: []string{join(a.absolute(""), a.plain(folder))}}}
	in.notes(e, w)
}

// patternWord is a pattern for files as the word that a shell would make of it.
func patternWord(pattern string) shell.Word {
	w := shell.Word{Span: shell.Span{End: len(pattern)}}
	for i := range len(pattern) {
		switch pattern[i] {
		case '*', '?', '[', '{':
			if i > 0 {
				w.Parts = append(w.Parts, shell.Part{Text: pattern[:i]})
			}
			w.Parts = append(w.Parts, shell.Part{Kind: shell.Glob, Text: pattern[i:]})
			return w
		}
	}
	w.Parts = []shell.Part{{Text: pattern}}
	return w
}

func grepTool(a *analysis, m *members) bool {
	name, argument, ok := a.folder(m)
	pattern, patternName, hasPattern := m.oneText("pattern", "query", "regex", "search")
	if !ok || !hasPattern {
		return false
	}
	narrow := m.values["type"] != nil
	for _, n := range [...]string{"include", "include_pattern", "includePattern", "glob", "file_pattern"} {
		if files, ok := m.text(n); ok && files != "" {
			a.patternTool(noted{Effect: Effect{Kind: Read}}, files, n, name)
			narrow = narrow || !mayBeSecret(patternWord(files)) && files[0] != '!'
		}
	}
	if mode, ok := m.text("output_mode"); ok {
		narrow = narrow || mode == "files_with_matches" || mode == "count"
	}
	m.skip("-A", "-B", "-C", "-n", "-i", "type", "head_limit", "multiline", "offset", "case_sensitive", "exclude_pattern", "explanation", "isRegexp", "maxResults",
		"max_matches", "limit", "context", "ignore_case", "literal", "respect_git_ignore", "names_only", "no_ignore")
	a.fileTool(noted{Effect: Effect{Kind: Read}}, name, argument)
	if !narrow && (showsAll(pattern) || looksForSecrets(pattern)) {
		a.argument = patternName
		a.say("search-secrets", a.span(shell.Span{End: len(pattern)}), pattern)
	}
	return true
}

func readManyTool(a *analysis, m *members) bool {
	names, argument := []string(nil), ""
	for _, n := range [...]string{"paths", "include", "files"} {
		if list, ok := m.texts(n); ok {
			names, argument = append(names, list...), n
		}
	}
	if len(names) == 0 || len(names) > maxFindings {
		return false
	}
	m.skip("exclude", "recursive", "useDefaultExcludes", "file_filtering_options", "respect_git_ignore")
	for _, name := range names {
		w := patternWord(name)
		a.patternTool(noted{Effect: Effect{Kind: Read}, broad: mayBeSecret(w)}, name, argument, ".")
	}
	return true
}
