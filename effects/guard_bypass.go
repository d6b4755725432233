package effects

import (
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// bypass finds commands that take the checks away which the machine or an agent has,
// or the traces that commands leave.
func (in *invocation) bypass() {
	if len(in.Args) == 0 {
		return
	}
	name := programName(in.Args[0].Prefix())
	args := in.Args[1:]
	if i := in.liftsAgent(name, args); i >= 0 {
		in.say("checks-lifted", in.span(args[i].Span), wordText(args[i]))
	}
	if name == "hash" && len(args) > 0 && strings.HasPrefix(args[0].Prefix(), "-") && strings.ContainsAny(args[0].Prefix(), "p") {
		in.say("search-changed", in.span(in.Span), name)
	}
	if liftsSystem(name, args) {
		in.say("checks-lifted", in.span(in.Span), name)
	}
	if hidesCommands(name, args) {
		in.say("trail-hidden", in.span(in.Span), name)
	}
}

// agents are command lines of coding agents.
var agents = nameSet(
	"claude codex qwen gemini opencode copilot cursor-agent aider goose amp crush droid q kiro kiro-cli cline auggie cn kilocode dsh docket openhands plandex",
)

// runners start packages that may be agents.
var runners = nameSet("npx bunx pnpx pnpm npm yarn bun uvx pipx uv deno")

// liftsAgent gives the place of an argument that lets another agent work without
// asking, -1 if there is none.
func (in *invocation) liftsAgent(name string, args []shell.Word) int {
	isAgent := agents[name]
	for i, w := range args {
		text := w.Prefix()
		if isAgent && liftsHere(args, i, text) {
			return i
		}
		if runners[name] && (agents[strings.TrimPrefix(text, "@openai/")] || strings.HasPrefix(text, "@anthropic-ai/") || strings.HasPrefix(text, "@google/gemini") || strings.HasPrefix(text, "@qwen-code/")) {
			isAgent = true
		}
		if strings.HasPrefix(text, "--dangerously-") && !readsText(name) {
			return i
		}
	}
	return -1
}

// liftsHere reports whether an agent's argument lifts its checks.
func liftsHere(args []shell.Word, i int, text string) bool {
	switch text {
	case "--yolo", "-y", "--full-auto", "--allow-all-tools", "--allow-all-paths", "--allow-all", "--trust-all-tools", "--yes-always", "--auto-approve", "--auto", "--no-approve",
		"--skip-permissions", "--skip-permissions-unsafe", "--force", "--always-approve", "--dangerously-skip-permissions", "--no-sandbox":
		return true
	case "-a", "--ask-for-approval", "-s", "--sandbox", "--permission-mode", "--approval-mode", "--allowedTools", "--allowed-tools", "--allow-tool":
		return i+1 < len(args) && liftingValue(args[i+1].Prefix())
	}
	if option, value, ok := strings.Cut(text, "="); ok && strings.HasPrefix(option, "-") && liftingValue(value) {
		return true
	}
	return strings.Contains(text, "approval_policy") || strings.Contains(text, "danger-full-access")
}

func liftingValue(value string) bool {
	switch value {
	case "never", "danger-full-access", "bypassPermissions", "dontAsk", "yolo", "full-auto", "auto-edit", "autoEdit", "auto_edit", "acceptEdits", "auto", "*", "true":
		return true
	}
	return strings.Contains(value, "Bash") || strings.HasPrefix(value, "shell")
}

// readsText are programs whose arguments are often words of a text.
func readsText(name string) bool {
	switch name {
	case "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "ack", "sed", "awk", "git", "gh", "jq", "cat", "test", "[", "expr", "tee", "ls", "find":
		return true
	}
	return false
}

// watchers are services that look after a machine's safety.
var watchers = nameSet(
	"auditd apparmor falcon-sensor wazuh-agent ossec clamav-daemon clamd osqueryd fail2ban firewalld ufw nftables iptables sentinelone cbagentd mdatp xagt aide windefend mpssvc wscsvc sense",
)

// liftsSystem reports whether a command takes a check of the operating system away.
func liftsSystem(name string, args []shell.Word) bool {
	has := func(words ...string) bool {
		return slices.ContainsFunc(args, func(w shell.Word) bool { return slices.Contains(words, asciiFold(w.Prefix())) })
	}
	switch name {
	case "setenforce":
		return !has("1", "enforcing")
	case "aa-teardown", "aa-disable", "aa-complain", "aa-remove-unknown", "set-executionpolicy", "set-mppreference", "add-mppreference", "uninstall-windowsfeature", "bcdedit":
		return true
	case "apparmor_parser":
		return has("-r", "--remove")
	case "csrutil":
		return has("disable", "authenticated-root")
	case "spctl":
		return has("--master-disable", "--global-disable", "--disable", "--add")
	case "auditctl":
		return has("-e", "-d")
	case "ufw":
		return has("disable", "reset")
	case "netsh":
		return has("advfirewall", "firewall")
	case "sysctl":
		return slices.ContainsFunc(args, func(w shell.Word) bool { return isProtection(w.Prefix()) })
	case "systemctl", "service", "rc-service", "launchctl", "sc":
		return has("stop", "disable", "mask", "unload", "bootout", "kill", "delete") && slices.ContainsFunc(args, func(w shell.Word) bool {
			return watchers[strings.TrimSuffix(asciiFold(w.Prefix()), ".service")]
		})
	default:
		return false
	}
}

// isProtection reports whether a kernel setting that is given a value holds attacks
// off.
func isProtection(text string) bool {
	key, _, sets := strings.Cut(text, "=")
	switch strings.ReplaceAll(key, "/", ".") {
	case "kernel.yama.ptrace_scope", "kernel.randomize_va_space", "kernel.kptr_restrict", "kernel.dmesg_restrict", "kernel.unprivileged_bpf_disabled",
		"fs.protected_symlinks", "fs.protected_hardlinks", "fs.suid_dumpable", "kernel.modules_disabled", "kernel.apparmor_restrict_unprivileged_userns", "kernel.core_pattern", "kernel.modprobe":
		return sets
	}
	return false
}

// hidesCommands reports whether a shell would forget what it ran, or a machine what
// happened on it.
func hidesCommands(name string, args []shell.Word) bool {
	first := ""
	if len(args) > 0 {
		first = args[0].Prefix()
	}
	switch name {
	case "history":
		return strings.HasPrefix(first, "-") && strings.ContainsAny(first, "cdw")
	case "unset":
		return slices.ContainsFunc(args, func(w shell.Word) bool { return variableKind(w.Prefix()) == hidingTrail })
	case "set":
		return len(args) > 1 && first == "+o" && args[1].Prefix() == "history"
	case "shopt":
		return strings.Contains(first, "u") && slices.ContainsFunc(args, func(w shell.Word) bool { return w.Prefix() == "histappend" || w.Prefix() == "history" })
	case "journalctl":
		return slices.ContainsFunc(args, func(w shell.Word) bool { return strings.HasPrefix(w.Prefix(), "--vacuum") || w.Prefix() == "--rotate" })
	case "wevtutil":
		return first == "cl" || first == "clear-log"
	case "clear-history", "clear-eventlog", "remove-eventlog":
		return true
	default:
		return false
	}
}

// isTrail reports whether a file is one in which shells keep what was run.
func isTrail(name string) bool {
	switch asciiFold(name[strings.LastIndexByte(name, '/')+1:]) {
	case ".bash_history", ".zsh_history", ".sh_history", ".ash_history", ".ksh_history", ".history", "fish_history", ".python_history", ".node_repl_history",
		".mysql_history", ".psql_history", ".sqlite_history", ".rediscli_history", "consolehost_history.txt":
		return true
	}
	return false
}
