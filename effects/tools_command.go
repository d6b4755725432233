package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// commandTools run commands.
func commandTools() map[string]tool {
	return map[string]tool{
		"shell bash run_shell_command run_terminal_cmd run_in_terminal execute_command shell_command execute_bash run_command local_shell container.exec exec_command exec": shellTool,
		"powershell pwsh run_powershell": powerShellTool,
		"write_stdin":                    stdinTool,
	}
}

// shellTool runs a command: a text for a shell, or a program and its arguments.
func shellTool(a *analysis, m *members) bool {
	if !a.startsIn(m) || !usesShell(m) {
		return false
	}
	a.widened(m)
	m.skip("timeoutMs", "timeout", "timeout_ms", "description", "run_in_background", "is_background", "isBackground", "explanation", "goal", "login", "tty",
		"yield_time_ms", "max_output_tokens", "restart", "env_clear")
	if text, argument, ok := m.oneText("command", "cmd", "CommandLine"); ok {
		a.argument = argument
		a.command(text)
		return true
	}
	for _, name := range [...]string{"command", "cmd", "argv"} {
		if argv, ok := m.texts(name); ok && len(argv) > 0 && len(m.values) == 0 {
			a.argument = name
			a.words(argv)
			return true
		}
	}
	return false
}

// startsIn takes the folder in which a command is to start.
func (a *analysis) startsIn(m *members) bool {
	there := false
	for _, n := range [...]string{"workdir", "cwd", "directory", "dir_path", "working_directory"} {
		there = there || m.values[n] != nil && m.values[n].Kind() != 'n'
	}
	if !there {
		m.skip("workdir", "cwd", "directory", "dir_path", "working_directory")
		return true
	}
	dir, argument, ok := m.oneText("workdir", "cwd", "directory", "dir_path", "working_directory")
	if !ok {
		return false
	}
	if dir != "" && !a.oddPath(dir, Span{Argument: argument, End: len(dir)}) {
		a.facts.Dir = a.resolve(join(a.absolute(""), a.plain(dir)))
	}
	return true
}

// usesShell takes the shell that a command is run by, and reports whether it is one
// whose language is known.
func usesShell(m *members) bool {
	text, ok := m.text("shell")
	if !ok {
		return m.values["shell"] == nil
	}
	switch programName(text) {
	case "bash", "sh", "zsh", "dash":
		return text == "bash" || text == "sh" || text == "zsh" || strings.HasPrefix(text, "/bin/") || strings.HasPrefix(text, "/usr/bin/")
	}
	return false
}

// words analyses a program and its arguments: what a shell is given as its text is
// read where it stands.
func (a *analysis) words(argv []string) {
	if len(argv) == 3 && (argv[1] == "-c" || argv[1] == "-lc") {
		switch argv[0] {
		case "bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash":
			a.command(argv[2])
			return
		}
	}
	var b strings.Builder
	for i, word := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte('\'')
		b.WriteString(strings.ReplaceAll(word, "'", `'\''`))
		b.WriteByte('\'')
	}
	a.command(b.String())
}

// stdinTool writes to a process that runs already: nothing is known of what reads it,
// but that to read on is harmless.
func stdinTool(a *analysis, m *members) bool {
	text, ok := m.text("chars")
	m.skip("session_id", "yield_time_ms", "max_output_tokens")
	if !ok && m.values["chars"] != nil || !m.done() {
		return false
	}
	a.argument = "chars"
	if text == "" {
		a.say("session-only", Span{}, "")
		return true
	}
	a.say("input-sent", a.span(shell.Span{End: len(text)}), text)
	return true
}
